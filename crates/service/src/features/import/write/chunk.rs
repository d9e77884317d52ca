//! Writes the rows of a chunk: a part of one transaction.

use std::sync::Arc;

use stockroom_access::permission::{ObjectAdd, ObjectEdit, ObjectImport, ObjectView};
use stockroom_model::json::Value;
use stockroom_model::kind::reference_target;
use stockroom_model::{ImportId, Object, ObjectId, Revision, Timestamp};
use stockroom_store::{ObjectRow, Resource, Visibility, WriteTx};

use crate::core::access::Access;
use crate::core::client_writes::TransactionTime;
use crate::features::import::plan::Policy;
use crate::features::import::prepare::keys::FileKeys;
use crate::features::import::prepare::{Context, PreparedRow, Several};
use crate::features::import::row_result::{Revisions, RowProblem, RowResult, RowStatus};
use crate::features::import::sync::ChunkLinks;
use crate::features::import::write::ahead::PreparedChunk;
use crate::features::import::write::matches::Stored;
use crate::records::object::insert::{Insertion, Inserts};
use crate::records::object::waiting_writes::WaitingWrites;
use crate::{Error, Permit};

/// What an import needs to be allowed to.
#[derive(Clone)]
pub(in crate::features::import) struct Permits {
    pub(in crate::features::import) add: Permit<ObjectAdd>,
    /// Unless it only makes objects.
    pub(in crate::features::import) edit: Option<Permit<ObjectEdit>>,
}

impl Permits {
    /// The rights of the user now.
    pub(in crate::features::import) fn access(&self, tx: &WriteTx<'_>) -> Result<Access, Error> {
        let access = self.add.access(tx)?;
        access.check::<ObjectImport>()?;
        // Otherwise the results would tell what objects hold.
        access.check::<ObjectView>()?;
        if self.edit.is_some() {
            access.check::<ObjectEdit>()?;
        }
        Ok(access)
    }
}

/// What is written together.
struct Writes {
    inserts: Inserts,
    edits: WaitingWrites,
}

impl Writes {
    fn write(&mut self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        self.write_inserts(tx)?;
        self.edits.write(tx)
    }

    fn write_inserts(&mut self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        if !self.inserts.is_empty() {
            self.edits.forget_targets();
        }
        self.inserts.write(tx)
    }
}

/// Writes chunks of an import.
pub(in crate::features::import) struct ChunkWrite {
    pub(in crate::features::import) import: ImportId,
    pub(in crate::features::import) uploaded_at: Timestamp,
    /// The records of all rows of the file, if rows may take over the objects of others.
    pub(in crate::features::import) records: Arc<FileKeys>,
    pub(in crate::features::import) context: Context,
    pub(in crate::features::import) permits: Permits,
}

impl ChunkWrite {
    /// Writes rows of a chunk, which are taken out of it, and returns the result of each: all rows,
    /// unless their objects are too large for one transaction or its time is over, and up to the
    /// first refused one if the import stops there. `None`: the type was changed since the rows were
    /// prepared.
    pub(in crate::features::import) fn run(
        &self,
        tx: &mut WriteTx<'_>,
        chunk: &mut PreparedChunk,
        time: &TransactionTime<'_>,
    ) -> Result<Option<Vec<RowResult>>, Error> {
        let plan = &self.context.plan;
        let access = self.permits.access(tx)?;
        let entry = tx.type_entry(plan.type_id)?;
        let entry = entry.ok_or_else(|| Error::not_found("type", plan.type_id))?;
        if entry.revision != chunk.revision {
            return Ok(None);
        }
        if let Some(id) = self.context.largest_id {
            // A row without an id makes no object that a later row would mean.
            tx.claim_id(Resource::Object, id)?;
        }
        let rows = chunk.rows.make_contiguous();
        let mut stored = Stored::read(tx, self, &access, rows)?;
        let bodies = rows.iter().take(stored.rows);
        let bodies = bodies.filter_map(|row| row.insertion.as_ref());
        let mut writes = Writes {
            inserts: Inserts::new(tx, &access, bodies)?,
            edits: WaitingWrites::default(),
        };
        let mut row_results = Vec::with_capacity(stored.rows);
        while row_results.len() < stored.rows
            && (row_results.is_empty() || !time.is_over())
            && let Some(row) = chunk.rows.pop_front()
        {
            let before = chunk.before.get(chunk.from);
            chunk.from += 1;
            let result = self.result_of(tx, &access, (row, before), &mut stored, &mut writes)?;
            let stops = plan.policy == Policy::Stop && !plan.dry_run;
            let is_last = stops && result.status.is_failure();
            row_results.push(result);
            if is_last {
                break;
            }
        }
        writes.write(tx)?;
        if let Some(links) = &stored.links {
            links.write(tx)?;
        }
        Ok(Some(row_results))
    }

