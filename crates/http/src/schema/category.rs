use utoipa::ToSchema;

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
