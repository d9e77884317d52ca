//! Leads a chunk from the stored rows to written objects.

use std::sync::Arc;

use stockroom_access::permission::ObjectAdd;
use stockroom_store::{Import, ImportState, ReadTx, WriteTx};
use stockroom_tables::Row;

use super::chunk::{ChunkWrite, Link, Permits, link};
use super::convert::Cells;
use super::file::File;
use super::keys::{ChunkKeys, FileKeys};
use super::lookup::Named;
use super::prepare::{Context, PreparedRow, ReadRow};
use super::runner::KeysPlace;
use super::verdict::{self, Verdict};
use super::{answer, progress};
use crate::object::job::Worker;
use crate::open_transaction::End;
use crate::{Caller, Error, Permit, Service};

/// The next chunk of an import, and what it is read with.
pub(super) struct Reading {
    caller: Arc<Caller>,
    pub(super) import: Import,
    worker: Worker,
    context: Context,
    permits: Permits,
}

impl Reading {
    pub(super) async fn new(
        caller: &Arc<Caller>,
        import: Import,
        worker: Worker,
    ) -> Result<Self, Error> {
        let mut plan = answer::plan(&import)?.ok_or_else(|| Error::internal("no plan"))?;
        plan.dry_run = import.step.state == ImportState::Checking;
        let permits = permits(caller, plan.needs_edit()).await?;
        let catalog = permits.add.catalog();
        let entry = catalog.type_entry(plan.type_id).map(Arc::clone);
        let context = Context {
            entry: entry.ok_or_else(|| Error::not_found("type", plan.type_id))?,
            plan: Arc::new(plan),
            cells: Cells::of(&File::read(&import.file)?),
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

    fn place(&self, chunk: i64) -> KeysPlace {
        let step = &self.import.step;
        (
            self.import.id,
            step.request_id.clone(),
            step.state == ImportState::Checking,
            chunk,
        )
    }

    pub(super) async fn write_rows(self) -> Result<(), Error> {
        let chunk = self.import.step.next_chunk;
        let mut keys = self.keys_before(chunk).await?;
        let rows = self.read_chunk(chunk).await?;
        let (prepared, new_keys) = self.prepare(rows, &keys).await?;
        if self.context.plan.dry_run {
            self.check(prepared).await?;
        } else {
            self.write(prepared).await?;
        }
        if let Some(known) = Arc::get_mut(&mut keys) {
            known.add(new_keys);
            self.service().keep_keys(self.place(chunk + 1), keys);
        }
        Ok(())
    }

    /// Writes the rows and their verdicts.
    async fn write(&self, rows: Vec<PreparedRow>) -> Result<(), Error> {
        let write = self.chunk_write(&self.permits, &Arc::new(rows));
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let work = move |tx: &mut WriteTx<'_>| {
            let Some(import) = progress::current(tx, &worker, &import)? else {
                return Ok(());
            };
            match write.run(tx)? {
                Some(verdicts) => progress::advance(tx, &worker, import, &[], &verdicts),
                None => Ok(()),
            }
        };
        self.permits.add.write(work).await
    }

    /// Writes the rows in a transaction that is taken back, then their verdicts.
    async fn check(&self, rows: Vec<PreparedRow>) -> Result<(), Error> {
        let rows = Arc::new(rows);
        let attempt = async |caller: Caller| {
            let outcome = async {
                let needs_edit = self.context.plan.needs_edit();
                let permits = permits(&Arc::new(caller), needs_edit).await?;
                let write = self.chunk_write(&permits, &rows);
                permits.add.write(move |tx| write.run(tx)).await
            };
            (outcome.await, End::RollBack)
        };
        let Some(verdicts) = self.caller.transact(attempt).await?? else {
            return Ok(());
        };
        self.store(Vec::new(), verdicts).await
    }

    /// Stores verdicts and goes on.
    async fn store(&self, before: Vec<Verdict>, after: Vec<Verdict>) -> Result<(), Error> {
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let work = move |tx: &mut WriteTx<'_>| match progress::current(tx, &worker, &import)? {
            Some(import) => progress::advance(tx, &worker, import, &before, &after),
            None => Ok(()),
        };
        self.permits.add.write(work).await
    }

