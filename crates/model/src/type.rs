//! Types: they define the fields, sections, external links and summaries of objects
//! (`docs/guide/src/types.md`).

pub mod field;
mod fields;
mod parts;
mod patterns;
pub mod read;
pub mod rename;
pub mod render_meta;
pub mod unique;
mod warnings;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::{ObjectId, TypeId};
use crate::json::Value;
use crate::kind::reference_target;
pub use field::FieldDefinition;
pub use fields::Fields;
pub use read::TypeDraft;
pub use rename::Rename;
pub use render_meta::{External, RenderMeta, Section, SectionReference, Summary};
pub use unique::UniqueRule;

/// Where lines and links list field names, this name means the id of the object.
pub const OBJECT_ID: &str = "object_id";

/// A type as it is stored and answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Type {
    /// Its id.
    pub public_id: TypeId,
    /// Unique, kebab case.
    pub name: String,
    /// The label that people read; by default the title-cased name.
    pub label: String,
    /// The author's user id, as the client sent it.
    pub author_id: i64,
    /// The user who changed it last.
    pub editor_id: Option<i64>,
    /// Inactive types refuse new objects.
    pub active: bool,
    /// Free text.
    pub version: String,
    /// Free text.
    pub description: Option<String>,
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`; updates keep it.
    pub creation_time: String,
    /// In the same form; `None` until the first update.
    pub last_edit_time: Option<String>,
    /// `None` is stored and answered as null.
    pub fields: Option<Fields>,
    /// Sets of fields whose values together no two of its objects may share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<Vec<String>>,
    /// How its objects are shown.
    pub render_meta: RenderMeta,
    /// The access list of its objects, as sent; the crate `access` interprets it.
    pub acl: Value,
}

impl Type {
    /// The fields in their order; empty if `fields` is null.
    #[must_use]
    pub fn fields(&self) -> &[FieldDefinition] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FieldDefinition> {
        self.fields.as_ref()?.find(name)
    }

    /// The index of the field of that name.
    #[must_use]
    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields.as_ref()?.index_of(name)
    }

    /// The object that a value of the field of that name refers to.
    #[must_use]
    pub fn target(&self, field: &str, value: &Value) -> Option<ObjectId> {
        let target = reference_target(value)?;
        self.field(field)?.kind.is_reference().then_some(target)
    }

    /// Whether a field of its objects can refer to another object.
    #[must_use]
    pub fn has_references(&self) -> bool {
        let mut fields = self.fields().iter();
        fields.any(|field| field.kind.is_reference())
    }

    /// Compiles the regular expressions of its fields, so that no value has to wait.
    pub fn compile(&self) {
        for pattern in self
            .fields()
            .iter()
            .filter_map(|field| field.regex.as_ref())
        {
            pattern.compile();
        }
    }

    /// How messages name it: its label for people, its id for programs.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{:?} ({})", self.label, self.public_id)
    }

    /// The section of that name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.render_meta
            .sections
            .iter()
            .find(|section| section.name == name)
    }

    /// When it was created; `None` if `creation_time` cannot be read.
    #[must_use]
    pub fn created(&self) -> Option<Timestamp> {
        Timestamp::from_text(&self.creation_time)
    }
}
