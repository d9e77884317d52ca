//! The ceilings of tokens that older releases made: what their owners hold when this release starts
//! first. They go on as they are, and gain nothing any more.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use stockroom_access::{Acl, RightSet, ceiling};
use stockroom_model::{GroupId, TypeId};

use crate::Error;
use crate::engine::driver::Driver;

const SELECT_GROUPS: &str = "SELECT public_id, doc FROM user_group";
const SELECT_TYPES: &str = "SELECT public_id, doc FROM type";
const SELECT_TOKENS: &str = "SELECT api_token.public_id, user_account.group_id FROM api_token JOIN user_account ON user_account.public_id = api_token.user_id";
const UPDATE: &str = "UPDATE api_token SET ceiling = ?2 WHERE public_id = ?1";

/// Computes all ceilings, for the migration that added them.
pub(crate) fn fill(driver: &mut dyn Driver) -> Result<(), Error> {
    let mut tokens = Vec::new();
    driver.query(SELECT_TOKENS, &[], &mut |row| {
        tokens.push((row.int(0)?, row.int(1)?));
        Ok(())
    })?;
    if tokens.is_empty() {
        return Ok(());
    }
    let rights: HashMap<i64, RightSet> = members(driver, SELECT_GROUPS, |document| {
        let names = document["rights"].as_array().into_iter().flatten();
        RightSet::from_known_names(names.filter_map(Value::as_str))
    })?;
    let lists: BTreeMap<i64, Acl> = members(driver, SELECT_TYPES, |document| {
        Acl::from_value(&document["acl"])
    })?;
    let lists = lists.iter();
    let lists: Vec<_> = lists
        .filter_map(|(id, acl)| Some((TypeId::new(*id)?, acl)))
        .collect();
    for (token, group) in tokens {
        let Some(group_id) = GroupId::new(group) else {
            continue;
        };
        let held = rights.get(&group).copied().unwrap_or_default();
        let ceiling = ceiling::of_maker(None, group_id, &held, lists.iter().copied());
        let text = serde_json::to_string(&ceiling)?;
        driver.execute(UPDATE, &[token.into(), text.as_str().into()])?;
    }
    Ok(())
}

/// What `read` finds in each document, by id.
fn members<T, C: FromIterator<(i64, T)>>(
    driver: &mut dyn Driver,
    select: &str,
    read: impl Fn(&Value) -> T,
) -> Result<C, Error> {
    let mut found = Vec::new();
    driver.query(select, &[], &mut |row| {
        let document: Value = serde_json::from_str(row.text(1)?)?;
        found.push((row.int(0)?, read(&document)));
        Ok(())
    })?;
    Ok(found.into_iter().collect())
}
