//! A summary of the writes of a commit, for the log entry of a slow one.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::Action;
use crate::resource::Resource;

/// A commit that takes longer is logged.
const SLOW: Duration = Duration::from_secs(1);

/// Maximum number of requests in the log entry.
const NAMED: usize = 5;

/// Kinds, numbers and sizes of writes, without their data. Includes undone writes, because they
/// took time as well.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    changes: BTreeMap<(&'static str, &'static str), usize>,
    requests: Vec<String>,
    document_bytes: usize,
}

impl Summary {
    pub(crate) fn add_request(&mut self, id: &str) {
        if self.requests.len() < NAMED {
            self.requests.push(id.to_owned());
        }
    }

    pub(crate) fn add_change(&mut self, resource: Resource, action: Action) {
        let key = (resource.as_str(), action.as_str());
        *self.changes.entry(key).or_default() += 1;
    }

    pub(crate) fn add_document(&mut self, bytes: usize) {
        self.document_bytes += bytes;
    }

    pub(crate) const fn document_bytes(&self) -> usize {
        self.document_bytes
    }

    pub(crate) fn log_if_slow(&self, took: Duration, index_rows: usize) {
        if took > SLOW {
            tracing::warn!(
                seconds = took.as_secs_f64(),
                changes = %self,
                document_bytes = self.document_bytes,
                index_rows,
                requests = ?self.requests,
                "a write took long"
            );
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            return formatter.write_str("none");
        }
        for (index, ((resource, action), count)) in self.changes.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(formatter, "{comma}{count} {resource} {action}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_was_done_to_how_many_records() {
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "none");
        for _ in 0..2 {
            summary.add_change(Resource::Object, Action::Insert);
        }
        summary.add_change(Resource::Type, Action::Update);
        assert_eq!(summary.to_string(), "2 object insert, 1 type update");
        for request in 0..100 {
            summary.add_request(&request.to_string());
        }
        assert_eq!(summary.requests.len(), NAMED);
    }
}
