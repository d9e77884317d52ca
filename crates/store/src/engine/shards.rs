//! Distributes the tables over the servers of a Citus cluster. Statements do not depend on it.
//!
//! Tables that grow with the objects are sharded by object id, so that all rows of an object are on
//! one server; what must be unique among all objects is sharded by itself. Small collections are
//! copied to every server. Counters, sequences and login data stay in ordinary tables on the
//! coordinator, the server that nodes connect to.

use crate::Error;
use crate::engine::driver::{Dialect, Driver};
use crate::engine::table::{Home, TABLES, Table};

const FIND_EXTENSION: &str = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
/// The sharded table with which the others are colocated; the first of them in the list.
const FIRST: &str = "object";
/// Functions that statements call on any server.
const FUNCTIONS: [&str; 2] = ["rarray(bigint[])", "rarray_of_bytes(bytea[])"];

/// Distributes the tables that are not distributed yet, with all their rows; does nothing without
/// Citus.
///
/// # Errors
///
/// The engine refused it, for example because a server of the cluster is unavailable.
pub(crate) fn distribute(driver: &mut dyn Driver) -> Result<(), Error> {
    if driver.dialect() != Dialect::Postgres || !is_there(driver, FIND_EXTENSION)? {
        return Ok(());
    }
    // A transaction that distributes several tables may use only one connection to each server.
    driver.script("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")?;
    for function in FUNCTIONS {
        driver.script(&format!("SELECT create_distributed_function('{function}')"))?;
    }
    for table in TABLES {
        if let Some(statement) = statement(table)
            && !is_there(driver, &find_home(table))?
        {
            tracing::info!(table = table.name, "distributing a table");
            driver.script(&statement)?;
        }
    }
    Ok(())
}

fn is_there(driver: &mut dyn Driver, sql: &str) -> Result<bool, Error> {
    let mut is_there = false;
    driver.query(sql, &[], &mut |_| {
        is_there = true;
        Ok(())
    })?;
    Ok(is_there)
}

fn find_home(table: &Table) -> String {
    format!(
        "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = CAST('{}' AS REGCLASS)",
        table.name
    )
}

fn statement(table: &Table) -> Option<String> {
    let name = table.name;
    match table.home {
        Home::Object(column) => {
            let beside = if name == FIRST { "none" } else { FIRST };
            Some(format!(
                "SELECT create_distributed_table('{name}', '{column}', colocate_with => '{beside}')"
            ))
        }
        Home::Value(column) => Some(format!(
            "SELECT create_distributed_table('{name}', '{column}', colocate_with => 'none')"
        )),
        Home::Everywhere => Some(format!("SELECT create_reference_table('{name}')")),
        Home::Coordinator => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::object::tests::test_database::TestDatabase;

    const UNIQUE_WITHOUT: &str = "SELECT CAST(CAST(indexrelid AS REGCLASS) AS TEXT) FROM pg_index \
        WHERE indisunique AND indrelid = CAST(CAST(?1 AS TEXT) AS REGCLASS) AND NOT EXISTS \
        (SELECT 1 FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey) AND attname = CAST(?2 AS TEXT))";

    /// A server can enforce uniqueness only among its own rows.
    #[test]
    fn whatever_is_unique_in_a_sharded_table_names_the_object_on_postgres() {
        let database = TestDatabase::postgres();
        database.open().close();
        let mut connection = database.connection();
        for table in TABLES {
            let Home::Object(column) = table.home else {
                continue;
            };
            let mut unique = Vec::new();
            let params = [table.name.into(), column.into()];
            let asked = connection.query(UNIQUE_WITHOUT, &params, &mut |row| {
                unique.push(row.text(0)?.to_owned());
                Ok(())
            });
            asked.unwrap();
            assert!(
                unique.is_empty(),
                "{} cannot be sharded: {unique:?}",
                table.name
            );
        }
    }
}