    /// Writes a row, unless an earlier run has imported it.
    fn result_of(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        (mut row, before): (PreparedRow, Option<&RowResult>),
        stored: &mut Stored,
        writes: &mut Writes,
    ) -> Result<RowResult, Error> {
        let plan = &self.context.plan;
        let insertion = row.insertion.take();
        if let Some(done) = before.filter(|before| !before.status.is_failure()) {
            return Ok(done.clone());
        }
        let mut result = match before.and_then(|before| before.object) {
            Some(_) if insertion.is_none() => RowResult::error(row.problems.clone()),
            Some(object) => self.rest(tx, access, &row, object, writes)?,
            None => {
                let result = self.row(tx, access, (&row, insertion), stored, writes)?;
                if result.status == RowStatus::New && plan.tracks() && !row.key.is_empty() {
                    stored.new_keys.insert(row.key.clone());
                }
                result
            }
        };
        if let Some(links) = &mut stored.links {
            links.note(&row, &mut result);
        }
        result.lacks_record = plan.tracks() && row.record.is_none() && !row.is_blank;
        Ok(match before {
            Some(before) => result.after(before),
            None => result,
        })
    }

    fn row(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        (row, insertion): (&PreparedRow, Option<Insertion>),
        stored: &Stored,
        writes: &mut Writes,
    ) -> Result<RowResult, Error> {
        let (found, links) = (&stored.matches, stored.links.as_ref());
        if let Some(first) = row.duplicate_of {
            let problem = RowProblem::of_row(format!("has the same key as row {first}"));
            return Ok(RowResult {
                problems: vec![problem],
                ..RowResult::new(RowStatus::Duplicate)
            });
        }
        let Some(insertion) = insertion else {
            return Ok(RowResult::error(row.problems.clone()));
        };
        let found = found.get(&row.key).map(Vec::as_slice).unwrap_or_default();
        let found = links.map_or(Ok(found), |links| links.objects(row, found));
        let found = match found {
            Ok([]) if stored.new_keys.contains(&row.key) => {
                let detail = "its key fits the object of another new record in the file";
                return Ok(RowResult::error(vec![RowProblem::of_row(detail)]));
            }
            Ok(found) => found,
            Err(problem) => return Ok(RowResult::error(vec![problem])),
        };
        let result = match found {
            [] if !row.several.is_empty() => {
                let problems = row.several.iter().map(|several| several.problem.clone());
                Ok(RowResult::error(problems.collect()))
            }
            [] => {
                let inserts = &mut writes.inserts;
                for id in &row.taken_back {
                    inserts.assume(access, *id, self.context.plan.type_id);
                }
                let inserted = inserts.add(&self.permits.add, tx, access, insertion);
                let inserted = inserted.map(|(id, revision)| (id, None, revision));
                self.row_result(inserted, || self.context.field_order())
            }
            [stored] if row.public_id == Some(stored.public_id) && self.is_newer(stored)? => {
                let detail = format!(
                    "object {} was made after the file was uploaded, so the file means another one",
                    stored.public_id
                );
                Ok(RowResult::error(vec![RowProblem::of_row(detail)]))
            }
            [stored] => {
                // It may refer to them.
                writes.write_inserts(tx)?;
                self.update(tx, access, (row, links), stored, &mut writes.edits)
            }
            [first, second, ..] => Ok(RowResult::error(vec![RowProblem::of_row(format!(
                "its key fits more than one object, for example {} and {}",
                first.public_id, second.public_id
            ))])),
        };
        Ok(waiting(row, result?))
    }

    /// Writes the rest of a row to the object that an earlier run made of it.
    fn rest(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        row: &PreparedRow,
        object: ObjectId,
        writes: &mut Writes,
    ) -> Result<RowResult, Error> {
        writes.write(tx)?;
        let Visibility::Visible(stored) = tx.object(&access.scope, object)? else {
            let detail = format!("object {object} was deleted meanwhile");
            return Ok(RowResult::error(vec![RowProblem::of_row(detail)]));
        };
        let result = self.update(tx, access, (row, None), &stored, &mut writes.edits)?;
        Ok(waiting(row, result))
    }

