use serde_json::{Map, Value};
use stockroom_model::source::Policy;
use stockroom_service::import::{Only, ReportedStatus};
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
    /// Only rows with this status
    #[param(required = false, inline)]
    status: ReportedStatus,
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
    policy: Option<Policy>,
    /// True gives the statuses and writes nothing
    #[schema(required = false)]
    dry_run: Option<bool>,
    /// `failed`: only rows that were not imported yet; after a dry run, those that it refused
    #[schema(required = false)]
    only: Option<Only>,
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
