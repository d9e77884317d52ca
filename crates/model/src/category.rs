//! Categories: the tree that organises types (`docs/guide/src/categories.md`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::id::CategoryId;
use crate::json::Value;
use crate::title_case;

/// A node of the tree that organises types
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Category {
    /// Its id
    #[schema(value_type = i64)]
    pub public_id: CategoryId,
    /// Not empty; several categories may share one
    pub name: String,
    /// What people read
    pub label: String,
    /// Its icon and position
    pub meta: Meta,
    /// The id of the parent; null for a root
    #[schema(value_type = Option<i64>, required)]
    pub parent: Option<CategoryId>,
    /// Ids of types, in order
    pub types: Vec<i64>,
}

/// The icon and position of a category
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CategoryMeta)]
pub struct Meta {
    /// Name of an icon class
    pub icon: String,
    /// Position among siblings; null comes last
    #[schema(required)]
    pub order: Option<i64>,
}

/// A category as a body describes it; the store chooses the id.
#[derive(Debug, Clone)]
pub struct CategoryDraft {
    /// The requested id.
    pub public_id: Option<CategoryId>,
    /// See [`Category::name`].
    pub name: String,
    /// See [`Category::label`].
    pub label: String,
    /// See [`Category::meta`].
    pub meta: Meta,
    /// See [`Category::parent`].
    pub parent: Option<CategoryId>,
    /// See [`Category::types`].
    pub types: Vec<i64>,
}

/// What bodies and answers have.
const MEMBERS: [&str; 6] = ["public_id", "name", "label", "meta", "parent", "types"];

impl CategoryDraft {
    /// Reads a body; `stored` is the id of the category that it replaces.
    #[must_use]
    pub fn read(body: &Value, stored: Option<CategoryId>, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, stored)
    }

    fn members(body: &Body<'_>, stored: Option<CategoryId>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(id) = stored {
            body.must_be("public_id", id);
        }
        let public_id = body.id("public_id");
        let name = body.required_text("name");
        let label = body.text("label");
        let meta = body.inside("meta").map_or_else(Meta::default, |meta| {
            meta.warn_unknown(&["icon", "order"]);
            Meta {
                icon: meta.text("icon").unwrap_or_default().to_owned(),
                order: meta.integer("order"),
            }
        });
        let parent = body.id("parent");
        let types = body.integers("types");
        let name = name?.to_owned();
        let label = label.map_or_else(|| title_case(&name), str::to_owned);
        Some(Self {
            public_id,
            name,
            label,
            meta,
            parent,
            types: types?,
        })
    }

    /// The category with its final id.
    #[must_use]
    pub fn with_id(self, public_id: CategoryId) -> Category {
        Category {
            public_id,
            name: self.name,
            label: self.label,
            meta: self.meta,
            parent: self.parent,
            types: self.types,
        }
    }
}
