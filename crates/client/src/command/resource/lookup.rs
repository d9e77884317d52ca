//! Finds records by what people call them.

use serde_json::{Value, json};

use crate::connection::{Connection, Cursors, Request};
use crate::failure::{Exit, Failure};
use crate::resource::Resource;

/// Finds records of a resource.
pub(crate) struct Lookup<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) resource: &'static Resource,
}

impl Lookup<'_> {
    /// The id of the record with this id or name.
    pub(crate) fn id(&self, name: &str) -> Result<i64, Failure> {
        match name.parse() {
            Ok(id) => Ok(id),
            Err(_) => Ok(id(&self.record(name)?)),
        }
    }

    /// The record with this id or name.
    pub(crate) fn record(&self, name: &str) -> Result<Value, Failure> {
        if let Ok(id) = name.parse() {
            return self.stored(id);
        }
        let Some(identity) = self.resource.identity else {
            let message = format!("an {} has an id, not {name:?}", self.resource.name);
            return Err(Failure::usage(message));
        };
        let found = self.find(&json!({ identity: name }))?;
        found.ok_or_else(|| {
            let message = format!("there is no {} {name:?}", self.resource.name);
            Failure::new(Exit::NotFound, message)
        })
    }

    /// The record with this id, as it is stored.
    pub(crate) fn stored(&self, id: i64) -> Result<Value, Failure> {
        Ok(self.tagged(id)?.0)
    }

    /// The record with this id, as it is stored, and its entity tag.
    pub(crate) fn tagged(&self, id: i64) -> Result<(Value, Option<String>), Failure> {
        let path = format!("{}{}", self.resource.record(id), self.resource.stored);
        let answer = self.connection.send(&Request::get(&path))?;
        let tag = answer.tag.clone();
        Ok((answer.into_record(), tag))
    }

    /// The ids of all records that match a filter.
    pub(crate) fn ids(&self, filter: &Value) -> Result<Vec<i64>, Failure> {
        const PAGE: usize = 1_000;
        let path = format!("{}/query", self.resource.path);
        let mut ids = Vec::new();
        let mut after = Some(String::new());
        let mut cursors = Cursors::default();
        while let Some(cursor) = after {
            let body = json!({
                "filter": filter, "projection": ["public_id"], "sort": "public_id", "limit": PAGE,
                "total": false, "after": &cursor,
            });
            let mut answer = self.connection.send(&Request::post(&path, &body))?;
            let records = answer.take_results();
            ids.extend(records.iter().map(id));
            after = cursors.next(&answer, records.len())?;
        }
        Ok(ids)
    }

    /// The only record that matches a filter.
    pub(crate) fn find(&self, filter: &Value) -> Result<Option<Value>, Failure> {
        let path = format!("{}/query", self.resource.path);
        let body = json!({"filter": filter, "limit": 3, "total": false});
        let mut answer = self.connection.send(&Request::post(&path, &body))?;
        let mut found = answer.take_results();
        if found.len() > 1 {
            let ids: Vec<_> = found.iter().map(|record| id(record).to_string()).collect();
            let message = format!(
                "several records of {} match {filter}, such as {}",
                self.resource.path.trim_start_matches('/'),
                ids.join(", ")
            );
            return Err(Failure::new(Exit::Conflict, message));
        }
        Ok(found.pop())
    }
}

/// A filter for objects with this value in a field.
pub(crate) fn has_value(field: &str, value: &Value) -> Value {
    json!({ format!("values.{field}"): value })
}

/// The id of a record.
pub(crate) fn id(record: &Value) -> i64 {
    let id = record.get("public_id").and_then(Value::as_i64);
    id.unwrap_or_default()
}

/// The id of the user that the connection acts for.
pub(crate) fn author(connection: &Connection) -> Result<Value, Failure> {
    let me = connection.send(&Request::get("/auth/me"))?.document;
    let id = me.pointer("/user/public_id");
    let id = id.or_else(|| me.pointer("/result/user/public_id"));
    id.cloned()
        .ok_or_else(|| Failure::other("the server does not say who you are"))
}
