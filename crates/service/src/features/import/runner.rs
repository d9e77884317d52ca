//! Works on imports, in the name of their users.

use std::sync::Arc;

use stockroom_access::permission::ObjectDelete;
use stockroom_model::ImportId;
use stockroom_store::{Import, ImportPhase, ImportState, ReadTx, WriteTx};

use super::row_result::{self, RowResult};
use super::write::batch_limits::BatchLimits;
use super::write::import_run::ImportRun;
use super::{answer, progress, write::undo};
use crate::core::leased::{Due, Leased, NextDue};
use crate::core::own_context::own_context;
use crate::core::worker::Worker;
use crate::{Caller, Error, Permit, RequestContext, Service};

/// Imports the next chunks of the import that waits longest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imports {
    /// The most chunks of a transaction, unless the engine decides.
    pub most: Option<i64>,
}

impl Leased for Imports {
    const NAME: &'static str = "imports";
    const ON_FAILURE: &'static str = "an import is interrupted and is continued later";
    type Work = Import;
    type Id = ImportId;

    fn due(tx: &mut ReadTx<'_>, worker: &Worker) -> NextDue<Self> {
        let import = tx.due_import(&worker.node, worker.now)?;
        Ok(import.map(|import| Due {
            id: import.id,
            holder: import.step.node.clone(),
            via: import.step.via,
            work: import,
        }))
    }

    async fn advance(
        &self,
        service: &Arc<Service>,
        import: Import,
        worker: Worker,
    ) -> Result<(), Error> {
        let context = RequestContext {
            request_id: import.step.request_id.as_str().into(),
            via: import.step.via,
            comment: import.step.comment.as_deref().map(Arc::from),
            strict: answer::plan(&import)?.is_some_and(|plan| plan.strict),
            ..RequestContext::default()
        };
        let caller = Arc::new(Caller::absent(service, import.step.user, context).await?);
        if import.step.state == ImportState::Undoing {
            return undo_chunk(&caller, import, worker).await;
        }
        let most = self
            .most
            .unwrap_or_else(|| BatchLimits::of(&service.store).in_transaction);
        let reading = ImportRun::new(&caller, import, worker).await?;
        match reading.import.step.phase {
            ImportPhase::Rows => reading.write_rows(most).await,
            ImportPhase::ForwardReferences => reading.link_rows().await,
            ImportPhase::Missing => reading.run_missing_pass().await,
            ImportPhase::Undo(_) => Err(Error::internal("an undo is no import")),
        }
    }

    async fn fail(service: &Service, id: ImportId, reason: String) -> Result<(), Error> {
        let context = own_context("import", service.clock.now());
        let end = service.store.write(context, move |tx| {
            let is_running = tx
                .import(id)?
                .is_some_and(|import| import.step.state.is_running());
            if is_running {
                tx.end_import_step(id, ImportState::Failed, Some(&reason))?;
            }
            Ok(())
        });
        end.await
    }
}

/// Takes back the rows of the next chunk.
async fn undo_chunk(caller: &Arc<Caller>, import: Import, worker: Worker) -> Result<(), Error> {
    let permit: Permit<ObjectDelete> = Permit::new(caller).await?;
    let writer = permit.clone();
    let write = permit.write(move |tx| {
        let Some(import) = progress::current(tx, &worker, &import)? else {
            return Ok(());
        };
        let before = row_results(tx, &import)?;
        let mut after = before.clone();
        let done = usize::try_from(import.step.next_row).map_err(Error::internal)?;
        let of = undo::UndoTarget::next(&import)?;
        let next_row = undo::undo(tx, &writer, of, &mut after, done)?;
        progress::advance(tx, &worker, import, (&before, &after), next_row)
    });
    write.await
}

fn row_results(tx: &mut WriteTx<'_>, import: &Import) -> Result<Vec<RowResult>, Error> {
    let text = tx.import_results(import.id, import.step.next_chunk)?;
    row_result::read_results(&text.unwrap_or_default())
}
