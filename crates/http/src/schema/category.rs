use utoipa::ToSchema;

/// A node of the tree that organises types
#[derive(ToSchema)]
pub(crate) struct Category {
    public_id: i64,
    name: String,
    label: String,
    meta: CategoryMeta,
    /// The id of the parent; null for a root
    #[schema(required)]
    parent: Option<i64>,
    /// Ids of types, in order
    types: Vec<i64>,
}

#[derive(ToSchema)]
struct CategoryMeta {
    icon: String,
    /// Position among siblings; null comes last
    #[schema(required)]
    order: Option<i64>,
}

/// A category to store
#[derive(ToSchema)]
pub(crate) struct CategoryBody {
    /// On PUT, the id in the path; on POST, a free id
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    name: String,
    /// By default the title-cased name
    #[schema(required = false)]
    label: Option<String>,
    #[schema(required = false)]
    meta: Option<CategoryMetaBody>,
    #[schema(required = false)]
    parent: Option<i64>,
    #[schema(required = false)]
    types: Option<Vec<i64>>,
}

#[derive(ToSchema)]
struct CategoryMetaBody {
    #[schema(required = false)]
    icon: Option<String>,
    #[schema(required = false)]
    order: Option<i64>,
}

/// A category in the tree, with its descendants
#[derive(ToSchema)]
pub(crate) struct CategoryNode {
    category: Category,
    #[schema(required)]
    node_order: Option<i64>,
    #[schema(no_recursion)]
    children: Vec<CategoryNode>,
    types: Vec<serde_json::Value>,
}
