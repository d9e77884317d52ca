//! Named settings of one user (`docs/guide/src/users.md`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::id::UserId;
use crate::json::{Map, Value};

/// A named setting of a user
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Setting {
    /// Unique per user
    #[schema(min_length = 1)]
    pub identifier: String,
    /// The user that it belongs to
    #[schema(value_type = i64)]
    pub user_id: UserId,
    /// Any JSON object
    pub payload: Map<String, Value>,
    /// Where it applies
    pub setting_type: SettingType,
}

/// Where a setting applies
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SettingType {
    /// The whole product.
    Global,
    /// One application on top of it.
    Application,
    /// The server.
    Server,
}

/// What bodies and answers have.
const MEMBERS: [&str; 4] = ["identifier", "user_id", "payload", "setting_type"];

impl Setting {
    /// Reads a body. `user` comes from the path, and on PUT so does `identifier`.
    #[must_use]
    pub fn read(
        body: &Value,
        user: UserId,
        identifier: Option<&str>,
        report: &Report,
    ) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, user, identifier)
    }

    fn members(body: &Body<'_>, user_id: UserId, stored: Option<&str>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        body.must_be("user_id", user_id);
        let identifier = match stored {
            None => body.required_text("identifier"),
            Some(stored) => {
                if body.text("identifier").is_some_and(|sent| sent != stored) {
                    body.problem("identifier", format!("must be {stored:?}, as in the path"));
                }
                Some(stored)
            }
        };
        let payload = body.given("payload").map_or_else(
            || Some(Map::new()),
            |_| {
                body.inside("payload")
                    .map(|inside| inside.members().clone())
            },
        );
        let setting_type = setting_type(body);
        Some(Self {
            identifier: identifier?.to_owned(),
            user_id,
            payload: payload?,
            setting_type: setting_type?,
        })
    }
}

fn setting_type(body: &Body<'_>) -> Option<SettingType> {
    match body.required_text("setting_type")? {
        "GLOBAL" => Some(SettingType::Global),
        "APPLICATION" => Some(SettingType::Application),
        "SERVER" => Some(SettingType::Server),
        other => {
            body.problem(
                "setting_type",
                format!("must be GLOBAL, APPLICATION or SERVER, not {other:?}"),
            );
            None
        }
    }
}
