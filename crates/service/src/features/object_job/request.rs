//! The body of a job.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use stockroom_fair::Requester;
use stockroom_filter::{Checked, Limits, Order, Sort};
use stockroom_model::body::Body;
use stockroom_model::json::{Map, Value};
use stockroom_model::{ObjectId, Revision};
use stockroom_store::{ObjectQuery, ObjectRow, Restriction};

use crate::records::object::delete::References;
use crate::records::object::filtered_body;
use crate::{Error, Service};

/// The most objects that a job changes.
const MAX_OBJECTS: i64 = 1_000_000;
const MAX_COMMENT: usize = 1_024;
/// The most objects whose revisions a job names.
const MAX_REVISIONS: usize = 10_000;

const MEMBERS: [&str; 10] = [
    "filter",
    "total",
    "if_revisions",
    "set",
    "clear",
    "append",
    "state",
    "delete",
    "references",
    "comment",
];

/// What a job does.
#[derive(Debug, Clone)]
pub(super) struct JobRequest {
    /// The objects.
    pub(super) query: ObjectQuery,
    /// How many there are, as the caller expects.
    pub(super) total: usize,
    pub(super) revisions: Arc<Revisions>,
    pub(super) task: Task,
    pub(super) comment: Option<Arc<str>>,
}

/// The revisions that objects must have to be changed.
#[derive(Debug, Default)]
pub(super) struct Revisions(BTreeMap<ObjectId, Revision>);

/// What a job does with each object.
#[derive(Debug, Clone)]
pub(super) enum Task {
    Edit(Edit),
    State(bool),
    Delete(References),
}

/// How a job changes fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Edit {
    pub(super) set: Map<String, Value>,
    pub(super) clear: Vec<String>,
    /// Texts to add.
    pub(super) append: Map<String, Value>,
}

impl JobRequest {
    /// Reads a body.
    pub(super) async fn read(
        service: &Service,
        requester: Requester,
        body: Value,
    ) -> Result<Self, Error> {
        filtered_body::read_filtered_body(service, requester, body, members).await
    }
}

fn members(body: &Body<'_>, limits: &Limits) -> Option<JobRequest> {
    body.refuse_unknown(&MEMBERS);
    let filter = filter(body, limits);
    let total = total(body);
    let revisions = revisions(body);
    let task = task(body);
    if matches!(task, Some(Task::Delete(References::Clear))) && body.given("if_revisions").is_some()
    {
        let detail =
            "is not for `\"references\": \"clear\"`, which changes objects of the job by the way";
        body.problem("if_revisions", detail);
    }
    let comment = comment(body);
    Some(JobRequest {
        query: ObjectQuery {
            filter: filter?,
            sort: Sort::objects("public_id", Order::Ascending),
            active_only: false,
            restriction: Restriction::None,
        },
        total: total?,
        revisions: Arc::new(revisions?),
        task: task?,
        comment: comment?,
    })
}

/// A job on all objects says so.
fn filter(body: &Body<'_>, limits: &Limits) -> Option<Checked> {
    body.require("filter")
        .then(|| filtered_body::filter(body, limits))?
}

fn total(body: &Body<'_>) -> Option<usize> {
    let total = body.require("total").then(|| body.integer("total"))??;
    if !(0..=MAX_OBJECTS).contains(&total) {
        body.problem("total", format!("must be a number from 0 to {MAX_OBJECTS}"));
        return None;
    }
    usize::try_from(total).ok()
}

fn revisions(body: &Body<'_>) -> Option<Revisions> {
    if body.given("if_revisions").is_none() {
        return Some(Revisions::default());
    }
    let members = body.inside("if_revisions")?.members();
    if members.len() > MAX_REVISIONS {
        let detail = format!("has more than {MAX_REVISIONS} objects");
        body.problem("if_revisions", detail);
        return None;
    }
    let entry = |(id, revision): (&String, &Value)| {
        let id = id.parse().ok().and_then(ObjectId::new)?;
        Some((
            id,
            Revision(revision.as_i64().filter(|number| *number >= 1)?),
        ))
    };
    let revisions = members.iter().map(entry).collect::<Option<_>>();
    if revisions.is_none() {
        body.problem("if_revisions", "must map ids of objects to revisions");
    }
    revisions.map(Revisions)
}

