use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use stockroom_model::TypeId;
use utoipa::{IntoParams, ToSchema};

use super::List;
use stockroom_service::object::labels::Label;

/// An object as stored
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
    /// Number of reads of the rendered object
    views: i64,
    /// Only in lists with `Prefer: revisions`
    #[schema(required = false)]
    revision: Option<i64>,
    /// Only in reads of one object with `labels=true`: the referenced objects that you may see, by
    /// id
    #[schema(required = false)]
    labels: Option<BTreeMap<String, Label>>,
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
    /// Text, number, boolean, `{"$date": …}` or null, depending on the kind of the field
    #[schema(required)]
    value: Option<Value>,
}

/// An object to store. By default it has at most 2,000 fields, 1 MiB per value and 4 MiB in total
#[derive(ToSchema)]
pub(crate) struct ObjectBody {
    /// On PUT, the id in the path; on POST, a free id
    #[schema(required = false, minimum = 1)]
    public_id: Option<i64>,
    /// Cannot be changed
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

/// A page of objects; with `view=render`, of rendered objects
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum ObjectResults {
    Native(List<NativeObject>),
    Rendered(List<RenderedObject>),
}

/// An object, or the objects of a list of ids
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

/// The result of cleaning
#[derive(Serialize, ToSchema)]
pub(crate) struct Cleaned {
    #[schema(value_type = i64)]
    pub(crate) type_id: TypeId,
    /// Number of changed objects
    #[schema(value_type = i64, minimum = 0)]
    pub(crate) cleaned: usize,
}

/// The additional parameters of lists of objects.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ObjectListParameters {
    /// The form of the objects
    #[param(required = false, inline)]
    view: View,
    /// Only active objects; `onlyActiveObjCookie` is the former name
    #[param(required = false)]
    active: bool,
    /// `true` adds `labels`: type, summary and activity of each object that the page references. It
    /// needs a limit from 1 to 500
    #[param(required = false)]
    labels: bool,
    /// `true` shows administrators, in `explain`, how the list was found
    #[param(required = false)]
    explain: bool,
}

/// Whether a read of one object has labels.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LabelsParameter {
    /// `true` adds `labels`, the last member: type, summary and activity of each object that this
    /// one references. The native document then has no entity tag
    #[param(required = false)]
    labels: bool,
}

/// The time of a read.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AsOfParameter {
    /// A time (ISO 8601, UTC without a zone): shows objects as they were then, with the types and
    /// references of that time and without passwords. Access lists, user names and view counts are
    /// those of now
    #[param(required = false, example = "2026-01-31T12:00:00")]
    as_of: String,
}

/// The form of an object.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ObjectViewParameter {
    /// The form of the object
    #[param(required = false, inline)]
    view: View,
}

#[derive(ToSchema)]
enum View {
    #[serde(rename = "native")]
    Native,
    #[serde(rename = "render")]
    Render,
}

/// The objects to delete.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RecordIds {
    /// An id, or several ids separated by commas
    #[param(pattern = "^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14})*$")]
    public_id: String,
}

/// The parameters of a delete.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteParameters {
    /// What happens to references: with `protect`, referenced objects are not deleted; `clear` sets
    /// the references to null. By default, references stay as they are
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

/// A rendered object, for display
#[derive(ToSchema)]
pub(crate) struct RenderedObject {
    current_render_time: Date,
    object_information: ObjectInformation,
    type_information: TypeInformation,
    /// Only in lists with `Prefer: revisions`
    #[schema(required = false)]
    revision: Option<i64>,
    /// Whether the document was cut because it, or the objects that it references, became too long
    /// (8 MiB unless configured otherwise). Then some objects and values are null, and lists end
    /// early. The native document is complete
    #[schema(required = false)]
    truncated: bool,
    /// Only in reads of one object with `labels=true`: the referenced objects that you may see, by
    /// id
    #[schema(required = false)]
    labels: Option<BTreeMap<String, Label>>,
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
    /// Definitions with `value`; fields that reference objects also have `reference` or
    /// `references`
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
