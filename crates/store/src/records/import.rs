//! Imports of files: what was uploaded, and how far it has come.

mod phase;
mod state;
mod stored_bytes;

use stockroom_model::{ImportId, Timestamp, TypeId, UserId};

use crate::Error;
use crate::engine::driver::Row;
use crate::engine::sequence::UPSERT_NEXT;
use crate::records::ids::SELECT_NEXT;
use crate::transaction::{ReadTx, Via, WriteTx};

pub use self::phase::ImportPhase;
pub use self::state::ImportState;
pub use self::stored_bytes::StoredBytes;

/// An import.
#[derive(Debug, Clone)]
pub struct Import {
    /// Its id.
    pub id: ImportId,
    /// The user who uploaded the file.
    pub user: UserId,
    /// What was found in the file, as JSON.
    pub file: String,
    /// When its upload began.
    pub created_at: Timestamp,
    /// How many rows the file has.
    pub rows: i64,
    /// In how many chunks they are.
    pub chunks: i64,
    /// What is done with the rows.
    pub step: ImportStep,
    /// When the step began.
    pub started_at: Option<Timestamp>,
    /// When the step ended.
    pub ended_at: Option<Timestamp>,
    /// Why the step failed.
    pub error: Option<String>,
}

/// What is done with the rows of an import, for whom, and how far that has come.
#[derive(Debug, Clone)]
pub struct ImportStep {
    /// What is done, or the end of it.
    pub state: ImportState,
    /// What the user asked for, as JSON.
    pub plan: String,
    /// The user who asked for it, by whose rights it is done.
    pub user: UserId,
    /// How the request reached the service.
    pub via: Via,
    /// The id of the request.
    pub request_id: String,
    /// The reason that the user gave.
    pub comment: Option<String>,
    /// What is done with each chunk.
    pub phase: ImportPhase,
    /// The next chunk.
    pub next_chunk: i64,
    /// How many of its rows are dealt with in this phase.
    pub next_row: i64,
    /// The number of rows with each status, as JSON.
    pub counts: String,
    /// Whether the results of the step before are needed; not stored.
    pub keeps_results: bool,
    /// The node that works on it.
    pub node: String,
    /// When other nodes may continue it.
    pub lease_until: Timestamp,
}

/// The file of a new import.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// The user who uploads it.
    pub user: UserId,
    /// What is known of the file, as JSON.
    pub file: String,
    /// How the request reached the service.
    pub via: Via,
    /// The id of the request.
    pub request_id: String,
}

/// How much zstd tries; the rows are read once or twice.
const LEVEL: i32 = 1;
/// A chunk takes at most this much memory.
const MAX_CHUNK_BYTES: usize = 64 * 1_024 * 1_024;

const SELECT: &str = "SELECT id, user_id, state, file, plan, via, request_id, comment, created_at, started_at, ended_at, row_count, chunk_count, pass, next_chunk, counts, error, node, lease_until, COALESCE(step_user_id, user_id), next_row FROM import WHERE id = ?1";
const SELECT_OF_USER: &str = "SELECT id, user_id, state, file, plan, via, request_id, comment, created_at, started_at, ended_at, row_count, chunk_count, pass, next_chunk, counts, error, node, lease_until, COALESCE(step_user_id, user_id), next_row FROM import WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2";
const SELECT_ALL: &str = "SELECT id, user_id, state, file, plan, via, request_id, comment, created_at, started_at, ended_at, row_count, chunk_count, pass, next_chunk, counts, error, node, lease_until, COALESCE(step_user_id, user_id), next_row FROM import ORDER BY id";
const SELECT_DUE: &str = "SELECT id, user_id, state, file, plan, via, request_id, comment, created_at, started_at, ended_at, row_count, chunk_count, pass, next_chunk, counts, error, node, lease_until, COALESCE(step_user_id, user_id), next_row FROM import WHERE state IN ('checking', 'importing', 'undoing') AND (node = ?1 OR (lease_until <= ?2 OR lease_until > ?3) AND node NOT IN (SELECT node FROM node_heartbeat WHERE alive_until > ?4)) ORDER BY lease_until, id LIMIT 1";
const COUNT: &str = "SELECT COALESCE(SUM(CASE WHEN user_id = ?1 AND via LIKE ?2 THEN 1 ELSE 0 END), 0), COUNT(*) FROM import WHERE state <> 'uploading' OR created_at > ?3";
const SELECT_NEWEST: &str = "SELECT COALESCE(MAX(id), 0) FROM import";
/// The name in the table `sequence`.
const SEQUENCE: &str = "import";
const SELECT_CHUNK: &str = "SELECT file_rows FROM import_chunk WHERE import_id = ?1 AND chunk = ?2";
const SELECT_RESULTS: &str =
    "SELECT verdicts FROM import_verdict WHERE import_id = ?1 AND chunk = ?2";
