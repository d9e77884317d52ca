use std::io;

use axum::body::{Body, HttpBody as _};
use axum::extract::State;
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use stockroom_access::permission::ObjectImport;
use stockroom_service::import::{self, Format, Header, Options, Part, Upload, encoding_named};

use super::updated;
use crate::answer::{Answer, Problem};
use crate::request::{Origin, Parameters, Permit};
use crate::schema::{Import, ImportUploadParameters, Updated, UploadedTable};
use crate::state::AppState;

/// The longest name of a file, in bytes.
const MAX_NAME: usize = 255;

/// Upload a file to import
///
/// CSV, XLSX, JSON or NDJSON, as the body of the request. Format, separator, encoding and what the
/// columns hold are detected; parameters overrule that. Nothing is imported yet.
#[utoipa::path(
    post, path = "/rest/imports", tag = "Imports", operation_id = "upload_import",
    params(ImportUploadParameters),
    request_body(
        content = UploadedTable, content_type = "application/octet-stream",
        description = "The file; its type need not be given",
    ),
    responses((status = 201, description = "The file was read", body = Updated<Import>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    parameters: Parameters,
    origin: Origin,
    State(state): State<AppState>,
    body: Body,
) -> Result<Answer, Problem> {
    let limit = state.bodies.limits().import_bytes;
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long(limit));
    }
    let upload = read(&parameters)?;
    let mut received = 0;
    let parts = body.into_data_stream().map(move |part| -> Part {
        let part = part.map_err(io::Error::other)?;
        received += part.len();
        if received > limit {
            let detail = format!("it is longer than {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, detail));
        }
        Ok(part.to_vec())
    });
    let (id, import) = import::upload(&permit, upload, parts).await?;
    Ok(updated(StatusCode::CREATED, id, &import, &origin, &state))
}

fn read(parameters: &Parameters) -> Result<Upload, Problem> {
    parameters.refuse_unknown()?;
    let name = parameters.get("file_name")?.unwrap_or("import");
    if name.is_empty() || name.len() > MAX_NAME || name.chars().any(char::is_control) {
        let detail = format!("must be a name of at most {MAX_NAME} bytes");
        return Err(Problem::invalid("file_name", detail));
    }
    let formats = Format::ALL.map(|format| (format.as_str(), Some(format)));
    // The bytes tell more than the name, but not CSV from a text with one column.
    let named = Format::of_file(name).filter(|format| *format != Format::Xlsx);
    let separators = [
        (",", Some(b',')),
        (";", Some(b';')),
        ("|", Some(b'|')),
        ("tab", Some(b'\t')),
    ];
    let encoding = parameters.get("encoding")?.map(|label| {
        let unknown = || Problem::invalid("encoding", "is not known; try utf-8 or windows-1252");
        encoding_named(label).ok_or_else(unknown)
    });
    Ok(Upload {
        name: name.to_owned(),
        options: Options {
            format: parameters.one_of("format", &formats, named)?,
            separator: parameters.one_of("separator", &separators, None)?,
            encoding: encoding.transpose()?,
            header: header(parameters)?,
            has_escapes: parameters.flag("escapes")?,
            sheet: parameters.get("sheet")?.map(str::to_owned),
        },
    })
}

/// Which row names the columns.
fn header(parameters: &Parameters) -> Result<Header, Problem> {
    let row = match parameters.get("header_row")? {
        None => None,
        Some(_) => Some(parameters.number("header_row", 1, 1)? as u64),
    };
    match (parameters.flag("header")?, row) {
        (Some(false), Some(_)) => {
            let detail = "is no parameter beside header=false, by which no row names the columns";
            Err(Problem::invalid("header_row", detail))
        }
        (Some(false), None) => Ok(Header::None),
        (_, Some(row)) => Ok(Header::Row(row)),
        (Some(true), None) => Ok(Header::Row(1)),
        (None, None) => Ok(Header::Detected),
    }
}

fn too_long(limit: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the file is longer than {limit} bytes"),
    )
}
