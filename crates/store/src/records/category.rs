//! Categories.

use stockroom_model::{Category, CategoryId, Revision};

use crate::Error;
use crate::records::record::{Record, Statements};
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM category WHERE public_id = ?1";
const SELECT_ALL: &str = "SELECT revision, doc FROM category ORDER BY public_id";
const STATEMENTS: Statements = Statements {
    resource: Resource::Category,
    document: "SELECT doc FROM category WHERE public_id = ?1",
    insert: "INSERT INTO category (public_id, revision, doc) VALUES (?1, ?2, ?3)",
    update: "UPDATE category SET revision = ?2, doc = ?3 WHERE public_id = ?1",
    delete: "DELETE FROM category WHERE public_id = ?1",
};

impl Record for Category {}

impl ReadTx<'_> {
    /// The category of that id.
    pub fn category(&mut self, id: CategoryId) -> Result<Option<Stored<Category>>, Error> {
        self.one_record(SELECT_ONE, &[id.get().into()])
    }

    /// All categories by id.
    pub fn categories(&mut self) -> Result<Vec<Stored<Category>>, Error> {
        self.all_records(SELECT_ALL, &[])
    }
}

impl WriteTx<'_> {
    /// Inserts a category under a free id.
    pub fn insert_category(
        &mut self,
        revision: Revision,
        category: Category,
    ) -> Result<Stored<Category>, Error> {
        self.insert_record(
            &STATEMENTS,
            category.public_id.get(),
            revision,
            category,
            &[],
        )
    }

    /// Replaces a category; writes nothing if it is unchanged.
    pub fn update_category(
        &mut self,
        stored: Stored<Category>,
        category: Category,
    ) -> Result<Stored<Category>, Error> {
        self.update_record(&STATEMENTS, category.public_id.get(), stored, category, &[])
    }

    /// Removes a category.
    pub fn delete_category(&mut self, id: CategoryId, stored: Revision) -> Result<(), Error> {
        self.delete_record(&STATEMENTS, id.get(), stored)
    }
}
