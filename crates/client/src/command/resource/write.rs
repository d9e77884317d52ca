//! `stockroom RESOURCE create`, `update` and `delete`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::InsertScope;
use super::lookup::{Lookup, author, id};
use crate::connection::{Answer, Connection, ConnectionFlags, Request};
use crate::failure::Failure;
use crate::input;
use crate::output::OutputFlags;
use crate::prompt;
use crate::resource::{Resource, TYPE};

/// How to write.
#[derive(Args)]
pub(super) struct WriteFlags {
    /// Check and answer everything, but change nothing
    #[arg(long)]
    dry_run: bool,
    /// The reason, for the history
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Refuse what the server only warns of
    #[arg(long)]
    strict: bool,
    /// A parameter of the request, such as action=MOVE; repeat it for more
    #[arg(long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
}

/// What a record has.
#[derive(Args)]
struct ContentFlags {
    /// A YAML or JSON file with members of the record; - reads standard input
    #[arg(short = 'f', long = "from", value_name = "FILE")]
    from: Option<PathBuf>,
    /// A member, or a field of an object, and its value: JSON, or else a text; repeat it for more
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
}

/// What to insert.
#[derive(Args)]
pub struct Create<C: InsertScope> {
    #[command(flatten)]
    scope: C,
    #[command(flatten)]
    content: ContentFlags,
    #[command(flatten)]
    write: WriteFlags,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// What to change.
#[derive(Args)]
pub struct Update {
    /// Id or name of the record; objects have ids only
    #[arg(value_name = "RECORD")]
    record: String,
    #[command(flatten)]
    content: ContentFlags,
    /// Replace the whole record instead of the members that are given
    #[arg(long)]
    replace: bool,
    /// The revision that the record must have, so that no other change is lost
    #[arg(long, value_name = "REVISION")]
    if_match: Option<u64>,
    #[command(flatten)]
    write: WriteFlags,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// What to delete.
#[derive(Args)]
pub struct Delete {
    /// Ids or names of the records; objects have ids only
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<String>,
    /// Do not ask before
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    write: WriteFlags,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl<C: InsertScope> Create<C> {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let mut body = self.content.read(resource)?;
        if let Some(name) = self.scope.type_name() {
            let types = Lookup {
                connection: &connection,
                resource: &TYPE,
            };
            let of_type = types.record(name)?;
            complete(&mut body, &of_type);
        }
        if resource.has_author && body.get("author_id").is_none() {
            body["author_id"] = author(&connection)?;
        }
        let answer = self
            .write
            .send(&connection, "POST", resource.path, Some(&body))?;
        let id = answer.document.get("result_id").and_then(Value::as_i64);
        let done = self.write.done("created", resource, id.unwrap_or_default());
        self.output.written(&done, &answer.into_record())
    }
}

/// Adds the fields that the type has and the object lacks, with their defaults.
pub(crate) fn complete(object: &mut Value, of_type: &Value) {
    object["type_id"] = json!(id(of_type));
    let given = object.get_mut("fields").map(Value::take);
    let mut fields = match given {
        Some(Value::Array(fields)) => fields,
        _ => Vec::new(),
    };
    let definitions = of_type.get("fields").and_then(Value::as_array);
    for definition in definitions.into_iter().flatten() {
        let name = definition.get("name");
        if !fields.iter().any(|field| field.get("name") == name) {
            let value = definition.get("default").cloned();
            fields.push(json!({"name": name, "value": value}));
        }
    }
    object["fields"] = Value::from(fields);
}

impl Update {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let body = self.content.read(resource)?;
        let lookup = Lookup {
            connection: &connection,
            resource,
        };
        let id = lookup.id(&self.record)?;
        let path = resource.record(id);
        let method = if self.replace { "PUT" } else { "PATCH" };
        let mut request = self.write.request(method, &path, Some(&body))?;
        if let Some(revision) = self.if_match {
            request
                .headers
                .push(("if-match", format!("\"{revision}\"")));
        }
        let answer = connection.send(&request)?;
        let done = self.write.done("changed", resource, id);
        self.output.written(&done, &answer.into_record())
    }
}

impl Delete {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let lookup = Lookup {
            connection: &connection,
            resource,
        };
        let ids = self.records.iter().map(|record| lookup.id(record));
        let ids: Vec<i64> = ids.collect::<Result<_, _>>()?;
        self.confirm(resource)?;
        for id in ids {
            let path = resource.record(id);
            let answer = self.write.send(&connection, "DELETE", &path, None)?;
            let done = self.write.done("deleted", resource, id);
            self.output.written(&done, &answer.into_record())?;
        }
        Ok(())
    }

    fn confirm(&self, resource: &Resource) -> Result<(), Failure> {
        if self.yes || self.write.dry_run {
            return Ok(());
        }
        let records = self.records.join(", ");
        match prompt::answer(&format!("Delete {} {records}? [y/N] ", resource.name))? {
            Some(answer) if matches!(answer.as_str(), "y" | "Y" | "yes") => Ok(()),
            Some(_) => Err(Failure::other("nothing was deleted")),
            None => Err(Failure::usage("nobody is here to confirm; use --yes")),
        }
    }
}

impl ContentFlags {
    fn read(&self, resource: &Resource) -> Result<Value, Failure> {
        let mut body = match &self.from {
            Some(file) => input::document(file)?,
            None if self.assignments.is_empty() => {
                return Err(Failure::usage("use -f FILE or --set NAME=VALUE"));
            }
            None => json!({}),
        };
        for assignment in &self.assignments {
            input::set(&mut body, assignment, resource.identity.is_none())?;
        }
        if body.is_object() {
            Ok(body)
        } else {
            Err(Failure::usage("the file must hold the members of a record"))
        }
    }
}

impl WriteFlags {
    pub(super) fn send(
        &self,
        connection: &Connection,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, Failure> {
        connection.send(&self.request(method, path, body)?)
    }

    /// What was done, in words.
    pub(super) fn done(&self, done: &str, resource: &Resource, id: i64) -> String {
        let would = if self.dry_run { "would have " } else { "" };
        format!("{would}{done} {} {id}", resource.name)
    }

    fn request<'a>(
        &'a self,
        method: &'a str,
        path: &'a str,
        body: Option<&'a Value>,
    ) -> Result<Request<'a>, Failure> {
        let mut request = Request {
            method,
            path,
            body,
            ..Request::default()
        };
        for parameter in &self.parameters {
            let (name, value) = parameter.split_once('=').ok_or_else(|| {
                Failure::usage(format!(
                    "--parameter {parameter:?} must have the form NAME=VALUE"
                ))
            })?;
            request.parameters.push((name, value.to_owned()));
        }
        if self.dry_run {
            request.parameters.push(("dry_run", "true".to_owned()));
        }
        if let Some(comment) = &self.comment {
            request.headers.push(("x-comment", comment.clone()));
        }
        if self.strict {
            request
                .headers
                .push(("prefer", "handling=strict".to_owned()));
        }
        Ok(request)
    }
}
