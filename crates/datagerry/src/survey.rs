//! The survey of all records but the objects.

use std::collections::HashSet;
use std::collections::btree_map::{BTreeMap, Entry};

use serde_json::{Value, json};
use stockroom_model::body::{Report as BodyReport, integer};
use stockroom_model::category::CategoryDraft;
use stockroom_model::group::GroupDraft;
use stockroom_model::r#type::TypeDraft;
use stockroom_model::user::UserDraft;
use stockroom_model::{Group, Setting, TypeId, UserId};

use crate::bson::Document;
use crate::fit::Members;
use crate::inventory::{Dump, Inventory, Limits, name_of};
use crate::leftover::{LOCATIONS, Leftover, leftover};
use crate::names::Names;
use crate::notes::Notes;
use crate::object::first;
use crate::report::{Kind, Report};
use crate::stream::each_of;
use crate::r#type::Surroundings;
use crate::{Error, category, fit, group, setting, r#type, user};

/// The groups of the first start.
const FIRST_GROUPS: [(i64, &str); 2] = [(Group::ADMINISTRATORS, "admin"), (Group::USERS, "user")];

/// The survey of all records but the objects.
pub(crate) struct Survey<'d> {
    dump: &'d dyn Dump,
    limits: &'d Limits,
    inventory: Inventory,
    report: Report,
    records: usize,
    bytes: usize,
}

impl<'d> Survey<'d> {
    pub(crate) fn new(dump: &'d dyn Dump, limits: &'d Limits) -> Self {
        Self {
            dump,
            limits,
            inventory: Inventory {
                limits: limits.record.clone(),
                ..Inventory::default()
            },
            report: Report::default(),
            records: 0,
            bytes: 0,
        }
    }

    /// All records that stay in memory, as bodies.
    pub(crate) fn small_records(mut self) -> Result<(Inventory, Report), Error> {
        let groups = self.groups()?;
        let users = self.users(&groups)?;
        self.settings(&users)?;
        self.types(&groups)?;
        self.categories()?;
        self.locations()?;
        self.counters()?;
        Ok((self.inventory, self.report))
    }

    /// All documents of a collection, by their ids. Those without an id, or with one that stands
    /// twice, are left out.
    fn by_id(&mut self, collection: &str, kind: Kind) -> Result<BTreeMap<i64, Document>, Error> {
        let mut documents = BTreeMap::new();
        let dump = self.dump;
        each_of(dump, collection, |document| {
            self.hold(&document)?;
            let Some(id) = fit::id(&document.members) else {
                let name = name_of(collection, &document.members);
                self.leave_out(kind, &name, "its public_id is no id", document.members);
                return Ok(());
            };
            match documents.entry(id) {
                Entry::Vacant(free) => _ = free.insert(document),
                Entry::Occupied(_) => {
                    let name = id.to_string();
                    self.leave_out(kind, &name, "another record has its id", document.members);
                }
            }
            Ok(())
        })?;
        Ok(documents)
    }

    /// Counts a record that is left out, and keeps it for the leftovers.
    fn leave_out(&mut self, kind: Kind, name: &str, why: &'static str, mut members: Members) {
        self.report.left_out(kind, name, why, "");
        // The hash of a user is written nowhere.
        members.shift_remove("password");
        let line = json!({"why": why, "record": members});
        self.inventory.left_out.push((kind, line));
    }

    /// Counts a document that stays in memory.
    fn hold(&mut self, document: &Document) -> Result<(), Error> {
        self.records += 1;
        let members = document.members.values();
        self.bytes += members
            .map(stockroom_model::json::most_bytes)
            .sum::<usize>();
        let Limits { records, bytes, .. } = self.limits;
        if self.records > *records || self.bytes > *bytes {
            return Err(Error::Unsuitable(format!(
                "the dump has more than {records} groups, users, settings, types and categories, \
                 or more than {bytes} bytes of them"
            )));
        }
        Ok(())
    }

    /// Notes a body, unless a rule refuses it.
    fn settle<T>(
        &mut self,
        kind: Kind,
        name: &str,
        (body, notes): (&Value, &mut Notes),
        read: impl FnOnce(&BodyReport) -> Option<T>,
    ) -> Option<T> {
        let report = BodyReport::default();
        let read = report.finish(read(&report));
        if let Some(members) = notes.take_left_out() {
            let line = json!({"record": name, "left_out": members});
            self.inventory.members_left_out.push((kind, line));
        }
        match read {
            Ok(draft) => {
                self.report.moved(kind, name, notes);
                Some(draft)
            }
            Err(problems) => {
                let why = "a rule of Stockroom refuses it";
                self.report.left_out(kind, name, why, &first(&problems));
                let line = json!({"why": why, "record": body});
                self.inventory.left_out.push((kind, line));
                None
            }
        }
    }

