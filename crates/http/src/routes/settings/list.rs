use axum::extract::State;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::setting;

use crate::envelope::{Answer, Model};
use crate::extract::{Id, ListQuery, Permit};
use crate::problem::Problem;
use crate::schema::{ListParameters, ListedSetting, RecordId, Results};
use crate::state::AppState;

/// List the settings of a user, all of them unless `limit` is sent
#[utoipa::path(get, path = "/rest/users/{public_id}/settings", tag = "Settings", operation_id = "list_settings", params(RecordId, ListParameters),
    responses((status = 200, description = "The settings", body = Results<ListedSetting>)))]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(user): Id<UserId>,
    mut query: ListQuery,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    query.default_sort("identifier")?;
    query.default_unpaged()?;
    let page = setting::list(&permit, user, query.request).await?;
    Ok(
        Answer::results(Model::UserSetting, &page.results, state.now())
            .header("x-total-count", &page.total.to_string()),
    )
}
