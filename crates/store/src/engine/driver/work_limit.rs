//! A limit on the work of a transaction for which others may wait.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use super::stop::StopFlag;
use super::{BatchStatement, Dialect, Driver, Param, Row};
use crate::Error;

/// A driver that begins no statement after its time.
pub(crate) struct WorkLimited<'d> {
    driver: &'d mut dyn Driver,
    limit: Option<Duration>,
    began: Instant,
    /// Of this thread, whose time is that of the embedded engine.
    used_before: Duration,
}

impl<'d> WorkLimited<'d> {
    pub(crate) fn new(driver: &'d mut dyn Driver, limit: Option<Duration>) -> Self {
        Self {
            driver,
            limit,
            began: Instant::now(),
            used_before: limit.map_or(Duration::ZERO, |_| processor_time()),
        }
    }

    fn check(&self) -> Result<(), Error> {
        match self.limit {
            Some(limit) if self.began.elapsed() > limit && self.worked() > limit => {
                Err(Error::WorkLimit(limit))
            }
            _ => Ok(()),
        }
    }

    /// Time of the processor on SQLite: a busy machine makes no write fail. PostgreSQL works in
    /// processes of its own, so it is that of the clock there.
    fn worked(&self) -> Duration {
        match self.driver.dialect() {
            Dialect::Sqlite => processor_time().saturating_sub(self.used_before),
            Dialect::Postgres => self.began.elapsed(),
        }
    }
}

fn processor_time() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

impl Driver for WorkLimited<'_> {
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        self.check()?;
        self.driver.execute(sql, params)
    }

    fn execute_many(
        &mut self,
        sql: &BatchStatement<'_>,
        params: &[Param<'_>],
    ) -> Result<u64, Error> {
        self.check()?;
        self.driver.execute_many(sql, params)
    }

    fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check()?;
        self.driver.query(sql, params, each)
    }

    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.check()?;
        self.driver.script(sql)
    }

    fn write_back(&mut self) -> Result<(), Error> {
        self.driver.write_back()
    }

    fn dialect(&self) -> Dialect {
        self.driver.dialect()
    }

    fn stop_flag(&self) -> StopFlag {
        self.driver.stop_flag()
    }

    fn must_run_again(&self) -> bool {
        self.driver.must_run_again()
    }

    fn is_sharded(&self) -> bool {
        self.driver.is_sharded()
    }

    fn ends_inline_read(&mut self) -> bool {
        self.driver.ends_inline_read()
    }

    fn connection_id(&self) -> i64 {
        self.driver.connection_id()
    }
}