const INSERT: &str = "INSERT INTO import (id, user_id, state, file, plan, via, request_id, comment, created_at, started_at, ended_at, row_count, chunk_count, pass, next_chunk, counts, error, node, lease_until) VALUES (?1, ?2, 'uploading', ?3, '{}', ?4, ?5, NULL, ?6, NULL, NULL, 0, 0, 0, 0, '{}', NULL, '', 0)";
const UPLOADED: &str = "UPDATE import SET state = 'ready', file = ?2, row_count = ?3, chunk_count = ?4 WHERE id = ?1 AND state = 'uploading'";
const START: &str = "UPDATE import SET state = ?2, plan = ?3, via = ?4, request_id = ?5, comment = ?6, started_at = ?7, ended_at = NULL, pass = 0, next_chunk = ?8, next_row = 0, counts = ?9, error = NULL, node = ?10, lease_until = ?11, step_user_id = ?12 WHERE id = ?1";
const ADVANCE: &str = "UPDATE import SET pass = ?2, next_chunk = ?3, next_row = ?4, counts = ?5, node = ?6, lease_until = ?7 WHERE id = ?1";
const END: &str = "UPDATE import SET state = ?2, error = ?3, ended_at = ?4 WHERE id = ?1";
const SET_RESULTS: &str = "INSERT INTO import_verdict (import_id, chunk, verdicts) VALUES (?1, ?2, ?3) ON CONFLICT (import_id, chunk) DO UPDATE SET verdicts = excluded.verdicts";
const SELECT_LAST_RESULTS: &str =
    "SELECT COALESCE(MAX(chunk), -1) FROM import_verdict WHERE import_id = ?1";
const DELETE_RESULTS: &str = "DELETE FROM import_verdict WHERE import_id = ?1";
const DELETE: &str = "DELETE FROM import WHERE id = ?1";
const DELETE_CHUNKS: &str = "DELETE FROM import_chunk WHERE import_id = ?1";
const SELECT_OLD: &str = "SELECT id FROM import WHERE state NOT IN ('checking', 'importing', 'undoing') AND (created_at < ?1 OR (state = 'uploading' AND created_at < ?2)) ORDER BY id LIMIT ?3";
const LOCK_IMPORTS: &str = "INSERT INTO import_turn (type_id, import_id) VALUES (?1, ?2) ON CONFLICT (type_id) DO UPDATE SET import_id = excluded.import_id";

fn import(row: &dyn Row) -> Result<Import, Error> {
    let via = row.text(5)?;
    let state = ImportState::from_text(row.text(2)?);
    let state = state.ok_or_else(|| damaged("the state of an import"))?;
    Ok(Import {
        id: row.id(0)?,
        user: row.id(1)?,
        file: row.text(3)?.to_owned(),
        created_at: Timestamp(row.int(8)?),
        rows: row.int(11)?,
        chunks: row.int(12)?,
        step: ImportStep {
            state,
            plan: row.text(4)?.to_owned(),
            user: row.id(19)?,
            via: Via::from_text(via).ok_or_else(|| damaged("the way of an import"))?,
            request_id: row.text(6)?.to_owned(),
            comment: row.opt_text(7)?.map(str::to_owned),
            phase: ImportPhase::stored(state, row.int(13)?),
            next_chunk: row.int(14)?,
            next_row: row.int(20)?,
            counts: row.text(15)?.to_owned(),
            keeps_results: false,
            node: row.text(17)?.to_owned(),
            lease_until: Timestamp(row.int(18)?),
        },
        started_at: row.opt_int(9)?.map(Timestamp),
        ended_at: row.opt_int(10)?.map(Timestamp),
        error: row.opt_text(16)?.map(str::to_owned),
    })
}

