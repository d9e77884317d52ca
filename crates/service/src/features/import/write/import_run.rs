//! Leads a chunk from the stored rows to written objects.

mod earlier_rows;
mod later_phases;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use stockroom_access::permission::ObjectAdd;
use stockroom_store::{Import, ImportState, ReadTx, WriteTx};
use stockroom_tables::Row;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, channel};

use crate::core::open_transaction::End;
use crate::core::worker::Worker;
use crate::features::import::file::File;
use crate::features::import::node::{ImportCache, ImportNode, Position};
use crate::features::import::plan::{PUBLIC_ID, in_order};
use crate::features::import::prepare::convert::Cells;
use crate::features::import::prepare::keys::{ChunkKeys, FileKeys};
use crate::features::import::prepare::lookup::ReferencedObjects;
use crate::features::import::prepare::{Context, PreparedRow, ReadRow};
use crate::features::import::row_result::{self, RowResult};
use crate::features::import::write::ahead::PreparedChunk;
use crate::features::import::write::batch_limits::BatchLimits;
use crate::features::import::write::chunk::{ChunkWrite, Permits};
use crate::features::import::write::next_chunks::{NextChunks, Written};
use crate::features::import::{answer, progress, stored_rows};
use crate::{Caller, Error, Permit, Service};

/// The next chunk of an import, and what it is read with.
pub(in crate::features::import) struct ImportRun {
    caller: Arc<Caller>,
    pub(in crate::features::import) import: Import,
    worker: Worker,
    context: Context,
    permits: Permits,
}

impl ImportRun {
    pub(in crate::features::import) async fn new(
        caller: &Arc<Caller>,
        import: Import,
        worker: Worker,
    ) -> Result<Self, Error> {
        let mut plan = answer::plan(&import)?.ok_or_else(|| Error::internal("no plan"))?;
        plan.dry_run = import.step.state == ImportState::Checking;
        let permits = permits(caller, plan.needs_edit()).await?;
        let catalog = permits.add.catalog();
        let entry = catalog.type_entry(plan.type_id).map(Arc::clone);
        let file = File::read(&import.file)?;
        let largest_id = plan.index_of(PUBLIC_ID).and_then(|index| {
            let column = plan.columns.get(index)?.column;
            file.columns.get(column)?.largest
        });
        let context = Context {
            entry: entry.ok_or_else(|| Error::not_found("type", plan.type_id))?,
            order: in_order(&plan.columns).into(),
            plan: Arc::new(plan),
            cells: Cells::of(&file),
            largest_id,
            templates: caller.service.templates(&catalog),
            catalog,
            limits: caller.service.records().clone(),
            author: caller.user_id(),
        };
        Ok(Self {
            caller: Arc::clone(caller),
            import,
            worker,
            context,
            permits,
        })
    }

    fn service(&self) -> &Arc<Service> {
        &self.caller.service
    }

    fn node(&self) -> Arc<ImportNode> {
        self.service().features.get()
    }

    fn position(&self, chunk: i64, row: usize) -> Position {
        let step = &self.import.step;
        Position {
            import: self.import.id,
            request_id: step.request_id.clone(),
            is_check: step.state == ImportState::Checking,
            chunk,
            row,
        }
    }

    /// Writes the next chunks, at most so many.
    pub(in crate::features::import) async fn write_rows(self, most: i64) -> Result<(), Error> {
        let chunk = self.import.step.next_chunk;
        let mut ahead = self.known(chunk, self.next_row()?).await?.ahead;
        let records = Arc::clone(&ahead.records);
        let first = ahead.take(&self).await?;
        let (sender, others) = channel(BatchLimits::of(&self.service().store).ready);
        let (written, ahead) = tokio::join!(
            self.write(first, others, (most, records)),
            ahead.send(&self, sender)
        );
        let Written {
            count,
            rest,
            unread,
            done,
        } = written?;
        let ahead = ahead.with_results(done);
        let next = chunk + count;
        let row = rest.as_ref().map_or(0, |rest| rest.from);
        let is_needed = next < self.import.chunks || self.has_other_phases();
        if is_needed && let Some(ahead) = unread.and_then(|unread| ahead.back(next, rest, unread)) {
            let position = self.position(next, row);
            self.node().keep_known(ImportCache { position, ahead });
        }
        Ok(())
    }

