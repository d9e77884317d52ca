//! API tokens (`docs/guide/src/tokens.md`). The record never holds the secret, nor its digest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::id::{GroupId, TokenId, TypeId, UserId};
use crate::json::Value;
use crate::{Timestamp, name};

/// The most characters of a name.
const NAME_CHARACTERS: usize = 200;
/// The most rights of a token; there are fewer in all.
const MAX_RIGHTS: usize = 100;
/// The most types of a token.
const MAX_TYPES: usize = 1_000;
/// The most networks of a token.
const MAX_NETWORKS: usize = 100;

/// A token as it is stored, without its uses. It may do what its user may do, within its own limits
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PastToken)]
pub struct ApiToken {
    /// Its id
    #[schema(value_type = i64)]
    pub public_id: TokenId,
    /// The user that it acts for
    #[schema(value_type = i64)]
    pub user_id: UserId,
    /// Unique among the tokens of the user
    #[schema(example = "Nightly import")]
    pub name: String,
    /// The first characters of the secret, by which people recognize it
    #[schema(example = "stk_q2Yt0b")]
    pub prefix: String,
    /// Names of rights; null for all that the user holds
    #[schema(required, example = json!(["base.framework.object.view"]))]
    pub rights: Option<Vec<String>>,
    /// Ids of the types whose objects it sees; null for all that the user sees
    #[schema(value_type = Option<Vec<i64>>, required, example = json!([1, 2]))]
    pub types: Option<Vec<TypeId>>,
    /// Whether it may change nothing
    pub read_only: bool,
    /// The networks that it works from, in CIDR notation; null for all
    #[schema(required, example = json!(["192.0.2.0/24"]))]
    pub networks: Option<Vec<String>>,
    /// When it was made
    #[schema(example = "2026-01-31T12:00:00.000000")]
    pub created_at: String,
    /// When it ends; null for never
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    pub expires_at: Option<String>,
    // Stored beside the document.
    /// What it may hold at most
    #[serde(skip)]
    pub ceiling: TokenCeiling,
}

/// What the maker of a token held when it was made. It never holds more, whatever its user gains
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenCeiling {
    /// Null for a token of the command line, and of a release that did not note it
    #[schema(value_type = Option<i64>, required, example = 1)]
    pub made_by: Option<UserId>,
    /// Names of rights
    #[schema(example = json!(["base.framework.object.*"]))]
    pub rights: Vec<String>,
    /// The group of the maker: access lists must grant it what the token does. Null if they did not
    /// limit the maker, who could edit types
    #[schema(value_type = Option<i64>, required, example = 2)]
    pub group_id: Option<GroupId>,
    /// The operations that access lists denied the maker, by type
    #[schema(value_type = BTreeMap<String, Vec<String>>, example = json!({"7": ["UPDATE", "DELETE"]}))]
    pub denied: BTreeMap<TypeId, Vec<String>>,
}

impl ApiToken {
    /// When it ends. A time that cannot be read has passed.
    #[must_use]
    pub fn end(&self) -> Option<Timestamp> {
        let end = self.expires_at.as_deref()?;
        Some(Timestamp::from_text(end).unwrap_or(Timestamp(i64::MIN)))
    }
}

/// A token as a body describes it; the service adds id, user, secret and time.
#[derive(Debug, Clone)]
pub struct ApiTokenDraft {
    /// See [`ApiToken::name`].
    pub name: String,
    /// See [`ApiToken::rights`]; not yet checked against the rights that exist.
    pub rights: Option<Vec<String>>,
    /// See [`ApiToken::types`].
    pub types: Option<Vec<TypeId>>,
    /// See [`ApiToken::read_only`].
    pub read_only: bool,
    /// See [`ApiToken::networks`]; not yet checked.
    pub networks: Option<Vec<String>>,
    /// See [`ApiToken::expires_at`].
    pub expires_at: Option<Timestamp>,
}

/// What bodies and answers have.
const MEMBERS: [&str; 8] = [
    "public_id",
    "user_id",
    "name",
    "rights",
    "types",
    "read_only",
    "networks",
    "expires_at",
];

impl ApiTokenDraft {
    /// Reads a body.
    #[must_use]
    pub fn read(body: &Value, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?)
    }

    fn members(body: &Body<'_>) -> Option<Self> {
        // A misspelt limit would be none.
        body.refuse_unknown(&MEMBERS);
        if body.given("public_id").is_some() {
            body.problem("public_id", "is chosen by the service");
        }
        // Checked for its form; the service reads it.
        let _ = body.id::<UserId>("user_id");
        let name = name::read_name(body, "name", None).filter(|name| is_short(body, name));
        let rights = some_items(body, "rights", MAX_RIGHTS, "the name of a right", text);
        let types = some_items(body, "types", MAX_TYPES, "the id of a type", id);
        let read_only = body.boolean("read_only", false);
        let networks = some_items(body, "networks", MAX_NETWORKS, "a network", text);
        let expires_at = body.time("expires_at");
        Some(Self {
            name: name?,
            rights: rights?,
            types: types?,
            read_only: read_only?,
            networks: networks?,
            expires_at,
        })
    }
}

fn is_short(body: &Body<'_>, name: &str) -> bool {
    let is_short = name.chars().count() <= NAME_CHARACTERS;
    if !is_short {
        let detail = format!("is too long; the limit is {NAME_CHARACTERS} characters");
        body.problem("name", detail);
    }
    is_short
}

fn text(item: &Value) -> Option<String> {
    item.as_str().map(str::to_owned)
}

fn id(item: &Value) -> Option<TypeId> {
    crate::body::integer(item).and_then(TypeId::new)
}

/// A list, each item once; `Some(None)` without one. An empty list would allow nothing, which is
/// rather a mistake.
#[expect(
    clippy::option_option,
    reason = "the outer one tells of problems, like all readers of bodies"
)]
fn some_items<T: PartialEq>(
    body: &Body<'_>,
    key: &str,
    limit: usize,
    expected: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Option<Option<Vec<T>>> {
    if body.given(key).is_none() {
        return Some(None);
    }
    body.at_most(key, limit, "for a token")?;
    let items = body.items(key, expected, read)?;
    if items.is_empty() {
        body.problem(key, "must not be empty; leave it out for no limit");
        return None;
    }
    let mut once = Vec::with_capacity(items.len());
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    Some(Some(once))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(expires_at: Option<&str>) -> ApiToken {
        let token = json!({
            "public_id": 1, "user_id": 1, "name": "a", "prefix": "stk_", "rights": null, "types": null,
            "read_only": false, "networks": null, "created_at": "", "expires_at": expires_at,
        });
        serde_json::from_value(token).unwrap()
    }

    #[test]
    fn an_end_that_cannot_be_read_has_passed() {
        assert_eq!(token(None).end(), None);
        assert_eq!(
            token(Some("1970-01-01T00:00:01")).end(),
            Some(Timestamp(1_000_000))
        );
        assert_eq!(token(Some("soon")).end(), Some(Timestamp(i64::MIN)));
    }

    #[test]
    fn lists_keep_each_item_once() {
        let report = Report::default();
        let body = json!({"name": "a", "types": [2, 1, 2], "rights": null});
        let draft = ApiTokenDraft::read(&body, &report).unwrap();
        let types: Vec<i64> = draft.types.unwrap().into_iter().map(TypeId::get).collect();
        assert_eq!((types, draft.rights), (vec![2, 1], None));
    }
}