    fn groups(&mut self) -> Result<HashSet<i64>, Error> {
        let documents = self.by_id("management.groups", Kind::Group)?;
        let first = FIRST_GROUPS.into_iter();
        let kept = first.filter(|(id, _)| !documents.contains_key(id));
        let mut names = Names::with_reserved(kept.map(|(_, name)| name));
        // Both exist in any case.
        let mut ids = HashSet::from(FIRST_GROUPS.map(|(id, _)| id));
        for (id, mut document) in documents {
            let body = group::convert(id, document.members, &mut names, &mut document.notes);
            let read = |report: &BodyReport| GroupDraft::read(&body, None, report);
            let name = format!("group {id}");
            if self
                .settle(Kind::Group, &name, (&body, &mut document.notes), read)
                .is_some()
            {
                ids.insert(id);
                self.inventory.groups.push(body);
            }
        }
        Ok(ids)
    }

    fn users(&mut self, groups: &HashSet<i64>) -> Result<HashSet<i64>, Error> {
        let documents = self.by_id("management.users", Kind::User)?;
        let is_kept = !documents.contains_key(&user::FIRST);
        let mut names = Names::with_reserved(is_kept.then_some("admin"));
        let mut ids = HashSet::from([user::FIRST]);
        for (id, mut document) in documents {
            let body = user::convert(
                id,
                document.members,
                groups,
                &mut names,
                &mut document.notes,
            );
            let read = |report: &BodyReport| UserDraft::read(&with_password(&body), None, report);
            let name = format!("user {id}");
            if self
                .settle(Kind::User, &name, (&body, &mut document.notes), read)
                .is_some()
            {
                ids.insert(id);
                self.inventory.users.push(body);
            }
        }
        Ok(ids)
    }

    fn settings(&mut self, users: &HashSet<i64>) -> Result<(), Error> {
        let (dump, mut seen) = (self.dump, HashSet::new());
        each_of(dump, "management.users.settings", |mut document| {
            self.hold(&document)?;
            let user = document.members.get("user_id").and_then(integer);
            let known = user
                .filter(|user| users.contains(user))
                .and_then(UserId::new);
            let name = format!("setting of user {}", user.unwrap_or_default());
            let Some(user) = known else {
                let why = "its user is not moved";
                self.leave_out(Kind::Setting, &name, why, document.members);
                return Ok(());
            };
            let whole = document.members.clone();
            let body = setting::convert(user.get(), document.members, &mut document.notes);
            let Some(body) = body else {
                self.leave_out(Kind::Setting, &name, "it has no name", whole);
                return Ok(());
            };
            let name = format!("{name}, {}", body["identifier"]);
            if !seen.insert((user, body["identifier"].to_string())) {
                let why = "another setting has its name";
                self.leave_out(Kind::Setting, &name, why, whole);
                return Ok(());
            }
            let read = |report: &BodyReport| Setting::read(&body, user, None, report);
            if self
                .settle(Kind::Setting, &name, (&body, &mut document.notes), read)
                .is_some()
            {
                self.inventory.settings.push((user.get(), body));
            }
            Ok(())
        })
    }

    fn types(&mut self, groups: &HashSet<i64>) -> Result<(), Error> {
        let mut names = Names::default();
        let limits = &self.limits.record;
        let around = Surroundings { groups, limits };
        for (id, document) in self.by_id("framework.types", Kind::Type)? {
            let Document { members, mut notes } = document;
            let body = r#type::convert(id, members, &around, &mut names, &mut notes);
            let read = |report: &BodyReport| TypeDraft::read(&body, None, limits, report);
            let draft = self.settle(Kind::Type, &format!("type {id}"), (&body, &mut notes), read);
            if let Some((draft, type_id)) = draft.zip(TypeId::new(id)) {
                let definition = draft.into_new(type_id, String::new());
                self.inventory.definitions.insert(id, definition);
                self.inventory.types.push(body);
            }
        }
        Ok(())
    }

    fn categories(&mut self) -> Result<(), Error> {
        let documents = self.by_id("framework.categories", Kind::Category)?;
        let waiting = documents
            .into_iter()
            .map(|(id, document)| (id, category::convert(id, document.members, document.notes)));
        for (id, category) in category::in_order(waiting.collect()) {
            let category::Category { body, mut notes } = category;
            let read = |report: &BodyReport| CategoryDraft::read(&body, None, report);
            if self
                .settle(
                    Kind::Category,
                    &format!("category {id}"),
                    (&body, &mut notes),
                    read,
                )
                .is_some()
            {
                self.inventory.categories.push(body);
            }
        }
        Ok(())
    }

    fn locations(&mut self) -> Result<(), Error> {
        let (dump, limit) = (self.dump, self.limits.locations);
        each_of(dump, LOCATIONS, |document| {
            self.inventory.locations.add(&document.members);
            if self.inventory.locations.len() > limit {
                let detail = format!("the dump has more than {limit} locations");
                return Err(Error::Unsuitable(detail));
            }
            Ok(())
        })
    }

    fn counters(&mut self) -> Result<(), Error> {
        each_of(self.dump, "datastorage.counter", |document| {
            let name = document.members.get("_id").and_then(Value::as_str);
            let last = document.members.get("counter").and_then(integer);
            if let Some((name, last)) = name.zip(last)
                && leftover(name) == Leftover::Moved
            {
                self.inventory.counters.insert(name.to_owned(), last);
            }
            Ok(())
        })
    }
}

/// The body with a placeholder for the required password, which is never used.
fn with_password(body: &Value) -> Value {
    let mut body = body.clone();
    body["password"] = Value::from("-");
    body
}
