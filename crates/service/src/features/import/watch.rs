//! Waits until an import has got further.

use std::sync::Arc;
use std::time::Duration;

use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_model::json::Value;
use stockroom_store::ImportState;
use tokio::time::Instant;

use super::access::read_own;
use super::answer::answer;
use super::node::ImportNode;
use crate::{Error, Permit};

/// How often the import is read.
const INTERVAL: Duration = Duration::from_millis(500);

/// An import, and whether there will be more to see of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched {
    /// The import as answers show it.
    pub import: Value,
    /// Whether a step of it is running, or its upload.
    pub is_running: bool,
}

/// An import as soon as it differs from what is `known`, or after `wait`.
///
/// # Errors
///
/// [`Error::NotFound`]; [`Error::TooManyRunning`], or [`Error::Busy`] if others take all places.
pub async fn watch(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    known: Option<&Watched>,
    wait: Duration,
) -> Result<Watched, Error> {
    let node: Arc<ImportNode> = permit.service().features.get();
    let watchers = &node.watchers;
    let slot = watchers.try_acquire(permit.caller().requester());
    let _slot = slot.map_err(|full| Error::no_place("watches of imports", full))?;
    let ends = Instant::now() + wait;
    loop {
        let import = read_own(permit, id).await?;
        let state = import.step.state;
        let watched = Watched {
            import: answer(&import, false)?,
            is_running: state.is_running() || state == ImportState::Uploading,
        };
        if known != Some(&watched) || Instant::now() >= ends {
            return Ok(watched);
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
