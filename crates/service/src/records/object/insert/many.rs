//! Objects that are inserted together.

use std::collections::{HashMap, HashSet};

use stockroom_access::permission::ObjectAdd;
use stockroom_model::{ObjectId, Revision, TypeId};
use stockroom_store::{ObjectInsert, PreparedObject, WriteTx};

use super::super::references::Targets;
use super::{Insertion, prepare};
use crate::core::access::Access;
use crate::{Error, Permit};

/// Inserts many objects in one transaction; references may name earlier objects.
///
/// # Errors
///
/// The first object that is refused. Then none is inserted.
pub(crate) async fn insert_all(
    permit: &Permit<ObjectAdd>,
    objects: Vec<Insertion>,
) -> Result<(), Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let mut inserts = Inserts::new(tx, &access, objects.iter())?;
            for object in &objects {
                inserts.add(&writer, tx, &access, object.clone())?;
            }
            inserts.write(tx)
        })
        .await
}

/// Inserts of a transaction that are written together.
pub(crate) struct Inserts {
    targets: Targets,
    ids: HashSet<ObjectId>,
    ready: Vec<ObjectInsert>,
}

impl Inserts {
    /// Reads what the bodies refer to, and who holds what only one of them may have.
    pub(crate) fn new<'b>(
        tx: &mut WriteTx<'_>,
        access: &Access,
        bodies: impl Iterator<Item = &'b Insertion>,
    ) -> Result<Self, Error> {
        let mut targets = Targets::default();
        let bodies: Vec<&Insertion> = bodies.collect();
        let references = bodies.iter().flat_map(|body| &body.precheck.references);
        targets.read(tx, &access.scope, references)?;
        look_up_unique_values(tx, &bodies)?;
        Ok(Self {
            targets,
            ids: HashSet::new(),
            ready: Vec::new(),
        })
    }

    /// Checks a body. Returns the id and the revision that the object will have.
    ///
    /// # Errors
    ///
    /// The object is refused. The others can still be written.
    pub(crate) fn add(
        &mut self,
        permit: &Permit<ObjectAdd>,
        tx: &mut WriteTx<'_>,
        access: &Access,
        body: Insertion,
    ) -> Result<(ObjectId, Revision), Error> {
        if let Some(id) = body.asked_id().filter(|id| self.ids.contains(id)) {
            return Err(Error::invalid("/public_id", format!("{id} is in use")));
        }
        let ready = prepare(permit, tx, access, body, &mut self.targets)?;
        let claimed = tx.claim_unique_values(&ready.insert);
        claimed.map_err(|error| Error::from(error).shown_in(&access.scope))?;
        let (id, revision) = (ready.insert.id, ready.insert.revision);
        self.targets.add(&access.scope, id, ready.type_id);
        self.ids.insert(id);
        self.ready.push(ready.insert);
        Ok((id, revision))
    }

    /// Takes an object for granted to which bodies refer.
    pub(crate) fn assume(&mut self, access: &Access, id: ObjectId, type_id: TypeId) {
        self.targets.add(&access.scope, id, type_id);
    }

    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// Inserts the objects that were added.
    pub(crate) fn write(&mut self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        tx.insert_objects(std::mem::take(&mut self.ready))?;
        Ok(())
    }
}

fn look_up_unique_values(tx: &mut WriteTx<'_>, bodies: &[&Insertion]) -> Result<(), Error> {
    let mut by_type: HashMap<TypeId, Vec<&PreparedObject>> = HashMap::new();
    for parts in bodies.iter().filter_map(|body| body.precheck.draft().ok()) {
        by_type
            .entry(parts.type_id)
            .or_default()
            .push(&parts.object);
    }
    for (type_id, objects) in by_type {
        tx.look_up_unique_values(type_id, objects.into_iter())?;
    }
    Ok(())
}
