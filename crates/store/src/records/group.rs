//! Groups.

use stockroom_model::{Group, GroupId, Revision, name};

use crate::Error;
use crate::records::record::{Record, Statements};
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM user_group WHERE public_id = ?1";
const SELECT_ALL: &str = "SELECT revision, doc FROM user_group ORDER BY public_id";
const SELECT_ID_BY_NAME: &str = "SELECT public_id FROM user_group WHERE name_key = ?1";
const STATEMENTS: Statements = Statements {
    resource: Resource::Group,
    document: "SELECT doc FROM user_group WHERE public_id = ?1",
    insert: "INSERT INTO user_group (public_id, revision, doc, name, name_key) VALUES (?1, ?2, ?3, ?4, ?5)",
    update: "UPDATE user_group SET revision = ?2, doc = ?3, name = ?4, name_key = ?5 WHERE public_id = ?1",
    delete: "DELETE FROM user_group WHERE public_id = ?1",
};

impl Record for Group {}

impl ReadTx<'_> {
    /// The group of that id.
    pub fn group(&mut self, id: GroupId) -> Result<Option<Stored<Group>>, Error> {
        self.one_record(SELECT_ONE, &[id.get().into()])
    }

    /// All groups by id.
    pub fn groups(&mut self) -> Result<Vec<Stored<Group>>, Error> {
        self.all_records(SELECT_ALL, &[])
    }

    /// The id of the group whose name has the same key.
    pub fn group_id_by_name(&mut self, name: &str) -> Result<Option<i64>, Error> {
        let key = name::key(name);
        self.first(SELECT_ID_BY_NAME, &[key.as_str().into()], |row| row.int(0))
    }
}

impl WriteTx<'_> {
    /// Inserts a group under a free id and a free name.
    pub fn insert_group(
        &mut self,
        revision: Revision,
        group: Group,
    ) -> Result<Stored<Group>, Error> {
        let (name, id) = (group.name.clone(), group.public_id.get());
        let key = self.free_key(SELECT_ID_BY_NAME, &name, id)?;
        self.insert_record(
            &STATEMENTS,
            id,
            revision,
            group,
            &[name.as_str().into(), key.as_str().into()],
        )
    }

    /// Replaces a group; writes nothing if it is unchanged.
    pub fn update_group(
        &mut self,
        stored: Stored<Group>,
        group: Group,
    ) -> Result<Stored<Group>, Error> {
        let (name, id) = (group.name.clone(), group.public_id.get());
        let key = self.free_key(SELECT_ID_BY_NAME, &name, id)?;
        self.update_record(
            &STATEMENTS,
            id,
            stored,
            group,
            &[name.as_str().into(), key.as_str().into()],
        )
    }

    /// Removes a group.
    pub fn delete_group(&mut self, id: GroupId, stored: Revision) -> Result<(), Error> {
        self.delete_record(&STATEMENTS, id.get(), stored)
    }
}
