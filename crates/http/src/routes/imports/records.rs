use stockroom_access::permission::TypeImport;
use stockroom_service::record_import;

use crate::answer::{Answer, Problem, to_text};
use crate::request::{JsonBody, Permit};
use crate::schema::{ImportedRecords, RecordsToImport};

/// Import types, categories and groups
///
/// Makes those that are not here and changes those that are, all or none. Types and groups are found
/// by their names, categories by name and parent. Ids in the body name records of the body. Each
/// record needs the rights that it needs alone.
#[utoipa::path(
    post, path = "/rest/imports/records", tag = "Imports", operation_id = "import_records",
    request_body = RecordsToImport,
    responses((status = 200, description = "What became of the records", body = ImportedRecords)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeImport>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let imported = record_import::import(&permit, body).await?;
    Ok(Answer::bare(to_text(&ImportedRecords {
        results: imported.results,
        warnings: imported.warnings,
        effects: None,
    })))
}
