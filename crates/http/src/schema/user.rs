use utoipa::ToSchema;

/// Somebody who may log in
#[derive(ToSchema)]
#[expect(clippy::struct_field_names, reason = "the API names them")]
pub(crate) struct User {
    public_id: i64,
    /// Unique, whatever the case of its letters
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
    /// Encoded, changes with the password; sent back it keeps the password
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
    /// One that is free; the next one by default
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

/// A user to put in the place of the stored one
#[derive(ToSchema)]
pub(crate) struct UserReplacement {
    /// That of the path
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1)]
    user_name: String,
    /// Absent, null, encoded as in an answer, or the one in force: kept. Anything else is a new password and ends all tokens.
    #[schema(required = false, min_length = 1, max_length = 1024)]
    password: Option<String>,
    /// The one in force; needed to change one's own password
    #[schema(required = false)]
    old_password: Option<String>,
    /// As stored by default
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
    /// The one in force; needed to change one's own
    #[schema(required = false)]
    old_password: Option<String>,
}