    /// How many rows of the next chunk are dealt with.
    fn next_row(&self) -> Result<usize, Error> {
        usize::try_from(self.import.step.next_row).map_err(Error::internal)
    }

    /// Whether a chunk can be made ready before the one before it is written.
    pub(in crate::features::import) fn may_read_ahead(&self, chunk: i64) -> bool {
        // Otherwise its rows may refer to objects that are not there yet.
        chunk < self.import.chunks && !self.context.plan.refers_to_itself()
    }

    /// Whether what is known of the rows may be asked for when all are written.
    fn has_other_phases(&self) -> bool {
        let plan = &self.context.plan;
        plan.refers_to_itself() || plan.tracks()
    }

    /// The results of an earlier run on a chunk, if this one only writes what that did not.
    async fn results_before(&self, chunk: i64) -> Result<Vec<RowResult>, Error> {
        if !self.context.plan.only_failed {
            return Ok(Vec::new());
        }
        self.row_results(chunk).await
    }

    async fn row_results(&self, chunk: i64) -> Result<Vec<RowResult>, Error> {
        let id = self.import.id;
        let read = self
            .permits
            .add
            .read_newest(move |tx| Ok(tx.import_results(id, chunk)?));
        row_result::read_results(&read.await?.unwrap_or_default())
    }

    /// Writes the first chunk, and others as long as that keeps nobody waiting. Until all is
    /// committed, more can be made ready.
    async fn write(
        &self,
        first: PreparedChunk,
        others: Receiver<PreparedChunk>,
        (most, records): (i64, Arc<FileKeys>),
    ) -> Result<Written, Error> {
        let mut written = if self.context.plan.dry_run {
            self.check(first, others, records).await?
        } else {
            let write = self.chunk_write(&self.permits, records);
            self.import(first, others, (most, write)).await?
        };
        if let Some(unread) = &mut written.unread {
            unread.close();
        }
        Ok(written)
    }

    /// Writes the rows of chunks and their results, in one transaction.
    async fn import(
        &self,
        first: PreparedChunk,
        others: Receiver<PreparedChunk>,
        (most, write): (i64, ChunkWrite),
    ) -> Result<Written, Error> {
        let next = NextChunks {
            write,
            import: self.import.clone(),
            worker: self.worker.clone(),
            service: Arc::clone(self.service()),
            runtime: Handle::current(),
            first,
            others: Mutex::new(Some(others)),
            most,
        };
        self.permits.add.write(move |tx| next.run(tx)).await
    }

