//! Versions of the parts of the catalog, by which nodes detect changes of other nodes.

use super::{Driver, Row};
use crate::Error;

use crate::resource::Resource;

pub(crate) const SELECT_VERSIONS: &str = "SELECT resource, version FROM catalog_version";
/// The row of the newest migration: each read on PostgreSQL asks for the versions, and the journal
/// would make that half as dear again.
const SCHEMA: &str = "schema";
const FORGET: &str = "DELETE FROM catalog_version";
const SET_SCHEMA: &str = "INSERT INTO catalog_version (resource, version) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET version = excluded.version \
     WHERE catalog_version.version <> excluded.version";
// As times, versions differ from those of changes that were lost with a server.
const RAISE_VERSION: &str = "INSERT INTO catalog_version (resource, version) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET version = \
     CASE WHEN excluded.version > catalog_version.version THEN excluded.version ELSE catalog_version.version + 1 END";

/// The versions of the catalog, and of the schema that it was loaded from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Versions {
    /// When each part of the catalog was last changed, in microseconds; each change has a later
    /// time than the one before. In the order of [`Resource::ALL`].
    parts: [i64; Resource::ALL.len()],
    /// The newest migration.
    schema: i64,
}

impl Versions {
    /// The only table that has rows in a store without records.
    pub(crate) const TABLE: &str = "catalog_version";

    pub(crate) fn read(driver: &mut dyn Driver) -> Result<Self, Error> {
        let mut versions = Self::default();
        driver.query(SELECT_VERSIONS, &[], &mut |row| versions.add(row))?;
        Ok(versions)
    }

    /// Adds a row of [`SELECT_VERSIONS`].
    pub(crate) fn add(&mut self, row: &dyn Row) -> Result<(), Error> {
        let name = row.text(0)?;
        if name == SCHEMA {
            self.schema = row.int(1)?;
        }
        let mut parts = Resource::ALL.iter().zip(&mut self.parts);
        // A newer release may have more parts.
        if let Some((_, version)) = parts.find(|(resource, _)| resource.as_str() == name) {
            *version = row.int(1)?;
        }
        Ok(())
    }

    /// Raises the versions of the `touched` resources that are in the catalog.
    pub(crate) fn raise(
        driver: &mut dyn Driver,
        touched: &[Resource],
        now_micros: i64,
    ) -> Result<(), Error> {
        for resource in touched.iter().filter(|resource| resource.is_in_catalog()) {
            let params = [resource.as_str().into(), now_micros.into()];
            driver.execute(RAISE_VERSION, &params)?;
        }
        Ok(())
    }

    /// Notes the newest migration of the database.
    pub(crate) fn set_schema(driver: &mut dyn Driver, migration: i64) -> Result<(), Error> {
        driver.execute(SET_SCHEMA, &[SCHEMA.into(), migration.into()])?;
        Ok(())
    }

    /// Forgets all versions of a store without records: those of another one take their place.
    pub(crate) fn forget(driver: &mut dyn Driver) -> Result<(), Error> {
        driver.execute(FORGET, &[])?;
        Ok(())
    }

    /// The newest migration of the database.
    pub(crate) const fn schema(&self) -> i64 {
        self.schema
    }

    /// Whether the tables have the same migrations.
    pub(crate) const fn has_same_schema(&self, other: &Self) -> bool {
        self.schema == other.schema
    }

    /// The version of a resource.
    pub(crate) fn of(&self, resource: Resource) -> i64 {
        let mut versions = Resource::ALL.iter().zip(self.parts);
        let version = versions.find(|(known, _)| **known == resource);
        version.map_or(0, |(_, version)| version)
    }

    /// The resources whose versions differ.
    pub(crate) fn changed(&self, other: &Self) -> Vec<Resource> {
        let versions = self.parts.iter().zip(&other.parts);
        let parts = Resource::ALL.into_iter().zip(versions);
        parts
            .filter(|(_, (own, other))| own != other)
            .map(|(resource, _)| resource)
            .collect()
    }

    /// Whether these versions are of a later commit than `other`. Commits that change the catalog,
    /// and migrations, are serialized, so no part is older.
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        let sum = |versions: &Self| versions.parts.iter().sum::<i64>() + versions.schema;
        sum(self) > sum(other)
    }
}
