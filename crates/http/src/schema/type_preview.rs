use utoipa::ToSchema;

use super::envelope::Fault;

/// What a PUT would do to the objects of a type
#[derive(ToSchema)]
pub(crate) struct TypePreview {
    type_id: i64,
    /// Objects of the type, hidden ones included
    #[schema(minimum = 0)]
    objects: i64,
    /// Objects that were examined
    #[schema(minimum = 0)]
    examined: i64,
    /// False if the time was up before all objects were examined
    complete: bool,
    /// Objects that would change: values move to another name or are encrypted
    #[schema(minimum = 0)]
    changed: i64,
    /// Objects whose fields would not be those of the type
    unclean: PreviewedObjects,
    /// Fields that get another name, in the order of the body
    renamed: Vec<RenamedField>,
    /// Fields that go and whose values stay behind
    orphaned: Vec<PreviewFinding>,
    /// Values that a new object could not have
    unfit: Vec<PreviewFinding>,
    /// Why the PUT would be refused
    refused: Vec<PreviewFinding>,
    /// What the PUT would warn of, except `orphaned`
    warnings: Vec<Fault>,
}

/// Objects with something in common
#[derive(ToSchema)]
struct PreviewedObjects {
    #[schema(minimum = 0)]
    count: i64,
    /// The first 100, if you may read them
    #[schema(max_items = 100)]
    objects: Vec<PreviewedObject>,
}

#[derive(ToSchema)]
struct PreviewedObject {
    public_id: i64,
    /// By the definition that is stored; null if the object is gone
    #[schema(required)]
    summary: Option<String>,
}

#[derive(ToSchema)]
struct RenamedField {
    from: String,
    to: String,
    /// Objects that have the field
    #[schema(minimum = 0)]
    count: i64,
}

/// A field, and the objects whose values are concerned
#[derive(ToSchema)]
struct PreviewFinding {
    field: String,
    reason: PreviewReason,
    /// The reason in words
    detail: String,
    #[schema(minimum = 0)]
    count: i64,
    /// The first 100, if you may read them
    #[schema(max_items = 100)]
    objects: Vec<PreviewedObject>,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
enum PreviewReason {
    Kind,
    Regex,
    Options,
    Required,
    Reference,
    RefTypes,
    Removed,
    Taken,
    Password,
    TooMany,
}
