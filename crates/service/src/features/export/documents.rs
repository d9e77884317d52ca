//! Native documents: as a JSON list, or one on each line. Stored documents are copied, not parsed.

use stockroom_filter::Projection;
use stockroom_store::ObjectRow;

use super::thread::{Failure, Sink};

/// How documents stand in a file.
pub(super) struct Documents {
    projection: Option<Projection>,
    start: &'static str,
    between: &'static str,
    end: &'static str,
}

impl Documents {
    /// One document on each line.
    pub(super) const fn lines(projection: Option<Projection>) -> Self {
        Self {
            projection,
            start: "",
            between: "\n",
            end: "\n",
        }
    }

    /// A JSON list.
    pub(super) const fn list(projection: Option<Projection>) -> Self {
        Self {
            projection,
            start: "[",
            between: ",\n",
            end: "]\n",
        }
    }
}

/// A file of documents that has begun.
pub(super) struct DocumentWriter<'p> {
    documents: Documents,
    sink: &'p Sink,
    is_empty: bool,
    text: String,
}

impl<'p> DocumentWriter<'p> {
    pub(super) fn new(documents: Documents, sink: &'p Sink) -> Self {
        Self {
            documents,
            sink,
            is_empty: true,
            text: String::new(),
        }
    }

    pub(super) fn rows(&mut self, rows: Vec<ObjectRow>) -> Result<(), Failure> {
        for row in rows {
            let Documents {
                projection,
                start,
                between,
                ..
            } = &self.documents;
            let before = if self.is_empty { start } else { between };
            self.is_empty = false;
            self.text.push_str(before);
            match projection {
                None => row.write_native(&mut self.text),
                Some(projection) => {
                    let document = row.native()?.into_document();
                    let shown = serde_json::to_string(&projection.apply(&document))?;
                    self.text.push_str(&shown);
                }
            }
            self.sink.push(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }

    pub(super) fn end(self) -> Result<(), Failure> {
        let Documents { start, end, .. } = self.documents;
        if self.is_empty {
            // A file without documents has no line.
            self.sink.push(start)?;
        }
        if !(self.is_empty && start.is_empty()) {
            self.sink.push(end)?;
        }
        Ok(())
    }
}
