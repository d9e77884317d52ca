//! What an open transaction needs: other contexts and catalogs, and a record of its changes.

use stockroom_model::ObjectId;

use super::{Action, Change, ReadTx, WriteContext, WriteTx};
use crate::Error;
use crate::records::catalog::Catalog;
use crate::resource::Resource;
use crate::transaction::changes::{Changes, RecordChange};

impl WriteTx<'_> {
    /// The changes so far, if they are recorded: in an open transaction.
    #[must_use]
    pub fn changes(&self) -> Option<&Changes> {
        self.commit.changes.as_ref()
    }

    /// Records the changes from now on.
    pub(crate) fn record_changes(&mut self) {
        self.commit.changes = Some(Changes::default());
    }

    pub(super) fn record_change(&mut self, change: &Change<'_>, action: Action) {
        let Some(changes) = &mut self.commit.changes else {
            return;
        };
        changes.add(RecordChange {
            resource: change.resource,
            id: change.id,
            name: (change.resource == Resource::Setting).then(|| change.name.to_owned()),
            action,
        });
        if (change.resource, action) == (Resource::Object, Action::Delete) {
            changes.deleted_objects.extend(ObjectId::new(change.id));
        }
    }

    /// How many changes to the catalog were made so far.
    pub(crate) fn catalog_changes(&self) -> usize {
        self.commit.catalog_changes
    }

    /// `catalog` with the changes of this transaction.
    pub(crate) fn reloaded_catalog(&mut self, catalog: &Catalog) -> Result<Catalog, Error> {
        catalog.reloaded(self.read.driver, &self.commit.touched)
    }

    /// Whether the transaction cannot be committed, but another attempt may be.
    pub(crate) fn must_run_again(&self) -> bool {
        self.commit.must_be_exclusive() || self.read.driver.must_run_again()
    }

    /// Runs `work` with another catalog.
    pub(crate) fn with_catalog<T>(
        &mut self,
        catalog: &Catalog,
        work: impl FnOnce(&mut WriteTx<'_>) -> T,
    ) -> T {
        work(&mut WriteTx {
            read: ReadTx::with(&mut *self.read.driver, catalog, self.read.view),
            context: self.context,
            commit: &mut *self.commit,
        })
    }

    /// Runs `work` with another context, at the time of the transaction: whoever looks at an earlier
    /// time sees all of its writes or none.
    pub(crate) fn with_context<T>(
        &mut self,
        context: &WriteContext,
        work: impl FnOnce(&mut WriteTx<'_>) -> T,
    ) -> T {
        let context = WriteContext {
            now: self.context.now,
            ..context.clone()
        };
        work(&mut WriteTx {
            read: ReadTx::with(&mut *self.read.driver, self.read.catalog, self.read.view),
            context: &context,
            commit: &mut *self.commit,
        })
    }
}
