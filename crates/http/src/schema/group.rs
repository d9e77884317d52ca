use utoipa::{IntoParams, ToSchema};

/// A group to store
#[derive(ToSchema)]
pub(crate) struct GroupBody {
    /// On PUT, the id in the path; on POST, an id that no group ever had
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    name: String,
    /// By default the title-cased name
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

/// The fate of the users of a deleted group.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GroupDeleteParameters {
    /// `MOVE` moves the users to the group `group_id`; `DELETE` deletes them. By default, a group
    /// that has users is not deleted
    #[param(required = false, inline)]
    action: MemberAction,
    /// The group that `MOVE` moves the users to
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
