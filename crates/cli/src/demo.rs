//! Fills an empty database with the demo inventory, through the same use cases as any client.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use stockroom_auth::{Clock, SystemClock};
use stockroom_model::{ObjectId, Timestamp, UserId};
use stockroom_service::Service;
use stockroom_service::load::{ImportFile, Records};

/// The clock of a server with the demo. While the demo is made, it is set back: what was made some
/// weeks ago has a history.
#[derive(Default)]
pub(crate) struct DemoClock {
    /// How many microseconds it is behind.
    behind: AtomicI64,
}

impl DemoClock {
    fn set(&self, at: Timestamp) {
        let behind = SystemClock.now().0.saturating_sub(at.0);
        self.behind.store(behind, Ordering::Relaxed);
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Timestamp {
        let behind = self.behind.load(Ordering::Relaxed);
        Timestamp(SystemClock.now().0.saturating_sub(behind))
    }

    fn monotonic(&self) -> Duration {
        SystemClock.monotonic()
    }
}

/// Fills the database if it holds no types yet. Nothing else may use the clock meanwhile.
pub(crate) async fn fill(service: &Arc<Service>, clock: &DemoClock) -> anyhow::Result<()> {
    let filled = fill_past(service, clock).await;
    clock.behind.store(0, Ordering::Relaxed);
    let filled = filled.context(
        "the demo inventory was not made: if an earlier start with --demo was killed, begin with an empty directory or schema",
    );
    let Some((records, imports)) = filled? else {
        return Ok(());
    };
    service.load_imports(imports).await?;
    tracing::info!(records, "the demo inventory was made");
    Ok(())
}

/// Makes what is some weeks old. Returns how much that was, and what is new; `None` if there are
/// types.
async fn fill_past(
    service: &Arc<Service>,
    clock: &DemoClock,
) -> anyhow::Result<Option<(usize, Vec<ImportFile>)>> {
    let (mut edits, mut imports) = (Vec::new(), Vec::new());
    let records = || {
        let inventory = stockroom_demo::inventory(SystemClock.now());
        clock.set(inventory.inserted_at);
        edits = inventory.edits;
        imports = inventory.imports.into_iter().map(file).collect();
        Records {
            groups: inventory.groups,
            users: inventory.users,
            types: inventory.types,
            categories: inventory.categories,
            views: inventory.views,
            tokens: inventory.tokens,
            objects: Box::new(inventory.objects.into_iter()),
        }
    };
    let filled = service.load(records).await?;
    if filled == 0 {
        return Ok(None);
    }
    for edit in edits {
        clock.set(edit.at);
        let user = UserId::new(edit.user).context("an edit of the demo has no user")?;
        let object = ObjectId::new(edit.object).context("an edit of the demo has no object")?;
        service.load_edit(user, object, edit.patch).await?;
    }
    Ok(Some((filled, imports)))
}

fn file(file: stockroom_demo::ImportFile) -> ImportFile {
    ImportFile {
        name: file.name.to_owned(),
        content: file.content.as_bytes().to_vec(),
        run: file.run,
    }
}
