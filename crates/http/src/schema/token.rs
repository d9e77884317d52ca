use std::collections::BTreeMap;

use utoipa::ToSchema;

/// A secret by which a program acts for a user, within these limits
#[derive(ToSchema)]
pub(crate) struct Token {
    public_id: i64,
    /// The user that it acts for
    user_id: i64,
    /// Unique among the tokens of the user
    #[schema(example = "Nightly import")]
    name: String,
    /// The first characters of the secret
    #[schema(example = "stk_q2Yt0b")]
    prefix: String,
    /// Names of rights; null for all that the user holds
    #[schema(required, example = json!(["base.framework.object.view"]))]
    rights: Option<Vec<String>>,
    /// Ids of the types whose objects it sees; null for all that the user sees
    #[schema(required, example = json!([1, 2]))]
    types: Option<Vec<i64>>,
    /// Whether it may change nothing
    read_only: bool,
    /// The networks that it works from; null for all
    #[schema(required, example = json!(["192.0.2.0/24"]))]
    networks: Option<Vec<String>>,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    created_at: String,
    /// When it ends; null for never
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    expires_at: Option<String>,
    /// What its maker held when it was made. It never holds more, whatever its user gains
    ceiling: TokenCeiling,
    /// Names of the rights that it has now, those included that a master right implies
    #[schema(example = json!(["base.framework.object.view"]))]
    effective_rights: Vec<String>,
    /// When it was used last; it may have been some minutes later. Null if it was not used yet
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_used_at: Option<String>,
    /// The address that used it last
    #[schema(required, example = "192.0.2.7")]
    last_used_from: Option<String>,
}

/// What the maker of a token held when it was made
#[derive(ToSchema)]
pub(crate) struct TokenCeiling {
    /// Null for a token of the command line, and of a release that did not note it
    #[schema(required, example = 1)]
    made_by: Option<i64>,
    /// Names of rights
    #[schema(example = json!(["base.framework.object.*"]))]
    rights: Vec<String>,
    /// The group of the maker: access lists must grant it what the token does. Null if they did not
    /// limit the maker, who could edit types
    #[schema(required, example = 2)]
    group_id: Option<i64>,
    /// The operations that access lists denied the maker, by type
    #[schema(example = json!({"7": ["UPDATE", "DELETE"]}))]
    denied: BTreeMap<String, Vec<String>>,
}

/// A token as it was, without its uses
#[derive(ToSchema)]
pub(crate) struct PastToken {
    public_id: i64,
    user_id: i64,
    name: String,
    prefix: String,
    #[schema(required)]
    rights: Option<Vec<String>>,
    #[schema(required)]
    types: Option<Vec<i64>>,
    read_only: bool,
    #[schema(required)]
    networks: Option<Vec<String>>,
    created_at: String,
    #[schema(required)]
    expires_at: Option<String>,
}

/// A token to make. By default a user has at most 100
#[derive(ToSchema)]
pub(crate) struct TokenBody {
    /// By default that of the caller
    #[schema(required = false)]
    user_id: Option<i64>,
    /// No other token of the user has it
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Names of rights. By default all that the user holds
    #[schema(required = false, min_items = 1, max_items = 100)]
    rights: Option<Vec<String>>,
    /// Ids of types. By default all whose objects the user sees
    #[schema(required = false, min_items = 1, max_items = 1000)]
    types: Option<Vec<i64>>,
    /// False by default
    #[schema(required = false)]
    read_only: Option<bool>,
    /// Addresses, or networks in CIDR notation. By default all
    #[schema(required = false, min_items = 1, max_items = 100, example = json!(["192.0.2.0/24"]))]
    networks: Option<Vec<String>>,
    /// A time in the future. By default the token does not end
    #[schema(required = false, example = "2099-12-31")]
    expires_at: Option<String>,
}
