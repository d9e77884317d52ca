//! Passes the parts of a file from the thread that writes it to the task that sends it. The thread
//! waits for a slow client, but not after its deadline.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use tokio::sync::Notify;

/// The parts that wait for the client.
const PARTS: usize = 4;
/// The length of a part, which is more than a large document needs at once.
const PART_BYTES: usize = 128 * 1_024;

enum Part {
    Bytes(Vec<u8>),
    /// The file is whole.
    End,
}

/// Opens a pipe whose writer gives up at the deadline.
pub(super) fn pipe(deadline: Instant) -> (PipeWriter, PipeReader) {
    let (sender, parts) = bounded(PARTS);
    let wake = Arc::new(Notify::new());
    let writer = PipeWriter {
        sender: Some(sender),
        wake: Arc::clone(&wake),
        part: Vec::with_capacity(PART_BYTES),
        deadline,
        written: 0,
    };
    let is_done = false;
    (
        writer,
        PipeReader {
            parts,
            wake,
            is_done,
        },
    )
}

/// The end of the thread.
pub(super) struct PipeWriter {
    /// `None` once the file is whole, or cannot become whole.
    sender: Option<Sender<Part>>,
    wake: Arc<Notify>,
    part: Vec<u8>,
    deadline: Instant,
    /// The bytes of the file so far.
    pub(super) written: u64,
}

impl PipeWriter {
    /// Appends text.
    ///
    /// # Errors
    ///
    /// The client is gone, or too slow.
    pub(super) fn push(&mut self, text: &str) -> io::Result<()> {
        self.part.extend_from_slice(text.as_bytes());
        if self.part.len() < PART_BYTES {
            return Ok(());
        }
        self.send()
    }

    /// Ends the file. Without it, the reader finds the file broken.
    ///
    /// # Errors
    ///
    /// As for [`PipeWriter::push`].
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.send()?;
        self.pass(Part::End)?;
        self.close();
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART_BYTES));
        self.written += part.len() as u64;
        self.pass(Part::Bytes(part))
    }

    fn pass(&mut self, part: Part) -> io::Result<()> {
        // An archive writes its end even after a failure; nobody gets it.
        let Some(sender) = &self.sender else {
            return Ok(());
        };
        // A part that finds room is sent even after the deadline.
        let is_late = Instant::now() >= self.deadline;
        if is_late || sender.send_deadline(part, self.deadline).is_err() {
            self.close();
            let gone = "the client is gone, or the time of the export is over";
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, gone));
        }
        self.wake.notify_one();
        Ok(())
    }

    /// Gives the file up.
    pub(super) fn close(&mut self) {
        // The sender goes first, so that the reader finds it gone.
        self.sender = None;
        self.wake.notify_one();
    }
}

impl io::Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        self.close();
    }
}

/// The parts of a file, in order. Dropping it ends the export.
pub struct PipeReader {
    parts: Receiver<Part>,
    wake: Arc<Notify>,
    is_done: bool,
}

/// The export ended before its file was whole.
#[derive(Debug, thiserror::Error)]
#[error("the export could not be written to its end")]
pub struct Broken;

impl PipeReader {
    /// The next part; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Vec<u8>, Broken>> {
        while !self.is_done {
            match self.parts.try_recv() {
                Ok(Part::Bytes(bytes)) => return Some(Ok(bytes)),
                Ok(Part::End) => self.is_done = true,
                Err(TryRecvError::Disconnected) => {
                    self.is_done = true;
                    return Some(Err(Broken));
                }
                Err(TryRecvError::Empty) => self.wake.notified().await,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    async fn all(mut reader: PipeReader) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        while let Some(part) = reader.next().await {
            match part {
                Ok(part) => bytes.extend(part),
                Err(Broken) => return (bytes, false),
            }
        }
        (bytes, true)
    }

    #[tokio::test]
    async fn a_file_arrives_whole_and_in_order() {
        let (mut writer, reader) = pipe(Instant::now() + LONG);
        let writing = std::thread::spawn(move || {
            for number in 0..200_000 {
                writer.push(&format!("{number}\n")).unwrap();
            }
            writer.finish().unwrap();
            writer.written
        });
        let (bytes, is_whole) = all(reader).await;
        assert!(is_whole);
        let lines: Vec<String> = (0..200_000).map(|number| number.to_string()).collect();
        assert_eq!(bytes, format!("{}\n", lines.join("\n")).into_bytes());
        assert_eq!(writing.join().unwrap(), bytes.len() as u64);
    }

    #[tokio::test]
    async fn a_file_without_an_end_is_broken() {
        let (mut writer, reader) = pipe(Instant::now() + LONG);
        writer.push(&"x".repeat(PART_BYTES)).unwrap();
        drop(writer);
        assert_eq!(all(reader).await, (vec![b'x'; PART_BYTES], false));
    }

    #[test]
    fn a_writer_does_not_outlive_its_deadline_or_its_reader() {
        let part = "x".repeat(PART_BYTES);
        let (mut late, _reader) = pipe(Instant::now());
        assert!(late.push(&part).is_err());
        assert!(late.push(&part).is_ok(), "what follows goes nowhere");

        let (mut slow, _reader) = pipe(Instant::now() + Duration::from_millis(100));
        let mut filled = (0..=PARTS).map(|_| slow.push(&part));
        assert!(filled.any(|pushed| pushed.is_err()), "nobody reads");

        let (mut left, reader) = pipe(Instant::now() + LONG);
        drop(reader);
        assert!(left.push(&part).is_err());
    }
}
