//! The parameters of an export, read as those of a list.

use axum::http::Method;
use stockroom_model::ViewId;
use stockroom_model::json::Value;
use stockroom_service::Error;
use stockroom_service::export::{Format, ObjectExport};
use stockroom_service::object::list::{ObjectListRequest, View};
use stockroom_service::search::read_query;

use crate::answer::Problem;
use crate::request::{ListQuery, Parameters};

/// The names of formats.
const FORMATS: &str = "must be csv, xlsx, json or ndjson";

/// The separators of cells, by name.
const SEPARATORS: [(&str, u8); 4] = [(",", b','), (";", b';'), ("tab", b'\t'), ("\t", b'\t')];

/// Reads the parameters of an export.
pub(super) fn read(query: &ListQuery, method: &Method) -> Result<ObjectExport, Problem> {
    let parameters = &query.parameters;
    check_known(parameters)?;
    let format = format(parameters)?;
    let mut list = query.request.clone();
    list.limit = None;
    let q = parameters.get("q")?;
    Ok(ObjectExport {
        list: ObjectListRequest {
            list,
            view: View::Native,
            with_revisions: false,
            with_labels: false,
            search: q.map(read_query).transpose()?,
            as_of: parameters.time("as_of")?,
            explain: false,
        },
        filter: query.filter_text(),
        view: view(parameters)?,
        format,
        columns: names(parameters, "columns")?,
        labels: parameters.flag("labels")?.unwrap_or(false),
        is_head: *method == Method::HEAD,
    })
}

/// A misspelt parameter must not change what a file has.
pub(crate) fn check_known(parameters: &Parameters) -> Result<(), Problem> {
    match parameters.warnings() {
        [] => Ok(()),
        unknown => Err(Error::no_place_for(unknown.to_vec()).into()),
    }
}

fn format(parameters: &Parameters) -> Result<Format, Problem> {
    let separator = parameters.get("separator")?.is_some();
    let csv = Format::Csv {
        separator: parameters.one_of("separator", &SEPARATORS, b',')?,
        bom: parameters.flag("bom")?.unwrap_or(false),
    };
    let format = match parameters.get("format")? {
        Some("csv") => return Ok(csv),
        Some("xlsx") => Format::Xlsx,
        Some("json") => Format::Json,
        Some("ndjson") => Format::Ndjson,
        _ => return Err(Problem::invalid("format", FORMATS)),
    };
    for (name, is_set) in [("separator", separator), ("bom", parameters.has("bom"))] {
        if is_set {
            return Err(Problem::invalid(name, "needs the format csv"));
        }
    }
    Ok(format)
}

fn view(parameters: &Parameters) -> Result<Option<ViewId>, Problem> {
    let Some(text) = parameters.get("view")? else {
        return Ok(None);
    };
    let id = text.parse().ok().and_then(ViewId::new);
    let wrong = || Problem::invalid("view", format!("must be the id of a view, not {text:?}"));
    id.ok_or_else(wrong).map(Some)
}

/// Names between commas, or a JSON list of names, which may have commas.
pub(crate) fn names(
    parameters: &Parameters,
    parameter: &str,
) -> Result<Option<Vec<String>>, Problem> {
    let Some(text) = parameters.get(parameter)? else {
        return Ok(None);
    };
    if !text.starts_with('[') {
        let names = text.split(',').map(|name| name.trim().to_owned());
        return Ok(Some(names.collect()));
    }
    let wrong = || Problem::invalid(parameter, "must be names between commas, or a JSON list");
    let list = parameters.json(parameter)?;
    let list = list
        .as_deref()
        .and_then(Value::as_array)
        .ok_or_else(wrong)?;
    let names = list.iter().map(|name| name.as_str().map(str::to_owned));
    names.collect::<Option<_>>().ok_or_else(wrong).map(Some)
}
