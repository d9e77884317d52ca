//! `POST /imports`: reads a file while it arrives, and stores its rows in chunks.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use futures_util::{Stream, StreamExt as _};
use stockroom_access::permission::ObjectImport;
use stockroom_fair::{FairSlot, FairSlots, Requester};
use stockroom_model::json::Value;
use stockroom_model::{ImportId, Timestamp};
use stockroom_store::{NewImport, StoredBytes, WriteTx};
use stockroom_tables::{Format, Limits, Options, Read, Row, read_text, read_workbook};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::KEPT_MICROS;
use super::access::existing;
use super::answer::answer;
use super::file::File;
use super::node::ImportNode;
use crate::{Error, Permit};

/// How many imports the sessions of a user may have, and as many its API tokens; and all users
/// together.
const MAX_OF_USER: i64 = 20;
const MAX_OF_ALL: i64 = 200;

/// An upload that has lasted this long was broken off.
const UPLOAD_MICROS: i64 = 24 * 3_600 * 1_000_000;

/// How many old imports a new one deletes.
const PRUNED: i64 = 3;

/// The rows of a chunk, and its bytes.
const CHUNK_ROWS: usize = 1_000;
const CHUNK_BYTES: usize = 1_024 * 1_024;

/// The longest row. A chunk may hold one such row, and little else.
const ROW_BYTES: usize = 4 * 1_024 * 1_024;

/// The parts of the file that wait for their reader.
const WAITING_PARTS: usize = 2;
/// The chunks of rows that wait to be stored; one may be large.
const WAITING_CHUNKS: usize = 1;

/// A part of an uploaded file.
pub type Part = io::Result<Vec<u8>>;

/// A file to upload.
#[derive(Debug, Default)]
pub struct Upload {
    /// Its name.
    pub name: String,
    /// What the caller knows of it.
    pub options: Options,
}

/// Stores the rows of a file.
///
/// # Errors
///
/// [`Error::Invalid`] says why the file cannot be read; then nothing of it is kept.
/// [`Error::TooManyImports`], [`Error::ImportsTooLarge`], [`Error::ImportsFull`];
/// [`Error::TooManyRunning`], or [`Error::Busy`] if other uploads take all places.
pub async fn upload(
    permit: &Permit<ObjectImport>,
    upload: Upload,
    content: impl Stream<Item = Part> + Unpin,
) -> Result<(ImportId, Value), Error> {
    if permit.transaction().is_some() {
        let detail = "an upload is no part of a transaction: upload the file, then make a dry run of the import";
        return Err(Error::invalid("", detail));
    }
    let service = permit.service();
    let user = permit.caller().user_id();
    let node = service.features.get::<ImportNode>();
    let slot = node.uploads.try_acquire(permit.caller().requester());
    let slot = slot.map_err(|full| Error::no_place("uploads", full))?;
    let slot = Arc::new(slot);
    let file = File {
        name: upload.name.clone(),
        ..File::default()
    };
    let new = NewImport {
        user,
        file: file.text()?,
        via: permit.caller().request.via,
        request_id: permit.caller().request.request_id.to_string(),
    };
    let id = permit.write(move |tx| insert(tx, &new)).await?;
    let stored = store_rows(permit, id, upload, content, slot.clone()).await;
    if stored.is_err() {
        // If this fails, too, the next uploads delete it.
        let _ = permit.write(move |tx| Ok(tx.delete_import(id)?)).await;
    }
    stored?;
    let import = permit.read_newest(move |tx| existing(tx, id)).await?;
    Ok((id, answer(&import, true)?))
}

fn insert(tx: &mut WriteTx<'_>, new: &NewImport) -> Result<ImportId, Error> {
    let now = tx.context().now.0;
    let broken_off = Timestamp(now - UPLOAD_MICROS);
    let (of_user, of_all) = tx.count_imports(broken_off)?;
    if of_user >= MAX_OF_USER {
        return Err(Error::TooManyImports(of_user));
    }
    if of_all >= MAX_OF_ALL {
        return Err(Error::Unavailable);
    }
    let id = tx.insert_import(new)?;
    // After the insert, so that no id is given twice.
    tx.prune_imports(Timestamp(now - KEPT_MICROS), broken_off, PRUNED)?;
    Ok(id)
}

/// Lets one thread read the file, while its parts come in and chunks of its rows go to the store.
#[expect(
    clippy::disallowed_methods,
    reason = "one thread for an upload; their number is bounded"
)]
async fn store_rows(
    permit: &Permit<ObjectImport>,
    id: ImportId,
    upload: Upload,
    mut content: impl Stream<Item = Part> + Unpin,
    slot: Arc<FairSlot>,
) -> Result<(), Error> {
    let (parts, input) = channel::<Part>(WAITING_PARTS);
    let (output, mut chunks) = channel::<String>(WAITING_CHUNKS);
    let Upload { name, options } = upload;
    let turn = Turn {
        workbooks: permit
            .service()
            .features
            .get::<ImportNode>()
            .workbooks
            .clone(),
        requester: permit.caller().requester(),
    };
    let reading = tokio::task::spawn_blocking(move || {
        // The thread may outlive its request.
        let _slot = slot;
        read(Input::new(input), &options, output, &turn)
    });
    let feed = async move {
        while let Some(part) = content.next().await {
            if parts.send(part).await.is_err() {
                break;
            }
        }
    };
    let limits = StoredLimits::of(permit);
    let store = async {
        let mut count = 0_i64;
        // Dropped after a failure, which ends the thread.
        let mut chunks = std::mem::replace(&mut chunks, channel(1).1);
        while let Some(rows) = chunks.recv().await {
            let number = count;
            permit
                .write(move |tx| check_stored(&tx.set_import_chunk(id, number, &rows)?, limits))
                .await?;
            count += 1;
        }
        Ok::<i64, Error>(count)
    };
    let ((), stored, read) = tokio::join!(feed, store, reading);
    let count = stored?;
    let read = read
        .map_err(Error::internal)?
        .map_err(|error| unreadable(&error))?;
    let rows = i64::try_from(read.rows).unwrap_or(i64::MAX);
    let file = File::new(name, read).text()?;
    let finish = permit.write(move |tx| Ok(tx.finish_import_upload(id, &file, rows, count)?));
    finish.await
}

