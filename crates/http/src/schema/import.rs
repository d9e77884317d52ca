use std::collections::BTreeMap;

use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// A table in a file
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(crate) struct UploadedTable(Vec<u8>);

/// The parameters of an upload.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportUploadParameters {
    /// The name of the file
    #[param(required = false, example = "servers.csv")]
    file_name: String,
    /// The format; by default it is detected
    #[param(required = false, inline)]
    format: ImportFormat,
    /// In csv, what stands between cells: `,`, `;`, `|` or `tab`; by default it is detected
    #[param(required = false)]
    separator: String,
    /// The encoding of a text without a byte order mark, such as `utf-8` or `windows-1252`; by
    /// default it is detected
    #[param(required = false)]
    encoding: String,
    /// Whether a row names the columns, which is the default
    #[param(required = false)]
    header: bool,
    /// The number of the row that names the columns, if a title stands above it; by default it is
    /// detected
    #[param(required = false, minimum = 1)]
    header_row: i64,
    /// Whether cells are escaped as in our exports; by default it is detected
    #[param(required = false)]
    escapes: bool,
    /// In xlsx, the name of the sheet; by default it is the first
    #[param(required = false)]
    sheet: String,
}

/// The type that the columns may go to.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportTypeParameter {
    /// Id of a type: `suggested` then has how the columns probably go to its fields
    #[param(required = false)]
    type_id: i64,
}

/// The parameters of a page of rows.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportRowsParameters {
    /// Only rows with this verdict
    #[param(required = false, inline)]
    verdict: ImportVerdict,
    /// How many rows, at most 500
    #[param(required = false, example = 100)]
    limit: i64,
    /// The cursor of the page before, from `pager.after`
    #[param(required = false)]
    after: String,
}

