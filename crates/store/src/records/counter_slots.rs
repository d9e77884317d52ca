//! Removes counter slots of closed connections. Each connection adds to a slot of its own, and no
//! other can tell when it is closed.

use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::{Driver, Param};
use crate::records::pending::ADD_COUNTS;

/// Up to this number of slots per counter, merging them is not worth a lock.
const MAX_SLOTS: i64 = 64;

// Writers hold a lock that conflicts with this one.
const BEGIN: &str =
    "BEGIN; SET LOCAL lock_timeout = '1s'; LOCK TABLE catalog_version IN EXCLUSIVE MODE";
const SELECT_SUMS: &str = "SELECT type_id, CAST(SUM(total) AS BIGINT), CAST(SUM(active) AS BIGINT), CAST(SUM(irregular) AS BIGINT) \
     FROM object_count GROUP BY type_id HAVING COUNT(*) > ?1";
const DELETE: &str = "DELETE FROM object_count WHERE type_id = ?1";

/// Merges many slots of a counter into one, while nobody writes. The sums do not change, so a
/// failure does no harm.
pub(crate) fn merge_slots(driver: &mut dyn Driver) -> Result<(), Error> {
    if sums(driver)?.is_empty() {
        return Ok(());
    }
    if let Err(error) = driver.script(BEGIN).and_then(|()| replace(driver)) {
        tracing::info!(%error, "the slots of the counters stay as they are");
        return driver.script("ROLLBACK");
    }
    driver.script("COMMIT")
}

fn replace(driver: &mut dyn Driver) -> Result<(), Error> {
    for (type_id, sum) in sums(driver)? {
        driver.execute(DELETE, &[type_id.into()])?;
        let row = [type_id, 0, sum.total, sum.active, sum.irregular].map(Param::Int);
        driver.execute(ADD_COUNTS, &row)?;
    }
    Ok(())
}

/// The counters of types with many slots.
fn sums(driver: &mut dyn Driver) -> Result<Vec<(i64, Counts)>, Error> {
    let mut sums = Vec::new();
    driver.query(SELECT_SUMS, &[MAX_SLOTS.into()], &mut |row| {
        let sum = Counts {
            total: row.int(1)?,
            active: row.int(2)?,
            irregular: row.int(3)?,
        };
        sums.push((row.int(0)?, sum));
        Ok(())
    })?;
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::object::tests::test_database::TestDatabase;

    const LEAVE: &str = "INSERT INTO object_count SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) + value, value, value, 0 FROM rarray(?3) AS parts";
    const COUNT: &str =
        "SELECT COUNT(*), CAST(SUM(total) AS BIGINT) FROM object_count WHERE type_id = ?1";

    fn counted(driver: &mut dyn Driver, type_id: i64) -> (i64, i64) {
        let mut counted = (0, 0);
        let asked = driver.query(COUNT, &[type_id.into()], &mut |row| {
            counted = (row.int(0)?, row.int(1)?);
            Ok(())
        });
        asked.unwrap();
        counted
    }

    #[test]
    fn a_start_adds_up_what_many_connections_counted_on_postgres() {
        let database = TestDatabase::postgres();
        database.open().close();
        let mut connection = database.connection();
        let parts: Vec<i64> = (1..=MAX_SLOTS + 1).collect();
        let few = &parts[1..];
        for (type_id, parts) in [(7, parts.as_slice()), (8, few)] {
            let params = [type_id.into(), 1_000.into(), Param::Ints(parts)];
            connection.execute(LEAVE, &params).unwrap();
        }
        let sum: i64 = parts.iter().sum();
        database.open().close();
        assert_eq!(counted(connection.as_mut(), 7), (1, sum));
        assert_eq!(counted(connection.as_mut(), 8), (MAX_SLOTS, sum - 1));
    }
}
