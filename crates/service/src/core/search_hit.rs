//! What a search shows of a record.

use serde::Serialize;
use stockroom_model::TypeId;
use utoipa::ToSchema;

/// The most characters of a matched value, and those before the match.
const VALUE_CHARACTERS: usize = 200;
const CHARACTERS_BEFORE: usize = 60;

/// The kind of a found record
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = SearchKind)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A type.
    Type,
    /// A category.
    Category,
    /// A user.
    User,
    /// A group.
    Group,
    /// An object.
    Object,
}

/// A found record
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SearchResult)]
pub struct Hit {
    /// Its kind
    pub kind: Kind,
    /// Its id
    pub public_id: i64,
    /// The type of an object; null for other records
    #[schema(value_type = Option<i64>, required)]
    pub type_id: Option<TypeId>,
    /// The summary line of an object, else what people call the record
    pub title: String,
    /// Where the first word was found; null if the search only names types
    #[schema(required)]
    pub field: Option<Field>,
    /// At most 200 characters of the value around the match
    #[schema(required)]
    pub value: Option<String>,
}

/// A field of a record
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SearchField)]
pub struct Field {
    /// Its name
    pub name: String,
    /// What people call it
    pub label: String,
}

impl Kind {
    /// All kinds in the order of equally good results.
    pub const ALL: [Self; 5] = [
        Self::Type,
        Self::Category,
        Self::User,
        Self::Group,
        Self::Object,
    ];
}

/// The part of a text around the byte `at`.
pub(crate) fn cut(text: &str, at: usize) -> String {
    let (before, _) = text.split_at_checked(at).unwrap_or((text, ""));
    let skipped = before.chars().count().saturating_sub(CHARACTERS_BEFORE);
    text.chars().skip(skipped).take(VALUE_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_around_the_match() {
        assert_eq!(cut("short", 0), "short");
        let long = format!("{}match{}", "é".repeat(100), "x".repeat(300));
        let part = cut(&long, 200);
        assert_eq!(part.chars().count(), VALUE_CHARACTERS);
        assert!(part.starts_with(&"é".repeat(CHARACTERS_BEFORE)) && part.contains("matchxx"));
        assert_eq!(cut("é", 1), "é");
    }
}
