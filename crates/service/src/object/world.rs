//! Loading what rendering needs: one statement per hop, however many objects a page has.

use std::collections::HashMap;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, Timestamp, TypeId, UserId};
use stockroom_render::{Record, Shape, Target};
use stockroom_store::{Catalog, ObjectRow, ReadTx, TypeEntry};

use super::secrets::masked;
use super::shapes::Shapes;
use crate::Error;

/// Types and users from memory, referenced objects as far as they are loaded.
struct World<'s> {
    shapes: &'s Shapes,
    objects: HashMap<i64, Option<Record>>,
}

impl stockroom_render::World for World<'_> {
    fn r#type(&self, id: TypeId) -> Option<&Shape> {
        self.shapes.get(id)
    }

    fn object(&self, id: ObjectId) -> Target<'_> {
        match self.objects.get(&id.get()) {
            Some(Some(object)) => Target::Visible(object),
            Some(None) => Target::Hidden,
            None => Target::Missing,
        }
    }

    fn user_name(&self, id: i64) -> Option<&str> {
        self.shapes
            .catalog
            .user(UserId::new(id)?)
            .map(|user| user.display_name.as_str())
    }
}

impl World<'_> {
    fn fetch(&mut self, tx: &mut ReadTx<'_>, scope: &Scope, ids: &[ObjectId]) -> Result<(), Error> {
        let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let (rows, hidden) = tx.objects(scope, &ids)?;
        self.objects.extend(hidden.into_iter().map(|id| (id, None)));
        for row in rows {
            let id = row.public_id;
            self.objects.insert(id, Some(record(masked(row)?)?));
        }
        Ok(())
    }
}

/// Renders a page of objects, whose passwords are masked or revealed already.
pub(super) fn render(
    tx: &mut ReadTx<'_>,
    shapes: &Arc<Shapes>,
    scope: &Scope,
    rows: Vec<ObjectRow>,
    now: Timestamp,
) -> Result<Vec<String>, Error> {
    let page: Vec<(Record, &Shape)> = rows
        .into_iter()
        .map(|row| {
            let shape = TypeId::new(row.type_id).and_then(|id| shapes.get(id));
            let shape = shape.ok_or_else(|| without_type(&row))?;
            Ok((record(row)?, shape))
        })
        .collect::<Result<_, Error>>()?;
    let page: Vec<(&Record, &Shape)> = page
        .iter()
        .map(|(record, shape)| (record, *shape))
        .collect();
    let mut world = World {
        shapes,
        objects: HashMap::new(),
    };
    stockroom_render::load(&page, &mut world, |world, ids| world.fetch(tx, scope, ids))?;
    Ok(page
        .iter()
        .map(|(record, shape)| stockroom_render::render(record, shape, &world, now))
        .collect())
}

fn record(row: ObjectRow) -> Result<Record, Error> {
    Ok(Record::new(row.document).map_err(stockroom_store::Error::from)?)
}

pub(super) fn entry<'c>(catalog: &'c Catalog, row: &ObjectRow) -> Result<&'c TypeEntry, Error> {
    let entry = TypeId::new(row.type_id).and_then(|id| catalog.type_entry(id));
    entry.map(AsRef::as_ref).ok_or_else(|| without_type(row))
}

fn without_type(row: &ObjectRow) -> Error {
    Error::internal(format!("object {} has no type", row.public_id))
}
