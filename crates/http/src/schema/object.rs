use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::List;

/// An object in its native form
#[derive(ToSchema)]
pub(crate) struct NativeObject {
    public_id: i64,
    type_id: i64,
    #[schema(required)]
    status: Option<bool>,
    version: String,
    author_id: i64,
    #[schema(required)]
    creation_time: Option<Date>,
    #[schema(required)]
    last_edit_time: Option<Date>,
    #[schema(required)]
    editor_id: Option<i64>,
    active: bool,
    fields: Vec<Field>,
    /// How often the rendered object was read
    views: i64,
    /// In lists that were asked with `Prefer: revisions`
    #[schema(required = false)]
    revision: Option<i64>,
}

/// A point in time
#[derive(ToSchema)]
pub(crate) struct Date {
    /// Milliseconds since 1970-01-01 UTC
    #[serde(rename = "$date")]
    date: i64,
}

/// A field and its value
#[derive(ToSchema)]
struct Field {
    name: String,
    /// Text, number, boolean, `{"$date": …}` or null, by the kind of the field
    #[schema(required)]
    value: Option<Value>,
}

/// An object to store: by default of at most 2,000 fields, 1 MiB a value and 4 MiB in all
#[derive(ToSchema)]
pub(crate) struct ObjectBody {
    /// On PUT that of the path; on POST one that is free
    #[schema(required = false, minimum = 1)]
    public_id: Option<i64>,
    /// Cannot change
    type_id: i64,
    #[schema(minimum = 0)]
    author_id: i64,
    #[schema(required = false)]
    status: Option<bool>,
    #[schema(required = false)]
    version: Option<String>,
    #[schema(required = false)]
    active: Option<bool>,
    #[schema(required = false, minimum = 0)]
    views: Option<i64>,
    fields: Vec<Field>,
}

/// A page of objects, with `view=render` of rendered ones
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum ObjectResults {
    Native(List<NativeObject>),
    Rendered(List<RenderedObject>),
}

/// One object, or those of a list of ids
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum ObjectOrObjects {
    One(NativeObject),
    Many(Vec<NativeObject>),
}

/// The state to set
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum ObjectState {
    Bare(bool),
    Active { active: bool },
    State { state: bool },
}

/// What cleaning did
#[derive(ToSchema)]
pub(crate) struct Cleaned {
    type_id: i64,
    /// How many objects were changed
    #[schema(minimum = 0)]
    cleaned: i64,
}

/// What lists of objects take besides.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ObjectListParameters {
    /// The form of the objects
    #[param(required = false, inline)]
    view: View,
    /// Only active objects; `onlyActiveObjCookie` is its older name
    #[param(required = false)]
    active: bool,
    /// `true` tells administrators, in `explain`, how the list was found
    #[param(required = false)]
    explain: bool,
}

#[derive(ToSchema)]
enum View {
    #[serde(rename = "native")]
    Native,
    #[serde(rename = "render")]
    Render,
}

/// What deleting names.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RecordIds {
    /// An id, or several separated by commas
    #[param(pattern = "^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14})*$")]
    public_id: String,
}

/// What deleting takes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteParameters {
    /// What becomes of objects that reference these: there must be none, or their value becomes null. Without it they keep it.
    #[param(required = false, inline)]
    references: ReferencesMode,
}

#[derive(ToSchema)]
enum ReferencesMode {
    #[serde(rename = "protect")]
    Protect,
    #[serde(rename = "clear")]
    Clear,
}

/// An object as people read it
#[derive(ToSchema)]
pub(crate) struct RenderedObject {
    current_render_time: Date,
    object_information: ObjectInformation,
    type_information: TypeInformation,
    /// In lists that were asked with `Prefer: revisions`
    #[schema(required = false)]
    revision: Option<i64>,
    /// The document was cut because it became too long (8 MiB unless configured otherwise), or named objects that are too long together: null stands for those, lists end early, and values are null that did not fit; the native document has all
    #[schema(required = false)]
    truncated: bool,
}

#[derive(ToSchema)]
struct ObjectInformation {
    object_id: i64,
    #[schema(required)]
    creation_time: Option<Date>,
    #[schema(required)]
    last_edit_time: Option<Date>,
    #[schema(required)]
    author_id: Option<i64>,
    author_name: String,
    #[schema(required)]
    editor_id: Option<i64>,
    #[schema(required)]
    editor_name: Option<String>,
    active: bool,
    version: String,
}

#[derive(ToSchema)]
struct TypeInformation {
    type_id: i64,
    type_name: String,
    type_label: String,
    #[schema(required)]
    creation_time: Option<Date>,
    author_id: i64,
    author_name: String,
    #[schema(required)]
    icon: Option<String>,
    active: bool,
    version: String,
    acl: RenderedAcl,
    /// Definitions with `value`, and `reference` or `references` where the field names an object
    fields: Vec<RenderedField>,
    sections: Vec<RenderedSection>,
    summaries: Vec<RenderedField>,
    summary_line: String,
    externals: Vec<RenderedExternal>,
}

#[derive(ToSchema)]
struct RenderedAcl {
    activated: bool,
    groups: RenderedAclGroups,
}

#[derive(ToSchema)]
struct RenderedAclGroups {
    includes: Map<String, Value>,
}

#[derive(ToSchema)]
struct RenderedField {
    r#type: String,
    name: String,
    label: String,
    #[schema(required)]
    value: Option<Value>,
}

#[derive(ToSchema)]
struct RenderedSection {
    r#type: String,
    name: String,
    label: String,
    fields: Vec<String>,
}

#[derive(ToSchema)]
struct RenderedExternal {
    name: String,
    href: String,
    label: String,
    icon: String,
    fields: Vec<String>,
}
