//! Decisions by the catalog in memory.

use std::sync::Arc;

use stockroom_store::Catalog;

use crate::{Error, Service};

impl Service {
    /// Decides by the catalog in memory. Another node may have changed the data since it was
    /// loaded, so a refusal is decided again by the newest catalog.
    pub(crate) async fn decide<T>(
        &self,
        work: impl Fn(&Arc<Catalog>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let known = self.store.catalog();
        let decided = work(&known);
        if is_refused(&decided) && self.store.refresh_if_behind(&known).await {
            return work(&self.store.catalog());
        }
        decided
    }
}

const fn is_refused<T>(decided: &Result<T, Error>) -> bool {
    matches!(
        decided,
        Err(Error::Unauthenticated | Error::Forbidden(_) | Error::NotFound(_))
    )
}
