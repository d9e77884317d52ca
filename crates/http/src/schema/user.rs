use utoipa::ToSchema;

/// A user to insert
#[derive(ToSchema)]
pub(crate) struct UserBody {
    /// An id that no user ever had; by default the next one
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    user_name: String,
    /// At most 1,024 bytes. Service accounts have none; for others it is required
    #[schema(required = false, min_length = 1, max_length = 1024)]
    password: Option<String>,
    /// True by default
    #[schema(required = false)]
    active: Option<bool>,
    /// 2 by default
    #[schema(required = false)]
    group_id: Option<i64>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    email: Option<String>,
    /// At most 128 KiB
    #[schema(required = false, max_length = 131_072)]
    image: Option<String>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    first_name: Option<String>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    last_name: Option<String>,
    /// Whether it is a service account, which acts by API tokens only; false by default
    #[schema(required = false)]
    is_service: Option<bool>,
}

/// A user that replaces the stored one
#[derive(ToSchema)]
pub(crate) struct UserReplacement {
    /// The id in the path
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    user_name: String,
    /// Absent, null, the encoded text of an answer, or the current password: the password stays.
    /// Any other text is a new password, which ends all sessions
    #[schema(required = false, min_length = 1, max_length = 1024)]
    password: Option<String>,
    /// The current password, required to change your own
    #[schema(required = false)]
    old_password: Option<String>,
    /// By default as stored
    #[schema(required = false)]
    active: Option<bool>,
    /// 2 by default
    #[schema(required = false)]
    group_id: Option<i64>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    email: Option<String>,
    /// At most 128 KiB
    #[schema(required = false, max_length = 131_072)]
    image: Option<String>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    first_name: Option<String>,
    /// At most 1,024 bytes
    #[schema(required = false, max_length = 1024)]
    last_name: Option<String>,
    /// As stored
    #[schema(required = false)]
    is_service: Option<bool>,
}

/// A new password
#[derive(ToSchema)]
pub(crate) struct PasswordBody {
    /// At most 1,024 bytes
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The current password, required to change your own
    #[schema(required = false)]
    old_password: Option<String>,
    /// Whether the API tokens of the user end, too; false by default
    #[schema(required = false)]
    revoke_tokens: Option<bool>,
}
