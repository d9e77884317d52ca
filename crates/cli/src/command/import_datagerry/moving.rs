//! Writes the records of a dump into an empty inventory.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::Value;
use stockroom_datagerry::{Converted, Dump as _, Error, Inventory, Kind, Objects, Report};
use stockroom_model::UserId;
use stockroom_model::json::most_bytes;
use stockroom_service::Resource;
use stockroom_service::move_in::MoveIn;
use tokio::sync::mpsc;

use super::source::Source;

/// The limits of one transaction: objects, and bytes of them as JSON, estimated from above.
const CHUNK: usize = 1_000;
const CHUNK_BYTES: usize = 8 * 1024 * 1024;

const INCOMPLETE: &str = "the inventory is incomplete: remove the data directory, or the tables of \
     the database, and begin again";

/// Moves all records and returns the report, with what the service refused.
pub(crate) async fn everything(
    into: MoveIn,
    source: Source,
    inventory: Arc<Inventory>,
    mut report: Report,
) -> anyhow::Result<Report> {
    let moving = Moving {
        into,
        report: &mut report,
    };
    moving.run(source, inventory).await.context(INCOMPLETE)?;
    Ok(report)
}

struct Moving<'r> {
    into: MoveIn,
    report: &'r mut Report,
}

impl Moving<'_> {
    async fn run(mut self, source: Source, inventory: Arc<Inventory>) -> anyhow::Result<()> {
        for body in &inventory.groups {
            let done = self.into.group(body).await;
            self.settle(Kind::Group, &id(body), done)?;
        }
        for body in &inventory.users {
            let done = self.into.user(body).await;
            self.settle(Kind::User, &id(body), done)?;
        }
        for (user, body) in &inventory.settings {
            if let Some(user) = UserId::new(*user) {
                let done = self.into.setting(user, body.clone()).await;
                let name = format!("setting of user {user}, {}", body["identifier"]);
                self.settle(Kind::Setting, &name, done)?;
            }
        }
        for body in &inventory.types {
            let done = self.into.r#type(body).await;
            self.settle(Kind::Type, &id(body), done)?;
        }
        for body in &inventory.categories {
            let done = self.into.category(body).await;
            self.settle(Kind::Category, &id(body), done)?;
        }
        self.objects(source, &inventory).await?;
        self.into.finish(last_ids(&inventory.counters)).await?;
        Ok(())
    }

    /// Notes a record that a rule refuses; all other errors end the work.
    fn settle(
        &mut self,
        kind: Kind,
        name: &str,
        done: Result<(), stockroom_service::Error>,
    ) -> anyhow::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(stockroom_service::Error::Invalid { problems, .. }) => {
                self.report.refused(kind, name, &first(&problems));
                Ok(())
            }
            Err(error) => Err(error).with_context(|| format!("{} {name}", kind.name())),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "one thread that reads the dump while its objects are written"
    )]
    async fn objects(&mut self, source: Source, inventory: &Arc<Inventory>) -> anyhow::Result<()> {
        let (send, mut receive) = mpsc::channel(2);
        let inventory = Arc::clone(inventory);
        let reading = tokio::task::spawn_blocking(move || read_objects(&source, &inventory, &send));
        while let Some(bodies) = receive.recv().await {
            let ids: Vec<String> = bodies.iter().map(id).collect();
            for refused in self.into.objects(bodies).await? {
                let name = ids.get(refused.index).map_or("", String::as_str);
                let why = first(refused.problems.as_slice());
                self.report.refused(Kind::Object, name, &why);
            }
        }
        Ok(reading.await??)
    }
}

/// Sends the objects in chunks.
fn read_objects(
    source: &Source,
    inventory: &Inventory,
    send: &mpsc::Sender<Vec<Value>>,
) -> Result<(), Error> {
    // The survey has reported everything.
    let (mut objects, mut ignored) = (Objects::of(inventory), Report::default());
    let (mut chunk, mut bytes) = (Vec::new(), 0);
    source.each("framework.objects", &mut |document| {
        let Some(Converted { body, .. }) = objects.convert(document, &mut ignored)? else {
            return Ok(());
        };
        bytes += most_bytes(&body);
        chunk.push(body);
        if chunk.len() < CHUNK && bytes < CHUNK_BYTES {
            return Ok(());
        }
        bytes = 0;
        let full = std::mem::take(&mut chunk);
        send.blocking_send(full).map_err(|_| Error::Stopped)
    })?;
    send.blocking_send(chunk).map_err(|_| Error::Stopped)
}

/// Deleted records had ids, too, and references to them must not find new ones.
fn last_ids(counters: &BTreeMap<String, i64>) -> Vec<(Resource, i64)> {
    let resources = [
        ("management.groups", Resource::Group),
        ("management.users", Resource::User),
        ("framework.types", Resource::Type),
        ("framework.categories", Resource::Category),
        ("framework.objects", Resource::Object),
    ];
    let last = |collection| counters.get(collection).copied().filter(|last| *last > 0);
    let known = resources.into_iter();
    known
        .filter_map(|(collection, resource)| Some((resource, last(collection)?)))
        .collect()
}

fn id(body: &Value) -> String {
    body["public_id"].to_string()
}

fn first(problems: &[stockroom_model::Problem]) -> String {
    let problem = problems.first();
    problem.map_or_else(String::new, |it| format!("{} {}", it.pointer, it.detail))
}