fn damaged(what: &str) -> Error {
    Error::Damaged(format!("{what} is unknown"))
}

impl ReadTx<'_> {
    /// An import.
    pub fn import(&mut self, id: ImportId) -> Result<Option<Import>, Error> {
        self.first(SELECT, &[id.get().into()], import)
    }

    /// The newest imports of a user, the newest first.
    pub fn imports_of(&mut self, user: UserId, limit: i64) -> Result<Vec<Import>, Error> {
        self.all(SELECT_OF_USER, &[user.get().into(), limit.into()], import)
    }

    /// All imports. There are few.
    pub fn imports(&mut self) -> Result<Vec<Import>, Error> {
        self.all(SELECT_ALL, &[], import)
    }

    /// The running import that waits longest, of those that `node` works on and of those that other
    /// nodes have left; see [`ReadTx::has_left`].
    pub fn due_import(&mut self, node: &str, now: Timestamp) -> Result<Option<Import>, Error> {
        let params = self.due_params(node, now)?;
        self.first(SELECT_DUE, &params, import)
    }

    /// A chunk of the rows of an import, as JSON.
    pub fn import_chunk(&mut self, id: ImportId, chunk: i64) -> Result<Option<String>, Error> {
        let params = [id.get().into(), chunk.into()];
        self.first(SELECT_CHUNK, &params, |row| unpacked(row.bytes(0)?))
    }

    /// The last chunk with results, or -1. Those after the file are on missing records.
    pub fn last_import_results(&mut self, id: ImportId) -> Result<i64, Error> {
        let last = self.first(SELECT_LAST_RESULTS, &[id.get().into()], |row| row.int(0))?;
        Ok(last.unwrap_or(-1))
    }

    /// The results of the rows of a chunk, as JSON.
    pub fn import_results(&mut self, id: ImportId, chunk: i64) -> Result<Option<String>, Error> {
        let params = [id.get().into(), chunk.into()];
        self.first(SELECT_RESULTS, &params, |row| unpacked(row.bytes(0)?))
    }
}