    fn update(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        (row, links): (&PreparedRow, Option<&ChunkLinks>),
        stored: &ObjectRow,
        edits: &mut WaitingWrites,
    ) -> Result<RowResult, Error> {
        let Some(permit) = &self.permits.edit else {
            return Err(Error::internal("an import without a key found an object"));
        };
        if stored.type_id != self.context.plan.type_id {
            let detail = format!("object {} is of another type", stored.public_id);
            return Ok(RowResult::error(vec![RowProblem::of_row(detail)]));
        }
        let object = stored.object()?;
        let problems = ambiguous(row, &object);
        if !problems.is_empty() {
            return Ok(RowResult::error(problems));
        }
        let mut patch = self.context.patch(row, &object);
        if let Some(links) = links {
            links.revive(stored.public_id, &mut patch);
        }
        for id in &row.taken_back {
            edits.assume(access, *id, self.context.plan.type_id);
        }
        let written = edits.patch(permit, tx, access, stored, patch.clone());
        let written = written.map(|after| (stored.public_id, Some(stored.revision), after));
        let mut result = self.row_result(written, || patch)?;
        if row.refers_to_new && result.status == RowStatus::Unchanged {
            result.status = RowStatus::Update;
        }
        Ok(result)
    }

    /// Whether an object is newer than the file: another node may have given it the id of a row, or
    /// somebody else.
    fn is_newer(&self, stored: &ObjectRow) -> Result<bool, Error> {
        let made_at = stored.object()?.time("creation_time");
        Ok(made_at.is_some_and(|made_at| made_at > self.uploaded_at))
    }

    /// `written` is the object with its revisions before and after.
    fn row_result(
        &self,
        written: Result<(ObjectId, Option<Revision>, Revision), Error>,
        sent: impl FnOnce() -> Value,
    ) -> Result<RowResult, Error> {
        let (object, before, after) = match written {
            Ok(written) => written,
            Err(error) => return Ok(RowResult::error(refusal(&self.context, error, &sent())?)),
        };
        let status = match before {
            None => RowStatus::New,
            Some(before) if before == after => RowStatus::Unchanged,
            Some(_) => RowStatus::Update,
        };
        let before = before.unwrap_or(Revision(0));
        let is_dry = self.context.plan.dry_run;
        let is_written = status != RowStatus::Unchanged && !is_dry;
        // What a dry run would make has no id.
        let is_there = !is_dry || status != RowStatus::New;
        Ok(RowResult {
            object: is_there.then_some(object),
            written: is_written.then_some(Revisions(before, after)),
            ..RowResult::new(status)
        })
    }
}

/// The result of a row whose references to rows further down are still to be set.
fn waiting(row: &PreparedRow, mut result: RowResult) -> RowResult {
    if !result.status.is_failure() {
        result.later.clone_from(&row.later);
    }
    result
}

/// The references of a row that name several objects, none of which the object refers to.
fn ambiguous(row: &PreparedRow, stored: &Object) -> Vec<RowProblem> {
    let stays = |several: &&Several| {
        let target = stored.value(&several.field).and_then(reference_target);
        target.is_some_and(|id| several.ids.contains(&id))
    };
    let open = row.several.iter().filter(|several| !stays(several));
    open.map(|several| several.problem.clone()).collect()
}

/// What is wrong with a row.
///
/// # Errors
///
/// Those that do not concern this row alone.
pub(in crate::features::import) fn refusal(
    context: &Context,
    error: Error,
    sent: &Value,
) -> Result<Vec<RowProblem>, Error> {
    match error {
        Error::Invalid { problems, .. } if !problems.is_empty() => Ok(problems
            .into_iter()
            .map(|problem| RowProblem {
                column: context.column_of(&problem.pointer, sent),
                detail: problem.detail,
            })
            .collect()),
        Error::NotUnique(refused) => Ok(vec![RowProblem {
            column: refused
                .fields()
                .find_map(|name| context.plan.column_of(name)),
            detail: refused.to_string(),
        }]),
        error if error.is_refusal() => Ok(vec![RowProblem::of_row(error.to_string())]),
        other => Err(other),
    }
}
