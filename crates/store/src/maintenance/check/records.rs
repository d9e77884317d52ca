//! Types, categories, groups, users, settings, tokens, sources and views: few enough to be in
//! memory.

mod sources;
mod tokens;
mod views;

use std::collections::{HashMap, HashSet};

use serde::de::DeserializeOwned;
use stockroom_filter::TEXT_BYTES;
use stockroom_model::{Category, Group, Setting, Type, TypeId, User, name};

use self::views::ReferencedIds;
use super::Checker;
use super::history::Newest;
use super::report::Kind;
use crate::Error;
use crate::engine::driver::Row;
use crate::engine::migrate::name_keys::second_key;
use crate::records::catalog::Catalog;
use crate::records::object::index::{Column, MEMBERS};
use crate::records::r#type::layout::{
    INSERT as INSERT_COLUMN, SELECT_LAST_ID, params_of, text_bytes,
};
use crate::resource::Resource;
use crate::transaction::ReadTx;

const SELECT_TYPES: &str = "SELECT public_id, name, revision, doc FROM type ORDER BY public_id";
const SELECT_CATEGORIES: &str = "SELECT public_id, revision, doc FROM category ORDER BY public_id";
const SELECT_GROUPS: &str =
    "SELECT public_id, name, revision, doc, name_key FROM user_group ORDER BY public_id";
const SELECT_USERS: &str =
    "SELECT public_id, name_key, group_id, revision, doc FROM user_account ORDER BY public_id";
const SELECT_SETTINGS: &str =
    "SELECT user_id, identifier, revision, doc FROM user_setting ORDER BY user_id, identifier";

/// A row of a collection.
struct Record<T> {
    id: i64,
    revision: i64,
    /// `None` if it cannot be read.
    document: Option<T>,
    text: String,
    /// Its other columns.
    texts: Vec<String>,
    group_id: i64,
}

