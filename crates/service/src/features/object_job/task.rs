//! What a job does with one object, with the permit of its user.

use std::sync::Arc;

use serde_json::json;
use stockroom_access::permission::{ObjectActivation, ObjectDelete, ObjectEdit, ObjectView};
use stockroom_model::json::Value;
use stockroom_model::object::item;
use stockroom_store::{ObjectRow, ReserveUse, WriteTx};

use super::request::{Edit, Task};
use crate::core::access::Access;
use crate::core::caller::Authorization;
use crate::records::object::delete::References;
use crate::records::object::waiting_writes::WaitingWrites;
use crate::records::object::{state, type_of};
use crate::{Caller, Error, Permit};

/// A task with the permit that it needs.
#[derive(Clone)]
pub(super) enum Permitted {
    Edit(Permit<ObjectEdit>, Arc<Edit>),
    State(Permit<ObjectActivation>, bool),
    Delete(Permit<ObjectDelete>, References),
}

impl Permitted {
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub(super) async fn new(caller: &Arc<Caller>, task: Task) -> Result<Self, Error> {
        let permitted = match task {
            Task::Edit(edit) => Self::Edit(Permit::new(caller).await?, Arc::new(edit)),
            Task::State(active) => Self::State(Permit::new(caller).await?, active),
            Task::Delete(references) => {
                let mut caller = Caller::clone(caller);
                caller.request.reserve = ReserveUse::Most;
                Self::Delete(Permit::new(&Arc::new(caller)).await?, references)
            }
        };
        let authorization = permitted.authorization();
        authorization
            .decide(|_, access| permitted.check(access))
            .await?;
        Ok(permitted)
    }

    pub(super) fn authorization(&self) -> Authorization {
        match self {
            Self::Edit(permit, _) => permit.authorization(),
            Self::State(permit, _) => permit.authorization(),
            Self::Delete(permit, _) => permit.authorization(),
        }
    }

    /// Checks the rights that the job needs besides that of its permit.
    pub(super) fn check(&self, access: &Access) -> Result<(), Error> {
        // Otherwise the number of matches would tell what objects hold.
        access.check::<ObjectView>()?;
        match self {
            Self::Delete(_, References::Clear) => access.check::<ObjectEdit>(),
            _ => Ok(()),
        }
    }

    /// Whether changing an object can change other ones.
    pub(super) const fn touches_others(&self) -> bool {
        matches!(self, Self::Delete(_, References::Clear))
    }

    /// Changes an object that was read in the transaction. Returns whether it changed. A refusal
    /// writes nothing.
    pub(super) fn apply(
        &self,
        tx: &mut WriteTx<'_>,
        access: &Access,
        row: &ObjectRow,
        writes: &mut WaitingWrites,
    ) -> Result<bool, Error> {
        match self {
            Self::Edit(permit, edit) => {
                let patch = patch(edit, tx, row)?;
                let revision = writes.patch(permit, tx, access, row, patch)?;
                Ok(revision != row.revision)
            }
            Self::State(_, active) => {
                let written = state::set(tx, access, row, *active)?;
                Ok(written.revision != row.revision)
            }
            Self::Delete(permit, references) => {
                writes.delete(permit, tx, row, *references)?;
                Ok(true)
            }
        }
    }
}

/// The patch for one object.
fn patch(edit: &Edit, tx: &mut WriteTx<'_>, row: &ObjectRow) -> Result<Value, Error> {
    let object = row.object()?;
    let mut items: Vec<Value> = Vec::new();
    items.extend(
        edit.set
            .iter()
            .map(|(name, value)| item(name, value.clone())),
    );
    // Clearing a field that the object does not have would make it unclean.
    let known = edit
        .clear
        .iter()
        .filter(|name| object.value(name).is_some());
    items.extend(known.map(|name| item(name, Value::Null)));
    for (name, text) in &edit.append {
        let entry = type_of(tx, row)?;
        let field = entry.record.field(name);
        if field.is_some_and(|field| field.kind.is_secret()) {
            return Err(Error::invalid(
                "",
                format!("{name} is a password: set it alone"),
            ));
        }
        let text = text.as_str().unwrap_or_default();
        let value = match object.value(name) {
            None | Some(Value::Null) => text.to_owned(),
            Some(Value::String(stored)) => format!("{stored}{text}"),
            Some(_) => {
                let detail = format!("the value of {name} is no text, so nothing can be appended");
                return Err(Error::invalid("", detail));
            }
        };
        items.push(item(name, Value::from(value)));
    }
    Ok(json!({ "fields": items }))
}
