//! Collects the bodies of objects and sets their ids, times and authors.

use serde_json::{Value, json};
use stockroom_model::{DEFAULT_VERSION, Timestamp};

use crate::dice::Dice;
use crate::users::{ADMINISTRATOR, BIRGIT, JOAO, MALGORZATA, OLENA, SULE};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 24 * 60 * 60 * SECOND;

/// The age of the inventory in days.
pub(super) const OLDEST: i64 = 3 * 365;

/// Records older than this many days lack the latest field of their type.
const BEFORE_LATEST_FIELD: i64 = OLDEST - 100;

/// The bodies so far.
pub(super) struct Stock {
    /// The source of all random choices.
    pub(super) dice: Dice,
    now: Timestamp,
    bodies: Vec<Value>,
}

/// An object before it gets an id.
pub(super) struct Record {
    type_id: i64,
    /// Days since it was recorded, at least 1.
    age: i64,
    active: bool,
    fields: Value,
    keeper: Option<i64>,
}

struct Edit {
    version: &'static str,
    time: Timestamp,
    editor: i64,
}

impl Record {
    /// An active object; `fields` is a JSON object from field names to values.
    pub(super) const fn new(type_id: i64, age: i64, fields: Value) -> Self {
        Self {
            type_id,
            age,
            active: true,
            fields,
            keeper: None,
        }
    }

    /// Sets whether it is active.
    pub(super) const fn active(mut self, active: bool) -> Self {
        self.active = active;
        self
    }

    /// Makes a user the only author and editor.
    pub(super) const fn kept_by(mut self, user: i64) -> Self {
        self.keeper = Some(user);
        self
    }

    /// Omits `field` from old records, as if it had been added to the type later. These objects are
    /// unclean.
    pub(super) fn latest_field(mut self, field: &str) -> Self {
        if self.age > BEFORE_LATEST_FIELD
            && let Some(fields) = self.fields.as_object_mut()
        {
            fields.shift_remove(field);
        }
        self
    }
}

impl Stock {
    /// No bodies; the random choices are always the same.
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            dice: Dice::new(0x0005_70C4),
            now,
            bodies: Vec::new(),
        }
    }

    /// Adds an object and returns its id.
    pub(super) fn add(&mut self, record: Record) -> i64 {
        let id = i64::try_from(self.bodies.len())
            .unwrap_or(i64::MAX)
            .saturating_add(1);
        let created = self.working_hour(record.age);
        let author = record.keeper.unwrap_or_else(|| self.author(record.age));
        let edit = self.last_edit(&record);
        self.bodies.push(json!({
            "public_id": id,
            "type_id": record.type_id,
            "active": record.active,
            "version": edit.as_ref().map_or(DEFAULT_VERSION, |edit| edit.version),
            "author_id": author,
            "creation_time": created.to_date(),
            "last_edit_time": edit.as_ref().map(|edit| edit.time.to_date()),
            "editor_id": edit.as_ref().map(|edit| edit.editor),
            "views": self.dice.between(0, 90),
            "fields": fields(record.fields),
        }));
        id
    }

    /// The last edit, if any. It is later than the day of creation.
    fn last_edit(&mut self, record: &Record) -> Option<Edit> {
        if record.age < 2 || !self.dice.chance(45) {
            return None;
        }
        let age = self.dice.between(1, record.age - 1);
        Some(Edit {
            version: self
                .dice
                .pick(&["1.0.1", "1.0.1", "1.0.2", "1.0.3", "1.1.0", "2.0.0"]),
            time: self.working_hour(age),
            editor: record.keeper.unwrap_or_else(|| self.author(age)),
        })
    }

    /// The bodies in the order of their ids.
    pub(super) fn into_bodies(self) -> Vec<Value> {
        self.bodies
    }

    /// The age of the `index`-th of `count` objects, counted from 1: evenly distributed, oldest
    /// first.
    pub(super) fn age(&mut self, index: i64, count: i64) -> i64 {
        let step = OLDEST / count.max(1);
        (OLDEST - index * OLDEST / count.max(1) + self.dice.between(0, step)).clamp(1, OLDEST)
    }

    /// The day `days` from now, as `YYYY-MM-DD`; negative is past.
    pub(super) fn day(&self, days: i64) -> String {
        let day = Timestamp(self.now.0.saturating_add(days.saturating_mul(DAY)));
        day.to_iso().chars().take("YYYY-MM-DD".len()).collect()
    }

    /// The calendar year `days` from now.
    pub(super) fn year(&self, days: i64) -> String {
        self.day(days).chars().take("YYYY".len()).collect()
    }

    /// A random time within working hours, `age` days ago.
    fn working_hour(&mut self, age: i64) -> Timestamp {
        let midnight = self.now.0.div_euclid(DAY).saturating_mul(DAY);
        let hour = self.dice.between(7 * 3600, 18 * 3600) * SECOND;
        Timestamp(
            midnight
                .saturating_sub(age.saturating_mul(DAY))
                .saturating_add(hour),
        )
    }

    /// The author of a change at that time: the inventory began as an import, and one author has
    /// left.
    fn author(&mut self, age: i64) -> i64 {
        self.dice.weighted(&[
            (ADMINISTRATOR, if age > OLDEST - 60 { 90 } else { 4 }),
            (BIRGIT, 30),
            (MALGORZATA, 26),
            (JOAO, 16),
            (OLENA, 14),
            (SULE, if age > 400 { 30 } else { 0 }),
        ])
    }
}

fn fields(values: Value) -> Vec<Value> {
    match values {
        Value::Object(values) => values
            .into_iter()
            .map(|(name, value)| stockroom_model::object::item(&name, value))
            .collect(),
        _ => Vec::new(),
    }
}
