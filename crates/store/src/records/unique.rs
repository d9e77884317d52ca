//! Values that no two objects of a type may share.
//!
//! A rule gives an object a row in `unique_value` with a hash of its values. The primary key lets
//! one object hold a hash, on all nodes and shards. Writes collect their rows; they are written at
//! the end of a write, deletes first, so that the parts of one write may swap values.

mod changes;
pub(crate) mod rules;
pub(crate) mod writes;

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use stockroom_filter::{Datum, Key};
use stockroom_model::r#type::UniqueRule;
use stockroom_model::{Object, ObjectId, Type, TypeId};

pub(crate) use self::changes::UniqueChanges;

/// Bytes of a hash. Values that share one by chance are not to be expected.
const HASH_BYTES: usize = 16;

/// The hash of the values of an object by a rule.
pub(crate) type ValueHash = [u8; HASH_BYTES];

/// A rule by its id, and the hash that an object holds by it.
pub(crate) type Held = (i64, ValueHash);

/// A rule of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeRule {
    pub(crate) rule: UniqueRule,
    /// `None` if it is not enforced: objects shared values when it would have begun to be.
    pub(crate) id: Option<i64>,
}

/// A row of `unique_value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct UniqueRow {
    pub(crate) rule_id: i64,
    pub(crate) hash: ValueHash,
    pub(crate) object_id: ObjectId,
}

impl UniqueRow {
    pub(crate) const fn held(&self) -> Held {
        (self.rule_id, self.hash)
    }
}

/// The rules of a type, with the ids of those that are enforced.
pub(crate) fn rules_of(definition: &Type, enforced: &[(i64, UniqueRule)]) -> Vec<TypeRule> {
    let rules = definition.unique_rules().into_iter();
    let id_of = |rule: &UniqueRule| {
        let found = enforced.iter().find(|(_, enforced)| enforced == rule);
        found.map(|(id, _)| *id)
    };
    rules
        .map(|rule| TypeRule {
            id: id_of(&rule),
            rule,
        })
        .collect()
}

/// What an object has by each rule.
pub(crate) fn hashes(rules: &[TypeRule], object: &Object) -> Vec<Option<ValueHash>> {
    rules
        .iter()
        .map(|TypeRule { rule, .. }| hash(rule, object))
        .collect()
}

/// What an object with these hashes holds by the rules that are enforced.
pub(crate) fn held(rules: &[TypeRule], hashes: &[Option<ValueHash>]) -> Vec<Held> {
    let held = |(rule, hash): (&TypeRule, &Option<ValueHash>)| Some((rule.id?, (*hash)?));
    rules.iter().zip(hashes).filter_map(held).collect()
}

/// The rows of an object by its document.
pub(crate) fn rows_of(rules: &[TypeRule], id: ObjectId, object: &Object) -> Vec<UniqueRow> {
    if rules.is_empty() {
        return Vec::new();
    }
    rows(id, held(rules, &hashes(rules, object)))
}

/// The rows of an object that holds these.
pub(crate) fn rows(object_id: ObjectId, held: Vec<Held>) -> Vec<UniqueRow> {
    let row = |(rule_id, hash)| UniqueRow {
        rule_id,
        hash,
        object_id,
    };
    held.into_iter().map(row).collect()
}

fn hash(rule: &UniqueRule, object: &Object) -> Option<ValueHash> {
    let mut digest = Sha256::new();
    for value in rule.values(object)? {
        let key = Key::of(Datum::of(&value), usize::MAX).into_bytes();
        digest.update(key.len().to_le_bytes());
        digest.update(key);
    }
    let mut hash = ValueHash::default();
    hash.copy_from_slice(digest.finalize().get(..HASH_BYTES)?);
    Some(hash)
}

/// The enforced rules of each type.
pub(crate) type EnforcedRules = HashMap<TypeId, Vec<(i64, UniqueRule)>>;