/// How many bytes the rows of imports may take as they are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredLimits {
    of_user: u64,
    of_all: u64,
}

impl StoredLimits {
    pub(super) fn of(permit: &Permit<ObjectImport>) -> Self {
        let config = &permit.service().config;
        Self {
            of_user: config.stored_import_bytes_per_user,
            of_all: config.stored_import_bytes,
        }
    }
}

/// Refuses a chunk of rows that has made the imports too large.
pub(super) fn check_stored(stored: &StoredBytes, limits: StoredLimits) -> Result<(), Error> {
    if stored.is_less {
        return Ok(());
    }
    if stored.of_user > limits.of_user {
        return Err(Error::ImportsTooLarge(limits.of_user));
    }
    if stored.of_all > limits.of_all {
        return Err(Error::ImportsFull(limits.of_all));
    }
    Ok(())
}

fn unreadable(error: &stockroom_tables::Error) -> Error {
    if let stockroom_tables::Error::Input(cause) = error
        && cause.kind() == io::ErrorKind::StorageFull
    {
        // The workbook did not fit beside those of others.
        tracing::warn!(%error, "an upload was refused");
        return Error::TemporaryFull;
    }
    Error::invalid("", format!("the file cannot be read: {error}"))
}

/// How to get a turn to read a workbook.
struct Turn {
    workbooks: FairSlots,
    requester: Requester,
}

impl Turn {
    fn wait(&self) -> io::Result<FairSlot> {
        let slot = Handle::current().block_on(self.workbooks.acquire(self.requester));
        slot.map_err(|_| io::Error::other("too many workbooks are read"))
    }
}

/// Reads a whole file.
fn read(
    mut input: Input,
    options: &Options,
    output: Sender<String>,
    turn: &Turn,
) -> Result<Read, stockroom_tables::Error> {
    let limits = Limits {
        row_bytes: ROW_BYTES,
        ..Limits::default()
    };
    let mut chunk = ChunkOfRows {
        output,
        text: Vec::new(),
        rows: 0,
    };
    let beginning = input.peek()?;
    let format = options
        .format
        .unwrap_or_else(|| Format::of_bytes(beginning));
    let read = if format == Format::Xlsx {
        let file = spooled(&mut input, limits.workbook_bytes)?;
        let _slot = turn.wait()?;
        chunk.check_reader()?;
        read_workbook(file, options, &limits, |row| chunk.push(&row))?
    } else {
        read_text(input, options, &limits, |row| chunk.push(&row))?
    };
    chunk.send()?;
    Ok(read)
}

/// A workbook as a file, because its parts may stand in any order. It has no name, so nothing of
/// it is left when the process ends.
fn spooled(input: &mut Input, limit: u64) -> Result<std::fs::File, stockroom_tables::Error> {
    let mut file = tempfile::tempfile()?;
    let copied = io::copy(&mut input.take(limit + 1), &mut file)?;
    if copied > limit {
        return Err(stockroom_tables::Error::Limit {
            what: "bytes",
            limit,
        });
    }
    file.flush()?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// Rows that are not yet sent.
struct ChunkOfRows {
    output: Sender<String>,
    text: Vec<u8>,
    rows: usize,
}

impl ChunkOfRows {
    /// Adds a row. It is written in place, as it may be large.
    fn push(&mut self, row: &Row) -> io::Result<()> {
        let begin = self.text.len();
        self.text.push(if self.rows == 0 { b'[' } else { b',' });
        serde_json::to_writer(&mut self.text, row)?;
        if self.rows == CHUNK_ROWS || (self.rows > 0 && self.text.len() > CHUNK_BYTES) {
            let next = self.text.split_off(begin + 1);
            self.text.truncate(begin);
            self.send()?;
            self.text.push(b'[');
            self.text.extend(next);
        }
        self.rows += 1;
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.text.push(b']');
        self.text.shrink_to_fit();
        self.rows = 0;
        let text = String::from_utf8(std::mem::take(&mut self.text)).map_err(io::Error::other)?;
        self.output.blocking_send(text).map_err(|_| gone())
    }

    /// Fails if nobody wants the rows any more.
    fn check_reader(&self) -> io::Result<()> {
        if self.output.is_closed() {
            return Err(gone());
        }
        Ok(())
    }
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// The file as it arrives.
struct Input {
    parts: Receiver<Part>,
    part: Vec<u8>,
    used: usize,
}

impl Input {
    const fn new(parts: Receiver<Part>) -> Self {
        Self {
            parts,
            part: Vec::new(),
            used: 0,
        }
    }

    /// The bytes that were received but not read, at least one unless the file is empty.
    fn peek(&mut self) -> io::Result<&[u8]> {
        while self.used == self.part.len() {
            let Some(part) = self.parts.blocking_recv() else {
                break;
            };
            self.part = part?;
            self.used = 0;
        }
        Ok(self.part.get(self.used..).unwrap_or_default())
    }
}

impl io::Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.peek()?.read(out)?;
        self.used += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
