//! Where the columns of a body go.

use std::collections::HashSet;

use stockroom_model::TypeId;
use stockroom_model::body::Body;
use stockroom_model::json::Value;
use stockroom_model::kind::DateOrder;
use stockroom_model::object::listed;
use stockroom_model::r#type::FieldDefinition;

use super::reader::Reader;
use super::{ACTIVE, By, Other, PUBLIC_ID, Target};

/// The most fields that tell an object together.
const MOST_FIELDS: usize = 10;

impl Reader<'_> {
    /// Where a column goes: to a field, and maybe its texts to another one.
    pub(super) fn targets(
        &self,
        columns: &Body<'_>,
        column: &str,
        target: &Value,
    ) -> impl Iterator<Item = Target> {
        let (target, otherwise) = self.target(columns, column, target).unzip();
        target.into_iter().chain(otherwise.flatten())
    }

    fn target(
        &self,
        columns: &Body<'_>,
        column: &str,
        target: &Value,
    ) -> Option<(Target, Option<Target>)> {
        let (name, options) = match target {
            Value::String(name) => (name.as_str(), None),
            Value::Object(_) => {
                let options = columns.inside(column)?;
                (options.required_text("field")?, Some(options))
            }
            _ => {
                columns.problem(
                    column,
                    "must be the name of a field, an object with it, or null for nowhere",
                );
                return None;
            }
        };
        let Some(field) = self.entry.record.field(name) else {
            return match name {
                PUBLIC_ID => Some((Target::PublicId, None)),
                ACTIVE => Some((Target::Active, None)),
                _ => {
                    let fields = self.entry.record.fields().iter();
                    let known = listed(fields.map(|field| field.name.as_str()));
                    let detail = format!(
                        "{name:?} is no field of the type {}; the fields are {known}",
                        self.entry.record.title()
                    );
                    columns.problem(column, detail);
                    None
                }
            };
        };
        if field.kind.is_secret() {
            columns.problem(column, "goes to a password, which no file may hold");
            return None;
        }
        let by = match &options {
            Some(options) if options.given("by").is_some() => {
                Some(self.by(options, column, field)?)
            }
            _ => None,
        };
        let otherwise = options.as_ref().and_then(|options| self.otherwise(options));
        let dates = options.as_ref().and_then(|options| dates(options, field));
        let name = name.to_owned();
        Some((Target::Field { name, by, dates }, otherwise))
    }

    /// Where the text of a reference goes if it names no object.
    fn otherwise(&self, options: &Body<'_>) -> Option<Target> {
        options.given("else")?;
        let name = options.text("else")?;
        if options.given("by").is_none() {
            options.problem("else", "goes with `by`: an id is no text to keep");
            return None;
        }
        let field = self.entry.record.field(name);
        let takes_texts =
            |field: &FieldDefinition| field.kind.holds_texts() && !field.kind.is_secret();
        if field.is_none_or(|field| !takes_texts(field)) {
            let title = self.entry.record.title();
            options.problem("else", format!("{name:?} is no field of {title} for texts"));
            return None;
        }
        Some(Target::Otherwise {
            name: name.to_owned(),
        })
    }

    /// How a reference names its object.
    fn by(&self, options: &Body<'_>, column: &str, field: &FieldDefinition) -> Option<By> {
        if !field.kind.is_reference() {
            options.problem("by", format!("{} is no reference", field.title()));
            return None;
        }
        let (by, others) = match options.given("by") {
            Some(Value::Object(_)) => self.by_columns(options, column)?,
            _ => (options.text("by")?.to_owned(), Vec::new()),
        };
        let mut types = match options.given("types") {
            Some(_) => options.integers("types")?,
            None => field.ref_types.clone(),
        };
        let mut seen = HashSet::new();
        types.retain(|id| seen.insert(*id));
        let existing = self.catalog.types().count();
        if types.len() > existing {
            let detail = format!("names {} types, but there are {existing}", types.len());
            options.problem("types", detail);
            return None;
        }
        if types.is_empty() {
            let detail = format!("{} takes objects of any type: name them", field.title());
            options.problem("types", detail);
            return None;
        }
        let by = By {
            types,
            field: by,
            others,
        };
        let has_fields = |id: &i64| {
            let entry = TypeId::new(*id).and_then(|id| self.catalog.type_entry(id));
            entry.is_some_and(|entry| {
                let mut fields = by.fields().map(|name| entry.record.field(name));
                fields.all(|field| field.is_some_and(|field| !field.kind.is_secret()))
            })
        };
        if !by.types.iter().any(has_fields) {
            let names: Vec<String> = by.fields().map(|name| format!("{name:?}")).collect();
            let (title, names) = (field.title(), names.join(" and "));
            options.problem(
                "by",
                format!("no type that {title} takes has a field {names}"),
            );
            return None;
        }
        Some(by)
    }

    /// The fields that tell an object together: that of the column itself, and others with the
    /// columns that have their values.
    fn by_columns(&self, options: &Body<'_>, column: &str) -> Option<(String, Vec<Other>)> {
        let by = options.inside("by")?;
        let (mut own, mut others) = (None, Vec::new());
        for (field, from) in by.members() {
            let index = from.as_str().and_then(|from| self.column(from));
            let Some(index) = index else {
                by.problem(
                    field,
                    format!("must name a column of the file; {}", self.known()),
                );
                return None;
            };
            if from == column {
                own.get_or_insert(field.clone());
            } else {
                others.push(Other {
                    field: field.clone(),
                    column: index,
                });
            }
        }
        if own.is_none() || others.len() + 1 < by.members().len() {
            let detail = format!("must have one field for the column {column:?} itself");
            options.problem("by", detail);
        }
        if others.len() >= MOST_FIELDS {
            options.problem("by", format!("names more than {MOST_FIELDS} fields"));
        }
        Some((own?, others))
    }
}

/// How the dates of a column are written.
fn dates(options: &Body<'_>, field: &FieldDefinition) -> Option<DateOrder> {
    options.given("dates")?;
    let word = options.text("dates")?;
    let order = DateOrder::named(word);
    if order.is_none() {
        let known = listed(DateOrder::ALL.iter().map(|order| order.as_str()));
        options.problem("dates", format!("must be one of {known}, not {word:?}"));
    }
    if !field.kind.holds_dates() {
        options.problem("dates", format!("{} holds no dates", field.title()));
    }
    order
}
