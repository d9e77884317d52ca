//! The 62 rights: fixed, read-only, each with a security level (`docs/guide/src/rights.md`).

mod tree;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use tree::tree;

use Level::{Danger, NotSet, Permission, Protected, Secure};

/// A named permission that groups hold
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Right {
    /// One of the security levels
    #[schema(value_type = i64)]
    pub level: Level,
    /// Dotted name; a master ends with `.*`
    pub name: &'static str,
    /// The last two segments of the name
    pub label: &'static str,
    /// One line of description
    pub description: &'static str,
    /// Whether it includes all rights below its prefix
    pub is_master: bool,
}

/// All rights, in the order in which answers list a group's rights.
#[must_use]
pub fn all() -> &'static [Right] {
    &TABLE
}

/// The right of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Right> {
    all().iter().find(|right| right.name == name)
}

/// The security levels by name, most dangerous first: `{"CRITICAL": 100, …, "NOTSET": 0}`.
#[must_use]
pub fn levels() -> Map<String, Value> {
    Level::ALL
        .into_iter()
        .map(|level| (level.name().to_owned(), level.value().into()))
        .collect()
}

/// A security level; the API answers its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// 0
    NotSet,
    /// 10
    Permission,
    /// 30
    Protected,
    /// 50
    Secure,
    /// 80
    Danger,
    /// 100
    Critical,
}

impl Level {
    const ALL: [Self; 6] = [
        Self::Critical,
        Self::Danger,
        Self::Secure,
        Self::Protected,
        Self::Permission,
        Self::NotSet,
    ];

    /// The name in [`levels`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotSet => "NOTSET",
            Self::Permission => "PERMISSION",
            Self::Protected => "PROTECTED",
            Self::Secure => "SECURE",
            Self::Danger => "DANGER",
            Self::Critical => "CRITICAL",
        }
    }

    /// The number in answers.
    #[must_use]
    pub const fn value(self) -> u8 {
        match self {
            Self::NotSet => 0,
            Self::Permission => 10,
            Self::Protected => 30,
            Self::Secure => 50,
            Self::Danger => 80,
            Self::Critical => 100,
        }
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.value())
    }
}

/// A right's index in [`all`], which proves that the right exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RightId(u8);

impl RightId {
    /// The right of that name; in constants, an unknown name can fail the build.
    pub(crate) const fn named(name: &str) -> Option<Self> {
        let mut index = 0;
        let mut rest: &[Right] = &TABLE;
        while let [right, others @ ..] = rest {
            if same(right.name.as_bytes(), name.as_bytes()) {
                return Some(Self(index));
            }
            index += 1;
            rest = others;
        }
        None
    }

    /// Every right, in table order.
    pub(crate) fn every() -> impl Iterator<Item = Self> {
        (0..).zip(all()).map(|(index, _)| Self(index))
    }

    /// The name of the right.
    pub(crate) const fn name(self) -> &'static str {
        self.right().name
    }

    /// The right itself.
    pub(crate) const fn right(self) -> &'static Right {
        &TABLE[self.0 as usize]
    }

    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// Byte-wise equality, because `==` on slices cannot be used in constants.
const fn same(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        if *a != *b {
            return false;
        }
        left = left_rest;
        right = right_rest;
    }
    left.is_empty() && right.is_empty()
}

const fn right(level: Level, name: &'static str, description: &'static str) -> Right {
    Right {
        level,
        name,
        label: last_two_segments(name),
        description,
        is_master: matches!(name.as_bytes(), [.., b'.', b'*']),
    }
}

