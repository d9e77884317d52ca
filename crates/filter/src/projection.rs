//! `projection`: which parts of a document a list shows.

use serde_json::{Map, Value};
use stockroom_model::json;

use crate::datum::{Datum, object};
use crate::error::Invalid;

/// No document is nested deeper, so no longer path leads anywhere.
const MAX_STEPS: usize = json::MAX_DEPTH;

/// The parts of a document that are kept, or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    kind: Kind,
    tree: Tree,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Include,
    Exclude,
}

/// Paths that share their beginnings. A branch without members is the end of a path and stands for all below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tree(Vec<(String, Tree)>);

impl Projection {
    /// Reads `{"path": 1, …}`, `{"path": 0, …}` or a list of paths to include; true and false are 1 and 0. Without any
    /// path the document stays whole.
    ///
    /// # Errors
    ///
    /// [`Invalid`] for broken JSON, for any other value, and for a mixture of 1 and 0.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let value = json::parse(text.as_bytes())
            .map_err(|fault| Invalid::here(format!("not a JSON object or list: {fault}")))?;
        match &value {
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

    /// The document reduced to what is asked for, its keys in their order. Paths go through arrays into every object
    /// in them; nothing is included that was not named, `public_id` neither.
    #[must_use]
    pub fn apply(&self, document: &Value) -> Value {
        match self.kind {
            Kind::Include => include(document, &self.tree).unwrap_or(Value::Null),
            Kind::Exclude => exclude(document, &self.tree),
        }
    }
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

/// The paths read so far.
#[derive(Default)]
struct Root(Tree);

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
        let steps: Vec<&str> = path.split('.').collect();
        self.0.add(&steps);
        Ok(())
    }

    /// A tree without paths would stand for the whole document: nothing to leave out instead.
    fn into_projection(self, kind: Kind) -> Projection {
        let kind = if self.0.0.is_empty() {
            Kind::Exclude
        } else {
            kind
        };
        Projection { kind, tree: self.0 }
    }
}

impl Tree {
    fn add(&mut self, steps: &[&str]) {
        let [first, rest @ ..] = steps else {
            // The path ends here: what lay below is covered.
            self.0.clear();
            return;
        };
        match self.0.iter_mut().find(|(name, _)| name == first) {
            Some((_, inner)) if inner.is_end() => {}
            Some((_, inner)) => inner.add(rest),
            None => {
                let mut inner = Self::default();
                inner.add(rest);
                self.0.push(((*first).to_owned(), inner));
            }
        }
    }

    fn is_end(&self) -> bool {
        self.0.is_empty()
    }

    fn get(&self, name: &str) -> Option<&Self> {
        self.0
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, inner)| inner)
    }
}

/// `None` where a path goes on but the value holds nothing that it could lead to.
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
                let kept = match tree.get(key) {
                    None => inner.clone(),
                    Some(below) if below.is_end() => return None,
                    Some(below) => exclude(inner, below),
                };
                Some((key.clone(), kept))
            })
            .collect(),
    )
}
