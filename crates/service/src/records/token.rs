//! API tokens (`docs/guide/src/tokens.md`). Users make and revoke their own; whoever manages users
//! does so for them. Who has neither made it nor manages users does not learn that a token exists.

mod command_line;
mod draft;

use serde::Serialize;
use stockroom_access::permission::{LoggedIn, UserEdit};
use stockroom_auth::api_token::{self, NewToken};
use stockroom_filter::Paths;
use stockroom_model::body::{Report, integer};
use stockroom_model::json::Value;
use stockroom_model::token::{ApiTokenDraft, TokenCeiling};
use stockroom_model::{ApiToken, Problem, RecordLimits, Timestamp, TokenId, UserId};
use stockroom_store::{Catalog, ReadTx, Resource, UsedToken, WriteTx};
use utoipa::ToSchema;

use crate::auth::names;
use crate::core::access::Access;
use crate::core::answer;
use crate::core::change::{Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::core::token_limits::TokenLimits;
use crate::records::group::grant;
use crate::{Error, Permit, Service};

pub use self::command_line::tokens_in;

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &["created_at", "expires_at", "last_used_at"],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

/// A token that was made. Not `Debug`, because it has the secret.
pub struct MadeToken {
    /// The record.
    pub written: Written,
    /// The secret, which nobody can read again.
    pub token: String,
}

/// A page of the caller's tokens, and of all others for those who manage users.
pub async fn list(permit: &Permit<LoggedIn>, request: ListRequest) -> Result<Page, Error> {
    let authorization = permit.authorization();
    let documents = permit
        .read(move |tx| {
            let access = authorization.access(tx)?;
            let tokens = if access.holds::<UserEdit>() {
                tx.tokens()?
            } else {
                tx.tokens_of_user(access.user_id)?
            };
            Ok(tokens
                .iter()
                .map(|used| answer(tx.catalog(), used))
                .collect())
        })
        .await?;
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One token.
pub async fn read_token(permit: &Permit<LoggedIn>, id: TokenId) -> Result<Document, Error> {
    let authorization = permit.authorization();
    permit
        .read(move |tx| {
            let access = authorization.access(tx)?;
            let found = stored(tx, &access, id)?;
            Ok(document(tx.catalog(), &found))
        })
        .await
}

/// Makes a token for the caller, or for another user: then the caller must hold everything that the
/// user's group holds, because who has the token can do what the user can.
pub async fn insert(permit: &Permit<LoggedIn>, body: Value) -> Result<MadeToken, Error> {
    let new = generate(permit.service())?;
    let (writer, secret) = (permit.clone(), new.token.as_str().to_owned());
    let written = permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let report = Report::default();
            let draft = ApiTokenDraft::read(&body, &report);
            // Also of a body with other problems, as they are reported together.
            let asked = body.get("user_id").and_then(integer).and_then(UserId::new);
            let owner = asked.unwrap_or(access.user_id);
            if owner != access.user_id {
                check_manages(tx, &access, owner)?;
            }
            draft::check(tx, &body, owner, &report)?;
            let draft = report.finish(draft)?;
            let warnings = writer.warn(report.into_warnings())?;
            let ceiling = access.ceiling(tx.catalog());
            let limits = writer.service().records();
            make(tx, limits, owner, draft, ceiling, &new, warnings)
        })
        .await?;
    Ok(MadeToken {
        written,
        token: secret,
    })
}

/// Removes a token. It ends at once, on every node.
pub async fn revoke(
    permit: &Permit<LoggedIn>,
    id: TokenId,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let access = writer.access(tx)?;
            let found = stored(tx, &access, id)?;
            let owner = found.token.record.user_id;
            if owner != access.user_id {
                check_manages(tx, &access, owner)?;
            }
            let subject = Subject::of(Resource::Token, id);
            precondition.check(tx, subject, found.token.revision)?;
            tx.delete_token(&found.token)?;
            Ok(Written {
                document: document(tx.catalog(), &found),
                warnings: Vec::new(),
            })
        })
        .await
}

