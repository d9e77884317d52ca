//! Parses documents, clauses and fields. [`crate::operators`] parses the operators below a field.

use std::sync::Arc;

use serde_json::Value;
use stockroom_model::json;

use crate::error::Invalid;
use crate::limits::Limits;
use crate::node::Node;
use crate::path::Path;
use crate::pattern::Pattern;

/// A filter with valid syntax; [`Parsed::check`] makes it usable for a resource.
#[derive(Debug, Clone)]
pub struct Parsed {
    pub(crate) root: Arc<Node>,
}

impl Parsed {
    /// Reads a filter from JSON text.
    ///
    /// # Errors
    ///
    /// [`Invalid`] for broken JSON, for an invalid filter, and if it exceeds one of the `limits`.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Invalid> {
        let value = json::parse(text.as_bytes())
            .map_err(|fault| Invalid::here(format!("not a JSON object: {fault}")))?;
        Self::from_value(&value, limits)
    }

    /// The conjunction of both filters.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let roots = [self.root, other.root].map(Arc::unwrap_or_clone);
        Self {
            root: Arc::new(Node::and(roots.into())),
        }
    }

    /// Whether a filter can be parsed without delay: it has no regular expression to compile.
    #[must_use]
    pub fn is_quick(value: &Value, limits: &Limits) -> bool {
        match value {
            Value::Array(items) => items.iter().all(|item| Self::is_quick(item, limits)),
            Value::Object(entries) => entries.iter().all(|(key, operand)| match operand {
                Value::String(source) if key == "$regex" => {
                    let options = entries.get("$options").and_then(Value::as_str);
                    Pattern::is_compiled(source, options.unwrap_or_default(), limits)
                }
                _ => Self::is_quick(operand, limits),
            }),
            _ => true,
        }
    }

    /// Reads a filter from a JSON value.
    pub fn from_value(value: &Value, limits: &Limits) -> Result<Self, Invalid> {
        if deeper_than(value, limits.max_depth) {
            return Err(Invalid::here(format!(
                "nested deeper than the limit of {} levels",
                limits.max_depth
            )));
        }
        let mut reader = Reader {
            limits,
            nodes: 0,
            patterns: 0,
        };
        Ok(Self {
            root: Arc::new(reader.document(value)?),
        })
    }
}

/// Parses one filter and counts its parts against the limits.
pub(crate) struct Reader<'l> {
    pub(crate) limits: &'l Limits,
    nodes: usize,
    patterns: usize,
}

impl Reader<'_> {
    pub(crate) fn document(&mut self, value: &Value) -> Result<Node, Invalid> {
        let Value::Object(entries) = value else {
            return Err(Invalid::here(
                "a filter is a JSON object such as {\"public_id\": 1}, not a list or a single value",
            ));
        };
        self.count()?;
        let mut nodes = Vec::with_capacity(entries.len());
        for (key, operand) in entries {
            nodes.push(
                self.entry(key, operand)
                    .map_err(|fault| fault.within(key))?,
            );
        }
        Ok(Node::and(nodes))
    }

    /// Counts one more document or operator.
    pub(crate) fn count(&mut self) -> Result<(), Invalid> {
        self.nodes += 1;
        if self.nodes > self.limits.max_nodes {
            return Err(Invalid::here(format!(
                "the filter has more than {} conditions",
                self.limits.max_nodes
            )));
        }
        Ok(())
    }

    /// Counts one more regular expression.
    pub(crate) fn count_pattern(&mut self) -> Result<(), Invalid> {
        self.patterns += 1;
        if self.patterns > self.limits.max_patterns {
            return Err(Invalid::here(format!(
                "the filter has more than {} regular expressions, which is the limit",
                self.limits.max_patterns
            )));
        }
        Ok(())
    }

    fn entry(&mut self, key: &str, operand: &Value) -> Result<Node, Invalid> {
        match key {
            "$and" => self.clauses(key, operand).map(Node::and),
            "$or" => self.clauses(key, operand).map(Node::Or),
            "$nor" => self.clauses(key, operand).map(Node::Nor),
            _ if key.starts_with('$') => Err(Invalid::here(format!(
                "{key} is not an operator that can stand here; a filter holds paths, $and, $or and $nor"
            ))),
            _ => self.field(&Path::new(key), operand),
        }
    }

    fn clauses(&mut self, operator: &str, operand: &Value) -> Result<Vec<Node>, Invalid> {
        match operand {
            Value::Array(clauses) if !clauses.is_empty() => clauses
                .iter()
                .enumerate()
                .map(|(index, clause)| self.document(clause).map_err(|fault| fault.within(index)))
                .collect(),
            _ => Err(Invalid::here(format!(
                "{operator} takes a non-empty list of filters"
            ))),
        }
    }

    fn field(&mut self, path: &Path, operand: &Value) -> Result<Node, Invalid> {
        let conditions = self.predicates(operand)?.into_iter();
        Ok(Node::and(
            conditions
                .map(|predicate| Node::Field {
                    path: path.clone(),
                    predicate,
                })
                .collect(),
        ))
    }
}

fn deeper_than(value: &Value, levels: usize) -> bool {
    let mut inner: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(entries) => Box::new(entries.values()),
        _ => return false,
    };
    levels == 0 || inner.any(|value| deeper_than(value, levels - 1))
}
