//! `projection`: which parts of a document a list shows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use stockroom_model::json;

use crate::datum::{Datum, object};
use crate::error::Invalid;
use crate::path::Path;

/// No document is nested deeper, so longer paths lead nowhere.
const MAX_STEPS: usize = json::MAX_DEPTH;

/// More paths take longer than other requests may wait.
const MAX_PATHS: usize = 1_000;

/// The parts of a document to include or exclude.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    kind: Kind,
    tree: Tree,
    /// The paths of the tree, as written.
    paths: Vec<String>,
    /// Names of object fields.
    fields: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Include,
    Exclude,
}

/// Paths merged by common prefix. A leaf is the end of a path and covers everything below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tree(BTreeMap<String, Tree>);

impl Projection {
    /// Reads `{"path": 1, …}`, `{"path": 0, …}` or a list of paths to include; true and false are 1
    /// and 0. A projection without paths keeps the whole document.
    ///
    /// # Errors
    ///
    /// [`Invalid`] for broken JSON, for any other value, and for a mixture of 1 and 0.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let value = json::parse(text.as_bytes())
            .map_err(|fault| Invalid::here(format!("not a JSON object or list: {fault}")))?;
        Self::from_value(&value)
    }

    /// Like [`Projection::parse`], from a JSON value.
    pub fn from_value(value: &Value) -> Result<Self, Invalid> {
        let paths = value.as_array().map(Vec::len);
        let paths = paths.or_else(|| value.as_object().map(Map::len));
        if paths.is_some_and(|paths| paths > MAX_PATHS) {
            let detail = format!("a projection has at most {MAX_PATHS} paths");
            return Err(Invalid::here(detail));
        }
        match value {
            Value::Array(paths) => Self::list(paths),
            Value::Object(paths) => Self::object(paths),
            _ => Err(Invalid::here(
                "a projection is {\"path\": 1}, {\"path\": 0} or a list of paths",
            )),
        }
    }

    fn list(paths: &[Value]) -> Result<Self, Invalid> {
        let mut tree = Root::default();
        for (index, path) in paths.iter().enumerate() {
            path.as_str()
                .ok_or_else(|| Invalid::here("a list of paths holds texts"))
                .and_then(|path| tree.add(path))
                .map_err(|fault| fault.within(index))?;
        }
        Ok(tree.into_projection(Kind::Include))
    }

    fn object(paths: &Map<String, Value>) -> Result<Self, Invalid> {
        let mut tree = Root::default();
        let mut agreed = None;
        for (path, choice) in paths {
            let added = kind(choice).and_then(|kind| {
                if *agreed.get_or_insert(kind) == kind {
                    tree.add(path)
                } else {
                    Err(Invalid::here("1 and 0 cannot be mixed in one projection"))
                }
            });
            added.map_err(|fault| fault.within(path))?;
        }
        Ok(tree.into_projection(agreed.unwrap_or(Kind::Exclude)))
    }

    /// A projection that includes members and the items of fields.
    #[must_use]
    pub fn of_members_and_fields(members: &[&str], fields: BTreeSet<String>) -> Self {
        let mut tree = Tree::default();
        for member in members {
            tree.add(&[member]);
        }
        Self {
            kind: Kind::Include,
            tree,
            paths: Vec::new(),
            fields,
        }
    }

    /// The projected document, with its keys in their order. Paths go through arrays into each
    /// object in them. Only named members are included, so `public_id` must be named too.
    #[must_use]
    pub fn apply(&self, document: &Value) -> Value {
        match (self.kind, object(document)) {
            (_, Some(members)) if !self.fields.is_empty() => {
                let members = members.iter();
                let kept = members
                    .filter_map(|(key, value)| Some((key.clone(), self.member(key, value)?)));
                Value::Object(kept.collect())
            }
            (Kind::Include, _) => include(document, &self.tree).unwrap_or(Value::Null),
            (Kind::Exclude, _) => exclude(document, &self.tree),
        }
    }

    /// The distinct names of fields that paths of the forms `fields.<name>` and `values.<name>` may
    /// mean.
    #[must_use]
    pub fn named_fields(&self) -> BTreeSet<String> {
        let paths = self.paths.iter().map(|path| Path::new(path));
        paths
            .filter_map(|path| path.named_field(|_| true))
            .collect()
    }

    /// See [`Checked::mistakable_fields`](crate::Checked::mistakable_fields).
    #[must_use]
    pub fn mistakable_fields(&self) -> BTreeSet<String> {
        let paths = self.paths.iter().map(|path| Path::new(path));
        paths.filter_map(|path| path.mistakable_field()).collect()
    }

    /// The projection with `values.<name>` read as the item of that field, and `fields.<name>` too
    /// if `is_field` accepts the name.
    #[must_use]
    pub fn with_fields(&self, is_field: impl Fn(&str) -> bool) -> Self {
        let mut projection = Self {
            kind: self.kind,
            tree: Tree::default(),
            paths: self.paths.clone(),
            fields: BTreeSet::new(),
        };
        for path in &self.paths {
            match Path::new(path).named_field(&is_field) {
                Some(name) => drop(projection.fields.insert(name)),
                None => projection.tree.add(&steps(path)),
            }
        }
        projection
    }

    /// The projected value of a member, if it is kept.
    fn member(&self, key: &str, value: &Value) -> Option<Value> {
        let tree = self.tree.get(key);
        match value {
            Value::Array(items) if key == "fields" && !tree.is_some_and(Tree::is_end) => {
                let items = items.iter().filter_map(|item| self.item(item, tree));
                Some(Value::Array(items.collect()))
            }
            _ => kept(self.kind, value, tree),
        }
    }

    /// The projected item of `fields`, if it is kept.
    fn item(&self, item: &Value, tree: Option<&Tree>) -> Option<Value> {
        let name = item.get("name").and_then(Value::as_str);
        match self.kind {
            _ if !name.is_some_and(|name| self.fields.contains(name)) => {
                kept(self.kind, item, tree)
            }
            Kind::Include => Some(item.clone()),
            Kind::Exclude => None,
        }
    }
}

