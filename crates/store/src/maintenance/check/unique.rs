//! What objects hold of the values that only one may have, compared with their documents.

use std::collections::BTreeMap;

use stockroom_model::r#type::UniqueRule;
use stockroom_model::{Object, ObjectId, Type, TypeId};

use super::Checker;
use super::index::Sum;
use super::objects::Chunk;
use super::report::Kind;
use crate::Error;
use crate::engine::driver::Param;
use crate::records::catalog::Catalog;
use crate::records::object::{SELECT_SOME, object_row};
use crate::records::unique::rules::{DELETE_RULE, DELETE_VALUES};
use crate::records::unique::writes::{INSERT, params};
use crate::records::unique::{EnforcedRules, TypeRule, rows_of, rules_of};
use crate::transaction::ReadTx;

/// Objects whose documents are read at a time for a repair.
const PAGE: usize = 1_000;

const SELECT_ROWS: &str =
    "SELECT rule_id, key, object_id FROM unique_value WHERE object_id > ?1 AND object_id <= ?2";
const DELETE_ROWS: &str =
    "DELETE FROM unique_value WHERE object_id IN (SELECT value FROM rarray(?1))";

impl Checker<'_> {
    pub(super) fn read_rules(&mut self) -> Result<EnforcedRules, Error> {
        ReadTx::new(self.driver, &Catalog::default()).enforced_rules()
    }

    /// Takes the rules of a type; those that its definition lacks are wrong.
    pub(super) fn check_rules(
        &mut self,
        definition: &Type,
        enforced: &[(i64, UniqueRule)],
    ) -> Result<(), Error> {
        let rules = rules_of(definition, enforced);
        for (rule_id, _) in enforced {
            if rules.iter().all(|rule| rule.id != Some(*rule_id)) {
                let id = definition.public_id;
                let line =
                    format!("type {id}: it does not have the unique rule {rule_id} any more");
                self.end_rule(*rule_id, line)?;
            }
        }
        self.rules.insert(definition.public_id, rules);
        Ok(())
    }

    /// Rules of types that do not exist.
    pub(super) fn check_other_rules(&mut self, enforced: &EnforcedRules) -> Result<(), Error> {
        let others = enforced
            .iter()
            .filter(|(id, _)| !self.rules.contains_key(id));
        let others: BTreeMap<i64, TypeId> = others
            .flat_map(|(id, rules)| rules.iter().map(|(rule_id, _)| (*rule_id, *id)))
            .collect();
        for (rule_id, id) in others {
            let line = format!("unique rule {rule_id}: its type {id} does not exist");
            self.end_rule(rule_id, line)?;
        }
        Ok(())
    }

    fn end_rule(&mut self, rule_id: i64, line: String) -> Result<(), Error> {
        self.report.add(Kind::Unique, line);
        if self.repairs() {
            self.driver.execute(DELETE_VALUES, &[rule_id.into()])?;
            self.driver.execute(DELETE_RULE, &[rule_id.into()])?;
        }
        Ok(())
    }

    pub(super) fn check_unique(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let rows = (Kind::Unique, SELECT_ROWS);
        let mut wrong = self.sum_rows(chunk, rows, |object| &mut object.found_unique)?;
        for object in &chunk.objects {
            let Some(expected) = object.unique else {
                continue;
            };
            if expected != object.found_unique {
                let line = format!(
                    "object {}: its {} unique values differ from the {} of its document",
                    object.id, object.found_unique.rows, expected.rows
                );
                self.report.add(Kind::Unique, line);
                wrong.push(object.id);
            }
        }
        self.wrong_holders.extend(wrong);
        Ok(())
    }

    /// Gives objects what their documents say, when all objects are known: another one may hold it
    /// in vain. What it holds rightly stays with it.
    pub(super) fn repair_holders(&mut self) -> Result<(), Error> {
        let ids = std::mem::take(&mut self.wrong_holders);
        if ids.is_empty() || !self.repairs() {
            return Ok(());
        }
        self.driver.execute(DELETE_ROWS, &[Param::Ints(&ids)])?;
        for page in ids.chunks(PAGE) {
            let (rules, mut rows) = (&self.rules, Vec::new());
            self.driver
                .query(SELECT_SOME, &[Param::Ints(page)], &mut |row| {
                    let row = object_row(row)?;
                    let rules = rules.get(&row.type_id).map_or(&[][..], Vec::as_slice);
                    rows.extend(rows_of(rules, row.public_id, &row.object()?));
                    Ok(())
                })?;
            self.driver.execute_many(&INSERT, &params(&rows))?;
        }
        Ok(())
    }
}

/// What a document gives.
pub(super) fn expected(rules: Option<&Vec<TypeRule>>, id: ObjectId, object: &Object) -> Sum {
    let mut sum = Sum::default();
    for row in rows_of(rules.map_or(&[][..], Vec::as_slice), id, object) {
        sum.add(row.rule_id, &row.hash);
    }
    sum
}
