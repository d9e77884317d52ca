//! The rules of types, and what all their objects hold when a rule begins.

use std::collections::HashMap;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::r#type::UniqueRule;
use stockroom_model::{ObjectId, Type, TypeId};

use super::writes::{INSERT, params, values};
use super::{EnforcedRules, TypeRule, UniqueRow, ValueHash, rows_of};
use crate::Error;
use crate::engine::driver::Param;
use crate::records::object::ObjectRow;
use crate::records::object::read::ObjectsOfType;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

const SELECT_ALL: &str = "SELECT rule_id, type_id, definition FROM unique_rule ORDER BY rule_id";
const SELECT_OF_TYPE: &str =
    "SELECT rule_id, type_id, definition FROM unique_rule WHERE type_id = ?1 ORDER BY rule_id";
const SELECT_LAST_ID: &str = "SELECT MAX(rule_id) FROM unique_rule";
const INSERT_RULE: &str =
    "INSERT INTO unique_rule (rule_id, type_id, definition) VALUES (?1, ?2, ?3)";
pub(crate) const DELETE_RULE: &str = "DELETE FROM unique_rule WHERE rule_id = ?1";
pub(crate) const DELETE_VALUES: &str = "DELETE FROM unique_value WHERE rule_id = ?1";

/// How many shared values are told, and objects that have one of them.
const MOST_TOLD: usize = 100;

/// Objects of which each has the values that only one may have.
#[derive(Debug, Clone)]
pub struct SharedValues {
    /// The values, in the order of the fields of the rule.
    pub values: Vec<Value>,
    /// The first of the objects.
    pub objects: Vec<ObjectId>,
    /// How many they are, as far as they were looked for.
    pub count: usize,
}

/// What objects share, in the order in which it was found.
#[derive(Default)]
struct SharedGroups {
    groups: Vec<SharedValues>,
    by_hash: HashMap<ValueHash, usize>,
}

impl ReadTx<'_> {
    /// The enforced rules of every type.
    pub(crate) fn enforced_rules(&mut self) -> Result<EnforcedRules, Error> {
        self.rules_by(SELECT_ALL, &[])
    }

    /// The enforced rules of a type.
    pub(crate) fn enforced_rules_of(
        &mut self,
        id: TypeId,
    ) -> Result<Vec<(i64, UniqueRule)>, Error> {
        let mut rules = self.rules_by(SELECT_OF_TYPE, &[id.into()])?;
        Ok(rules.remove(&id).unwrap_or_default())
    }

    fn rules_by(&mut self, sql: &str, params: &[Param<'_>]) -> Result<EnforcedRules, Error> {
        let mut rules = EnforcedRules::new();
        self.each(sql, params, |row| {
            let rule = serde_json::from_str(row.text(2)?)?;
            rules
                .entry(row.id(1)?)
                .or_default()
                .push((row.int(0)?, rule));
            Ok(())
        })?;
        Ok(rules)
    }
}

impl WriteTx<'_> {
    /// The rules of a type that are enforced now.
    pub fn unique_rules(&mut self, id: TypeId) -> Result<Vec<UniqueRule>, Error> {
        let rules = self.enforced_rules_of(id)?.into_iter();
        Ok(rules.map(|(_, rule)| rule).collect())
    }

    /// Ends the rules of a type that its new definition does not have.
    pub fn end_unique_rules(&mut self, id: TypeId, kept: &[UniqueRule]) -> Result<(), Error> {
        for (rule_id, rule) in self.enforced_rules_of(id)? {
            if !kept.contains(&rule) {
                self.end_rule(id, rule_id)?;
            }
        }
        Ok(())
    }

    /// Begins to enforce a rule of a type, unless objects share values by it: returns those, and
    /// changes nothing.
    pub fn begin_unique_rule(
        &mut self,
        definition: &Type,
        rule: &UniqueRule,
    ) -> Result<Vec<SharedValues>, Error> {
        let id = definition.public_id;
        let rule_id = self.insert_rule(id, rule)?;
        let shared = self.fill_rule(id, rule_id, rule)?;
        if !shared.is_empty() {
            self.end_rule(id, rule_id)?;
        }
        Ok(shared)
    }

    /// Enforces the rules of a type without objects.
    pub(in crate::records) fn begin_rules_of_new(
        &mut self,
        definition: &Type,
    ) -> Result<(), Error> {
        for rule in definition.unique_rules() {
            self.insert_rule(definition.public_id, &rule)?;
        }
        Ok(())
    }

    fn insert_rule(&mut self, id: TypeId, rule: &UniqueRule) -> Result<i64, Error> {
        self.touch(Resource::Type)?;
        self.changed_types().remove(&id);
        let last = self.first(SELECT_LAST_ID, &[], |row| row.opt_int(0))?;
        let rule_id = last.flatten().unwrap_or(0) + 1;
        let definition = serde_json::to_string(rule)?;
        let params = [rule_id.into(), id.into(), definition.as_str().into()];
        self.run_one(INSERT_RULE, &params)?;
        Ok(rule_id)
    }

    fn end_rule(&mut self, id: TypeId, rule_id: i64) -> Result<(), Error> {
        self.touch(Resource::Type)?;
        // What waits to be written may be of this rule.
        self.write_unique_values()?;
        self.changed_types().remove(&id);
        self.run(DELETE_VALUES, &[rule_id.into()])?;
        self.run_one(DELETE_RULE, &[rule_id.into()])
    }

    fn fill_rule(
        &mut self,
        id: TypeId,
        rule_id: i64,
        rule: &UniqueRule,
    ) -> Result<Vec<SharedValues>, Error> {
        // Rows of earlier writes of this commit come first.
        self.write_unique_values()?;
        let rules = [TypeRule {
            rule: rule.clone(),
            id: Some(rule_id),
        }];
        let mut shared = SharedGroups::default();
        let mut objects = ObjectsOfType::new(id);
        loop {
            let found = objects.next(self, &Scope::for_maintenance())?;
            if found.is_empty() || shared.groups.len() >= MOST_TOLD {
                return Ok(shared.groups);
            }
            let mut rows = Vec::with_capacity(found.len());
            for row in &found {
                rows.extend(rows_of(&rules, row.public_id, &row.object()?));
            }
            let written = self.run_many_counted(&INSERT, &params(&rows))?;
            if written == rows.len() as u64 {
                continue;
            }
            let found: HashMap<ObjectId, &ObjectRow> =
                found.iter().map(|row| (row.public_id, row)).collect();
            for (row, holder) in self.held_by_others(&rows)? {
                let object = found.get(&row.object_id).map(|row| row.object());
                let values = object.transpose()?.map(|object| values(rule, &object));
                shared.note(row, holder, values.unwrap_or_default());
            }
        }
    }
}

impl SharedGroups {
    /// Adds an object to those that share its values with the holder.
    fn note(&mut self, row: UniqueRow, holder: ObjectId, values: Vec<Value>) {
        let next = self.groups.len();
        let index = *self.by_hash.entry(row.hash).or_insert(next);
        if index == next {
            self.groups.push(SharedValues {
                values,
                objects: vec![holder],
                count: 1,
            });
        }
        if let Some(group) = self.groups.get_mut(index) {
            group.count += 1;
            if group.objects.len() < MOST_TOLD {
                group.objects.push(row.object_id);
            }
        }
    }
}
