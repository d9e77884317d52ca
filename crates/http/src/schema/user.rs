use utoipa::ToSchema;

/// An account that can log in
#[derive(ToSchema)]
#[expect(clippy::struct_field_names, reason = "the API names them")]
pub(crate) struct User {
    public_id: i64,
    /// Unique, case-insensitive
    #[schema(min_length = 1)]
    user_name: String,
    active: bool,
    group_id: i64,
    /// `YYYY-MM-DD HH:MM:SS.ffffff`
    registration_time: String,
    /// The authentication provider
    authenticator: String,
    #[schema(required)]
    email: Option<String>,
    /// An encoded text that changes with the password; a body that repeats it keeps the password
    password: String,
    #[schema(required)]
    image: Option<String>,
    #[schema(required)]
    first_name: Option<String>,
    #[schema(required)]
    last_name: Option<String>,
}

/// A user to insert
#[derive(ToSchema)]
pub(crate) struct UserBody {
    /// A free id; by default the next one
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    user_name: String,
    /// At most 1,024 bytes
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// True by default
    #[schema(required = false)]
    active: Option<bool>,
    /// 2 by default
    #[schema(required = false)]
    group_id: Option<i64>,
    #[schema(required = false)]
    email: Option<String>,
    #[schema(required = false)]
    image: Option<String>,
    #[schema(required = false)]
    first_name: Option<String>,
    #[schema(required = false)]
    last_name: Option<String>,
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
    /// Any other text is a new password, which ends all tokens
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
    #[schema(required = false)]
    email: Option<String>,
    #[schema(required = false)]
    image: Option<String>,
    #[schema(required = false)]
    first_name: Option<String>,
    #[schema(required = false)]
    last_name: Option<String>,
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
}
