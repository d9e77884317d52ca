//! The kinds of records.

use serde::Serialize;
use utoipa::ToSchema;

/// The kinds of records, each with its own ids and revisions
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[schema(as = ChangedResource)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// Inventory records.
    Object,
    /// Types of objects.
    Type,
    /// Nodes of the category tree.
    Category,
    /// Users.
    User,
    /// Groups.
    Group,
    /// Settings of users.
    Setting,
    /// Saved ways to look at objects.
    View,
    /// Saved mappings of imports.
    Source,
    /// API tokens.
    Token,
    /// Tokens of sessions that were revoked before they expired. No answer shows them.
    #[serde(skip_deserializing)]
    RevokedToken,
}

impl Resource {
    /// All resources.
    pub const ALL: [Self; 10] = [
        Self::Object,
        Self::Type,
        Self::Category,
        Self::User,
        Self::Group,
        Self::Setting,
        Self::View,
        Self::Source,
        Self::Token,
        Self::RevokedToken,
    ];

    /// The resource of a name in the tables.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|resource| resource.as_str() == name)
    }

    /// Whether writes of other resources may depend on reads of this one.
    pub(crate) const fn is_depended_on(self) -> bool {
        matches!(self, Self::Type | Self::Category | Self::User | Self::Group)
    }

    /// Whether the catalog holds records of this resource.
    pub(crate) const fn is_in_catalog(self) -> bool {
        matches!(
            self,
            Self::Type | Self::Group | Self::User | Self::Token | Self::RevokedToken
        )
    }

    /// The name in the tables `sequence` and `change`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Type => "type",
            Self::Category => "category",
            Self::User => "user",
            Self::Group => "group",
            Self::Setting => "setting",
            Self::View => "view",
            Self::Source => "source",
            Self::Token => "token",
            Self::RevokedToken => "revoked-token",
        }
    }
}
