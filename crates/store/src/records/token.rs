//! API tokens, with the digests of their secrets and their last uses.

use stockroom_model::{ApiToken, Revision, Timestamp, TokenId, UserId, name};

use crate::Error;
use crate::engine::driver::Row;
use crate::records::record::{Record, Statements};
use crate::records::stored::{Stored, stored};
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM api_token WHERE public_id = ?1";
const SELECT_ONE_USED: &str = "SELECT revision, doc, ceiling, last_used_at, last_used_from FROM api_token WHERE public_id = ?1";
const SELECT_ALL: &str =
    "SELECT revision, doc, ceiling, last_used_at, last_used_from FROM api_token ORDER BY public_id";
const SELECT_OF_USER: &str = "SELECT revision, doc, ceiling, last_used_at, last_used_from FROM api_token WHERE user_id = ?1 ORDER BY public_id";
const SELECT_DIGESTS: &str =
    "SELECT revision, doc, ceiling, digest FROM api_token ORDER BY public_id";
const SELECT_ID_BY_NAME: &str =
    "SELECT public_id FROM api_token WHERE user_id = ?1 AND name_key = ?2";
const COUNT_OF_USER: &str = "SELECT COUNT(*) FROM api_token WHERE user_id = ?1";
// Nodes write at different times, and only the last use counts.
const NOTE_USE: &str = "UPDATE api_token SET last_used_at = ?2, last_used_from = ?3 WHERE public_id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";
const STATEMENTS: Statements = Statements {
    resource: Resource::Token,
    document: "SELECT doc FROM api_token WHERE public_id = ?1",
    insert: "INSERT INTO api_token (public_id, revision, doc, user_id, name_key, digest, ceiling) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    // A token never changes.
    update: "UPDATE api_token SET revision = ?2, doc = ?3 WHERE public_id = ?1",
    delete: "DELETE FROM api_token WHERE public_id = ?1",
};

/// A token with its last use.
#[derive(Debug, Clone)]
pub struct UsedToken {
    /// The record.
    pub token: Stored<ApiToken>,
    /// When it was used last; up to some minutes before the truth.
    pub last_used_at: Option<Timestamp>,
    /// From which address.
    pub last_used_from: Option<String>,
}

fn used(row: &dyn Row) -> Result<UsedToken, Error> {
    Ok(UsedToken {
        token: token(row)?,
        last_used_at: row.opt_int(3)?.map(Timestamp),
        last_used_from: row.opt_text(4)?.map(str::to_owned),
    })
}

/// The record, from the first three columns.
fn token(row: &dyn Row) -> Result<Stored<ApiToken>, Error> {
    let mut token: Stored<ApiToken> = stored(row, 0)?;
    let ceiling = row.text(2)?;
    // A node of an older release, which runs beside this one for a while, writes none.
    if !ceiling.is_empty() {
        token.record.ceiling = serde_json::from_str(ceiling)?;
    }
    Ok(token)
}

impl Record for ApiToken {}

impl ReadTx<'_> {
    /// The token of that id.
    pub fn token(&mut self, id: TokenId) -> Result<Option<UsedToken>, Error> {
        self.first(SELECT_ONE_USED, &[id.get().into()], used)
    }

    /// All tokens by id.
    pub fn tokens(&mut self) -> Result<Vec<UsedToken>, Error> {
        self.all(SELECT_ALL, &[], used)
    }

    /// The tokens of a user by id.
    pub fn tokens_of_user(&mut self, user: UserId) -> Result<Vec<UsedToken>, Error> {
        self.all(SELECT_OF_USER, &[user.get().into()], used)
    }

    /// The number of tokens of a user.
    pub fn count_tokens(&mut self, user: UserId) -> Result<usize, Error> {
        let count = self.first(COUNT_OF_USER, &[user.get().into()], |row| row.int(0))?;
        Ok(usize::try_from(count.unwrap_or_default()).unwrap_or_default())
    }

    /// The id of the token of a user whose name has the same key.
    pub fn token_id_by_name(&mut self, user: UserId, name: &str) -> Result<Option<i64>, Error> {
        let key = name::key(name);
        let params = [user.get().into(), key.as_str().into()];
        self.first(SELECT_ID_BY_NAME, &params, |row| row.int(0))
    }

    /// All tokens with the digests of their secrets.
    pub(crate) fn tokens_by_digest(&mut self) -> Result<Vec<(ApiToken, String)>, Error> {
        self.all(SELECT_DIGESTS, &[], |row| {
            Ok((token(row)?.record, row.text(3)?.to_owned()))
        })
    }
}

impl WriteTx<'_> {
    /// Inserts a token, whose name is free, under a new id, with the digest of its secret.
    pub fn insert_token(
        &mut self,
        token: ApiToken,
        digest: &str,
    ) -> Result<Stored<ApiToken>, Error> {
        let id = token.public_id.get();
        let (user, key) = (token.user_id.get(), name::key(&token.name));
        let ceiling = serde_json::to_string(&token.ceiling)?;
        let columns = [
            user.into(),
            key.as_str().into(),
            digest.into(),
            ceiling.as_str().into(),
        ];
        self.insert_record(&STATEMENTS, id, Revision::FIRST, token, &columns)
    }

    /// Removes a token; its secret is then worth nothing.
    pub fn delete_token(&mut self, token: &Stored<ApiToken>) -> Result<(), Error> {
        self.delete_record(&STATEMENTS, token.record.public_id.get(), token.revision)
    }

    /// Removes all tokens of a user.
    pub fn delete_tokens(&mut self, user: UserId) -> Result<(), Error> {
        for UsedToken { token, .. } in self.tokens_of_user(user)? {
            self.delete_token(&token)?;
        }
        Ok(())
    }

    /// Stores when and from where a token was used. This is no change of the record.
    pub fn record_token_use(
        &mut self,
        id: TokenId,
        at: Timestamp,
        from: &str,
    ) -> Result<(), Error> {
        let params = [id.get().into(), at.0.into(), from.into()];
        self.run(NOTE_USE, &params).map(drop)
    }
}