impl Checker<'_> {
    pub(super) fn check_records(&mut self) -> Result<(), Error> {
        let none = Catalog::default();
        self.layouts = ReadTx::new(self.driver, &none).layouts()?;
        let types = self.check_types()?;
        self.check_categories()?;
        let groups = self.check_groups()?;
        let users = self.check_users(&groups)?;
        self.check_settings(&users)?;
        self.check_tokens(&users)?;
        self.check_sources(&types)?;
        self.check_views(&ReferencedIds {
            users,
            groups,
            types,
        })
    }

    fn check_types(&mut self) -> Result<HashSet<i64>, Error> {
        let rows = self.records(Resource::Type, SELECT_TYPES, |row| {
            Ok((
                row.int(0)?,
                row.int(2)?,
                3,
                vec![row.text(1)?.to_owned()],
                0,
            ))
        })?;
        let ids = rows.iter().map(|row| row.id).collect();
        let enforced = self.read_rules()?;
        for row in rows {
            let Some(record) = row.document else { continue };
            let record: Type = record;
            self.expect_id(Resource::Type, row.id, record.public_id.get());
            self.expect_text("type", row.id, "name", row.texts.first(), &record.name);
            self.check_columns(row.id, &record)?;
            let rules = enforced.get(&record.public_id);
            self.check_rules(&record, rules.map_or(&[][..], Vec::as_slice))?;
            let fields = record
                .fields()
                .iter()
                .filter(|field| field.kind.is_reference());
            let names = fields.map(|field| field.name.clone()).collect();
            self.references.insert(record.public_id, names);
        }
        self.check_other_rules(&enforced)?;
        Ok(ids)
    }

    /// Without a column, a field is not in the index.
    fn check_columns(&mut self, id: i64, record: &Type) -> Result<(), Error> {
        let layout = self.layouts.entry(record.public_id).or_default();
        let members = MEMBERS.iter().map(|name| (true, *name, TEXT_BYTES));
        let fields = record
            .fields()
            .iter()
            .map(|field| (false, field.name.as_str(), text_bytes(field)));
        let missing: Vec<(bool, String, usize)> = members
            .chain(fields)
            .filter(|(is_member, name, _)| {
                if *is_member {
                    layout.member(name).is_none()
                } else {
                    layout.field(name).is_none()
                }
            })
            .map(|(is_member, name, text_bytes)| (is_member, name.to_owned(), text_bytes))
            .collect();
        for (is_member, name, text_bytes) in missing {
            let line = format!("type {id}: `{name}` has no column in the index");
            self.report.add(Kind::Link, line);
            if self.repairs() {
                self.add_column(record.public_id, is_member, name, text_bytes)?;
            }
        }
        Ok(())
    }

    /// The rows of its objects are then wrong, and repaired like others.
    fn add_column(
        &mut self,
        type_id: TypeId,
        is_member: bool,
        name: String,
        text_bytes: usize,
    ) -> Result<(), Error> {
        let mut last = 0;
        self.driver.query(SELECT_LAST_ID, &[], &mut |row| {
            last = row.opt_int(0)?.unwrap_or(0);
            Ok(())
        })?;
        let id = last + 1;
        let column = Column { id, text_bytes };
        let params = params_of(&column, type_id, is_member, &name);
        self.driver.execute(INSERT_COLUMN, &params)?;
        let layout = self.layouts.entry(type_id).or_default();
        layout.add(is_member, name, column);
        Ok(())
    }

    fn check_categories(&mut self) -> Result<(), Error> {
        let rows = self.records(Resource::Category, SELECT_CATEGORIES, |row| {
            Ok((row.int(0)?, row.int(1)?, 2, Vec::new(), 0))
        })?;
        let mut parents = HashMap::new();
        for row in &rows {
            let record: Option<&Category> = row.document.as_ref();
            if let Some(record) = record {
                self.expect_id(Resource::Category, row.id, record.public_id.get());
            }
            let parent = record.and_then(|record| record.parent);
            parents.insert(row.id, parent.map(stockroom_model::CategoryId::get));
        }
        for row in &rows {
            self.check_ancestors(row.id, &parents);
        }
        Ok(())
    }

    fn check_ancestors(&mut self, id: i64, parents: &HashMap<i64, Option<i64>>) {
        let Some(Some(parent)) = parents.get(&id) else {
            return;
        };
        if !parents.contains_key(parent) {
            let line = format!("category {id}: its parent {parent} does not exist");
            self.report.add(Kind::Link, line);
            return;
        }
        let mut ancestor = Some(*parent);
        let mut seen = HashSet::new();
        while let Some(next) = ancestor.filter(|next| seen.insert(*next)) {
            if next == id {
                let line = format!("category {id}: it is among its own ancestors");
                self.report.add(Kind::Link, line);
                return;
            }
            ancestor = parents.get(&next).copied().flatten();
        }
    }

    fn check_groups(&mut self) -> Result<HashSet<i64>, Error> {
        let rows = self.records(Resource::Group, SELECT_GROUPS, |row| {
            let texts = vec![row.text(1)?.to_owned(), row.text(4)?.to_owned()];
            Ok((row.int(0)?, row.int(2)?, 3, texts, 0))
        })?;
        let ids = rows.iter().map(|row| row.id).collect();
        let mut is_wrong = false;
        for row in rows {
            let Some(record) = row.document else { continue };
            let record: Group = record;
            self.expect_id(Resource::Group, row.id, record.public_id.get());
            self.expect_text("group", row.id, "name", row.texts.first(), &record.name);
            is_wrong |= self.has_wrong_key("group", row.id, row.texts.get(1), &record.name);
        }
        if is_wrong && self.repairs() {
            self.refill_name_keys()?;
        }
        Ok(ids)
    }

    fn check_users(&mut self, groups: &HashSet<i64>) -> Result<HashSet<i64>, Error> {
        let rows = self.records(Resource::User, SELECT_USERS, |row| {
            let texts = vec![row.text(1)?.to_owned()];
            Ok((row.int(0)?, row.int(3)?, 4, texts, row.int(2)?))
        })?;
        let ids = rows.iter().map(|row| row.id).collect();
        let mut is_wrong = false;
        for row in rows {
            if !groups.contains(&row.group_id) {
                let line = format!("user {}: its group {} does not exist", row.id, row.group_id);
                self.report.add(Kind::Link, line);
            }
            let Some(record) = row.document else { continue };
            let record: User = record;
            self.expect_id(Resource::User, row.id, record.public_id.get());
            if record.group_id.get() != row.group_id {
                let line = format!(
                    "user {}: the column group_id is {}, the document has {}",
                    row.id, row.group_id, record.group_id
                );
                self.report.add(Kind::Column, line);
            }
            is_wrong |= self.has_wrong_key("user", row.id, row.texts.first(), &record.user_name);
        }
        if is_wrong && self.repairs() {
            self.refill_name_keys()?;
        }
        Ok(ids)
    }

    fn check_settings(&mut self, users: &HashSet<i64>) -> Result<(), Error> {
        let rows = self.records(Resource::Setting, SELECT_SETTINGS, |row| {
            let texts = vec![row.text(1)?.to_owned()];
            Ok((row.int(0)?, row.int(2)?, 3, texts, 0))
        })?;
        for row in rows {
            if !users.contains(&row.id) {
                let line = format!("setting of user {}: the user does not exist", row.id);
                self.report.add(Kind::Link, line);
            }
            let Some(record) = row.document else { continue };
            let record: Setting = record;
            self.expect_id(Resource::Setting, row.id, record.user_id.get());
            let identifier = row.texts.first();
            self.expect_text(
                "setting of user",
                row.id,
                "identifier",
                identifier,
                &record.identifier,
            );
        }
        Ok(())
    }

    /// Reads a collection. `columns` returns id, revision, the position of the document, texts, and
    /// the group.
    fn records<T: DeserializeOwned>(
        &mut self,
        resource: Resource,
        sql: &str,
        mut columns: impl FnMut(&dyn Row) -> Result<(i64, i64, usize, Vec<String>, i64), Error>,
    ) -> Result<Vec<Record<T>>, Error> {
        let mut rows = Vec::new();
        let report = &mut self.report;
        self.driver.query(sql, &[], &mut |row| {
            let (id, revision, column, texts, group_id) = columns(row)?;
            let text = row.text(column)?.to_owned();
            let document = serde_json::from_str(&text)
                .inspect_err(|error| {
                    let line = format!("{} {id}: it cannot be read: {error}", resource.as_str());
                    report.add(Kind::Document, line);
                })
                .ok();
            rows.push(Record {
                id,
                revision,
                document,
                text,
                texts,
                group_id,
            });
            Ok(())
        })?;
        for row in &mut rows {
            let name = match resource {
                Resource::Setting => row.texts.first().cloned().unwrap_or_default(),
                _ => String::new(),
            };
            let newest = Newest {
                revision: row.revision,
                document: std::mem::take(&mut row.text),
            };
            self.revisions.expect(resource, row.id, name, newest);
            if resource != Resource::Setting {
                self.record_seen_id(resource, row.id);
            }
        }
        Ok(rows)
    }

    fn expect_id(&mut self, resource: Resource, row: i64, document: i64) {
        if row != document {
            let name = resource.as_str();
            let line = format!("{name} {row}: the document is the one of {document}");
            self.report.add(Kind::Document, line);
        }
    }

    fn expect_text(
        &mut self,
        what: &str,
        id: i64,
        column: &str,
        found: Option<&String>,
        document: &str,
    ) {
        if found.is_some_and(|found| found != document) {
            let line = format!("{what} {id}: the column {column} differs from the document");
            self.report.add(Kind::Column, line);
        }
    }

    /// Whether a key is neither the one of the name nor the one for a name whose key was taken.
    fn has_wrong_key(&mut self, what: &str, id: i64, found: Option<&String>, of: &str) -> bool {
        let key = name::key(of);
        let is_right = found.is_some_and(|found| *found == key || *found == second_key(&key, id));
        if !is_right {
            let line = format!("{what} {id}: its name would not be found by its key");
            self.report.add(Kind::NameKey, line);
        }
        !is_right
    }
}
