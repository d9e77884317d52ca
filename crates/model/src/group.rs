//! Groups of users; they hold the rights (`docs/guide/src/users.md`).

use serde::{Deserialize, Serialize};

use crate::body::{Body, Report};
use crate::id::GroupId;
use crate::json::Value;
use crate::{name, title_case};

/// A group as it is stored; answers show its rights as Right objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its id.
    pub public_id: GroupId,
    /// Unique by its [`key`](crate::name::key).
    pub name: String,
    /// The label that people read; by default the title-cased name.
    pub label: String,
    /// Names of rights, as granted.
    pub rights: Vec<String>,
}

impl Group {
    /// The group `admin`: it exists from the first start and cannot be deleted.
    pub const ADMINISTRATORS: i64 = 1;
    /// The group `user`, the default group of new users; it cannot be deleted either.
    pub const USERS: i64 = 2;

    /// Whether the group cannot be deleted (`docs/guide/src/users.md`).
    #[must_use]
    pub const fn is_protected(id: GroupId) -> bool {
        matches!(id.get(), Self::ADMINISTRATORS | Self::USERS)
    }
}

/// A group as a body describes it.
#[derive(Debug, Clone)]
pub struct GroupDraft {
    /// The requested id.
    pub public_id: Option<GroupId>,
    /// See [`Group::name`].
    pub name: String,
    /// See [`Group::label`].
    pub label: String,
    /// Names of rights, not yet checked against the rights that exist.
    pub rights: Vec<String>,
}

/// What bodies and answers have.
const MEMBERS: [&str; 4] = ["public_id", "name", "label", "rights"];

impl GroupDraft {
    /// Reads a body; `stored` is the group that it replaces. Rights are names or Right objects.
    #[must_use]
    pub fn read(body: &Value, stored: Option<&Group>, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, stored)
    }

    fn members(body: &Body<'_>, stored: Option<&Group>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(group) = stored {
            body.must_be("public_id", group.public_id);
        }
        let public_id = body.id("public_id");
        let name = name::read_name(body, "name", stored.map(|group| group.name.as_str()));
        let label = body.text("label");
        let rights = body.items("rights", "the name of a right or a Right object", |item| {
            right_name(item).map(str::to_owned)
        });
        let name = name?;
        let label = label.map_or_else(|| title_case(&name), str::to_owned);
        Some(Self {
            public_id,
            name,
            label,
            rights: rights?,
        })
    }

    /// The group with its final id.
    #[must_use]
    pub fn with_id(self, public_id: GroupId) -> Group {
        Group {
            public_id,
            name: self.name,
            label: self.label,
            rights: self.rights,
        }
    }
}

/// The name in an item of `rights`, which is a name or a Right object.
#[must_use]
pub fn right_name(item: &Value) -> Option<&str> {
    item.as_object()
        .map_or(Some(item), |right| right.get("name"))?
        .as_str()
}