/// The parameters of a page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParameters {
    /// How many, at most 500
    #[param(required = false, example = 100)]
    limit: i64,
    /// The cursor of the page before, from `pager.after`
    #[param(required = false)]
    after: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportFormat {
    Csv,
    Xlsx,
    Json,
    Ndjson,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportVerdict {
    New,
    Update,
    Unchanged,
    Duplicate,
    Error,
    Undone,
    Kept,
}

/// What to do with the rows of a file
#[derive(ToSchema)]
pub(crate) struct ImportRunBody {
    /// The id or the name of the type of the objects; required without `source`
    #[schema(required = false)]
    type_id: Option<ImportTypeName>,
    /// The name or the id of a source, which says type, columns, key and policy
    #[schema(required = false)]
    source: Option<ImportSourceName>,
    /// By the names of columns: the name of a field, `public_id` or `active`; or for a reference
    /// `{"field": …, "by": …}` with the field by which the other object is named, or with the columns
    /// that tell it by the names of its fields; or null for nowhere. With `"else"` the text of a
    /// reference that names no object goes to that field; `"dates"` is `month/day/year` or
    /// `day/month/year`; with `"optional": true` the file may lack the column. By default each column
    /// goes to the field of its name or label
    #[schema(required = false)]
    columns: Option<Map<String, Value>>,
    /// False refuses the run if a column with values goes nowhere and `columns` does not say so. By
    /// default, such columns are left out
    #[schema(required = false)]
    ignore_columns: Option<bool>,
    /// The fields by which an object is found: if there is one, it is changed, and else made. By
    /// default this is `public_id`, if a column goes there
    #[schema(required = false)]
    key: Option<Vec<String>>,
    /// What happens when a row is refused: `stop` ends the import there, `skip` goes on with the
    /// next row, `all` imports all rows or none
    #[schema(required = false)]
    policy: Option<ImportPolicy>,
    /// True gives the verdicts and writes nothing
    #[schema(required = false)]
    dry_run: Option<bool>,
    /// `failed`: only rows that were not imported yet; after a dry run, those that it refused
    #[schema(required = false)]
    only: Option<ImportOnly>,
}

/// The name of a type, or its id
#[derive(ToSchema)]
#[serde(untagged)]
enum ImportTypeName {
    Name(String),
    Id(i64),
}

/// The name of a source, or its id
#[derive(ToSchema)]
#[serde(untagged)]
enum ImportSourceName {
    Name(String),
    Id(i64),
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportOnly {
    Failed,
}

/// Cells to replace
#[derive(ToSchema)]
pub(crate) struct ImportRepairBody {
    /// At most 500
    rows: Vec<ImportRowRepair>,
}

/// New cells of a row
#[derive(ToSchema)]
struct ImportRowRepair {
    /// The number of the row in the file
    #[schema(minimum = 1)]
    row: i64,
    /// By the names of columns: a text, a number, true, false or null
    cells: Map<String, Value>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum ImportPolicy {
    Stop,
    Skip,
    All,
}

/// An import of a file
#[derive(ToSchema)]
pub(crate) struct Import {
    #[schema(minimum = 1)]
    id: i64,
    state: ImportState,
    file: ImportFile,
    /// Number of rows with a value
    #[schema(minimum = 0)]
    rows: i64,
    /// What the last step was asked to do
    #[schema(required)]
    plan: Option<ImportPlan>,
    /// Number of rows with each verdict
    counts: BTreeMap<String, i64>,
    /// How much of the step is done, from 0 to 1
    progress: f64,
    /// Why the step failed
    #[schema(required)]
    error: Option<String>,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    created_at: String,
    /// When the last step began
    #[schema(required)]
    started_at: Option<String>,
    #[schema(required)]
    ended_at: Option<String>,
    /// The request id of all changes of the last step
    request_id: String,
    /// Id of the user
    actor: i64,
    /// What each column holds; not in lists and after steps
    #[schema(required = false)]
    columns: Option<Vec<ImportColumn>>,
    /// The body of a type with a field for each column; where `columns` are
    #[schema(required = false)]
    proposed_type: Option<Map<String, Value>>,
    /// With `type_id`: what a run without columns would do
    #[schema(required = false)]
    suggested: Option<ImportPlan>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportState {
    Uploading,
    Ready,
    Checking,
    Checked,
    Importing,
    Done,
    Undoing,
    Undone,
    Failed,
    Cancelled,
}

/// What was detected
#[derive(ToSchema)]
struct ImportFile {
    name: String,
    /// Empty until the file is read
    format: String,
    #[schema(required)]
    separator: Option<String>,
    #[schema(required)]
    encoding: Option<String>,
    #[schema(required)]
    sheet: Option<String>,
    sheets: Vec<String>,
    header: bool,
    /// The number of the row that named the columns
    #[schema(required, minimum = 1)]
    header_row: Option<i64>,
    escapes: bool,
}

/// What a column holds
#[derive(ToSchema)]
struct ImportColumn {
    name: String,
    looks: ImportLooks,
    /// Number of rows with a value
    #[schema(minimum = 0)]
    filled: i64,
    /// Characters of the longest value
    #[schema(minimum = 0)]
    longest: i64,
    /// The first different values
    samples: Vec<String>,
    /// All different values, if they are few
    distinct: Vec<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
enum ImportLooks {
    Empty,
    Integer,
    Number,
    Boolean,
    Date,
    Choice,
    LongText,
    Text,
}

/// What a step was asked to do
#[derive(ToSchema)]
struct ImportPlan {
    type_id: i64,
    columns: Map<String, Value>,
    key: Vec<String>,
    policy: ImportPolicy,
    dry_run: bool,
    #[schema(required)]
    only: Option<ImportOnly>,
    /// The source that the import is bound to
    #[schema(required)]
    source: Option<ImportSource>,
}

/// A source that an import is bound to
#[derive(ToSchema)]
struct ImportSource {
    public_id: i64,
    /// Its name when the step began
    name: String,
}

/// An object whose record the file lacks
#[derive(ToSchema)]
pub(crate) struct ImportMissing {
    /// Id of the object
    object: i64,
    /// The values of the columns that identify the record; null after an undo
    #[schema(required)]
    external_key: Option<Vec<String>>,
    verdict: ImportMissingVerdict,
    problems: Vec<ImportProblem>,
}

/// What became of it: the source has treated it, has not been able to, or it was taken back
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportMissingVerdict {
    Missing,
    Kept,
    Undone,
}

/// A row of a file
#[derive(ToSchema)]
pub(crate) struct ImportRow {
    /// Its number as a spreadsheet shows it
    #[schema(minimum = 1)]
    row: i64,
    /// What became of it, or in a dry run what would become of it
    #[schema(required)]
    verdict: Option<ImportVerdict>,
    /// Id of its object
    #[schema(required)]
    object: Option<i64>,
    problems: Vec<ImportProblem>,
    /// In the order of the columns
    cells: Vec<Value>,
}

/// Why a row is refused
#[derive(ToSchema)]
struct ImportProblem {
    /// The column, unless the row as a whole is wrong
    #[schema(required)]
    column: Option<String>,
    detail: String,
}
