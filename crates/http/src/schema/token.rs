use utoipa::ToSchema;

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