const fn last_two_segments(name: &'static str) -> &'static str {
    let mut end = name.as_bytes();
    let mut dots = 0;
    while let [rest @ .., last] = end {
        if *last == b'.' {
            dots += 1;
        }
        if dots == 2 {
            return name.split_at(end.len()).1;
        }
        end = rest;
    }
    name
}

#[rustfmt::skip]
static TABLE: [Right; 62] = [
    right(NotSet, "base.*", "Base application right"),
    right(Secure, "base.system.*", "System and settings"),
    right(Secure, "base.system.view", "View system configurations and settings"),
    right(Secure, "base.system.edit", "Edit system configurations and settings"),
    right(Secure, "base.system.reload", "Reload system configurations"),
    right(Permission, "base.framework.*", "Manage the core framework"),
    right(Permission, "base.framework.object.*", "Manage objects from framework"),
    right(Permission, "base.framework.object.view", "View objects"),
    right(Permission, "base.framework.object.add", "Add objects"),
    right(Protected, "base.framework.object.edit", "Edit objects"),
    right(Secure, "base.framework.object.delete", "Delete objects"),
    right(Secure, "base.framework.object.activation", "Activate/Deactivate objects"),
    right(Secure, "base.framework.type.*", "Manage types from framework"),
    right(Protected, "base.framework.type.view", "View types"),
    right(Protected, "base.framework.type.add", "Add types"),
    right(Secure, "base.framework.type.edit", "Edit types"),
    right(Secure, "base.framework.type.delete", "Delete types"),
    right(Secure, "base.framework.type.activation", "Activate/Deactivate types"),
    right(Secure, "base.framework.type.clean", "Clean type fields"),
    right(Protected, "base.framework.category.*", "Manage categories from framework"),
    right(Protected, "base.framework.category.view", "View category"),
    right(Protected, "base.framework.category.add", "Add category"),
    right(Protected, "base.framework.category.edit", "Edit category"),
    right(Secure, "base.framework.category.delete", "Delete category"),
    right(Protected, "base.framework.log.*", "Manage framework logs"),
    right(Protected, "base.framework.log.view", "View logs"),
    right(Secure, "base.framework.log.reload", "Reload logs"),
    right(Danger, "base.framework.log.delete", "Delete logs"),
    right(Secure, "base.export.*", "Manage exports"),
    right(Secure, "base.export.object.*", "Manage object exports"),
    right(Secure, "base.export.type.*", "Manage type exports"),
    right(Secure, "base.import.*", "Manage imports"),
    right(Secure, "base.import.object.*", "Manage object imports"),
    right(Secure, "base.import.type.*", "Manage type imports"),
    right(Secure, "base.user-management.*", "UserModel management"),
    right(Secure, "base.user-management.user.*", "Manage users"),
    right(Secure, "base.user-management.user.view", "View user"),
    right(Secure, "base.user-management.user.add", "Add user"),
    right(Secure, "base.user-management.user.edit", "Edit user"),
    right(Secure, "base.user-management.user.delete", "Delete user"),
    right(Secure, "base.user-management.group.*", "Manage groups"),
    right(Secure, "base.user-management.group.view", "View group"),
    right(Danger, "base.user-management.group.add", "Add group"),
    right(Danger, "base.user-management.group.edit", "Edit group"),
    right(Secure, "base.user-management.group.delete", "Delete group"),
    right(Secure, "base.exportd.*", "Manage exportd"),
    right(Secure, "base.exportd.job.*", "Manage jobs"),
    right(Secure, "base.exportd.job.view", "View job"),
    right(Secure, "base.exportd.job.add", "Add job"),
    right(Secure, "base.exportd.job.edit", "Edit job"),
    right(Secure, "base.exportd.job.delete", "Delete job"),
    right(Secure, "base.exportd.job.run", "Run job manual"),
    right(Protected, "base.exportd.log.*", "Manage exportd logs"),
    right(Protected, "base.exportd.log.view", "View exportd logs"),
    right(Secure, "base.exportd.log.reload", "Reload exportd logs"),
    right(Danger, "base.exportd.log.delete", "Delete exportd logs"),
    right(Secure, "base.docapi.*", "Manage DocAPI"),
    right(Secure, "base.docapi.template.*", "Manage DocAPI templates"),
    right(Secure, "base.docapi.template.view", "View template"),
    right(Secure, "base.docapi.template.add", "Add template"),
    right(Secure, "base.docapi.template.edit", "Edit template"),
    right(Secure, "base.docapi.template.delete", "Delete template"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn is_answered_in_the_published_form() {
        for (name, expected) in [
            (
                "base.*",
                r#"{"level":0,"name":"base.*","label":"base.*","description":"Base application right","is_master":true}"#,
            ),
            (
                "base.framework.object.edit",
                r#"{"level":30,"name":"base.framework.object.edit","label":"object.edit","description":"Edit objects","is_master":false}"#,
            ),
            (
                "base.user-management.group.*",
                r#"{"level":50,"name":"base.user-management.group.*","label":"group.*","description":"Manage groups","is_master":true}"#,
            ),
        ] {
            let right = find(name).unwrap();
            assert_eq!(serde_json::to_string(right).unwrap(), expected);
        }
    }

    #[test]
    fn names_are_unique_and_every_one_has_its_master() {
        let names: BTreeSet<_> = all().iter().map(|right| right.name).collect();
        assert_eq!(names.len(), all().len());
        for name in &names {
            let parent = name.trim_end_matches(".*").rsplit_once('.');
            let master = parent.map_or("base.*".to_owned(), |(prefix, _)| format!("{prefix}.*"));
            assert!(names.contains(master.as_str()), "{name} without {master}");
        }
    }

    #[test]
    fn ids_lead_back_to_their_rights() {
        for right in all() {
            assert_eq!(RightId::named(right.name).unwrap().right(), right);
            assert_eq!(find(right.name), Some(right));
        }
        assert!(RightId::every().map(RightId::right).eq(all()));
        for unknown in ["", "base", "base.framework.object", "base.*x", "BASE.*"] {
            assert_eq!(RightId::named(unknown), None, "{unknown}");
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn levels_stand_in_the_published_order() {
        assert_eq!(
            serde_json::to_string(&levels()).unwrap(),
            r#"{"CRITICAL":100,"DANGER":80,"SECURE":50,"PROTECTED":30,"PERMISSION":10,"NOTSET":0}"#
        );
        assert_eq!(
            json!(find("base.framework.log.delete").unwrap().level),
            json!(80)
        );
    }
}
