//! How much history a user makes on a day with records that need no right, such as its settings.

use std::ops::Sub;

use stockroom_model::UserId;

use crate::Error;
use crate::resource::Resource;
use crate::transaction::{Change, WriteTx};

const MICROS_PER_DAY: i64 = 86_400_000_000;

const ADD: &str = "INSERT INTO own_change_usage (user_id, day, changes, bytes) VALUES (?1, ?2, ?3, ?4) \
     ON CONFLICT (user_id) DO UPDATE SET \
     changes = excluded.changes + CASE WHEN own_change_usage.day = excluded.day THEN own_change_usage.changes ELSE 0 END, \
     bytes = excluded.bytes + CASE WHEN own_change_usage.day = excluded.day THEN own_change_usage.bytes ELSE 0 END, \
     day = excluded.day";
const SELECT: &str = "SELECT changes, bytes FROM own_change_usage WHERE user_id = ?1";
const DELETE: &str = "DELETE FROM own_change_usage WHERE user_id = ?1";

/// Changes of records that need no right, and the bytes that the history keeps for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnChanges {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl OwnChanges {
    /// Counts a change by `actor`, if its record is of such a kind.
    pub(crate) fn add(&mut self, change: &Change<'_>, actor: i64, image: &[u8]) {
        let is_own = match change.resource {
            Resource::Setting | Resource::View | Resource::Source | Resource::Token => true,
            Resource::User => change.id == actor,
            _ => false,
        };
        if is_own {
            self.count += 1;
            self.bytes += image.len() as u64;
        }
    }
}

impl Sub for OwnChanges {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            count: self.count - earlier.count,
            bytes: self.bytes - earlier.bytes,
        }
    }
}

impl WriteTx<'_> {
    /// All such changes of this commit so far. Those that are undone count, too.
    #[must_use]
    pub fn own_changes(&self) -> OwnChanges {
        self.commit.own_changes
    }

    /// Adds changes of a user to those of its day; returns all of that day.
    pub fn add_own_changes(&mut self, user: UserId, made: OwnChanges) -> Result<OwnChanges, Error> {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let day = self.context().now.0.div_euclid(MICROS_PER_DAY);
        let params = [
            user.get().into(),
            day.into(),
            number(made.count).into(),
            number(made.bytes).into(),
        ];
        self.run_one(ADD, &params)?;
        let usage = self.first(SELECT, &[user.get().into()], |row| {
            Ok(OwnChanges {
                count: row.int(0)?.unsigned_abs(),
                bytes: row.int(1)?.unsigned_abs(),
            })
        })?;
        Ok(usage.unwrap_or(made))
    }

    /// Forgets what a user has used.
    pub(crate) fn delete_own_change_usage(&mut self, user: UserId) -> Result<(), Error> {
        self.run(DELETE, &[user.get().into()]).map(drop)
    }
}
