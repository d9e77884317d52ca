//! Tokens by the command line, for the operator on the machine.

use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::token::{ApiTokenDraft, TokenCeiling};
use stockroom_model::{TokenId, UserId};
use stockroom_store::{Location, ReadTx, Store, Via, WriteContext, WriteTx};

use super::{MadeToken, answer, draft, generate, make};
use crate::core::own_context::own_context;
use crate::records::group::grant::EVERYTHING;
use crate::{Error, Service};

impl Service {
    /// Makes a token for the user of that name, as `POST /rest/tokens` does.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such user; the problems of the body.
    pub async fn make_token(&self, user_name: &str, body: Value) -> Result<MadeToken, Error> {
        let new = generate(self)?;
        let (name, records) = (user_name.to_owned(), self.records().clone());
        let secret = new.token.as_str().to_owned();
        let write = self.store.write(self.by_command("make-token"), move |tx| {
            let owner = user_of(tx, &name)?;
            let report = Report::default();
            let draft = ApiTokenDraft::read(&body, &report);
            draft::check(tx, &body, owner, &report)?;
            let draft = report.finish(draft)?;
            let warnings = report.into_warnings();
            make(tx, &records, owner, draft, everything(), &new, warnings)
        });
        Ok(MadeToken {
            written: write.await?,
            token: secret,
        })
    }

    /// Revokes a token. Returns the record.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such token.
    pub async fn revoke_token(&self, id: TokenId) -> Result<Value, Error> {
        let revoke = move |tx: &mut WriteTx<'_>| {
            let found = tx.token(id)?;
            let found = found.ok_or_else(|| Error::not_found("token", id))?;
            tx.delete_token(&found.token)?;
            Ok(answer(tx.catalog(), &found))
        };
        let context = self.by_command("revoke-token");
        self.store.write(context, revoke).await
    }

    fn by_command(&self, reason: &str) -> WriteContext {
        WriteContext {
            via: Via::CommandLine,
            ..own_context(reason, self.clock.now())
        }
    }
}

/// The tokens of all users, or of the one of that name, without a running server.
///
/// # Errors
///
/// There is no database, or no such user.
pub fn tokens_in(location: &Location, user_name: Option<&str>) -> Result<Vec<Value>, Error> {
    Store::peek(location, |tx| {
        let tokens = match user_name {
            Some(name) => {
                let owner = user_of(tx, name)?;
                tx.tokens_of_user(owner)?
            }
            None => tx.tokens()?,
        };
        Ok(tokens
            .iter()
            .map(|used| answer(tx.catalog(), used))
            .collect())
    })
}

/// The operator on the machine may do everything.
fn everything() -> TokenCeiling {
    TokenCeiling {
        rights: vec![EVERYTHING.to_owned()],
        ..TokenCeiling::default()
    }
}

fn user_of(tx: &mut ReadTx<'_>, user_name: &str) -> Result<UserId, Error> {
    let id = tx.user_id_by_name(user_name)?.and_then(UserId::new);
    id.ok_or_else(|| Error::not_found("user", user_name))
}
