use stockroom_access::permission::Authenticated;
use stockroom_service::right;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{ListParameters, RightResults, RightViewParameters};

#[derive(Clone, Copy)]
enum View {
    List,
    Tree,
}

/// List rights
///
/// With `view=tree`, shows their tree.
#[utoipa::path(
    get, path = "/rest/rights", tag = "Rights", operation_id = "list_rights",
    params(ListParameters, RightViewParameters),
    responses(
        (
            status = 200,
            description = "A page of rights; with `view=tree` nested arrays",
            body = RightResults,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    query.default_sort("name");
    let page = match view(&query)? {
        View::List => {
            query.echo_view("list");
            right::list(&permit, &query.request).await?
        }
        View::Tree => {
            query.echo_view("tree");
            query.default_unpaged()?;
            right::tree(&permit, &query.request).await?
        }
    };
    Ok(query.answer(Model::Right, &page))
}

/// Clients send the parameter as `view` or as `optional`, its older name.
fn view(query: &ListQuery) -> Result<View, Problem> {
    const VIEWS: [(&str, View); 2] = [("list", View::List), ("tree", View::Tree)];
    let optional = query.parameters.one_of("optional", &VIEWS, View::List)?;
    query.parameters.one_of("view", &VIEWS, optional)
}
