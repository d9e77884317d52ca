//! Checks a parsed filter against the resource that it queries.

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
use crate::work::Work;

/// A filter of more bytes takes long to plan; one of a thousand ids has fewer.
const LARGE: usize = 128 * 1_024;

/// A filter checked for a resource: the only form that a store or a list accepts.
#[derive(Debug, Clone)]
pub struct Checked {
    root: Node,
    needle: Needle,
}

/// `needle` is derived from `root`.
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

    /// The conjunction of both filters.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::new(Node::and(vec![self.root, other.root]))
    }

    /// See [`Node::may_take_long`].
    #[must_use]
    pub fn may_take_long(&self) -> bool {
        self.root.may_take_long()
    }

    /// Whether it has so many conditions and values that planning a list by it takes long.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.root.bytes() > LARGE
    }

    /// Whether `document`, in its native form, matches. Allocates nothing.
    ///
    /// # Errors
    ///
    /// [`TooExpensive`] when a regular expression passes its limit on this document, or all
    /// conditions together the time for a document.
    pub fn matches(&self, document: &Value) -> Result<bool, TooExpensive> {
        evaluate::matches(&self.root, document, &Work::default())
    }

    /// Like [`Checked::matches`], for the JSON text of a document; `extra` are members of the
    /// document that are stored beside the text.
    ///
    /// The text is scanned in place, which is many times faster than parsing it first. It must be
    /// in the form that `serde_json::to_string` writes: no white space, each key once, no needless
    /// escapes.
    ///
    /// # Errors
    ///
    /// [`Unanswered::TooExpensive`] as above, and [`Unanswered::Damaged`] for invalid JSON, if the
    /// answer depends on it: skipped parts of the text are not checked.
    pub fn matches_text(&self, document: &str, extra: &[(&str, i64)]) -> Result<bool, Unanswered> {
        raw::matches(&self.root, &self.needle, document, extra)
    }

    /// The distinct names of fields that paths of the forms `fields.<name>` and `values.<name>` may
    /// mean.
    #[must_use]
    pub fn named_fields(&self) -> BTreeSet<String> {
        self.names(|path| path.named_field(|_| true))
    }

    /// The parts after `fields.` of paths into its items, such as `fields.name`, which readers may
    /// take for names of fields.
    #[must_use]
    pub fn mistakable_fields(&self) -> BTreeSet<String> {
        self.names(Path::mistakable_field)
    }

    /// The distinct first steps of the paths that name no field, without those that are known.
    #[must_use]
    pub fn members_beside(&self, is_known: impl Fn(&str) -> bool) -> BTreeSet<String> {
        self.names(|path| {
            let unknown = path.member().filter(|name| !is_known(name))?;
            let is_field = path.named_field(|_| true).is_some();
            (!is_field).then(|| unknown.to_owned())
        })
    }

    fn names(&self, name: impl Fn(&Path) -> Option<String>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.root.each_path(&mut |path| names.extend(name(path)));
        names
    }

    /// The filter with `values.<name>` read as the value of that field, and `fields.<name>` too if
    /// `is_field` accepts the name. Paths below `$elemMatch` start at an item and keep their
    /// meaning.
    #[must_use]
    pub fn with_fields(&self, is_field: impl Fn(&str) -> bool) -> Self {
        let mut root = self.root.clone();
        root.each_path_mut(&mut |path| {
            if let Some(name) = path.named_field(&is_field) {
                *path = path.as_field(&name);
            }
        });
        Self::new(root)
    }

    /// Whether this is the filter without conditions, which every document matches.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.root == Node::constant(true)
    }

    /// The tree, for lowering to another language.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.root
    }
}

impl Parsed {
    /// Checks the filter for a resource. Conditions on secrets see a missing value. Texts compared
    /// with the record's own timestamps become dates if they are in a date format (`YYYY-MM-DD`,
    /// `YYYY-MM-DD[T ]hh:mm…`).
    ///
    /// # Errors
    ///
    /// [`Invalid`] if a value that contains a secret would be compared as a whole, which could
    /// reveal the secret.
    pub fn check(&self, paths: &Paths) -> Result<Checked, Invalid> {
        let root = Check {
            paths,
            above: Vec::new(),
        }
        .node(&self.root)?;
        Ok(Checked::new(root))
    }
}

/// `above` is the path to the array whose items the enclosing `$elemMatch` tests.
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

/// False for an `$elemMatch` with paths of its own: those are checked one by one.
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
