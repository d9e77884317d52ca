//! The next ids of resources that a commit uses.

use crate::Error;
use crate::engine::driver::{Driver, Param};
use crate::resource::Resource;

pub(crate) const UPSERT_NEXT: &str = "INSERT INTO sequence (resource, next_id) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET next_id = excluded.next_id";

/// The next ids of the resources that a commit uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sequences(Vec<(Resource, i64)>);

impl Sequences {
    pub(crate) fn get(&self, resource: Resource) -> Option<i64> {
        let known = self.0.iter().find(|(known, _)| *known == resource);
        known.map(|(_, next)| *next)
    }

    pub(crate) fn set(&mut self, resource: Resource, next: i64) {
        match self.0.iter_mut().find(|(known, _)| *known == resource) {
            Some((_, known)) => *known = next,
            None => self.0.push((resource, next)),
        }
    }

    /// Writes the next ids at the end of a commit.
    pub(crate) fn flush(&self, driver: &mut dyn Driver) -> Result<(), Error> {
        for (resource, next) in &self.0 {
            let params: [Param<'_>; 2] = [resource.as_str().into(), (*next).into()];
            driver.execute(UPSERT_NEXT, &params)?;
        }
        Ok(())
    }
}
