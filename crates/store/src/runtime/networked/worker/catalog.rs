//! Keeps the catalog in memory in line with the database.

use std::sync::Arc;
use std::time::Instant;

use super::super::watch::Cause;
use super::Worker;
use crate::Error;
use crate::engine::disk::REWRITE_ANY;
use crate::engine::driver::Driver as _;
use crate::engine::driver::postgres::{FIRST_PAUSE, Postgres};
use crate::engine::driver::versions::{SELECT_VERSIONS, Versions};
use crate::engine::migrate::check_schema;
use crate::records::catalog::Catalog;
use crate::records::heartbeat;

impl Worker {
    /// Loads the changes of other nodes to the catalog.
    pub(in crate::runtime::networked) fn refresh(&mut self, cause: Cause) -> Result<(), Error> {
        let mut postgres = self.connect(Instant::now() + FIRST_PAUSE)?;
        let refreshed = self.look(&mut postgres, cause);
        if cause == Cause::Interval && self.disk.is_full() && refreshed.is_ok() {
            self.probe(&mut postgres);
        }
        // If the look failed, the connection may be at fault; the next look opens another one.
        if refreshed.is_ok() {
            self.connection = Some(postgres);
            self.finish();
        }
        refreshed
    }

    /// Gives a sign of life of this node, unless it may no longer write.
    pub(in crate::runtime::networked) fn beat(&mut self, node: &str) -> Result<(), Error> {
        if check_schema(&self.catalog.load().versions).is_err() || self.disk.is_full() {
            return Ok(());
        }
        let mut postgres = self.connect(Instant::now() + FIRST_PAUSE)?;
        let beaten = heartbeat::beat(postgres.as_mut(), node);
        if beaten.is_ok() {
            self.connection = Some(postgres);
        }
        beaten
    }

    /// Probes whether the server's disk has room again.
    fn probe(&self, postgres: &mut Postgres) {
        if postgres.execute(REWRITE_ANY, &[]).is_ok() {
            self.disk.record_written();
        } else {
            postgres.take_fault();
        }
    }

    /// Loads the changes of other nodes. If the database lacks the catalog in memory at two
    /// intervals in a row, a failed server took that commit with it, and the catalog is replaced.
    fn look(&mut self, postgres: &mut Postgres, cause: Cause) -> Result<(), Error> {
        let known = self.catalog.load_full();
        let suspect_versions = match cause {
            Cause::Interval => self.suspect_versions.take(),
            Cause::Requests => None,
        };
        if postgres.begin(&[], SELECT_VERSIONS)? == known.versions {
            return Ok(());
        }
        // Loading the changes needs a snapshot.
        self.is_reading = true;
        let versions = postgres.begin_snapshot()?;
        let found = Self::load(postgres, &known, &versions)?;
        if suspect_versions == Some(known.versions) {
            tracing::warn!("the database lost changes that it had confirmed");
            self.catalog.compare_and_swap(&known, found);
            return Ok(());
        }
        self.publish(&found);
        if cause == Cause::Interval && self.catalog.load().versions == known.versions {
            self.suspect_versions = Some(known.versions);
        }
        Ok(())
    }

    /// The catalog of a snapshot.
    pub(super) fn catalog_of(
        &self,
        postgres: &mut Postgres,
        versions: &Versions,
    ) -> Result<Arc<Catalog>, Error> {
        let known = self.catalog.load_full();
        if known.versions == *versions {
            return Ok(known);
        }
        let catalog = Self::load(postgres, &known, versions)?;
        self.publish(&catalog);
        Ok(catalog)
    }

    /// Loads the catalog of a snapshot with other versions than the known one.
    fn load(
        postgres: &mut Postgres,
        known: &Catalog,
        versions: &Versions,
    ) -> Result<Arc<Catalog>, Error> {
        let changed = known.versions.changed(versions);
        known.reloaded(postgres, &changed).map(Arc::new)
    }

    pub(super) fn publish(&self, catalog: &Arc<Catalog>) {
        if !catalog
            .versions
            .has_same_schema(&self.catalog.load().versions)
            && let Err(error) = check_schema(&catalog.versions)
        {
            tracing::error!(%error, "this node only reads from now on");
        }
        self.catalog.rcu(|now| {
            if catalog.versions.is_after(&now.versions) {
                Arc::clone(catalog)
            } else {
                Arc::clone(now)
            }
        });
    }
}
