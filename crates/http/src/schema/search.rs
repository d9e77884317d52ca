use utoipa::IntoParams;

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