    /// Writes the rows in a transaction that is taken back, then stores their results.
    async fn check(
        &self,
        ready: PreparedChunk,
        unread: Receiver<PreparedChunk>,
        records: Arc<FileKeys>,
    ) -> Result<Written, Error> {
        let ready = Arc::new(ready);
        let attempt = async |caller: Caller| {
            let status = async {
                let needs_edit = self.context.plan.needs_edit();
                let permits = permits(&Arc::new(caller), needs_edit).await?;
                let write = self.chunk_write(&permits, Arc::clone(&records));
                let (import, worker) = (self.import.clone(), self.worker.clone());
                let ready = Arc::clone(&ready);
                let work = move |tx: &mut WriteTx<'_>| {
                    if progress::current(tx, &worker, &import)?.is_none() {
                        return Ok(None);
                    }
                    let mut ready = ready.copied();
                    let time = write.permits.add.service().transaction_time();
                    let row_results = write.run(tx, &mut ready, &time)?;
                    Ok(row_results.map(|row_results| (row_results, ready)))
                };
                permits.add.write(work).await
            };
            (status.await, End::RollBack)
        };
        let nothing = Written {
            count: 0,
            rest: None,
            unread: None,
            done: Vec::new(),
        };
        let Some((row_results, rest)) = self.caller.transact(attempt).await?? else {
            return Ok(nothing);
        };
        let done = ready.rows.iter().zip(row_results.iter().cloned());
        let done = done.map(|(row, result)| (row.names.clone(), result));
        let is_noted =
            |(names, result): &(Vec<_>, RowResult)| !names.is_empty() || result.takes_over;
        let done = done.filter(is_noted).collect();
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let work = move |tx: &mut WriteTx<'_>| {
            if let Some(import) = progress::current(tx, &worker, &import)? {
                progress::add(tx, &worker, import, &rest, row_results.clone())?;
            }
            Ok(rest.copied())
        };
        let rest = self.permits.add.write(work).await?;
        let is_done = rest.rows.is_empty();
        Ok(Written {
            count: i64::from(is_done),
            rest: Some(rest).filter(|_| !is_done),
            unread: Some(unread),
            done,
        })
    }

    fn chunk_write(&self, permits: &Permits, records: Arc<FileKeys>) -> ChunkWrite {
        ChunkWrite {
            import: self.import.id,
            uploaded_at: self.import.created_at,
            records,
            context: self.context.clone(),
            permits: permits.clone(),
        }
    }

    async fn read_chunk(&self, chunk: i64) -> Result<Vec<ReadRow>, Error> {
        let id = self.import.id;
        let rows = self
            .permits
            .add
            .read_newest(move |tx| Ok(tx.import_chunk(id, chunk)?));
        let rows = rows.await?.unwrap_or_default();
        let context = self.context.clone();
        let read = move |row: &Row| context.read(row);
        let read = move || stored_rows::convert(&rows, read);
        self.caller.run_blocking(read).await?
    }

    /// The objects that the rows refer to by key.
    async fn named(&self, rows: &[ReadRow]) -> Result<ReferencedObjects, Error> {
        let wanted = self.context.wanted(rows);
        if wanted.is_empty() {
            return Ok(ReferencedObjects::default());
        }
        let permit = self.permits.add.clone();
        let templates = self.service().templates(&self.context.catalog);
        let find = move |tx: &mut ReadTx<'_>| {
            let scope = permit.access(tx)?.scope;
            ReferencedObjects::find(tx, &scope, &templates, &wanted)
        };
        self.permits.add.read_newest(find).await
    }

    /// Makes a chunk ready. `keys` are those of the chunks before it; it has others.
    pub(in crate::features::import) async fn make_ready(
        &self,
        chunk: i64,
        keys: &Arc<FileKeys>,
    ) -> Result<(PreparedChunk, ChunkKeys), Error> {
        let is_next = chunk == self.import.step.next_chunk;
        let from = if is_next { self.next_row()? } else { 0 };
        let rows = self.read_chunk(chunk).await?;
        let before = self.results_before(chunk).await?;
        let named = self.named(&rows).await?;
        let (context, keys) = (self.context.clone(), Arc::clone(keys));
        let revision = context.entry.revision;
        let prepare = move || {
            let mut new_keys = ChunkKeys::default();
            let prepare = |row| context.prepare(row, &named, &keys, &mut new_keys);
            let mut rows: VecDeque<PreparedRow> =
                rows.into_iter().map(prepare).collect::<Result<_, _>>()?;
            rows.drain(..from.min(rows.len()));
            let ready = PreparedChunk {
                chunk,
                from,
                revision,
                rows,
                before,
            };
            Ok((ready, new_keys))
        };
        self.caller.run_blocking(prepare).await?
    }
}

async fn permits(caller: &Arc<Caller>, needs_edit: bool) -> Result<Permits, Error> {
    Ok(Permits {
        add: Permit::<ObjectAdd>::new(caller).await?,
        edit: if needs_edit {
            Some(Permit::new(caller).await?)
        } else {
            None
        },
    })
}
