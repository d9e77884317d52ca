//! The phases after that of the rows: references to rows further down, and missing records.

use std::sync::Arc;

use stockroom_store::WriteTx;

use super::ImportRun;
use crate::Error;
use crate::features::import::node::ImportCache;
use crate::features::import::progress;
use crate::features::import::row_result::RowResult;
use crate::features::import::sync::missing::MissingPass;
use crate::features::import::write::forward_references::{
    ForwardReference, set_forward_references,
};

impl ImportRun {
    /// Sets the references of the next chunk to rows that came after it.
    pub(in crate::features::import) async fn link_rows(self) -> Result<(), Error> {
        let chunk = self.import.step.next_chunk;
        let before = self.row_results(chunk).await?;
        if before.iter().all(|result| result.later.is_empty()) {
            return self.pass_over(before).await;
        }
        let ImportCache { position, ahead } = self.known(self.import.chunks, 0).await?;
        let rows = self.read_chunk(chunk).await?;
        let named = self.named(&rows).await?;
        let is_waiting =
            |result: &RowResult| !result.later.is_empty() && !result.status.is_failure();
        let links: Vec<ForwardReference> = rows
            .iter()
            .zip(&before)
            .enumerate()
            .filter(|(_, (_, result))| is_waiting(result))
            .map(|(index, (row, result))| ForwardReference {
                index,
                links: self
                    .context
                    .link(row, &result.later, (&named, &ahead.keys.names)),
            })
            .collect();
        self.node().keep_known(ImportCache { position, ahead });
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let (context, permits) = (self.context.clone(), self.permits.clone());
        let work = move |tx: &mut WriteTx<'_>| {
            let Some(import) = progress::current(tx, &worker, &import)? else {
                return Ok(());
            };
            let mut after = before.clone();
            let next_row = set_forward_references(tx, &context, &permits, &links, &mut after)?;
            progress::advance(
                tx,
                &worker,
                import,
                (&before, &after),
                next_row.unwrap_or(0),
            )
        };
        self.permits.add.write(work).await
    }

    /// Goes on with the next chunk: nothing is to be done in this one.
    async fn pass_over(&self, row_results: Vec<RowResult>) -> Result<(), Error> {
        let (import, worker) = (self.import.clone(), self.worker.clone());
        let work = move |tx: &mut WriteTx<'_>| match progress::current(tx, &worker, &import)? {
            Some(import) => progress::advance(tx, &worker, import, (&row_results, &row_results), 0),
            None => Ok(()),
        };
        self.permits.add.write(work).await
    }

    /// Deals with the next records that are missing from the source.
    pub(in crate::features::import) async fn run_missing_pass(self) -> Result<(), Error> {
        let plan = &self.context.plan;
        let bound = plan.source.clone();
        // What a check writes is taken back: only the file tells what it has seen.
        let known = if plan.dry_run {
            Some(self.known(self.import.chunks, 0).await?)
        } else {
            None
        };
        let pass = MissingPass {
            bound: bound.ok_or_else(|| Error::internal("no source"))?,
            type_id: plan.type_id,
            import: self.import.clone(),
            worker: self.worker.clone(),
            keys: known.as_ref().map(|known| Arc::clone(&known.ahead.keys)),
        };
        if let Some(known) = known {
            self.node().keep_known(known);
        }
        pass.run(&self.caller).await
    }
}