    fn chunk_write(&self, permits: &Permits, rows: &Arc<Vec<PreparedRow>>) -> ChunkWrite {
        ChunkWrite {
            import: self.import.id,
            context: self.context.clone(),
            permits: permits.clone(),
            rows: Arc::clone(rows),
        }
    }

    /// Sets the references of the next chunk to rows that came after it.
    pub(super) async fn link_rows(self) -> Result<(), Error> {
        let (id, chunk) = (self.import.id, self.import.step.next_chunk);
        let read = self
            .permits
            .add
            .read_newest(move |tx| Ok(tx.import_verdicts(id, chunk)?));
        let before = verdict::read(&read.await?.unwrap_or_default())?;
        if before.iter().all(|verdict| verdict.later.is_empty()) {
            return self.store(before.clone(), before).await;
        }
        let keys = self.keys_before(self.import.chunks).await?;
        let rows = self.read_chunk(chunk).await?;
        let named = self.named(&rows).await?;
        let is_waiting =
            |verdict: &Verdict| !verdict.later.is_empty() && !verdict.outcome.is_failure();
        let links: Vec<Link> = rows
            .iter()
            .zip(&before)
            .enumerate()
            .filter(|(_, (_, verdict))| is_waiting(verdict))
            .map(|(place, (row, verdict))| Link {
                place,
                patch: self.context.link(row, &verdict.later, &named, &keys),
            })
            .collect();
        self.service()
            .keep_keys(self.place(self.import.chunks), keys);
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let (context, permits) = (self.context.clone(), self.permits.clone());
        let work = move |tx: &mut WriteTx<'_>| {
            let Some(import) = progress::current(tx, &worker, &import)? else {
                return Ok(());
            };
            let mut after = before.clone();
            link(tx, &context, &permits, &links, &mut after)?;
            progress::advance(tx, &worker, import, &before, &after)
        };
        self.permits.add.write(work).await
    }

    async fn read_chunk(&self, chunk: i64) -> Result<Vec<ReadRow>, Error> {
        let id = self.import.id;
        let rows = self
            .permits
            .add
            .read_newest(move |tx| Ok(tx.import_chunk(id, chunk)?));
        let rows = rows.await?.unwrap_or_default();
        let context = self.context.clone();
        let read = move || -> Result<Vec<ReadRow>, Error> {
            let rows: Vec<Row> = serde_json::from_str(&rows).map_err(Error::internal)?;
            Ok(rows.iter().map(|row| context.read(row)).collect())
        };
        self.service().run_blocking(read).await?
    }

    /// The objects that the rows refer to by key.
    async fn named(&self, rows: &[ReadRow]) -> Result<Named, Error> {
        let wanted = self.context.wanted(rows);
        if wanted.is_empty() {
            return Ok(Named::default());
        }
        let permit = self.permits.add.clone();
        let find = move |tx: &mut ReadTx<'_>| {
            let scope = permit.access(tx)?.scope;
            Named::find(tx, &scope, &wanted)
        };
        self.permits.add.read_newest(find).await
    }

    async fn prepare(
        &self,
        rows: Vec<ReadRow>,
        keys: &Arc<FileKeys>,
    ) -> Result<(Vec<PreparedRow>, ChunkKeys), Error> {
        let named = self.named(&rows).await?;
        let (context, keys) = (self.context.clone(), Arc::clone(keys));
        let prepare = move || {
            let mut new_keys = ChunkKeys::default();
            let prepare = |row| context.prepare(row, &named, &keys, &mut new_keys);
            let rows: Vec<PreparedRow> = rows.into_iter().map(prepare).collect();
            (rows, new_keys)
        };
        self.service().run_blocking(prepare).await
    }

    /// The keys of the rows before a chunk. They are read again if this node does not know them.
    async fn keys_before(&self, chunk: i64) -> Result<Arc<FileKeys>, Error> {
        if let Some(keys) = self.service().known_keys(&self.place(chunk)) {
            return Ok(keys);
        }
        let mut keys = FileKeys::default();
        let needs_keys = self.context.plan.is_keyed() || self.context.plan.refers_to_itself();
        for earlier in 0..(if needs_keys { chunk } else { 0 }) {
            let rows = self.read_chunk(earlier).await?;
            let mut new_keys = ChunkKeys::default();
            for row in &rows {
                self.context.note_keys(row, &keys, &mut new_keys);
            }
            keys.add(new_keys);
        }
        Ok(Arc::new(keys))
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
