use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// The definition of objects: their fields, and how to show them
#[derive(ToSchema)]
pub(crate) struct Type {
    public_id: i64,
    name: String,
    label: String,
    author_id: i64,
    /// The user who last changed it
    #[schema(required)]
    editor_id: Option<i64>,
    /// Inactive types refuse new objects
    active: bool,
    version: String,
    #[schema(required)]
    description: Option<String>,
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`
    creation_time: String,
    #[schema(required)]
    last_edit_time: Option<String>,
    #[schema(required)]
    fields: Option<Vec<FieldDefinition>>,
    /// Sets of fields whose values together no two objects may share; absent if there are none
    #[schema(required = false)]
    unique: Vec<Vec<String>>,
    render_meta: RenderMeta,
    acl: Acl,
}

/// A field. Keys that are not listed here are kept as sent
#[derive(ToSchema)]
struct FieldDefinition {
    /// Kind: one of `GET /rest/kinds`, or any other word
    #[schema(min_length = 1)]
    r#type: String,
    /// Unique in its type
    #[schema(min_length = 1)]
    name: String,
    /// In a change of a type: the name of the field until now. The values of all objects move with
    /// it. It is not stored
    #[schema(required = false, write_only)]
    renamed_from: Option<String>,
    label: String,
    #[schema(required = false)]
    required: Option<bool>,
    /// `true`: no two objects of the type may share a value. Anything else has no effect, and so it
    /// is for the next two members
    #[schema(required = false)]
    unique: Option<Value>,
    /// `true`: texts that differ only in case, width or spaces are the same unique value
    #[schema(required = false)]
    fold: Option<Value>,
    /// `"active"`: values are unique among active objects only
    #[schema(required = false, rename = "where")]
    r#where: Option<Value>,
    #[schema(required = false)]
    description: Option<String>,
    /// Regular expression that a text must match as a whole
    #[schema(required = false)]
    regex: Option<String>,
    #[schema(required = false)]
    placeholder: Option<String>,
    #[schema(required = false)]
    value: Option<String>,
    #[schema(required = false, rename = "helperText")]
    helper_text: Option<String>,
    #[schema(required = false)]
    default: Option<DefaultValue>,
    /// The allowed values
    #[schema(required = false)]
    options: Option<Vec<FieldOption>>,
    /// Types that a reference may point to; all if empty
    #[schema(required = false)]
    ref_types: Option<Vec<i64>>,
    #[schema(required = false)]
    summaries: Option<Vec<SummaryItem>>,
}

/// A number, or an empty text for none
#[derive(ToSchema)]
#[serde(untagged)]
enum DefaultValue {
    Number(i64),
    Empty(EmptyText),
}

#[derive(ToSchema)]
#[schema(max_length = 0)]
struct EmptyText(String);

#[derive(ToSchema)]
struct FieldOption {
    name: String,
    label: String,
}

/// The line that names a referenced object
#[derive(ToSchema)]
struct SummaryItem {
    type_id: i64,
    /// Curly brackets are placeholders for values of fields
    line: String,
    label: String,
    #[schema(required = false)]
    fields: Option<Vec<String>>,
    icon: String,
    #[schema(required = false)]
    prefix: Option<bool>,
}

#[derive(ToSchema)]
struct RenderMeta {
    #[schema(required)]
    icon: Option<String>,
    sections: Vec<Section>,
    externals: Vec<External>,
    summary: TypeSummary,
}

/// Fields that are shown together
#[derive(ToSchema)]
struct Section {
    r#type: String,
    name: String,
    label: String,
    /// Only if the section shows a section of a referenced object
    #[schema(required = false)]
    reference: Option<SectionReference>,
    fields: Vec<String>,
}

#[derive(ToSchema)]
struct SectionReference {
    type_id: i64,
    section_name: String,
    /// All if empty
    selected_fields: Vec<String>,
}

/// A link to another system
#[derive(ToSchema)]
struct External {
    name: String,
    /// Curly brackets are placeholders for values of fields
    href: String,
    label: String,
    icon: String,
    fields: Vec<String>,
}

/// The fields that name an object in one line
#[derive(ToSchema)]
struct TypeSummary {
    fields: Vec<String>,
}

/// The permissions of groups on objects of the type. Keys that are not listed here are kept as sent
#[derive(ToSchema)]
struct Acl {
    activated: bool,
    groups: AclGroups,
}

#[derive(ToSchema)]
struct AclGroups {
    /// Lists of `CREATE`, `READ`, `UPDATE` and `DELETE` by the id of a group
    #[schema(required = false)]
    includes: Option<BTreeMap<String, Option<Vec<String>>>>,
}

/// A type to store. By default it has at most 1,000 fields, 1,000 items in every other list, 8 KiB
/// per template and 4 MiB in total. A compiled `regex` has at most 256 KiB, all of them together 4
/// MiB
#[derive(ToSchema)]
pub(crate) struct TypeBody {
    /// On PUT, the id in the path; on POST, an id that no type ever had
    #[schema(required = false, minimum = 1)]
    public_id: Option<i64>,
    /// Unique
    #[schema(min_length = 2)]
    name: String,
    /// By default the title-cased name
    #[schema(required = false)]
    label: Option<String>,
    #[schema(minimum = 0)]
    author_id: i64,
    #[schema(required = false)]
    active: Option<bool>,
    #[schema(required = false)]
    version: Option<String>,
    #[schema(required = false)]
    description: Option<String>,
    #[schema(required = false)]
    fields: Option<Vec<FieldDefinition>>,
    /// Sets of 1 to 8 fields whose values together no two objects may share. Without it, a change
    /// of a type keeps them
    #[schema(required = false, max_items = 16)]
    unique: Option<Vec<Vec<String>>>,
    #[schema(required = false)]
    render_meta: Option<RenderMetaBody>,
    #[schema(required = false)]
    acl: Option<AclBody>,
}

#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
struct RenderMetaBody {
    #[schema(required = false)]
    icon: Option<String>,
    #[schema(required = false)]
    sections: Option<Vec<SectionBody>>,
    #[schema(required = false)]
    externals: Option<Vec<ExternalBody>>,
    #[schema(required = false)]
    summary: Option<TypeSummaryBody>,
}

#[derive(ToSchema)]
struct SectionBody {
    #[schema(min_length = 1)]
    r#type: String,
    #[schema(min_length = 1)]
    name: String,
    label: String,
    /// `type_id`, `section_name` and, to select fields, `selected_fields`; `{}` means no reference
    #[schema(required = false)]
    reference: Option<serde_json::Map<String, Value>>,
    #[schema(required = false)]
    fields: Option<Vec<String>>,
}

#[derive(ToSchema)]
struct ExternalBody {
    #[schema(min_length = 1)]
    name: String,
    #[schema(min_length = 1)]
    href: String,
    label: String,
    icon: String,
    #[schema(required = false)]
    fields: Option<Vec<String>>,
}

#[derive(ToSchema)]
struct TypeSummaryBody {
    #[schema(required = false)]
    fields: Option<Vec<String>>,
}

#[derive(ToSchema)]
struct AclBody {
    #[schema(required = false)]
    activated: Option<bool>,
    #[schema(required = false)]
    groups: Option<AclGroups>,
}

/// The additional parameters of the list of types.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TypeListParameters {
    /// Only active types; `onlyActiveObjCookie` is the former name
    #[param(required = false)]
    active: bool,
}