impl WriteTx<'_> {
    /// The number of imports that came as this write does, by the sessions or by the API tokens of
    /// its user; and the number of all. Uploads from before `since` were broken off and do not
    /// count.
    pub fn count_imports(&mut self, since: Timestamp) -> Result<(i64, i64), Error> {
        let (actor, via) = (self.context().actor, self.context().via);
        let params = [actor.into(), via.pattern().into(), since.0.into()];
        let counts = self.first(COUNT, &params, |row| Ok((row.int(0)?, row.int(1)?)))?;
        Ok(counts.unwrap_or_default())
    }

    /// Adds an import whose file is being uploaded. No import ever had its id.
    pub fn insert_import(&mut self, new: &NewImport) -> Result<ImportId, Error> {
        // Imports from before the sequence count, too.
        let newest = self.first(SELECT_NEWEST, &[], |row| row.int(0))?;
        let next = self.first(SELECT_NEXT, &[SEQUENCE.into()], |row| row.int(0))?;
        let id = next.unwrap_or(1).max(newest.unwrap_or_default() + 1);
        self.run_one(UPSERT_NEXT, &[SEQUENCE.into(), (id + 1).into()])?;
        let via = new.via.to_text();
        let params = [
            id.into(),
            new.user.get().into(),
            new.file.as_str().into(),
            via.as_ref().into(),
            new.request_id.as_str().into(),
            self.context().now.0.into(),
        ];
        self.run_one(INSERT, &params)?;
        ImportId::new(id).ok_or(Error::OutOfIds("import"))
    }

    /// Notes that all rows of the file are there. `file` tells what was found in it.
    pub fn finish_import_upload(
        &mut self,
        id: ImportId,
        file: &str,
        rows: i64,
        chunks: i64,
    ) -> Result<(), Error> {
        let params = [id.get().into(), file.into(), rows.into(), chunks.into()];
        self.run_one(UPLOADED, &params)
    }

    /// Starts a step. Earlier results are gone, unless it needs them.
    pub fn start_import_step(&mut self, id: ImportId, step: &ImportStep) -> Result<(), Error> {
        if !step.keeps_results {
            self.run(DELETE_RESULTS, &[id.get().into()])?;
        }
        let now = self.context().now.0;
        let via = step.via.to_text();
        let params = [
            id.get().into(),
            step.state.as_str().into(),
            step.plan.as_str().into(),
            via.as_ref().into(),
            step.request_id.as_str().into(),
            step.comment.as_deref().into(),
            now.into(),
            step.next_chunk.into(),
            step.counts.as_str().into(),
            step.node.as_str().into(),
            step.lease_until.0.into(),
            step.user.get().into(),
        ];
        self.run_one(START, &params)
    }

    /// Stores how far the running step has come, and who works on it until when.
    pub fn advance_import(&mut self, id: ImportId, step: &ImportStep) -> Result<(), Error> {
        let params = [
            id.get().into(),
            step.phase.number().into(),
            step.next_chunk.into(),
            step.next_row.into(),
            step.counts.as_str().into(),
            step.node.as_str().into(),
            step.lease_until.0.into(),
        ];
        self.run_one(ADVANCE, &params)
    }

    /// Ends the running step.
    pub fn end_import_step(
        &mut self,
        id: ImportId,
        state: ImportState,
        error: Option<&str>,
    ) -> Result<(), Error> {
        let now = self.context().now.0;
        let params = [
            id.get().into(),
            state.as_str().into(),
            error.into(),
            now.into(),
        ];
        self.run_one(END, &params)
    }

    /// Replaces the results of the rows of a chunk.
    pub fn set_import_results(
        &mut self,
        id: ImportId,
        chunk: i64,
        results: &str,
    ) -> Result<(), Error> {
        let results = packed(results)?;
        let params = [id.get().into(), chunk.into(), results.as_slice().into()];
        self.run_one(SET_RESULTS, &params)
    }

    /// Makes other imports of a type wait for the end of this transaction, or run again after it.
    pub fn lock_imports_of(&mut self, type_id: TypeId, id: ImportId) -> Result<(), Error> {
        self.run_one(LOCK_IMPORTS, &[type_id.get().into(), id.get().into()])
    }

    /// Like [`WriteTx::lock_imports_of`], for a change of what such imports read.
    pub fn exclude_imports(&mut self, type_id: TypeId) -> Result<(), Error> {
        self.run_one(LOCK_IMPORTS, &[type_id.get().into(), 0.into()])
    }

    /// Deletes an import and its rows. What it wrote stays.
    pub fn delete_import(&mut self, id: ImportId) -> Result<(), Error> {
        self.run(DELETE_CHUNKS, &[id.get().into()])?;
        self.run(DELETE_RESULTS, &[id.get().into()])?;
        self.run(DELETE, &[id.get().into()]).map(drop)
    }

    /// Deletes some of the imports that do not run and were uploaded before a time, and of the
    /// uploads that were broken off before another one.
    pub fn prune_imports(
        &mut self,
        before: Timestamp,
        broken_off: Timestamp,
        limit: i64,
    ) -> Result<(), Error> {
        let params = [before.0.into(), broken_off.0.into(), limit.into()];
        for id in self.all(SELECT_OLD, &params, |row| row.id(0))? {
            self.delete_import(id)?;
        }
        Ok(())
    }
}

fn packed(text: &str) -> Result<Vec<u8>, Error> {
    zstd::bulk::compress(text.as_bytes(), LEVEL).map_err(unreadable)
}

fn unpacked(bytes: &[u8]) -> Result<String, Error> {
    let bytes = zstd::bulk::decompress(bytes, MAX_CHUNK_BYTES).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(unreadable)
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::Damaged(format!("the rows of an import are unreadable: {error}"))
}
