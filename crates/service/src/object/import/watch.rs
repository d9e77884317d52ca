//! Waits until an import has got further.

use std::time::Duration;

use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::json::Value;
use tokio::time::Instant;

use super::answer::answer;
use super::read_own;
use crate::{Error, Permit};

/// How often the import is read.
const INTERVAL: Duration = Duration::from_millis(500);

/// An import as soon as it differs from what is `known`, or after `wait`.
///
/// # Errors
///
/// [`Error::NotFound`], and [`Error::Unavailable`] if too many wait.
pub async fn watch(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    known: Option<&Value>,
    wait: Duration,
) -> Result<Value, Error> {
    let turn = permit.service().imports.watchers.try_acquire();
    let _turn = turn.map_err(|_| Error::Unavailable)?;
    let ends = Instant::now() + wait;
    loop {
        let import = answer(&read_own(permit, id).await?, false)?;
        if known != Some(&import) || Instant::now() >= ends {
            return Ok(import);
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Whether a step of an import, as answers show it, is running.
#[must_use]
pub fn is_running(import: &Value) -> bool {
    let state = import["state"].as_str();
    matches!(
        state,
        Some("uploading" | "checking" | "importing" | "undoing")
    )
}