fn generate(service: &Service) -> Result<NewToken, Error> {
    api_token::generate(service.entropy.as_ref()).map_err(Error::internal)
}

/// Inserts a token that passed the checks.
fn make(
    tx: &mut WriteTx<'_>,
    limits: &RecordLimits,
    owner: UserId,
    draft: ApiTokenDraft,
    ceiling: TokenCeiling,
    new: &NewToken,
    warnings: Vec<Problem>,
) -> Result<Written, Error> {
    let limit = limits.tokens;
    if tx.count_tokens(owner)? >= limit {
        let detail = format!("user {owner} has {limit} tokens, the limit; revoke one first");
        return Err(Error::invalid("", detail));
    }
    let id = TokenId::try_from(tx.next_id(Resource::Token)?).map_err(Error::internal)?;
    let token = ApiToken {
        public_id: id,
        user_id: owner,
        name: draft.name,
        prefix: new.shown().to_owned(),
        rights: draft.rights.map(|rights| draft::in_order(&rights)),
        types: draft.types,
        read_only: draft.read_only,
        networks: draft.networks.map(|networks| draft::canonical(&networks)),
        created_at: tx.context().now.to_iso(),
        expires_at: draft.expires_at.map(Timestamp::to_iso),
        ceiling,
    };
    let unused = UsedToken {
        token: tx.insert_token(token, &new.digest)?,
        last_used_at: None,
        last_used_from: None,
    };
    Ok(Written {
        document: document(tx.catalog(), &unused),
        warnings,
    })
}

/// Requires that the caller may act for another user.
fn check_manages(tx: &mut ReadTx<'_>, access: &Access, user: UserId) -> Result<(), Error> {
    access.check::<UserEdit>()?;
    match tx.catalog().user(user) {
        Some(user) => grant::check_holds_all_of(tx.catalog(), access, user.group_id),
        None => Ok(()),
    }
}

/// The token, if the caller may see it.
fn stored(tx: &mut ReadTx<'_>, access: &Access, id: TokenId) -> Result<UsedToken, Error> {
    let found = tx
        .token(id)?
        .filter(|found| found.token.record.user_id == access.user_id || access.holds::<UserEdit>());
    found.ok_or_else(|| Error::not_found("token", id))
}

/// A secret by which a program acts for a user, within these limits
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenAnswer {
    #[serde(flatten)]
    #[schema(value_type = ApiToken)]
    token: ApiToken,
    /// What its maker held when it was made. It never holds more, whatever its user gains
    ceiling: TokenCeiling,
    /// Names of the rights that it has now, those included that a master right implies
    #[schema(example = json!(["base.framework.object.view"]))]
    effective_rights: Vec<&'static str>,
    /// When it was used last; it may have been some minutes later. Null if it was not used yet
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_used_at: Option<String>,
    /// The address that used it last
    #[schema(required, example = "192.0.2.7")]
    last_used_from: Option<String>,
}

fn answer(catalog: &Catalog, used: &UsedToken) -> Value {
    let token = &used.token.record;
    answer::document(&TokenAnswer {
        token: token.clone(),
        ceiling: token.ceiling.clone(),
        effective_rights: effective_rights(catalog, token),
        last_used_at: used.last_used_at.map(Timestamp::to_iso),
        last_used_from: used.last_used_from.clone(),
    })
}

/// The names of the rights that a token has now.
fn effective_rights(catalog: &Catalog, token: &ApiToken) -> Vec<&'static str> {
    let owner = catalog.user(token.user_id).filter(|owner| owner.active);
    let held = owner.map(|owner| catalog.rights(owner.group_id));
    let limits = TokenLimits::new(token);
    names(&limits.rights(&held.unwrap_or_default()))
}

fn document(catalog: &Catalog, used: &UsedToken) -> Document {
    Document {
        value: answer(catalog, used),
        revision: used.token.revision,
    }
}