/// The projected value at the position of `tree`; `None` if it is dropped.
fn kept(kind: Kind, value: &Value, tree: Option<&Tree>) -> Option<Value> {
    match (kind, tree) {
        (Kind::Include, tree) => include(value, tree?),
        (Kind::Exclude, None) => Some(value.clone()),
        (Kind::Exclude, Some(tree)) if tree.is_end() => None,
        (Kind::Exclude, Some(tree)) => Some(exclude(value, tree)),
    }
}

fn steps(path: &str) -> Vec<&str> {
    path.split('.').collect()
}

fn kind(choice: &Value) -> Result<Kind, Invalid> {
    match Datum::of(choice) {
        Datum::Bool(true) => Ok(Kind::Include),
        Datum::Bool(false) => Ok(Kind::Exclude),
        Datum::Number(number) if number.integral() == Some(1) => Ok(Kind::Include),
        Datum::Number(number) if number.integral() == Some(0) => Ok(Kind::Exclude),
        _ => Err(Invalid::here(
            "a path of a projection takes 1 (include) or 0 (leave out)",
        )),
    }
}

/// The paths parsed so far.
#[derive(Default)]
struct Root {
    tree: Tree,
    paths: Vec<String>,
}

impl Root {
    fn add(&mut self, path: &str) -> Result<(), Invalid> {
        if path.starts_with('$') {
            return Err(Invalid::here(format!("{path} is no path")));
        }
        if path.split('.').count() > MAX_STEPS {
            return Err(Invalid::here(format!(
                "a path has at most {MAX_STEPS} steps"
            )));
        }
        self.tree.add(&steps(path));
        self.paths.push(path.to_owned());
        Ok(())
    }

    /// A projection without paths keeps the whole document, so it excludes nothing.
    fn into_projection(self, kind: Kind) -> Projection {
        let kind = if self.tree.is_end() {
            Kind::Exclude
        } else {
            kind
        };
        Projection {
            kind,
            tree: self.tree,
            paths: self.paths,
            fields: BTreeSet::new(),
        }
    }
}

impl Tree {
    fn add(&mut self, steps: &[&str]) {
        let [first, rest @ ..] = steps else {
            // The path ends here and covers the longer ones.
            self.0.clear();
            return;
        };
        match self.0.get_mut(*first) {
            Some(inner) if inner.is_end() => {}
            Some(inner) => inner.add(rest),
            None => {
                let mut inner = Self::default();
                inner.add(rest);
                self.0.insert((*first).to_owned(), inner);
            }
        }
    }

    fn is_end(&self) -> bool {
        self.0.is_empty()
    }

    fn get(&self, name: &str) -> Option<&Self> {
        self.0.get(name)
    }
}

/// `None` if the path continues but the value has nothing below it.
fn include(value: &Value, tree: &Tree) -> Option<Value> {
    if tree.is_end() {
        return Some(value.clone());
    }
    if let Value::Array(items) = value {
        return Some(Value::Array(
            items
                .iter()
                .filter_map(|item| include(item, tree))
                .collect(),
        ));
    }
    let entries = object(value)?.iter();
    Some(Value::Object(
        entries
            .filter_map(|(key, inner)| Some((key.clone(), include(inner, tree.get(key)?)?)))
            .collect(),
    ))
}

fn exclude(value: &Value, tree: &Tree) -> Value {
    if let Value::Array(items) = value {
        return Value::Array(items.iter().map(|item| exclude(item, tree)).collect());
    }
    let Some(entries) = object(value) else {
        return value.clone();
    };
    Value::Object(
        entries
            .iter()
            .filter_map(|(key, inner)| {
                Some((key.clone(), kept(Kind::Exclude, inner, tree.get(key))?))
            })
            .collect(),
    )
}
