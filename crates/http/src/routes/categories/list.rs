use stockroom_access::permission::CategoryView;
use stockroom_service::category;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ListQuery, Permit};
use crate::schema::{Category, CategoryNode, List, ListParameters, TreeViewParameter};

#[derive(Clone, Copy)]
enum View {
    List,
    Tree,
}

/// List categories
///
/// With `view=tree`, shows their tree.
#[utoipa::path(
    get, path = "/rest/categories", tag = "Categories", operation_id = "list_categories",
    params(ListParameters, TreeViewParameter),
    responses(
        (
            status = 200,
            description = "A page of categories; with `view=tree` root nodes",
            body = CategoryResults,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<CategoryView>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let view = query.parameters.one_of(
        "view",
        &[("list", View::List), ("tree", View::Tree)],
        View::List,
    )?;
    let page = match view {
        View::List => {
            query.echo_view("list");
            category::list(&permit, query.request.clone()).await?
        }
        View::Tree => {
            query.echo_view("tree");
            query.default_unpaged()?;
            category::tree(&permit, query.request.clone()).await?
        }
    };
    Ok(query.answer(Model::Category, &page))
}

/// A page of categories or of root nodes.
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "documents the answer")]
enum CategoryResults {
    List(List<Category>),
    Tree(List<CategoryNode>),
}
