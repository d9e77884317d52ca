use stockroom_access::permission::TypeView;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{List, ListParameters, Type, TypeListParameters};

/// List types
#[utoipa::path(get, path = "/rest/types", tag = "Types", operation_id = "list_types",
    params(ListParameters, TypeListParameters),
    responses((status = 200, description = "A page of types", body = List<Type>)))]
pub(super) async fn handle(
    Permit(permit): Permit<TypeView>,
    query: ListQuery,
) -> Result<Answer, Problem> {
    let page = r#type::list(&permit, &query.request).await?;
    Ok(query.answer(Model::Type, &page))
}
