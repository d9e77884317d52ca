use utoipa::{IntoParams, ToSchema};

use super::Right;

/// Users with the same rights
#[derive(ToSchema)]
pub(crate) struct Group {
    public_id: i64,
    /// Unique
    #[schema(min_length = 1)]
    name: String,
    label: String,
    /// As granted, in the order of the list of all rights
    rights: Vec<Right>,
}

/// A group to store
#[derive(ToSchema)]
pub(crate) struct GroupBody {
    /// On PUT that of the path; on POST one that is free
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    name: String,
    /// The title-cased name by default
    #[schema(required = false)]
    label: Option<String>,
    /// None by default
    #[schema(required = false)]
    rights: Option<Vec<GrantedRight>>,
}

/// The name of a right, or a Right object as in answers
#[derive(ToSchema)]
#[serde(untagged)]
enum GrantedRight {
    Name(String),
    Object(NamedRight),
}

#[derive(ToSchema)]
struct NamedRight {
    name: String,
}

/// What becomes of the users of a group that is deleted.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GroupDeleteParameters {
    /// `MOVE` puts the users into the group of `group_id`, `DELETE` deletes them; without it a group that has users stays
    #[param(required = false, inline)]
    action: MemberAction,
    /// Where `MOVE` puts the users
    #[param(required = false, minimum = 1)]
    group_id: i64,
}

#[derive(ToSchema)]
enum MemberAction {
    #[serde(rename = "MOVE")]
    Move,
    #[serde(rename = "DELETE")]
    Delete,
}
