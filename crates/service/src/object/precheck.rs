//! The precheck: what the body of an object says, checked by its type. It needs neither the store
//! nor the writer, which must not wait for it: a large body, or one that many regular expressions
//! look at, takes a while.

use stockroom_model::body::Report;
use stockroom_model::json::{Value, most_bytes};
use stockroom_model::object::{ObjectDraft, Reference, check_fields};
use stockroom_model::{Object, Problem, Problems, RecordLimits, Type};

/// A body that may have more bytes as JSON is prechecked where no other request waits for the
/// thread.
const LARGE: usize = 64 * 1024;

/// Whether the precheck of a body may take a while.
pub(super) fn is_large(body: &Value) -> bool {
    most_bytes(body) > LARGE
}

/// See the module.
#[derive(Clone)]
pub(super) struct Precheck {
    /// What the body says, unless it is malformed.
    draft: Option<ObjectDraft>,
    /// What its reader noted: where another check by type goes on.
    read: Report,
    /// What the fields name; only the store knows whether that exists.
    pub(super) references: Vec<Reference>,
    /// What reader and type noted, for checks against the store to add to.
    pub(super) report: Report,
}

impl Precheck {
    /// Reads a body, which replaces `stored`, and checks it by its type.
    pub(super) fn new(
        definition: &Type,
        body: &Value,
        stored: Option<&Object>,
        limits: &RecordLimits,
    ) -> Self {
        let mut precheck = Self::without_type(body, stored, limits);
        precheck.check_by(definition, body, stored);
        precheck
    }

    /// Reads a body that names no type.
    pub(super) fn without_type(
        body: &Value,
        stored: Option<&Object>,
        limits: &RecordLimits,
    ) -> Self {
        let report = Report::default();
        let draft = ObjectDraft::read(body, stored, limits, &report);
        Self {
            draft: report.finish(draft).ok(),
            read: report.clone(),
            references: Vec::new(),
            report,
        }
    }

    /// Checks the fields by a type, in place of an earlier check. Malformed bodies are checked too,
    /// so that one answer has all problems. `body` is used for these only: of others the draft has
    /// all.
    pub(super) fn check_by(&mut self, definition: &Type, body: &Value, stored: Option<&Object>) {
        let sent = || body.get("fields").and_then(Value::as_array);
        let items = self.draft.as_ref().map(|draft| &draft.fields).or_else(sent);
        let known = stored.map(Object::items);
        self.report = self.read.clone();
        let references = items.map(|items| check_fields(definition, items, known, &self.report));
        self.references = references.unwrap_or_default();
    }

    /// The same body, of which no type has said anything.
    pub(super) fn without_check_by_type(&self) -> Self {
        Self {
            references: Vec::new(),
            report: self.read.clone(),
            ..self.clone()
        }
    }

    /// What the body says.
    ///
    /// # Errors
    ///
    /// It is malformed.
    pub(super) fn draft(&self) -> Result<&ObjectDraft, Problems> {
        self.read.finish(self.draft.as_ref())
    }

    /// The same precheck with the pointers of another document.
    pub(super) fn with_pointers(self, place: impl Fn(&str) -> String) -> Self {
        Self {
            report: self.report.with_pointers(place),
            ..self
        }
    }

    /// The body and all warnings.
    ///
    /// # Errors
    ///
    /// All problems that reader, type and store have noted.
    pub(super) fn finish(self) -> Result<(ObjectDraft, Vec<Problem>), Problems> {
        let draft = self.report.finish(self.draft)?;
        Ok((draft, self.report.into_warnings()))
    }
}
