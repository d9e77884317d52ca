//! From a filter that is well written to one that may be asked of a resource.

use std::collections::BTreeSet;

use serde_json::Value;
use stockroom_model::Timestamp;

use crate::error::{Invalid, TooExpensive, Unanswered};
use crate::evaluate;
use crate::literal::Literal;
use crate::node::{ElementTest, Node, Predicate};
use crate::parsed::Parsed;
use crate::path::{Path, Paths, Secrecy, Segment};
use crate::raw::{self, Needle};

/// A filter that may be asked: the only form that a store or a list accepts.
#[derive(Debug, Clone)]
pub struct Checked {
    root: Node,
    needle: Needle,
}

/// The rest follows from the root.
impl PartialEq for Checked {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root
    }
}

impl Checked {
    fn new(root: Node) -> Self {
        let needle = Needle::of(&root);
        Self { root, needle }
    }

    /// The filter `{}`, which every document matches.
    #[must_use]
    pub fn everything() -> Self {
        Self::new(Node::constant(true))
    }

    /// Both filters at once.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::new(Node::and(vec![self.root, other.root]))
    }

    /// Whether `document`, in its native form, matches. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`TooExpensive`] when a regular expression passes its limit on this document.
    pub fn matches(&self, document: &Value) -> Result<bool, TooExpensive> {
        evaluate::matches(&self.root, document)
    }

    /// The answer of [`Checked::matches`] for the document that `document` is, with the members
    /// `more` in it, which are stored beside it.
    ///
    /// The text is read in place, which is many times quicker than parsing it first. It has to be
    /// as `serde_json::to_string` writes it: without white space, with each key once and no
    /// character escaped needlessly.
    ///
    /// # Errors
    ///
    /// [`Unanswered::TooExpensive`] as above, and [`Unanswered::Damaged`] for what is no JSON, if
    /// the answer depends on it: what need not be read is not checked.
    pub fn matches_text(&self, document: &str, more: &[(&str, i64)]) -> Result<bool, Unanswered> {
        raw::matches(&self.root, &self.needle, document, more)
    }

    /// The names of fields that paths of the form `fields.<name>` may mean, each once.
    #[must_use]
    pub fn named_fields(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.root
            .each_path(&mut |path| names.extend(path.named_field()));
        names
    }

    /// The filter in which `fields.<name>` means the value of the field where `is_field` knows the
    /// name. Paths below `$elemMatch` begin at an item and keep their meaning.
    #[must_use]
    pub fn with_fields(&self, is_field: impl Fn(&str) -> bool) -> Self {
        let mut root = self.root.clone();
        root.each_path_mut(&mut |path| {
            if let Some(name) = path.named_field().filter(|name| is_field(name)) {
                *path = path.as_field(&name);
            }
        });
        Self::new(root)
    }

    /// Whether this is the filter that every document matches because it has no conditions.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.root == Node::constant(true)
    }

    /// The tree, to be lowered to another language.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }
}

impl Parsed {
    /// Fits the filter to a resource: conditions on secrets see a missing value, and texts that are
    /// compared with the record's own timestamps and spell a date (`YYYY-MM-DD`, `YYYY-MM-DD[T
    /// ]hh:mm…`) become dates.
    ///
    /// # Errors
    ///
    /// [`Invalid`] when a value that holds a secret would be compared as a whole, which could
    /// reveal it.
    pub fn check(self, paths: &Paths) -> Result<Checked, Invalid> {
        let root = Check {
            paths,
            above: Vec::new(),
        }
        .node(&self.root)?;
        Ok(Checked::new(root))
    }
}

/// `above` is the way to the array whose items an `$elemMatch` looks at.
struct Check<'p> {
    paths: &'p Paths,
    above: Vec<&'p Segment>,
}

impl<'p> Check<'p> {
    fn node<'n: 'p>(&self, node: &'n Node) -> Result<Node, Invalid> {
        Ok(match node {
            Node::And(nodes) => Node::and(self.nodes(nodes)?),
            Node::Or(nodes) => Node::Or(self.nodes(nodes)?),
            Node::Nor(nodes) => Node::Nor(self.nodes(nodes)?),
            Node::Field { path, predicate } => self.field(path, predicate)?,
        })
    }

    fn nodes<'n: 'p>(&self, nodes: &'n [Node]) -> Result<Vec<Node>, Invalid> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn field<'n: 'p>(&self, path: &'n Path, predicate: &'n Predicate) -> Result<Node, Invalid> {
        let mut way = self.above.clone();
        way.extend(path.segments());
        match self.paths.secrecy(&way) {
            Secrecy::Secret => return Ok(Node::constant(evaluate::holds_for_missing(predicate))),
            Secrecy::HoldsSecret if compares_whole(predicate) => return Err(reveals(path)),
            _ => {}
        }
        let timestamp = self.paths.is_timestamp(&way);
        let path = if timestamp {
            path.as_timestamp()
        } else {
            path.clone()
        };
        let inner = Self {
            paths: self.paths,
            above: way,
        };
        let predicate = inner.predicate(predicate, timestamp)?;
        Ok(Node::Field { path, predicate })
    }

    fn predicate<'n: 'p>(
        &self,
        predicate: &'n Predicate,
        timestamp: bool,
    ) -> Result<Predicate, Invalid> {
        let read = |literal: &Literal| {
            if timestamp {
                dated(literal)
            } else {
                literal.clone()
            }
        };
        Ok(match predicate {
            Predicate::Equal(literal) => Predicate::Equal(read(literal)),
            Predicate::Compare(relation, literal) => Predicate::Compare(*relation, read(literal)),
            Predicate::In(set) => Predicate::In(set.as_slice().iter().map(read).collect()),
            Predicate::Not(predicates) => Predicate::Not(self.predicates(predicates, timestamp)?),
            Predicate::Element(ElementTest::Value(predicates)) => {
                Predicate::Element(ElementTest::Value(self.predicates(predicates, timestamp)?))
            }
            Predicate::Element(ElementTest::Document(node)) => {
                Predicate::Element(ElementTest::Document(Box::new(self.node(node)?)))
            }
            other => other.clone(),
        })
    }

    fn predicates<'n: 'p>(
        &self,
        predicates: &'n [Predicate],
        timestamp: bool,
    ) -> Result<Vec<Predicate>, Invalid> {
        predicates
            .iter()
            .map(|predicate| self.predicate(predicate, timestamp))
            .collect()
    }
}

fn dated(literal: &Literal) -> Literal {
    let date = match literal {
        Literal::Text(text) => Timestamp::from_text(text),
        _ => None,
    };
    date.map_or_else(|| literal.clone(), Literal::Date)
}

/// An `$elemMatch` with paths of its own is looked into instead.
fn compares_whole(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Equal(Literal::Null)
        | Predicate::Exists
        | Predicate::Type(_)
        | Predicate::Size(_)
        | Predicate::Element(ElementTest::Document(_)) => false,
        Predicate::Not(predicates) | Predicate::Element(ElementTest::Value(predicates)) => {
            predicates.iter().any(compares_whole)
        }
        _ => true,
    }
}

fn reveals(path: &Path) -> Invalid {
    Invalid::here(format!(
        "{} cannot be compared as a whole; name a path below it",
        path.to_dotted()
    ))
}
