//! The thread of an export.

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

use stockroom_model::{Timestamp, UserId};
use stockroom_store::ReadTx;
use tokio::sync::oneshot;

use super::ExportFile;
use super::pipe::{PipeWriter, pipe};
use crate::{Error, Permit};

/// The most characters of a filter in the log.
const LOGGED: usize = 1_024;

/// Why an export broke off.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// An export that runs once, on a thread of its own.
pub(super) trait Exporting: Send + 'static {
    /// What it found when it began.
    type Prepared;

    /// The format and the filter, for the log.
    fn describe(&self) -> (&'static str, &str);

    /// Checks everything that can be refused.
    fn begin(&self, tx: &mut ReadTx<'_>) -> Result<Begun<Self::Prepared>, Error>;

    /// Writes the file, and returns the number of its objects.
    fn write(
        self,
        tx: &mut ReadTx<'_>,
        found: Self::Prepared,
        sink: &Sink,
    ) -> Result<usize, Failure>;
}

/// An export that was not refused.
pub(super) struct Begun<F> {
    /// The name of the file.
    pub(super) name: String,
    pub(super) found: F,
}

/// The name of a file from that time.
pub(super) fn file_name(base: &str, time: Timestamp, extension: &str) -> String {
    let time = time.to_iso();
    let date = time.get(..10).unwrap_or(&time);
    format!("{base}-{date}.{extension}")
}

/// Where the file goes. It is shared by the writer of an archive and the code around it.
pub(super) struct Sink(RefCell<PipeWriter>);

impl Sink {
    /// Appends text.
    pub(super) fn push(&self, text: &str) -> io::Result<()> {
        self.0.borrow_mut().push(text)
    }

    /// Lets everything that follows go nowhere, and the reader find the file broken.
    pub(super) fn close(&self) {
        self.0.borrow_mut().close();
    }
}

impl io::Write for &Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts an export, and waits until its file begins.
///
/// # Errors
///
/// It was refused.
pub(super) async fn start<P>(
    permit: &Permit<P>,
    export: impl Exporting,
) -> Result<ExportFile, Error> {
    let service = permit.service();
    let config = &service.config;
    let user = permit.caller().user_id();
    let slot = service
        .exports
        .try_acquire(permit.caller().requester())
        .map_err(|full| Error::no_place("exports", full))?;
    let longest = Duration::from_secs(config.export_seconds.into());
    let start = Instant::now();
    let (writer, content) = pipe(start + longest);
    let (begun, waiting) = oneshot::channel();
    let span = tracing::Span::current();
    service.store.read_long(longest, move |tx| {
        let _entered = span.entered();
        let log = Log::new(&export, user, start);
        let (tx, found) = match begin(&export, tx) {
            Ok((tx, Begun { name, found })) => {
                if begun.send(Ok(name)).is_err() {
                    return;
                }
                (tx, found)
            }
            Err(error) => {
                // The place is free before the client can know.
                drop(slot);
                return drop(begun.send(Err(error)));
            }
        };
        let sink = Sink(RefCell::new(writer));
        let written = export.write(tx, found, &sink);
        let mut writer = sink.0.into_inner();
        drop(slot);
        let written = written.and_then(|objects| {
            writer.finish()?;
            Ok(objects)
        });
        log.end(writer.written, written);
    })?;
    let name = waiting.await.map_err(|_| Error::Unavailable)??;
    Ok(ExportFile {
        name,
        content: Some(content),
    })
}

/// Begins an export in its snapshot, if there is one.
fn begin<'t, 'd, E: Exporting>(
    export: &E,
    tx: Result<&'t mut ReadTx<'d>, stockroom_store::Error>,
) -> Result<(&'t mut ReadTx<'d>, Begun<E::Prepared>), Error> {
    let tx = tx?;
    match export.begin(tx) {
        Ok(begun) => Ok((tx, begun)),
        Err(error) if tx.is_broken() => {
            tracing::warn!(cause = ?error, "an export was refused");
            Err(Error::Unavailable)
        }
        Err(error) => Err(error),
    }
}

/// What the log says of an export.
struct Log {
    user: UserId,
    format: &'static str,
    filter: String,
    start: Instant,
}

impl Log {
    fn new(export: &impl Exporting, user: UserId, start: Instant) -> Self {
        let (format, filter) = export.describe();
        Self {
            user,
            format,
            filter: filter.chars().take(LOGGED).collect(),
            start,
        }
    }

    fn end(self, bytes: u64, written: Result<usize, Failure>) {
        let Self {
            user,
            format,
            filter,
            start,
        } = self;
        let (user, elapsed) = (user.get(), start.elapsed());
        match written {
            Ok(objects) => {
                tracing::info!(user, format, filter, objects, bytes, ?elapsed, "exported");
            }
            Err(error) => {
                tracing::warn!(
                    user,
                    format,
                    filter,
                    bytes,
                    ?elapsed,
                    error,
                    "an export broke off"
                );
            }
        }
    }
}
