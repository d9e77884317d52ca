//! Types: they define the fields, sections, external links and summaries of objects (spec, "Type").

pub mod field;
pub mod read;
pub mod render_meta;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::TypeId;
use crate::json::{Value, pointer};
pub use field::{FieldDefinition, Pattern};
pub use read::TypeDraft;
pub use render_meta::{External, RenderMeta, Section, SectionReference, Summary};

/// A type as it is stored and answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Type {
    /// Its id.
    pub public_id: TypeId,
    /// Unique, kebab case.
    pub name: String,
    /// What people read; the title-cased name by default.
    pub label: String,
    /// Who made it, as the client says.
    pub author_id: i64,
    /// Who changed it last.
    pub editor_id: Option<i64>,
    /// Inactive types refuse new objects.
    pub active: bool,
    /// Free text.
    pub version: String,
    /// Free text.
    pub description: Option<String>,
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`; survives every update.
    pub creation_time: String,
    /// The same form; `None` until the first update.
    pub last_edit_time: Option<String>,
    /// `None` is stored and answered as null.
    pub fields: Option<Vec<FieldDefinition>>,
    /// How objects are shown.
    pub render_meta: RenderMeta,
    /// Who may do what with objects, as sent: the room `access` gives it its meaning.
    pub acl: Value,
}

impl Type {
    /// The fields in their order; none when null.
    #[must_use]
    pub fn fields(&self) -> &[FieldDefinition] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FieldDefinition> {
        self.fields().iter().find(|field| field.name == name)
    }

    /// The section of that name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.render_meta
            .sections
            .iter()
            .find(|section| section.name == name)
    }

    /// When it was made; `None` if the text is no time.
    #[must_use]
    pub fn created(&self) -> Option<Timestamp> {
        Timestamp::from_text(&self.creation_time)
    }

    /// Names in sections, summary and externals that are no fields: accepted, skipped in rendering, warned about.
    #[must_use]
    pub fn unknown_names(&self) -> Vec<(String, String)> {
        let sections = self
            .render_meta
            .sections
            .iter()
            .enumerate()
            .map(|(index, section)| {
                (
                    format!("/render_meta/sections/{index}/fields"),
                    &section.fields,
                )
            });
        let externals = self
            .render_meta
            .externals
            .iter()
            .enumerate()
            .map(|(index, external)| {
                (
                    format!("/render_meta/externals/{index}/fields"),
                    &external.fields,
                )
            });
        let summary = std::iter::once((
            "/render_meta/summary/fields".to_owned(),
            &self.render_meta.summary.fields,
        ));
        let mut unknown = Vec::new();
        for (at, names) in sections.chain(externals).chain(summary) {
            for (index, name) in names.iter().enumerate() {
                if self.field(name).is_none() && name != "object_id" {
                    unknown.push((pointer(&at, index), name.clone()));
                }
            }
        }
        unknown
    }
}
