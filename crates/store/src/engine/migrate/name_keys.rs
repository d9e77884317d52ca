//! Fills the keys of names that are stored.

use std::collections::HashSet;

use stockroom_model::json::Value;
use stockroom_model::name;

use crate::Error;
use crate::engine::driver::Driver;

const SELECT_GROUPS: &str = "SELECT public_id, doc FROM user_group ORDER BY public_id";
const UPDATE_GROUP: &str = "UPDATE user_group SET name_key = ?2 WHERE public_id = ?1";
const SELECT_USERS: &str = "SELECT public_id, doc FROM user_account ORDER BY public_id";
const UPDATE_USER: &str = "UPDATE user_account SET name_key = ?2 WHERE public_id = ?1";
const CLEAR_GROUPS: &str = "UPDATE user_group SET name_key = 'UNKEYED ' || public_id";
const CLEAR_USERS: &str = "UPDATE user_account SET name_key = 'UNKEYED ' || public_id";

/// Computes all keys again.
pub(crate) fn refill(driver: &mut dyn Driver) -> Result<(), Error> {
    // Until each has its own, no two are alike.
    driver.execute(CLEAR_GROUPS, &[])?;
    driver.execute(CLEAR_USERS, &[])?;
    fill(driver)
}

/// Computes all keys, for the migration that added them.
pub(crate) fn fill(driver: &mut dyn Driver) -> Result<(), Error> {
    fill_table(driver, SELECT_GROUPS, UPDATE_GROUP, "name")?;
    fill_table(driver, SELECT_USERS, UPDATE_USER, "user_name")
}

fn fill_table(
    driver: &mut dyn Driver,
    select: &str,
    update: &str,
    member: &str,
) -> Result<(), Error> {
    let mut names = Vec::new();
    driver.query(select, &[], &mut |row| {
        let document: Value = serde_json::from_str(row.text(1)?)?;
        let name = document[member].as_str().unwrap_or_default();
        names.push((row.int(0)?, name::key(name)));
        Ok(())
    })?;
    let mut taken = HashSet::new();
    for (id, key) in names {
        let key = if taken.contains(&key) {
            second_key(&key, id)
        } else {
            key
        };
        driver.execute(update, &[id.into(), key.as_str().into()])?;
        taken.insert(key);
    }
    Ok(())
}

/// The key for a name in old data whose key another record has. Keys are lower case, so that no
/// name has this one.
pub(crate) fn second_key(key: &str, id: i64) -> String {
    format!("{key} ALIKE {id}")
}
