//! Which columns an export has.

use std::collections::{BTreeSet, HashSet};

use stockroom_access::Scope;
use stockroom_filter::Projection;
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Problem, Type};
use stockroom_store::{Catalog, TypeEntry};

use super::Format;
use crate::Error;
use crate::records::object::names::MEMBERS;

/// The members that a table has by default, before the fields.
const DEFAULT_MEMBERS: [&str; 2] = ["public_id", "active"];
/// Begins the name of a field that could be mistaken for a member.
const PREFIX: &str = "fields.";
/// What may begin the name of a field: all of it is a path of filters.
const PREFIXES: [&str; 2] = [PREFIX, "values."];

/// The columns of a request.
pub(super) enum Wanted {
    /// All fields.
    All,
    /// These.
    Named(Vec<String>),
    /// Those of a saved view that are still there.
    OfView(Vec<String>),
}

/// The columns of a file.
pub(super) enum Columns {
    /// Of a table.
    Table(Vec<Column>),
    /// Of documents; `None` for whole documents.
    Documents(Option<Projection>),
}

/// A column of a table.
pub(super) enum Column {
    Member(&'static str),
    Field(FieldDefinition),
}

impl Column {
    /// The name that finds the column again: of a member, or of a field.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Member(member) => (*member).to_owned(),
            Self::Field(field) => {
                let name = &field.name;
                let has_prefix = || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
                let is_ambiguous = member(name).is_some() || has_prefix();
                let prefix = if is_ambiguous { PREFIX } else { "" };
                format!("{prefix}{name}")
            }
        }
    }

    /// What people call it.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Field(field) if !field.label.is_empty() => field.label.clone(),
            _ => self.name(),
        }
    }
}

fn member(name: &str) -> Option<&'static str> {
    MEMBERS.iter().copied().find(|member| *member == name)
}

/// The name of the field that a column name means, if it means no member.
fn field_name(name: &str) -> &str {
    let mut prefixes = PREFIXES.iter();
    let rest = prefixes.find_map(|prefix| name.strip_prefix(prefix));
    rest.unwrap_or(name)
}

impl Wanted {
    pub(super) fn new(names: Option<Vec<String>>) -> Self {
        names.map_or(Self::All, Self::Named)
    }

    /// Takes the columns of a view unless the request has its own.
    pub(super) fn or_of_view(&mut self, names: Vec<String>) {
        if matches!(self, Self::All) && !names.is_empty() {
            *self = Self::OfView(names);
        }
    }

    fn names(&self) -> Option<&[String]> {
        match self {
            Self::All => None,
            Self::Named(names) | Self::OfView(names) => Some(names),
        }
    }

    /// The columns for a format. `entry` is the only type of the objects.
    pub(super) fn resolve(
        &self,
        catalog: &Catalog,
        scope: &Scope,
        format: Format,
        entry: Option<&TypeEntry>,
    ) -> Result<Columns, Error> {
        if format.is_table() {
            let entry = entry.ok_or_else(|| needs_one_type(format))?;
            return self.of_table(&entry.record).map(Columns::Table);
        }
        let Some(names) = self.names() else {
            return Ok(Columns::Documents(None));
        };
        let (mut members, mut fields) = (Vec::new(), BTreeSet::new());
        let mut unknown = Vec::new();
        for name in distinct(names) {
            if let Some(member) = member(name) {
                members.push(member);
            } else if catalog.has_field(scope, field_name(name)) {
                fields.insert(field_name(name).to_owned());
            } else {
                unknown.push(name);
            }
        }
        self.refuse(&unknown, "no field of a type whose objects you may see")?;
        let is_whole = members.is_empty() && fields.is_empty();
        let projection = Projection::of_members_and_fields(&members, fields);
        Ok(Columns::Documents(Some(projection).filter(|_| !is_whole)))
    }

    fn of_table(&self, definition: &Type) -> Result<Vec<Column>, Error> {
        let Some(names) = self.names() else {
            return Ok(all(definition));
        };
        let (mut columns, mut unknown, mut secret) = (Vec::new(), Vec::new(), Vec::new());
        for name in distinct(names) {
            match (member(name), definition.field(field_name(name))) {
                (Some(member), _) => columns.push(Column::Member(member)),
                (None, Some(field)) if field.kind.is_secret() => secret.push(name),
                (None, Some(field)) => columns.push(Column::Field(field.clone())),
                (None, None) => unknown.push(name),
            }
        }
        let title = definition.title();
        self.refuse(&unknown, &format!("no field of the type {title}"))?;
        self.refuse(&secret, "a password, which no file gets")?;
        if columns.is_empty() {
            return Ok(all(definition));
        }
        Ok(columns)
    }

    /// Refuses names of the request. A view may name what is gone.
    fn refuse(&self, names: &[&str], why: &str) -> Result<(), Error> {
        if names.is_empty() || matches!(self, Self::OfView(_)) {
            return Ok(());
        }
        let members = MEMBERS.join(", ");
        let problems = names.iter().map(|name| {
            let detail = format!("{name:?} is {why}; other columns are {members}");
            Problem::new("columns", detail)
        });
        let problems: Vec<Problem> = problems.collect();
        Err(Error::Invalid {
            detail: format!("columns: {}", problems[0].detail),
            problems,
        })
    }
}

fn needs_one_type(format: Format) -> Error {
    let extension = format.extension();
    let detail = format!(
        "{extension} needs objects of exactly one type that you may see, such as by filter={{\"type_id\": 1}}; json and ndjson take all"
    );
    Error::invalid("format", detail)
}

/// The names, without those that repeat an earlier one.
fn distinct(names: &[String]) -> impl Iterator<Item = &str> {
    let mut known = HashSet::new();
    names
        .iter()
        .map(String::as_str)
        .filter(move |name| known.insert((member(name), field_name(name))))
}

/// The default members, then the fields in the order of the sections, then the others.
fn all(definition: &Type) -> Vec<Column> {
    let sections = definition.render_meta.sections.iter();
    let sectioned = sections.flat_map(|section| &section.fields);
    let others = definition.fields().iter().map(|field| &field.name);
    let mut known = BTreeSet::new();
    let fields = sectioned
        .chain(others)
        .filter(|name| known.insert(name.as_str()))
        .filter_map(|name| definition.field(name))
        .filter(|field| !field.kind.is_secret())
        .cloned();
    let members = DEFAULT_MEMBERS.into_iter().map(Column::Member);
    members.chain(fields.map(Column::Field)).collect()
}
