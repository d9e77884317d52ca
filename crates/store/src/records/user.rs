//! Users, their password hashes and their revoked tokens.

use stockroom_model::{GroupId, Revision, User, UserId, name};

use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::records::account::{Account, Credentials};
use crate::records::record::{Record, Statements};
use crate::records::stored::{Stored, stored};
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

const SELECT_ONE: &str =
    "SELECT revision, doc, password_hash, token_generation FROM user_account WHERE public_id = ?1";
const SELECT_ALL: &str =
    "SELECT revision, doc, password_hash, token_generation FROM user_account ORDER BY public_id";
const SELECT_BY_GROUP: &str = "SELECT revision, doc, password_hash, token_generation FROM user_account WHERE group_id = ?1 ORDER BY public_id";
const SELECT_ID_BY_NAME: &str = "SELECT public_id FROM user_account WHERE name_key = ?1";
const INSERT_REVOKED: &str =
    "INSERT INTO revoked_token (jti, expires_at) VALUES (?1, ?2) ON CONFLICT (jti) DO NOTHING";
const SELECT_REVOKED: &str = "SELECT jti FROM revoked_token";
const STATEMENTS: Statements = Statements {
    resource: Resource::User,
    document: "SELECT doc FROM user_account WHERE public_id = ?1",
    insert: "INSERT INTO user_account (public_id, revision, doc, name_key, group_id, password_hash, token_generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    update: "UPDATE user_account SET revision = ?2, doc = ?3, name_key = ?4, group_id = ?5, password_hash = ?6, token_generation = ?7 WHERE public_id = ?1",
    delete: "DELETE FROM user_account WHERE public_id = ?1",
};

/// The values of the columns beside the record.
fn columns<'a>(name_key: &'a str, group: GroupId, credentials: &'a Credentials) -> [Param<'a>; 4] {
    [
        name_key.into(),
        group.get().into(),
        credentials.password_hash.as_str().into(),
        credentials.token_generation.into(),
    ]
}

fn account(row: &dyn Row) -> Result<Account, Error> {
    let Stored { record, revision } = stored(row, 0)?;
    let credentials = Credentials {
        password_hash: row.text(2)?.to_owned(),
        token_generation: row.int(3)?,
    };
    Ok(Account {
        user: record,
        revision,
        credentials,
    })
}

impl Record for User {}

impl ReadTx<'_> {
    /// The user of that id.
    pub fn account(&mut self, id: UserId) -> Result<Option<Account>, Error> {
        self.first(SELECT_ONE, &[id.get().into()], account)
    }

    /// All users by id.
    pub fn accounts(&mut self) -> Result<Vec<Account>, Error> {
        self.all(SELECT_ALL, &[], account)
    }

    /// The users of a group by id.
    pub fn accounts_of_group(&mut self, group: GroupId) -> Result<Vec<Account>, Error> {
        self.all(SELECT_BY_GROUP, &[group.get().into()], account)
    }

    /// The id of the user whose name has the same key.
    pub fn user_id_by_name(&mut self, user_name: &str) -> Result<Option<i64>, Error> {
        self.first(
            SELECT_ID_BY_NAME,
            &[name::key(user_name).as_str().into()],
            |row| row.int(0),
        )
    }

    pub(crate) fn revoked_tokens(&mut self) -> Result<Vec<String>, Error> {
        self.all(SELECT_REVOKED, &[], |row| Ok(row.text(0)?.to_owned()))
    }
}

impl WriteTx<'_> {
    /// Inserts a user under a free id and a free name.
    pub fn insert_user(
        &mut self,
        revision: Revision,
        user: User,
        credentials: Credentials,
    ) -> Result<Account, Error> {
        let id = user.public_id.get();
        let name_key = self.free_key(SELECT_ID_BY_NAME, &user.user_name, id)?;
        let columns = columns(&name_key, user.group_id, &credentials);
        let stored = self.insert_record(&STATEMENTS, id, revision, user, &columns)?;
        Ok(Account {
            user: stored.record,
            revision,
            credentials,
        })
    }

    /// Replaces a user and its credentials; writes nothing if both are unchanged.
    pub fn update_user(
        &mut self,
        stored: Account,
        user: User,
        credentials: Credentials,
    ) -> Result<Account, Error> {
        if credentials == stored.credentials && user.is_same(&stored.user)? {
            return Ok(stored);
        }
        let id = user.public_id.get();
        let name_key = self.free_key(SELECT_ID_BY_NAME, &user.user_name, id)?;
        let columns = columns(&name_key, user.group_id, &credentials);
        let written = self.replace_record(&STATEMENTS, id, stored.revision, user, &columns)?;
        Ok(Account {
            user: written.record,
            revision: written.revision,
            credentials,
        })
    }

    /// Removes a user with its settings, API tokens, login networks and sessions.
    pub fn delete_user(&mut self, id: UserId, stored: Revision) -> Result<(), Error> {
        for setting in self.settings(id)? {
            self.delete_setting(&setting)?;
        }
        self.delete_tokens(id)?;
        self.delete_login_networks(id)?;
        self.delete_login_sessions(id)?;
        self.delete_idempotency_keys(id)?;
        self.delete_own_change_usage(id)?;
        self.delete_record(&STATEMENTS, id.get(), stored)
    }

    /// Revokes a token. Returns false if it was already revoked.
    pub fn revoke_token(&mut self, jti: &str, expires_at: i64) -> Result<bool, Error> {
        let inserted = self.run(INSERT_REVOKED, &[jti.into(), expires_at.into()])?;
        self.touch(Resource::RevokedToken)?;
        Ok(inserted == 1)
    }
}
