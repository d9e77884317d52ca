use utoipa::{IntoParams, ToSchema};

/// The parameters of an export.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportParameters {
    /// The format of the file
    #[param(required = true, inline, example = "csv")]
    format: ExportFormat,
    /// JSON object in the MongoDB query language, as for lists
    #[param(required = false, example = "{\"type_id\": 1}")]
    filter: String,
    /// Path to sort by; equal values are sorted by `public_id`
    #[param(required = false, example = "public_id")]
    sort: String,
    /// 1 sorts ascending, any other value descending
    #[param(required = false, example = 1)]
    order: i64,
    /// Only active objects
    #[param(required = false)]
    active: bool,
    /// Id of a saved view: its filter and type apply, too, and its order and columns unless the
    /// request has its own
    #[param(required = false)]
    view: i64,
    /// Names of fields and of members of objects, between commas or as a JSON list. By default
    /// tables have `public_id`, `active` and all fields, documents are whole
    #[param(required = false, example = "public_id,active")]
    columns: String,
    /// In tables, `true` shows labels: of columns, of options and of referenced objects. Such a
    /// table cannot be read back
    #[param(required = false)]
    labels: bool,
    /// In csv, what stands between cells: `,`, `;` or `tab`
    #[param(required = false, example = ",")]
    separator: String,
    /// In csv, `true` writes a byte order mark, which some spreadsheets need
    #[param(required = false)]
    bom: bool,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ExportFormat {
    Csv,
    Xlsx,
    Json,
    Ndjson,
}
