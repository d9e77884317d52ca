//! Versions of the parts of the catalog, by which nodes detect changes of other nodes.

use crate::Error;
use crate::driver::{Driver, Row};
use crate::resource::Resource;

pub(crate) const SELECT_VERSIONS: &str = "SELECT resource, version FROM catalog_version";
// As times, versions differ from those of changes that were lost with a server.
const RAISE_VERSION: &str = "INSERT INTO catalog_version (resource, version) VALUES (?1, ?2) ON CONFLICT (resource) DO UPDATE SET version = \
     CASE WHEN excluded.version > catalog_version.version THEN excluded.version ELSE catalog_version.version + 1 END";

/// When each part of the catalog was last changed, in microseconds; each change has a later time
/// than the one before. In the order of [`Resource::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Versions([i64; Resource::ALL.len()]);

impl Versions {
    pub(crate) fn read(driver: &mut dyn Driver) -> Result<Self, Error> {
        let mut versions = Self::default();
        driver.query(SELECT_VERSIONS, &[], &mut |row| versions.add(row))?;
        Ok(versions)
    }

    /// Adds a row of [`SELECT_VERSIONS`].
    pub(crate) fn add(&mut self, row: &dyn Row) -> Result<(), Error> {
        let name = row.text(0)?;
        let mut parts = Resource::ALL.iter().zip(&mut self.0);
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

    /// The version of a resource.
    pub(crate) fn of(&self, resource: Resource) -> i64 {
        let mut versions = Resource::ALL.iter().zip(self.0);
        let version = versions.find(|(known, _)| **known == resource);
        version.map_or(0, |(_, version)| version)
    }

    /// The resources whose versions differ.
    pub(crate) fn changed(&self, other: &Self) -> Vec<Resource> {
        let versions = self.0.iter().zip(&other.0);
        let parts = Resource::ALL.into_iter().zip(versions);
        parts
            .filter(|(_, (own, other))| own != other)
            .map(|(resource, _)| resource)
            .collect()
    }

    /// Whether these versions are of a later commit than `other`. Commits that change the catalog
    /// are serialized, so no part is older.
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        self.0.iter().sum::<i64>() > other.0.iter().sum::<i64>()
    }
}
