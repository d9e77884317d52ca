//! Which of the nodes that share a database are alive. Others leave their jobs and imports to them,
//! however long one transaction takes. The times are those of the server, so the clocks of the
//! nodes do not matter.

use std::time::Duration;

use stockroom_model::Timestamp;

use crate::Error;
use crate::engine::driver::{Dialect, Driver, Param};
use crate::transaction::ReadTx;

/// How long after its last sign of life a node keeps its jobs and imports.
pub const LEASE: Duration = Duration::from_secs(12);
/// How often a node gives a sign of life.
pub(crate) const INTERVAL: Duration = Duration::from_secs(3);

const BEAT: &str = "INSERT INTO node_heartbeat (node, alive_until) VALUES (?1, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + ?2) \
     ON CONFLICT (node) DO UPDATE SET alive_until = excluded.alive_until";
const FORGET_DEAD: &str = "DELETE FROM node_heartbeat WHERE alive_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) - ?1";
const SELECT_ALIVE: &str =
    "SELECT COUNT(*) FROM node_heartbeat WHERE node = ?1 AND alive_until > ?2";
const SELECT_TIME: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// When a lease ends that is given now.
#[must_use]
pub fn end_of_lease(now: Timestamp) -> Timestamp {
    let lease = i64::try_from(LEASE.as_micros()).unwrap_or(i64::MAX);
    Timestamp(now.0.saturating_add(lease))
}

/// Gives a sign of life, in a transaction of its own.
pub(crate) fn beat(driver: &mut dyn Driver, node: &str) -> Result<(), Error> {
    let lease = i64::try_from(LEASE.as_micros()).unwrap_or(i64::MAX);
    driver.execute(BEAT, &[node.into(), lease.into()])?;
    driver.execute(FORGET_DEAD, &[lease.into()]).map(drop)
}

impl ReadTx<'_> {
    /// Whether another node has left work on which it had a lease: it gives no signs of life, and
    /// the lease has ended by the clock of this node. A lease that ends later than any should was
    /// given by a clock that was wrong.
    pub fn has_left(
        &mut self,
        node: &str,
        lease_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, Error> {
        if lease_until > now && lease_until <= end_of_lease(now) {
            return Ok(false);
        }
        let params = [node.into(), self.server_time()?.into()];
        let alive = self.first(SELECT_ALIVE, &params, |row| row.int(0))?;
        Ok(alive.unwrap_or_default() == 0)
    }

    /// The parameters of a statement that looks for work that other nodes have left, or that is
    /// of `node`.
    pub(crate) fn due_params<'p>(
        &mut self,
        node: &'p str,
        now: Timestamp,
    ) -> Result<[Param<'p>; 4], Error> {
        let latest = end_of_lease(now);
        Ok([
            node.into(),
            now.0.into(),
            latest.0.into(),
            self.server_time()?.into(),
        ])
    }

    /// The time of the server in microseconds; after all others on an embedded database.
    fn server_time(&mut self) -> Result<i64, Error> {
        match self.dialect() {
            Dialect::Sqlite => Ok(i64::MAX),
            Dialect::Postgres => {
                let time = self.first(SELECT_TIME, &[], |row| row.int(0))?;
                Ok(time.unwrap_or_default())
            }
        }
    }
}
