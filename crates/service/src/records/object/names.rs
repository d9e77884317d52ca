//! Resolves `values.<name>` in the parameters of a list to a field, and `fields.<name>` if a type
//! that the caller sees has a field of that name.

use std::collections::BTreeSet;

use stockroom_access::Scope;
use stockroom_filter::{Projection, SortPath};
use stockroom_model::Problem;
use stockroom_store::{Catalog, ObjectQuery};

/// The members of an object besides its fields.
pub(crate) const MEMBERS: [&str; 10] = [
    "public_id",
    "type_id",
    "active",
    "status",
    "version",
    "author_id",
    "editor_id",
    "creation_time",
    "last_edit_time",
    "views",
];

/// Bounds the number of unknown names that an answer lists.
const MAX_WARNINGS: usize = 16;

/// The field names in the parameters of a list.
pub(crate) struct Names {
    filter: BTreeSet<String>,
    /// What a reader may take for the name of a field, with the parameter.
    mistakable: Vec<(&'static str, String)>,
    /// The members in filter and sort that objects do not have, with the parameter.
    unknown: Vec<(&'static str, String)>,
    projection: BTreeSet<String>,
    sort: Option<String>,
}

impl Names {
    /// The names in a query and in the projection of its native documents.
    pub(crate) fn of(query: &ObjectQuery, projection: Option<&Projection>) -> Self {
        let of_filter = query.filter.members_beside(is_member).into_iter();
        let of_sort = match &query.sort.path {
            // A sign before it was doubted already.
            SortPath::Path(path) => path
                .member()
                .filter(|name| !is_member(name.trim_start_matches(['-', '+']))),
            SortPath::Field(_) | SortPath::Missing => None,
        };
        let unknown = of_filter.map(|name| ("filter", name));
        let mistakable = query.filter.mistakable_fields().into_iter();
        let mistakable = mistakable.map(|name| ("filter", name));
        let shown = projection.map(Projection::mistakable_fields);
        let shown = shown.into_iter().flatten().map(|name| ("projection", name));
        Self {
            filter: query.filter.named_fields(),
            mistakable: mistakable.chain(shown).collect(),
            unknown: unknown
                .chain(of_sort.map(|name| ("sort", name.to_owned())))
                .collect(),
            projection: projection.map(Projection::named_fields).unwrap_or_default(),
            sort: match &query.sort.path {
                SortPath::Field(name) => Some(name.clone()),
                SortPath::Path(_) | SortPath::Missing => None,
            },
        }
    }

    /// The query with its names resolved; `None` if nothing changes.
    pub(crate) fn query(
        &self,
        query: &ObjectQuery,
        catalog: &Catalog,
        scope: &Scope,
    ) -> Option<ObjectQuery> {
        if self.filter.is_empty() {
            return None;
        }
        let filter = query
            .filter
            .with_fields(|name| catalog.has_field(scope, name));
        Some(ObjectQuery {
            filter,
            ..query.clone()
        })
    }

    /// The projection with its names resolved; `None` if nothing changes.
    pub(crate) fn projection(
        &self,
        projection: Option<&Projection>,
        catalog: &Catalog,
        scope: &Scope,
    ) -> Option<Projection> {
        let projection = projection.filter(|_| !self.projection.is_empty())?;
        Some(projection.with_fields(|name| catalog.has_field(scope, name)))
    }

    /// Warns about names that no type has: they are probably mistakes.
    pub(crate) fn warnings(&self, catalog: &Catalog, scope: &Scope) -> Vec<Problem> {
        let filter = self.filter.iter().map(|name| ("filter", name));
        let projection = self.projection.iter().map(|name| ("projection", name));
        let sort = self.sort.iter().map(|name| ("sort", name));
        let fields = filter
            .chain(projection)
            .chain(sort)
            .filter(|(_, name)| !catalog.has_field(scope, name))
            .map(|(parameter, name)| {
                let detail = format!("no type whose objects you may see has a field {name}");
                Problem::new(parameter, detail)
            });
        let members = self.unknown.iter().map(|(parameter, name)| {
            let detail = format!(
                "{name}: objects have no such member, unless a client stored one; fields are at fields.<name>"
            );
            Problem::new(*parameter, detail)
        });
        let mistakable = self.mistakable.iter();
        let mistakable = mistakable
            .filter(|(_, name)| catalog.has_field(scope, name))
            .map(|(parameter, name)| {
                let detail = format!(
                    "fields.{name} leads into the list of fields; the value of the field {name} \
                     is at values.{name}"
                );
                Problem::new(*parameter, detail)
            });
        let warnings = members.chain(fields).chain(mistakable);
        warnings.take(MAX_WARNINGS).collect()
    }
}

/// Whether objects have a member of this name. Clients may have stored others.
fn is_member(name: &str) -> bool {
    name == "fields" || MEMBERS.contains(&name)
}
