//! What precedes a chunk: it is read again if this node does not know it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::ImportRun;
use crate::Error;
use crate::features::import::node::ImportCache;
use crate::features::import::prepare::ReadRow;
use crate::features::import::prepare::keys::{ChunkKeys, FileKeys};
use crate::features::import::prepare::lookup::ReferencedObjects;
use crate::features::import::write::ahead::ReadAhead;

impl ImportRun {
    /// What precedes a chunk. The keys are read again if this node does not know them.
    pub(super) async fn known(&self, chunk: i64, row: usize) -> Result<ImportCache, Error> {
        let position = self.position(chunk, row);
        let known = self.node().take_known(&position);
        let revision = self.context.entry.revision;
        if let Some(known) = known.filter(|known| known.ahead.is_of(revision)) {
            return Ok(known);
        }
        let mut keys = FileKeys::default();
        let plan = &self.context.plan;
        let needs_keys =
            plan.is_keyed() || plan.tracks() || (plan.refers_to_itself() && plan.dry_run);
        for earlier in 0..(if needs_keys { chunk } else { 0 }) {
            let rows = self.read_chunk(earlier).await?;
            let named = if self.context.keys_refer() {
                self.named(&rows).await?
            } else {
                ReferencedObjects::default()
            };
            let mut new_keys = ChunkKeys::default();
            for row in &rows {
                self.context.record_keys(row, &named, &keys, &mut new_keys);
            }
            keys.add(new_keys);
            self.add_results(earlier, &rows, &mut keys).await?;
        }
        if row > 0 {
            let rows = self.read_chunk(chunk).await?;
            self.add_results(chunk, rows.get(..row).unwrap_or(&rows), &mut keys)
                .await?;
        }
        let ahead = ReadAhead {
            keys: Arc::new(keys),
            records: Arc::new(self.records().await?),
            ready: VecDeque::new(),
            next: chunk,
        };
        Ok(ImportCache { position, ahead })
    }

    /// The records of all rows, if the key of a row may fit the object of another record.
    async fn records(&self) -> Result<FileKeys, Error> {
        let mut records = FileKeys::default();
        let plan = &self.context.plan;
        let may_take_over = plan.tracks() && plan.is_keyed();
        for chunk in 0..(if may_take_over { self.import.chunks } else { 0 }) {
            let mut of_chunk = ChunkKeys::default();
            for row in &self.read_chunk(chunk).await? {
                row.add_record(&records, &mut of_chunk);
            }
            records.add(of_chunk);
        }
        Ok(records)
    }

    /// Notes what becomes of the first rows of a chunk in a dry run.
    async fn add_results(
        &self,
        chunk: i64,
        rows: &[ReadRow],
        keys: &mut FileKeys,
    ) -> Result<(), Error> {
        if !self.context.plan.dry_run {
            return Ok(());
        }
        for (row, result) in rows.iter().zip(&self.row_results(chunk).await?) {
            let names = self.context.names(row, keys);
            keys.add_result(&names, result);
        }
        Ok(())
    }
}
