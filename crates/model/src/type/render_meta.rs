//! How objects of a type are shown: sections, external links, summary.

use serde::{Deserialize, Serialize};

/// `render_meta` of a type; other keys than these are refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderMeta {
    /// Name of an icon class.
    pub icon: Option<String>,
    /// Groups of fields, in the order in which they are shown.
    pub sections: Vec<Section>,
    /// Links to other systems.
    pub externals: Vec<External>,
    /// The summary line of an object.
    pub summary: Summary,
}

/// The keys that `render_meta` may have.
pub const RENDER_META_KEYS: [&str; 4] = ["icon", "sections", "externals", "summary"];

/// A group of fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// `section`, `ref-section` or any other word.
    #[serde(rename = "type")]
    pub kind: String,
    /// Unique by convention.
    pub name: String,
    /// The label that people read.
    pub label: String,
    /// What a reference section shows of the referenced object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<SectionReference>,
    /// Names of fields.
    pub fields: Vec<String>,
}

impl Section {
    /// Whether it shows a section of a referenced object.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        self.kind == "ref-section"
    }

    /// The name of the reference field of a reference section.
    #[must_use]
    pub fn link_name(&self) -> String {
        format!("{}-field", self.name)
    }
}

/// The part of a referenced object that a reference section shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionReference {
    /// The type of the referenced objects.
    pub type_id: i64,
    /// The section of that type.
    pub section_name: String,
    /// Names of fields of that section; empty means all.
    #[serde(default)]
    pub selected_fields: Vec<String>,
}

/// A link to another system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct External {
    /// Unique by convention.
    pub name: String,
    /// The address; curly brackets are placeholders for values of fields.
    pub href: String,
    /// The label that people read.
    pub label: String,
    /// Name of an icon class.
    pub icon: String,
    /// Names of the fields that fill the placeholders, in their order.
    pub fields: Vec<String>,
}

/// The summary line of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Names of fields.
    pub fields: Vec<String>,
}