impl Revisions {
    /// # Errors
    ///
    /// The object has another revision than the one that was named.
    pub(super) fn check(&self, row: &ObjectRow) -> Result<(), Error> {
        match self.0.get(&row.public_id) {
            Some(expected) if *expected != row.revision => Err(Error::invalid(
                "",
                format!(
                    "was changed meanwhile: it is at revision {}, not {}",
                    row.revision.0, expected.0
                ),
            )),
            _ => Ok(()),
        }
    }
}

fn task(body: &Body<'_>) -> Option<Task> {
    let edits = ["set", "clear", "append"];
    let is_edit = edits.iter().any(|name| body.given(name).is_some());
    let (has_state, has_delete) = (
        body.given("state").is_some(),
        body.given("delete").is_some(),
    );
    if [is_edit, has_state, has_delete]
        .into_iter()
        .filter(|given| *given)
        .count()
        != 1
    {
        body.problem_at("", "needs one of: set, clear and append; state; delete");
        return None;
    }
    if body.given("references").is_some() && !has_delete {
        body.problem("references", "is only for delete");
        return None;
    }
    if has_state {
        return body.boolean("state", false).map(Task::State);
    }
    if has_delete {
        if !body.boolean("delete", false)? {
            body.problem("delete", "must be true");
            return None;
        }
        return references(body).map(Task::Delete);
    }
    edit(body).map(Task::Edit)
}

fn references(body: &Body<'_>) -> Option<References> {
    if body.given("references").is_none() {
        return Some(References::Keep);
    }
    match body.text("references")? {
        "protect" => Some(References::Protect),
        "clear" => Some(References::Clear),
        other => {
            body.problem(
                "references",
                format!("must be protect or clear, not {other:?}"),
            );
            None
        }
    }
}

fn edit(body: &Body<'_>) -> Option<Edit> {
    let set = map(body, "set");
    let append = map(body, "append");
    let clear = body.texts("clear");
    let edit = Edit {
        set: set?,
        clear: clear?,
        append: append?,
    };
    for (name, text) in &edit.append {
        if !text.is_string() {
            body.problem_at(format!("/append/{name}"), "must be a text");
            return None;
        }
    }
    let mut names: Vec<&String> = edit.names().collect();
    names.sort_unstable();
    if let Some([twice, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        body.problem_at("", format!("the field {twice:?} is changed twice"));
        return None;
    }
    if names.is_empty() {
        body.problem_at("", "names no field to change");
        return None;
    }
    Some(edit)
}

impl Edit {
    /// All fields that it changes.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        let (set, append) = (self.set.keys(), self.append.keys());
        set.chain(&self.clear).chain(append)
    }
}

fn map(body: &Body<'_>, key: &str) -> Option<Map<String, Value>> {
    if body.given(key).is_none() {
        return Some(Map::new());
    }
    Some(body.inside(key)?.members().clone())
}

/// The comment, if there is one.
#[expect(
    clippy::option_option,
    reason = "the outer one tells of problems, like all readers of bodies"
)]
fn comment(body: &Body<'_>) -> Option<Option<Arc<str>>> {
    if body.given("comment").is_none() {
        return Some(None);
    }
    let text = body.text("comment")?;
    if text.len() > MAX_COMMENT {
        body.problem("comment", format!("has more than {MAX_COMMENT} bytes"));
        return None;
    }
    Some(Some(text.into()))
}

/// The body as it is stored: without what is stored beside it.
pub(super) fn stored(mut body: Value, is_strict: bool) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.retain(|_, value| !value.is_null());
        members.remove("comment");
    }
    json!({ "body": body, "strict": is_strict })
}
