use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::setting;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, ListQuery, Permit};
use crate::schema::{ListParameters, RecordId, SettingResults};

/// List the settings of a user
///
/// Returns all of them unless `limit` is sent.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/settings", tag = "Settings",
    operation_id = "list_settings",
    params(RecordId, ListParameters),
    responses(
        (
            status = 200,
            description = "The settings; with `after`, in the envelope of lists",
            body = SettingResults,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(user): Id<UserId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    query.default_sort("identifier");
    query.default_unpaged()?;
    let page = setting::list(&permit, user, query.request.clone()).await?;
    if query.request.is_by_cursor() {
        return Ok(query.answer(Model::UserSetting, &page));
    }
    let envelope = query.envelope(Model::UserSetting, page.total, None);
    Ok(envelope.plain_answer(&page.results))
}
