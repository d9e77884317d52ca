//! What the body of an object says, judged by its type. That needs neither the store nor the writer, which must not wait for it:
//! a large body, or one that many regular expressions look at, takes a while.

use stockroom_model::body::{Findings, Report};
use stockroom_model::json::{Value, most_bytes};
use stockroom_model::object::{ObjectDraft, Reference, check_fields};
use stockroom_model::{Checked, Object, Problem, Problems, RecordLimits, Type};

/// A body that may have more bytes as JSON is judged where no other request waits for the thread.
const LARGE: usize = 64 * 1024;

/// Whether judging a body may take a while.
pub(super) fn is_large(body: &Value) -> bool {
    most_bytes(body) > LARGE
}

/// See the module.
#[derive(Clone)]
pub(super) struct Judged {
    draft: Result<Checked<ObjectDraft>, Problems>,
    /// What the fields name; whether that is there is for the store to say.
    pub(super) references: Vec<Reference>,
    by_type: Findings,
}

impl Judged {
    /// Reads a body, which replaces `stored`.
    pub(super) fn new(
        r#type: &Type,
        body: &Value,
        stored: Option<&Object>,
        limits: &RecordLimits,
    ) -> Self {
        let mut judged = Self::unjudged(ObjectDraft::read(body, stored, limits));
        judged.judge(r#type, body, stored);
        judged
    }

    /// Asks the type. All problems belong into one answer, so it is asked about malformed bodies too; of others the draft has all.
    pub(super) fn judge(&mut self, r#type: &Type, body: &Value, stored: Option<&Object>) {
        let sent = || body.get("fields").and_then(Value::as_array);
        let items = match &self.draft {
            Ok(draft) => Some(&draft.value.fields),
            Err(_) => sent(),
        };
        let report = Report::default();
        let known = stored.map(Object::items);
        let references = items.map(|items| check_fields(r#type, items, known, &report));
        self.references = references.unwrap_or_default();
        self.by_type = report.into();
    }

    /// A body that names no type.
    pub(super) fn unjudged(draft: Result<Checked<ObjectDraft>, Problems>) -> Self {
        Self {
            draft,
            references: Vec::new(),
            by_type: Findings::default(),
        }
    }

    /// What the body says.
    ///
    /// # Errors
    ///
    /// It is malformed.
    pub(super) fn draft(&self) -> Result<&ObjectDraft, &Problems> {
        self.draft.as_ref().map(|draft| &draft.value)
    }

    /// What the type says, for the store to add to.
    pub(super) fn report(&self) -> Report {
        self.by_type.clone().into()
    }

    /// The body with all warnings, or all problems; `report` is what type and store say of it.
    pub(super) fn finish(self, report: Report) -> Result<(ObjectDraft, Vec<Problem>), Problems> {
        let found = report.finish(Some(()));
        match (self.draft, found) {
            (Ok(draft), Ok(found)) => {
                let mut warnings = draft.warnings;
                warnings.extend(found.warnings);
                Ok((draft.value, warnings))
            }
            (Ok(_), Err(problems)) => Err(problems),
            (Err(mut problems), found) => {
                problems.append(found.err().unwrap_or_default());
                Err(problems)
            }
        }
    }
}
