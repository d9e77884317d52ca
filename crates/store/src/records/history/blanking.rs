//! Takes values that became secrets out of the past of objects: their fields are null there.

use std::collections::{BTreeSet, HashMap};

use stockroom_access::Scope;
use stockroom_model::{ObjectId, Revision, TypeId};

use super::passwords::blanked;
use super::past::{Past, Present};
use super::rebuilding::{Rebuilding, Undone};
use crate::Error;
use crate::engine::driver::Param;
use crate::engine::driver::READ_BYTES;
use crate::records::image::{self, Before};
use crate::transaction::WriteTx;

/// Objects of one read.
const OBJECTS: usize = 500;

const SELECT_OF_OBJECTS: &str = "SELECT record_id, revision, action, image, type_id FROM change \
     WHERE record_id IN (SELECT value FROM rarray(?1)) AND resource = 'object' AND name = '' ORDER BY record_id, revision DESC";
const FORGET_IMAGES: &str = "UPDATE change SET image = NULL WHERE resource = 'object' AND type_id = ?1 AND OCTET_LENGTH(image) > 0";
const UPDATE_IMAGE: &str = "UPDATE change SET image = ?3 WHERE record_id = ?1 AND resource = 'object' AND name = '' AND revision = ?2";

/// An image that changes; `None` if what it holds cannot be told.
struct Blanked {
    object: i64,
    revision: i64,
    image: Option<Vec<u8>>,
}

/// The images of some objects.
#[derive(Default)]
struct Blanking {
    images: Vec<Blanked>,
    bytes: usize,
    /// The object that is on its way back in time.
    current: Option<(i64, Rebuilding)>,
    /// Where there was no more room.
    next: Option<i64>,
}

impl WriteTx<'_> {
    /// Removes all images of objects of a type. Returns whether there were any.
    pub fn forget_images_of_objects(&mut self, type_id: TypeId) -> Result<bool, Error> {
        Ok(self.run(FORGET_IMAGES, &[type_id.into()])? > 0)
    }

    /// Takes the values of these fields out of the history of all objects that are or were of a
    /// type. The objects of now stay as they are. Returns whether there were any.
    pub fn blank_history_of_objects(
        &mut self,
        type_id: TypeId,
        fields: &BTreeSet<&str>,
    ) -> Result<bool, Error> {
        let mut after = None;
        let mut had_any = false;
        loop {
            let mut ids = self.past_ids_of_type(type_id, after, OBJECTS)?;
            let present = self.objects(&Scope::for_maintenance(), &ids, READ_BYTES)?;
            ids.truncate(ids.len() - present.unread.len());
            let Some(last) = ids.last().copied() else {
                return Ok(had_any);
            };
            let rows = present.rows.into_iter();
            let mut present: HashMap<i64, Present> = rows
                .map(|row| {
                    let (document, revision) = (row.document, row.revision);
                    (row.public_id.get(), Present { document, revision })
                })
                .collect();
            let numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
            let mut blanking = Blanking::default();
            self.each(SELECT_OF_OBJECTS, &[Param::Ints(&numbers)], |row| {
                let id = row.int(0)?;
                blanking.add(
                    id,
                    &Undone::of(row)?,
                    |id| present.remove(&id),
                    type_id,
                    fields,
                )
            })?;
            had_any |= !blanking.images.is_empty();
            for image in &blanking.images {
                let params = [
                    image.object.into(),
                    image.revision.into(),
                    image.image.as_deref().into(),
                ];
                self.run_one(UPDATE_IMAGE, &params)?;
            }
            after = match blanking.next {
                Some(next) => ObjectId::new(next - 1),
                None => Some(last),
            };
        }
    }
}

impl Blanking {
    /// Goes from after a change to before it.
    fn add(
        &mut self,
        object: i64,
        change: &Undone<'_>,
        present: impl FnOnce(i64) -> Option<Present>,
        type_id: TypeId,
        fields: &BTreeSet<&str>,
    ) -> Result<(), Error> {
        if self.next.is_some() {
            return Ok(());
        }
        let is_new = self
            .current
            .as_ref()
            .is_none_or(|(last, _)| *last != object);
        if is_new && self.bytes > READ_BYTES {
            self.next = Some(object);
            return Ok(());
        }
        if is_new {
            self.current = Some((object, Rebuilding::new(present(object))));
        }
        let Some((_, rebuilding)) = &mut self.current else {
            return Ok(());
        };
        let blank = |past: &Past| State::of(past, type_id, fields);
        let is_present = is_new && rebuilding.is_at(change.revision);
        rebuilding.reach(change)?;
        let after = match rebuilding.past() {
            // The next image must fit the object as it is.
            Past::Document { document, .. } if is_present => State::Same(document.clone()),
            past => blank(past)?,
        };
        rebuilding.undo(change)?;
        let before = blank(rebuilding.past())?;
        let Some(image) = change.image.filter(|image| !image.is_empty()) else {
            return Ok(());
        };
        let image = match (&before, &after) {
            _ if image::holds_after(image) => match after {
                State::Changed(after) => Some(image::after_insert(&after)?),
                _ => return Ok(()),
            },
            (State::Same(_), State::Same(_) | State::Nothing) => return Ok(()),
            (State::Nothing, _) => None,
            (State::Changed(before), State::Nothing) => {
                Some(Before::Removed(before).image(Revision(change.revision))?)
            }
            (
                State::Same(before) | State::Changed(before),
                State::Same(after) | State::Changed(after),
            ) => Some(Before::Document { before, after }.image(Revision(change.revision))?),
        };
        self.bytes += image.as_ref().map_or(0, Vec::len);
        self.images.push(Blanked {
            object,
            revision: change.revision,
            image,
        });
        Ok(())
    }
}

/// A past document without the values.
enum State {
    /// There is none, or it is not known.
    Nothing,
    /// It had none of the values.
    Same(String),
    Changed(String),
}

impl State {
    fn of(past: &Past, type_id: TypeId, fields: &BTreeSet<&str>) -> Result<Self, Error> {
        let Past::Document { document, .. } = past else {
            return Ok(Self::Nothing);
        };
        let blanked = blanked(document, type_id, fields)?;
        Ok(match blanked {
            Some(document) => Self::Changed(document),
            None => Self::Same(document.clone()),
        })
    }
}
