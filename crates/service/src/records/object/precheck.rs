//! The precheck of an object's body against its type. It needs neither the store nor the writer,
//! and the writer must not wait for it: large bodies and many regular expressions take a while.

use stockroom_model::body::Report;
use stockroom_model::json::{Value, most_bytes};
use stockroom_model::object::{ObjectDraft, Reference, check_fields, make_canonical};
use stockroom_model::{Object, Problem, Problems, RecordLimits, Type};

/// A body that may be longer than this as JSON is prechecked on a thread where no request waits.
const LARGE: usize = 64 * 1024;

/// Whether the precheck of a body may take long.
pub(crate) fn is_large(body: &Value) -> bool {
    most_bytes(body) > LARGE
}

/// The outcome of a precheck. `D` is what the parsed body has become.
#[derive(Clone)]
pub(crate) struct Precheck<D = ObjectDraft> {
    /// `None` if the body is malformed.
    draft: Option<D>,
    /// Problems from reading the body alone.
    read: Report,
    /// Referenced objects, whose existence only the store knows.
    pub(crate) references: Vec<Reference>,
    /// Problems from reading and from the type; checks against the store add to it.
    pub(crate) report: Report,
}

impl Precheck {
    /// Reads a body, which replaces `stored`, and checks it against its type.
    pub(crate) fn new(
        definition: &Type,
        body: &Value,
        stored: Option<&Object>,
        limits: &RecordLimits,
    ) -> Self {
        let mut precheck = Self::without_type(body, stored, limits);
        precheck.check_by(definition, body, stored);
        precheck
    }

    /// Reads a body without a known type.
    pub(crate) fn without_type(
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

    /// Gives the fields the form in which their kinds store them, and checks them. Malformed bodies
    /// are checked too, so that one answer has all problems.
    fn check_by(&mut self, definition: &Type, body: &Value, stored: Option<&Object>) {
        let known = stored.map(Object::items);
        if let Some(draft) = &mut self.draft {
            make_canonical(definition, &mut draft.fields, known);
        }
        let sent = || body.get("fields").and_then(Value::as_array);
        let items = self.draft.as_ref().map(|draft| &draft.fields).or_else(sent);
        let references = items.map(|items| check_fields(definition, items, known, &self.report));
        self.references = references.unwrap_or_default();
    }

    /// Makes something of the parsed body.
    pub(crate) fn try_map<D, E>(
        self,
        make: impl FnOnce(ObjectDraft) -> Result<D, E>,
    ) -> Result<Precheck<D>, E> {
        Ok(Precheck {
            draft: self.draft.map(make).transpose()?,
            read: self.read,
            references: self.references,
            report: self.report,
        })
    }
}

impl<D> Precheck<D> {
    /// The same body before any check against a type.
    pub(crate) fn without_check_by_type(self) -> Self {
        Self {
            references: Vec::new(),
            report: self.read.clone(),
            ..self
        }
    }

    /// What the parsed body has become.
    ///
    /// # Errors
    ///
    /// It is malformed.
    pub(crate) fn draft(&self) -> Result<&D, Problems> {
        self.read.finish(self.draft.as_ref())
    }

    /// Maps the pointers of the problems to another document.
    pub(crate) fn with_pointers(self, pointer: impl Fn(&str) -> String) -> Self {
        Self {
            report: self.report.with_pointers(pointer),
            ..self
        }
    }

    /// What the parsed body has become, and all warnings.
    ///
    /// # Errors
    ///
    /// All problems found by reading, type and store.
    pub(crate) fn finish(self) -> Result<(D, Vec<Problem>), Problems> {
        let draft = self.report.finish(self.draft)?;
        Ok((draft, self.report.into_warnings()))
    }
}
