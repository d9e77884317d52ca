//! Views: saved ways to look at objects (`docs/guide/src/views.md`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::id::{GroupId, TypeId, UserId, ViewId};
use crate::json::{Map, Value, length};

/// The most characters of a name.
const NAME_CHARACTERS: usize = 200;
/// The most characters of a description.
const DESCRIPTION_CHARACTERS: usize = 2_000;
/// The most bytes of a definition, as JSON.
const DEFINITION_BYTES: usize = 64 * 1024;

/// A saved way to look at objects
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// Its id
    #[schema(value_type = i64)]
    pub public_id: ViewId,
    /// Not empty; several views may share one
    pub name: String,
    /// What it is for
    #[schema(required)]
    pub description: Option<String>,
    /// The type whose objects it shows; null for all types
    #[schema(value_type = Option<i64>, required)]
    pub type_id: Option<TypeId>,
    /// Who sees it beside its owner
    pub visibility: Visibility,
    /// The user who made it; null once that user is deleted
    #[schema(value_type = Option<i64>, required)]
    pub owner_id: Option<UserId>,
    /// The group that sees it; null unless `visibility` is `group`
    #[schema(value_type = Option<i64>, required)]
    pub group_id: Option<GroupId>,
    /// Whether it opens first for its type and those who see it
    pub is_default: bool,
    /// Columns, filter, sort and so on
    pub definition: Map<String, Value>,
    /// When it was made
    #[schema(example = "2026-01-31T12:00:00.000000")]
    pub creation_time: String,
    /// When it was changed last
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    pub last_edit_time: Option<String>,
}

/// Who sees a view beside its owner: nobody, a group, or everybody
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ViewVisibility)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Nobody.
    Private,
    /// A group.
    Group,
    /// Everybody.
    All,
}

impl Visibility {
    /// The word in documents and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Group => "group",
            Self::All => "all",
        }
    }

    fn read(body: &Body<'_>) -> Option<Self> {
        match body.text("visibility") {
            Some("private") | None => Some(Self::Private),
            Some("group") => Some(Self::Group),
            Some("all") => Some(Self::All),
            Some(other) => {
                let detail = format!("must be private, group or all, not {other:?}");
                body.problem("visibility", detail);
                None
            }
        }
    }
}

/// A view as a body describes it; the service knows its owner and times.
#[derive(Debug, Clone)]
pub struct ViewDraft {
    /// The requested id.
    pub public_id: Option<ViewId>,
    /// See [`View::name`].
    pub name: String,
    /// See [`View::description`].
    pub description: Option<String>,
    /// See [`View::type_id`].
    pub type_id: Option<TypeId>,
    /// See [`View::visibility`].
    pub visibility: Visibility,
    /// The requested group.
    pub group_id: Option<GroupId>,
    /// See [`View::is_default`].
    pub is_default: bool,
    /// See [`View::definition`].
    pub definition: Map<String, Value>,
}

/// What bodies and answers have.
const MEMBERS: [&str; 11] = [
    "public_id",
    "name",
    "description",
    "type_id",
    "visibility",
    "owner_id",
    "group_id",
    "is_default",
    "definition",
    "creation_time",
    "last_edit_time",
];

impl ViewDraft {
    /// Reads a body; `stored` is the id of the view that it replaces.
    #[must_use]
    pub fn read(body: &Value, stored: Option<ViewId>, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, stored)
    }

    fn members(body: &Body<'_>, stored: Option<ViewId>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(id) = stored {
            body.must_be("public_id", id);
        }
        let public_id = body.id("public_id");
        let name = body.required_text("name");
        check_length(body, "name", NAME_CHARACTERS);
        let description = body.text("description");
        check_length(body, "description", DESCRIPTION_CHARACTERS);
        let type_id = body.id("type_id");
        let visibility = Visibility::read(body);
        let group_id = body.id("group_id");
        let is_default = body.boolean("is_default", false);
        let definition = definition(body);
        Some(Self {
            public_id,
            name: name?.to_owned(),
            description: description.map(str::to_owned),
            type_id,
            visibility: visibility?,
            group_id,
            is_default: is_default?,
            definition: definition?,
        })
    }

    /// The view with its final id, its owner, its group and its times.
    #[must_use]
    pub fn into_view(
        self,
        public_id: ViewId,
        owner_id: Option<UserId>,
        group_id: Option<GroupId>,
        (creation_time, last_edit_time): (String, Option<String>),
    ) -> View {
        View {
            public_id,
            name: self.name,
            description: self.description,
            type_id: self.type_id,
            visibility: self.visibility,
            owner_id,
            group_id,
            is_default: self.is_default,
            definition: self.definition,
            creation_time,
            last_edit_time,
        }
    }
}

fn check_length(body: &Body<'_>, member: &str, limit: usize) {
    let text = body.given(member).and_then(Value::as_str);
    if text.is_some_and(|text| text.chars().count() > limit) {
        body.problem(
            member,
            format!("is too long; the limit is {limit} characters"),
        );
    }
}

fn definition(body: &Body<'_>) -> Option<Map<String, Value>> {
    if body.given("definition").is_none() {
        return Some(Map::new());
    }
    let definition = body.inside("definition")?.members();
    let bytes = length(definition);
    if bytes > DEFINITION_BYTES {
        let detail =
            format!("has {bytes} bytes as JSON; the limit is {DEFINITION_BYTES} for a view");
        body.problem("definition", detail);
        return None;
    }
    Some(definition.clone())
}
