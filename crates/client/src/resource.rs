//! The resources: what tells one from another.

/// A resource of the API.
#[derive(Debug)]
pub(crate) struct Resource {
    /// What a record is called.
    pub(crate) name: &'static str,
    /// The path of the list.
    pub(crate) path: &'static str,
    /// What comes behind the path of a record to read it as it is stored.
    pub(crate) stored: &'static str,
    /// The member by which people name a record.
    pub(crate) identity: Option<&'static str>,
    /// The columns of tables.
    pub(crate) columns: &'static [&'static str],
    /// Whether an insert must name its author.
    pub(crate) has_author: bool,
}

pub(crate) const OBJECT: Resource = Resource {
    name: "object",
    path: "/objects",
    stored: "/native",
    identity: None,
    columns: &["public_id", "type_id", "active", "last_edit_time"],
    has_author: true,
};

pub(crate) const TYPE: Resource = Resource {
    name: "type",
    path: "/types",
    stored: "",
    identity: Some("name"),
    columns: &["public_id", "name", "label", "active"],
    has_author: true,
};

pub(crate) const CATEGORY: Resource = Resource {
    name: "category",
    path: "/categories",
    stored: "",
    identity: Some("name"),
    columns: &["public_id", "name", "label", "parent", "types"],
    has_author: false,
};

pub(crate) const USER: Resource = Resource {
    name: "user",
    path: "/users",
    stored: "",
    identity: Some("user_name"),
    columns: &[
        "public_id",
        "user_name",
        "first_name",
        "last_name",
        "group_id",
        "active",
    ],
    has_author: false,
};

pub(crate) const GROUP: Resource = Resource {
    name: "group",
    path: "/groups",
    stored: "",
    identity: Some("name"),
    columns: &["public_id", "name", "label"],
    has_author: false,
};

pub(crate) const VIEW: Resource = Resource {
    name: "view",
    path: "/views",
    stored: "",
    identity: Some("name"),
    columns: &["public_id", "name", "type_id", "visibility", "is_default"],
    has_author: false,
};

pub(crate) const SOURCE: Resource = Resource {
    name: "source",
    path: "/sources",
    stored: "",
    identity: Some("name"),
    columns: &[
        "public_id",
        "name",
        "type_id",
        "last_import_at",
        "linked_objects",
        "missing_objects",
    ],
    has_author: false,
};

impl Resource {
    /// The path of a record.
    pub(crate) fn record(&self, id: i64) -> String {
        format!("{}/{id}", self.path)
    }
}
