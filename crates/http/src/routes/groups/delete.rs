use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::GroupDelete;
use stockroom_model::GroupId;
use stockroom_service::group::{self, Members};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Parameters, Permit};
use crate::schema::{Deleted, Group, GroupDeleteParameters, RecordId};
use crate::state::AppState;

#[derive(Clone, Copy)]
enum Action {
    None,
    Move,
    Delete,
}

/// Delete a group
///
/// Its users are moved or deleted with it. If it has users, the caller must hold everything that
/// this group and the target group hold: their rights, and their grants in the access lists of
/// types. `action=DELETE` also requires the right `base.user-management.user.delete`. The group is
/// removed from the access lists of types.
#[utoipa::path(
    delete, path = "/rest/groups/{public_id}", tag = "Groups", operation_id = "delete_group",
    params(RecordId, GroupDeleteParameters),
    responses((status = 202, description = "The removed group", body = Deleted<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<GroupDelete>,
    Id(id): Id<GroupId>,
    IfMatch(precondition): IfMatch,
    parameters: Parameters,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    // Before the parameters, as a protected group is refused with any of them.
    group::check_unprotected(id)?;
    let members = members(&parameters)?;
    let removed = group::delete(&permit, id, members, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::Group,
        &removed,
        state.now(),
    ))
}

fn members(parameters: &Parameters) -> Result<Members, Problem> {
    let action = parameters.one_of(
        "action",
        &[("MOVE", Action::Move), ("DELETE", Action::Delete)],
        Action::None,
    )?;
    match action {
        Action::None => Ok(Members::None),
        Action::Delete => Ok(Members::Delete),
        Action::Move => parameters
            .get("group_id")?
            .and_then(|text| text.parse().ok())
            .map(Members::Move)
            .ok_or_else(|| {
                Problem::invalid(
                    "group_id",
                    "must be the id of the group to move the users to",
                )
            }),
    }
}
