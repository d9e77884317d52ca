//! Loading what rendering needs: one statement per hop, however many objects a page has.

use std::collections::HashMap;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, Timestamp, Type, TypeId, UserId};
use stockroom_render::Target;
use stockroom_store::{Catalog, ObjectRow, ReadTx, TypeEntry};

use super::secrets::mask;
use crate::Error;

/// Types and users from memory, referenced objects as far as they are loaded.
struct World {
    catalog: Arc<Catalog>,
    objects: HashMap<i64, Option<Object>>,
}

impl stockroom_render::World for World {
    fn r#type(&self, id: TypeId) -> Option<&Type> {
        self.catalog.type_entry(id).map(|entry| &entry.record)
    }

    fn object(&self, id: ObjectId) -> Target<'_> {
        match self.objects.get(&id.get()) {
            Some(Some(object)) => Target::Visible(object),
            Some(None) => Target::Hidden,
            None => Target::Missing,
        }
    }

    fn user_name(&self, id: i64) -> Option<&str> {
        self.catalog
            .user(UserId::new(id)?)
            .map(|user| user.display_name.as_str())
    }
}

impl World {
    fn fetch(&mut self, tx: &mut ReadTx<'_>, scope: &Scope, ids: &[ObjectId]) -> Result<(), Error> {
        let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let (rows, hidden) = tx.objects(scope, &ids)?;
        self.objects.extend(hidden.into_iter().map(|id| (id, None)));
        for row in rows {
            let mut object = row.object()?;
            mask(&row, &mut object)?;
            self.objects.insert(row.public_id, Some(object));
        }
        Ok(())
    }
}

/// Renders a page of objects, whose passwords are masked or revealed already.
pub(super) fn render(
    tx: &mut ReadTx<'_>,
    catalog: &Arc<Catalog>,
    scope: &Scope,
    page: &[(ObjectRow, Object)],
    now: Timestamp,
) -> Result<Vec<Value>, Error> {
    let typed: Vec<(&Object, &TypeEntry)> = page
        .iter()
        .map(|(row, object)| Ok((object, entry(catalog, row)?)))
        .collect::<Result<_, Error>>()?;
    let subjects: Vec<(&Object, &Type)> = typed
        .iter()
        .map(|(object, entry)| (*object, &entry.record))
        .collect();
    let mut world = World {
        catalog: Arc::clone(catalog),
        objects: HashMap::new(),
    };
    stockroom_render::load(&subjects, &mut world, |world, ids| {
        world.fetch(tx, scope, ids)
    })?;
    Ok(subjects
        .iter()
        .map(|(object, r#type)| stockroom_render::render(object, r#type, &world, now))
        .collect())
}

pub(super) fn entry<'c>(catalog: &'c Catalog, row: &ObjectRow) -> Result<&'c TypeEntry, Error> {
    let entry = TypeId::new(row.type_id).and_then(|id| catalog.type_entry(id));
    entry
        .map(AsRef::as_ref)
        .ok_or_else(|| Error::internal(format!("object {} has no type", row.public_id)))
}
