//! Users (`docs/guide/src/users.md`). The record never holds the password: see the crate `auth`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::group::Group;
use crate::id::{GroupId, UserId};
use crate::json::Value;
use crate::name;

/// The authentication provider of users created by this service.
pub const LOCAL_AUTHENTICATOR: &str = "LocalAuthenticationProvider";

/// The maximum length of a password; the minimum is 1.
pub const MAX_PASSWORD_BYTES: usize = 1_024;

/// The maximum length of an address or a name, in bytes.
const MAX_TEXT_BYTES: usize = 1_024;
/// The maximum length of an image: lists show those of all users.
const MAX_IMAGE_BYTES: usize = 128 * 1_024;

/// A user as it is stored, without its password
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PastUser)]
pub struct User {
    /// Its id
    #[schema(value_type = i64)]
    pub public_id: UserId,
    /// Unique, case-insensitive
    #[schema(min_length = 1)]
    pub user_name: String,
    /// Whether it may log in
    pub active: bool,
    /// Its group
    #[schema(value_type = i64)]
    pub group_id: GroupId,
    /// `YYYY-MM-DD HH:MM:SS.ffffff`
    pub registration_time: String,
    /// The authentication provider
    pub authenticator: String,
    /// Its address
    #[schema(required)]
    pub email: Option<String>,
    /// Free text, often a data URL
    #[schema(required)]
    pub image: Option<String>,
    /// Its first name
    #[schema(required)]
    pub first_name: Option<String>,
    /// Its last name
    #[schema(required)]
    pub last_name: Option<String>,
    /// Only of service accounts, which have no password: programs act for them with API tokens
    #[schema(required = false)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_service: bool,
}

impl User {
    /// First and last name if both are known, else the user name.
    #[must_use]
    pub fn display_name(&self) -> String {
        match (&self.first_name, &self.last_name) {
            (Some(first), Some(last)) => format!("{first} {last}"),
            _ => self.user_name.clone(),
        }
    }
}

/// A user as a body describes it.
#[derive(Debug, Clone)]
pub struct UserDraft {
    /// The requested id.
    pub public_id: Option<UserId>,
    /// See [`User::user_name`].
    pub user_name: String,
    /// See [`User::active`].
    pub active: bool,
    /// See [`User::group_id`].
    pub group_id: GroupId,
    /// As sent: plain text, or the encoded form from an earlier answer. `None` keeps the stored
    /// one.
    pub password: Option<String>,
    /// The current password, needed to change one's own.
    pub old_password: Option<String>,
    /// See [`User::email`].
    pub email: Option<String>,
    /// See [`User::image`].
    pub image: Option<String>,
    /// See [`User::first_name`].
    pub first_name: Option<String>,
    /// See [`User::last_name`].
    pub last_name: Option<String>,
    /// See [`User::is_service`].
    pub is_service: bool,
}

/// What bodies and answers have.
const MEMBERS: [&str; 13] = [
    "public_id",
    "user_name",
    "active",
    "group_id",
    "registration_time",
    "authenticator",
    "email",
    "password",
    "old_password",
    "image",
    "first_name",
    "last_name",
    "is_service",
];

impl UserDraft {
    /// Reads a body; `stored` is the user that it replaces.
    #[must_use]
    pub fn read(body: &Value, stored: Option<&User>, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, stored)
    }

    fn members(body: &Body<'_>, stored: Option<&User>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(user) = stored {
            body.must_be("public_id", user.public_id);
        }
        let public_id = body.id("public_id");
        let stored_name = stored.map(|user| user.user_name.as_str());
        let user_name = name::read_name(body, "user_name", stored_name);
        let active = body.boolean(
            "active",
            body.keep_if_absent("active", stored.map(|user| user.active), true),
        );
        let group_id = body
            .given("group_id")
            .map_or_else(|| GroupId::new(Group::USERS), |_| body.id("group_id"));
        let is_service = is_service(body, stored);
        if stored.is_none() && is_service != Some(true) {
            let _ = body.require("password");
        }
        let password = body
            .text("password")
            .filter(|password| password_is_legal(body, password));
        // An insert has no old password, so it is ignored there.
        let old_password = stored.and_then(|_| body.text("old_password"));
        let text = |key: &str, most: usize, stored: Option<&Option<String>>| {
            let text = body.text(key)?;
            // What was stored before there was a limit may stay.
            let is_stored = stored.is_some_and(|stored| stored.as_deref() == Some(text));
            if text.len() > most && !is_stored {
                body.problem(key, format!("must be at most {most} bytes long"));
            }
            Some(text.to_owned())
        };
        let email = text("email", MAX_TEXT_BYTES, stored.map(|user| &user.email));
        let image = text("image", MAX_IMAGE_BYTES, stored.map(|user| &user.image));
        let first_name = text(
            "first_name",
            MAX_TEXT_BYTES,
            stored.map(|user| &user.first_name),
        );
        let last_name = text(
            "last_name",
            MAX_TEXT_BYTES,
            stored.map(|user| &user.last_name),
        );
        Some(Self {
            public_id,
            user_name: user_name?,
            active: active?,
            group_id: group_id?,
            password: password.map(str::to_owned),
            old_password: old_password.map(str::to_owned),
            email,
            image,
            first_name,
            last_name,
            is_service: is_service?,
        })
    }

    /// Adds the values that the service sets.
    #[must_use]
    pub fn into_user(
        self,
        public_id: UserId,
        registration_time: String,
        authenticator: String,
    ) -> User {
        User {
            public_id,
            user_name: self.user_name,
            active: self.active,
            group_id: self.group_id,
            registration_time,
            authenticator,
            email: self.email,
            image: self.image,
            first_name: self.first_name,
            last_name: self.last_name,
            is_service: self.is_service,
        }
    }
}

/// Whether the body is of a service account, which never changes.
fn is_service(body: &Body<'_>, stored: Option<&User>) -> Option<bool> {
    let stored = stored.map(|user| user.is_service);
    let is_service = body.boolean("is_service", stored.unwrap_or_default())?;
    if stored.is_some_and(|stored| stored != is_service) {
        body.problem("is_service", "cannot be changed; make another user");
        return None;
    }
    Some(is_service)
}

/// The body of the password route.
#[derive(Debug, Clone)]
pub struct PasswordChange {
    /// The new password.
    pub password: String,
    /// The current password; needed when users change their own.
    pub old_password: Option<String>,
    /// Whether the API tokens of the user end, too.
    pub revoke_tokens: bool,
}

impl PasswordChange {
    /// Reads a body.
    #[must_use]
    pub fn read(body: &Value, report: &Report) -> Option<Self> {
        let body = Body::open(body, "", report)?;
        body.refuse_unknown(&["password", "old_password", "revoke_tokens"]);
        let password = body
            .required_text_or_empty("password")
            .filter(|password| password_is_legal(&body, password));
        let old_password = body.text("old_password").map(str::to_owned);
        let revoke_tokens = body.boolean("revoke_tokens", false);
        Some(Self {
            password: password?.to_owned(),
            old_password,
            revoke_tokens: revoke_tokens?,
        })
    }
}

fn password_is_legal(body: &Body<'_>, password: &str) -> bool {
    let legal = (1..=MAX_PASSWORD_BYTES).contains(&password.len());
    if !legal {
        body.problem(
            "password",
            format!("must be 1 to {MAX_PASSWORD_BYTES} bytes long"),
        );
    }
    legal
}
