use utoipa::{IntoParams, ToSchema};

/// The parameters of a search.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchParameters {
    /// What to search for: words, all of which must be found; `"exact phrases"`; `type:` with the
    /// beginning of a type's name or label; the name or label of a field, a colon and a word. A
    /// word of one or two characters is the beginning of a word. At most 16 terms
    #[param(required = true, max_length = 256, example = "web sn-004")]
    q: String,
    /// Results per page
    #[param(required = false, minimum = 1, maximum = 100, example = 10)]
    limit: i64,
    /// `pager.after` of the page before
    #[param(required = false)]
    after: String,
}

/// The search of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ObjectSearchParameter {
    /// What the objects must contain, as for `/rest/search`. The order is that of the list. Where
    /// more than 500 objects match, only the best ones are listed, with a warning
    #[param(required = false, max_length = 256)]
    q: String,
}

/// A found record
#[derive(ToSchema)]
pub(super) struct SearchResult {
    kind: SearchKind,
    public_id: i64,
    /// The type of an object; null for other records
    #[schema(required)]
    type_id: Option<i64>,
    /// The summary line of an object, else what people call the record
    title: String,
    /// Where the first word was found; null if the search only names types
    #[schema(required)]
    field: Option<SearchField>,
    /// At most 200 characters of the value around the match
    #[schema(required)]
    value: Option<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum SearchKind {
    Object,
    Type,
    Category,
    User,
    Group,
}

/// A field of a record
#[derive(ToSchema)]
struct SearchField {
    name: String,
    label: String,
}

/// The number of found objects of a type
#[derive(ToSchema)]
pub(super) struct SearchFacet {
    type_id: i64,
    label: String,
    #[schema(minimum = 1)]
    count: i64,
}

/// The page of a search
#[derive(ToSchema)]
pub(super) struct SearchPager {
    /// Results per page
    page_size: i64,
    /// The cursor of the next page; null on the last one
    #[schema(required)]
    after: Option<String>,
}
