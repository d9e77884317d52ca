//! Loads what rendering needs, with one statement per hop for all objects of a page.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, Timestamp, TypeId, UserId};
use stockroom_render::{Record, Target, TypeTemplate};
use stockroom_store::{Meter, ObjectRow, READ_BYTES, ReadTx};

use super::secrets::masked;
use super::without_type;
use crate::Error;
use crate::core::type_templates::TypeTemplates;

/// Types and users come from memory; referenced objects are loaded.
struct Loaded<'s> {
    templates: &'s TypeTemplates,
    scope: &'s Scope,
    as_of: Option<Timestamp>,
    objects: HashMap<ObjectId, Option<Record>>,
    /// How many more bytes of documents may be loaded.
    room: usize,
    is_whole: bool,
    meter: Meter,
    must_stop: Cell<bool>,
}

/// The maximum size of all loaded referenced objects together.
const MAX_BYTES: usize = 4 * READ_BYTES;

impl stockroom_render::RenderContext for Loaded<'_> {
    fn template(&self, id: TypeId) -> Option<&TypeTemplate> {
        self.templates.get(id)
    }

    fn sees(&self, id: TypeId) -> bool {
        self.scope.sees(id)
    }

    fn object(&self, id: ObjectId) -> Target<'_> {
        match self.objects.get(&id) {
            Some(Some(object)) => Target::Visible(object),
            Some(None) => Target::Hidden,
            None => Target::Missing,
        }
    }

    fn user_name(&self, id: i64) -> Option<&str> {
        self.templates
            .catalog
            .user(UserId::new(id)?)
            .map(|user| user.display_name.as_str())
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn may_go_on(&self, bytes: usize) -> bool {
        let may_go_on = self.meter.pay(bytes);
        self.must_stop.set(!may_go_on);
        may_go_on
    }
}

impl<'s> Loaded<'s> {
    /// Loads everything that rendering a page needs.
    fn load(
        tx: &mut ReadTx<'_>,
        rendering: &Rendering<'s>,
        page: &[(Record, &TypeTemplate)],
    ) -> Result<Self, Error> {
        let mut loaded = Loaded {
            templates: rendering.templates,
            scope: rendering.scope,
            as_of: rendering.as_of,
            objects: HashMap::new(),
            room: MAX_BYTES,
            is_whole: true,
            meter: tx.meter(),
            must_stop: Cell::new(false),
        };
        let page: Vec<(&Record, &TypeTemplate)> = page
            .iter()
            .map(|(record, template)| (record, *template))
            .collect();
        stockroom_render::load(&page, &mut loaded, |loaded, ids| {
            loaded.fetch(tx, rendering.scope, ids)
        })?;
        Ok(loaded)
    }

    fn fetch(&mut self, tx: &mut ReadTx<'_>, scope: &Scope, ids: &[ObjectId]) -> Result<(), Error> {
        let objects = match self.as_of {
            None => tx.objects(scope, ids, self.room)?,
            // An unknown state is shown like a missing object.
            Some(at) => tx.objects_as_of(scope, ids, at, self.room)?.objects,
        };
        self.is_whole &= objects.unread.is_empty();
        let hidden = objects.hidden.into_iter().chain(objects.unread);
        self.objects.extend(hidden.map(|id| (id, None)));
        for row in objects.rows {
            let id = row.public_id;
            self.room = self.room.saturating_sub(row.document.len());
            self.objects.insert(id, Some(record(masked(row)?)?));
        }
        Ok(())
    }
}

/// How objects are rendered.
pub(crate) struct Rendering<'r> {
    pub(crate) templates: &'r Arc<TypeTemplates>,
    pub(crate) scope: &'r Scope,
    /// The time from which referenced objects are shown; `None` for now.
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) now: Timestamp,
}

impl Rendering<'_> {
    /// Renders the first objects of a page, at least one: as many as fit together with the objects
    /// they reference. Their passwords are masked or revealed already.
    pub(crate) fn render(
        &self,
        tx: &mut ReadTx<'_>,
        rows: Vec<ObjectRow>,
    ) -> Result<Vec<String>, Error> {
        let mut page: Vec<(Record, &TypeTemplate)> = rows
            .into_iter()
            .map(|row| {
                let template = self.templates.get(row.type_id);
                let template = template.ok_or_else(|| without_type(&row))?;
                Ok((record(row)?, template))
            })
            .collect::<Result<_, Error>>()?;
        let mut loaded = Loaded::load(tx, self, &page)?;
        while !loaded.is_whole && page.len() > 1 {
            page.truncate(page.len().div_ceil(2));
            loaded = Loaded::load(tx, self, &page)?;
        }
        let mut documents = Vec::with_capacity(page.len());
        let mut bytes = 0;
        for (record, template) in &page {
            let document = stockroom_render::render(record, template, &loaded, self.now);
            if loaded.must_stop.get() {
                return Err(stockroom_store::Error::Closed.into());
            }
            bytes += document.len();
            documents.push(document);
            if bytes > READ_BYTES {
                break;
            }
        }
        Ok(documents)
    }
}

fn record(row: ObjectRow) -> Result<Record, Error> {
    Ok(Record::new(row.document).map_err(stockroom_store::Error::from)?)
}
