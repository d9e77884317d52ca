//! A database that was moved from another PostgreSQL server, as by `pg_dump`. Its changes are in the
//! order of the transaction ids of that server. Where those here are lower, new changes would stand
//! before old ones, and readers of the feed would miss them.

use crate::Error;
use crate::engine::driver::Driver;
use crate::engine::driver::postgres::Postgres;

const BEGIN: &str = "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '30s'; \
     LOCK TABLE catalog_version IN EXCLUSIVE MODE";
const SELECT_NEWEST: &str = "SELECT MAX(transaction_id) FROM change";
const SELECT_NEXT: &str =
    "SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)";
const FORGET_ORDER: &str = "UPDATE change SET transaction_id = 0";
// The feed tells databases apart by it.
const RENAME_FEED: &str = "UPDATE schema_migration SET applied_at = ?1 WHERE version = 6";

/// Puts changes with transaction ids of another server before all others, in their order, as those
/// of a copy are. Cursors of readers then belong to another database.
pub(crate) fn adopt(postgres: &mut Postgres, now_micros: i64) -> Result<(), Error> {
    if !has_foreign_order(postgres)? {
        return Ok(());
    }
    tracing::warn!(
        "the database was moved from another server: its changes are put in order, and cursors of the change feed are refused from now on"
    );
    postgres.script(BEGIN)?;
    // Another node may have been faster.
    let adopted = match has_foreign_order(postgres) {
        Ok(true) => forget_order(postgres, now_micros),
        other => other.map(drop),
    };
    match adopted {
        Ok(()) => postgres.script("COMMIT"),
        Err(error) => {
            postgres.script("ROLLBACK")?;
            Err(error)
        }
    }
}

fn forget_order(postgres: &mut Postgres, now_micros: i64) -> Result<(), Error> {
    postgres.execute(FORGET_ORDER, &[])?;
    postgres.execute(RENAME_FEED, &[now_micros.into()])?;
    Ok(())
}

/// The newest change is read first: all that is committed then has ids below the next one.
fn has_foreign_order(postgres: &mut Postgres) -> Result<bool, Error> {
    let mut number = |sql| {
        let mut number = None;
        postgres.query(sql, &[], &mut |row| {
            number = row.opt_int(0)?;
            Ok(())
        })?;
        Ok::<_, Error>(number)
    };
    let newest = number(SELECT_NEWEST)?;
    Ok(newest >= number(SELECT_NEXT)?)
}
