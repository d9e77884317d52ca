//! `stockroom RESOURCE history` and `restore`

use clap::Args;
use serde_json::{Value, json};

use super::list::Pages;
use super::lookup::Lookup;
use super::write::WriteFlags;
use crate::connection::ConnectionFlags;
use crate::failure::Failure;
use crate::output::{ListOutputFlags, OutputFlags, Printer, cell};
use crate::resource::Resource;

const COLUMNS: [&str; 6] = ["revision", "at", "actor", "action", "comment", "changes"];

/// Whose changes to list.
#[derive(Args)]
pub struct Flags {
    /// Id or name of the record; objects have ids only
    #[arg(value_name = "RECORD")]
    record: String,
    /// Changes at most
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: u64,
    /// All changes
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    #[command(flatten)]
    output: ListOutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl Flags {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let lookup = Lookup {
            connection: &connection,
            resource,
        };
        let path = format!(
            "{}/history/query",
            resource.record(lookup.id(&self.record)?)
        );
        let limit = if self.all { u64::MAX } else { self.limit };
        let mut pages = Pages::new(&connection, path, json!({}), limit);
        let mut printer = Printer::new(&self.output, &COLUMNS);
        while let Some(mut changes) = pages.next()? {
            if printer.is_table() {
                changes.iter_mut().for_each(shorten);
            }
            printer.page(&changes)?;
        }
        printer.finish()
    }
}

/// Writes what differs in a few words.
fn shorten(change: &mut Value) {
    let Some(differences) = change.get_mut("changes") else {
        return;
    };
    if let Some(list) = differences.as_array() {
        let list = list
            .iter()
            .filter(|change| change.get("before") != change.get("after"));
        let list: Vec<String> = list.map(difference).collect();
        *differences = Value::from(list.join("; "));
    }
}

fn difference(change: &Value) -> String {
    let value = |name: &str| match change.get(name) {
        None | Some(Value::Null) => "null".to_owned(),
        value => cell(value),
    };
    let path = cell(change.get("path"));
    format!("{path}: {} → {}", value("before"), value("after"))
}

/// Which state to bring back.
#[derive(Args)]
pub struct Restore {
    /// Id of the record
    #[arg(value_name = "RECORD")]
    record: String,
    /// The revision to go back to [default: the last one of a deleted record]
    #[arg(long, value_name = "NUMBER")]
    revision: Option<u64>,
    /// A field or member to bring back; repeat it for more. All by default
    #[arg(long = "field", value_name = "NAME")]
    fields: Vec<String>,
    #[command(flatten)]
    write: WriteFlags,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl Restore {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let lookup = Lookup {
            connection: &connection,
            resource,
        };
        let id = lookup.id(&self.record)?;
        let mut body = json!({});
        if let Some(revision) = self.revision {
            body["revision"] = json!(revision);
        }
        if !self.fields.is_empty() {
            body["fields"] = json!(self.fields);
        }
        let path = format!("{}/restore", resource.record(id));
        let answer = self.write.send(&connection, "POST", &path, Some(&body))?;
        let done = self.write.done("restored", resource, id);
        self.output.written(&done, &answer.into_record())
    }
}
