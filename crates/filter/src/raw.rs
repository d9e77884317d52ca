//! The evaluator on the text of a document: the same steps as [`evaluate`], without parsing the
//! document.
//!
//! It finds values in the text and parses only scalars. The rare values that are compared as a
//! whole are parsed separately.

mod bytes;
mod needle;
mod scan;
mod sort;

use serde_json::Value;

use crate::datum::Datum;
use crate::error::{Damaged, Unanswered};
use crate::evaluate;
use crate::literal::Literal;
use crate::node::{ElementTest, Node, Predicate};
use crate::number::Numeric;
use crate::path::{Path, Segment};
use crate::types::Type;
use crate::work::Work;

pub(crate) use needle::Needle;
use scan::{Entries, Items, Raw, Shape};

type Answer = Result<bool, Unanswered>;

/// Integer members of a document that are stored beside its text; they override members of the
/// text.
type ExtraMembers<'m> = &'m [(&'m str, i64)];

/// Whether the condition holds for the document with this `text` and the members `extra`.
pub(crate) fn matches(node: &Node, needle: &Needle, text: &str, extra: ExtraMembers<'_>) -> Answer {
    let work = Work::default();
    if is_object(text) {
        if !needle.is_in(text) {
            return Ok(false);
        }
        return Document {
            root: Raw::new(text),
            extra,
            work: &work,
        }
        .matches(node);
    }
    Ok(evaluate::matches(node, &parse(text, extra)?, &work)?)
}

/// Whether the text can be scanned in place. Not if it is truncated, nor if it is a lone `{"$date":
/// …}`, which is no longer a date with the members `extra`.
fn is_object(text: &str) -> bool {
    text.starts_with('{') && text.ends_with('}') && !text.starts_with("{\"$date\"")
}

/// Parses a text that cannot be scanned in place.
fn parse(text: &str, extra: ExtraMembers<'_>) -> Result<Value, Damaged> {
    let mut document: Value =
        serde_json::from_str(text).map_err(|fault| Damaged { at: fault.column() })?;
    if let Value::Object(entries) = &mut document {
        entries.extend(
            extra
                .iter()
                .map(|(name, number)| ((*name).to_owned(), Value::from(*number))),
        );
    }
    Ok(document)
}

/// A document, or an item that an `$elemMatch` tests as one.
#[derive(Clone, Copy)]
struct Document<'t> {
    root: Raw<'t>,
    extra: ExtraMembers<'t>,
    work: &'t Work,
}

impl Document<'_> {
    fn matches(self, node: &Node) -> Answer {
        match node {
            Node::And(nodes) => evaluate::all(nodes, |node| self.matches(node)),
            Node::Or(nodes) => evaluate::any(nodes, |node| self.matches(node)),
            Node::Nor(nodes) => Ok(!evaluate::any(nodes, |node| self.matches(node))?),
            Node::Field { path, predicate } => self.holds_at(predicate, path),
        }
    }

    fn holds_at(self, predicate: &Predicate, path: &Path) -> Answer {
        if let Predicate::Not(predicates) = predicate {
            return Ok(!evaluate::all(predicates, |predicate| {
                self.holds_at(predicate, path)
            })?);
        }
        // At most the whole text is scanned, at a byte in a nanosecond.
        self.work.add(self.root.rest() as u64)?;
        let walk = Walk {
            predicate,
            path,
            work: self.work,
        };
        walk.document(self)
    }
}

/// Tests the values at a path until one satisfies the predicate.
struct Walk<'w> {
    predicate: &'w Predicate,
    path: &'w Path,
    work: &'w Work,
}

impl Walk<'_> {
    fn document(&self, document: Document<'_>) -> Answer {
        if let Some(name) = self.path.field() {
            return self.field(document, name);
        }
        let path = self.path.segments();
        let [first, rest @ ..] = path else {
            return self.leaf(document.root);
        };
        if let Some((_, number)) = document
            .extra
            .iter()
            .rev()
            .find(|(name, _)| *name == first.name())
        {
            let found = rest
                .is_empty()
                .then(|| Datum::Number(Numeric::Integer((*number).into())));
            return self.test(found);
        }
        if let Some(items) = document.root.items()? {
            return match position(items, first)? {
                Some(item) => self.value(item, rest),
                None => self.test(None),
            };
        }
        self.value(document.root, path)
    }

    fn field(&self, document: Document<'_>, name: &str) -> Answer {
        let is_beside = document.extra.iter().any(|(name, _)| *name == "fields");
        let fields = document.root.member("fields")?.filter(|_| !is_beside);
        let Some(mut items) = fields.map(Raw::items).transpose()?.flatten() else {
            return self.test(None);
        };
        let mut is_missing = true;
        while let Some(item) = items.next_named(name)? {
            let own = item.member("name")?;
            if own.map(|own| own.is_text(name)).transpose()?.flatten() != Some(true) {
                continue;
            }
            is_missing = false;
            let holds = match item.member("value")? {
                Some(value) => self.leaf(value)?,
                None => self.test(None)?,
            };
            if holds {
                return Ok(true);
            }
        }
        if is_missing {
            self.test(None)
        } else {
            Ok(false)
        }
    }

    fn value(&self, mut value: Raw<'_>, mut path: &[Segment]) -> Answer {
        while let [first, rest @ ..] = path {
            if let Some(items) = value.items()? {
                return self.items(items, path);
            }
            match value.member(first.name())? {
                Some(inner) => value = inner,
                None => return self.test(None),
            }
            path = rest;
        }
        self.leaf(value)
    }

    fn items(&self, mut items: Items<'_>, path: &[Segment]) -> Answer {
        let [first, rest @ ..] = path else {
            return Ok(false);
        };
        let array = items.array();
        let into_fields = first.name() == "value";
        while let Some(item) = items.next()? {
            let holds = if into_fields && let Some(value) = items.field_value()? {
                self.value(value, rest)?
            } else {
                item.entries()?.is_some() && self.value(item, path)?
            };
            if holds {
                return Ok(true);
            }
        }
        if first.index().is_some()
            && let Some(items) = array.items()?
            && let Some(item) = position(items, first)?
        {
            return self.value(item, rest);
        }
        Ok(false)
    }

    fn leaf(&self, value: Raw<'_>) -> Answer {
        if self.predicate.looks_into_arrays()
            && let Some(mut items) = value.items()?
        {
            while let Some(item) = items.next()? {
                if self.found(item)? {
                    return Ok(true);
                }
            }
        }
        self.found(value)
    }

    fn found(&self, value: Raw<'_>) -> Answer {
        // Most texts are names of other fields: compares them without reading them.
        if let Predicate::Equal(Literal::Text(text)) = self.predicate
            && let Some(equal) = value.is_text(text)?
        {
            return Ok(equal);
        }
        match value.shape()? {
            Shape::Scalar(datum) => self.test(Some(datum)),
            Shape::Unescaped(text) => self.test(Some(Datum::Text(&text))),
            Shape::Array(items) => holds_for_array(self.predicate, items, self.work),
            Shape::Object(entries) => holds_for_object(self.predicate, entries, self.work),
        }
    }

    fn test(&self, found: Option<Datum<'_>>) -> Answer {
        Ok(evaluate::holds(self.predicate, found, self.work)?
            || self.path.is_timestamp()
                && evaluate::holds_for_spelled_date(self.predicate, found, self.work)?)
    }
}

fn position<'t>(items: Items<'t>, segment: &Segment) -> Result<Option<Raw<'t>>, Damaged> {
    segment.index().map_or(Ok(None), |index| items.nth(index))
}

/// Whether the predicate holds for a single value.
fn holds(predicate: &Predicate, value: Raw<'_>, work: &Work) -> Answer {
    Ok(match value.shape()? {
        Shape::Scalar(datum) => evaluate::holds(predicate, Some(datum), work)?,
        Shape::Unescaped(text) => evaluate::holds(predicate, Some(Datum::Text(&text)), work)?,
        Shape::Array(items) => holds_for_array(predicate, items, work)?,
        Shape::Object(entries) => holds_for_object(predicate, entries, work)?,
    })
}

fn holds_for_array(predicate: &Predicate, mut items: Items<'_>, work: &Work) -> Answer {
    match predicate {
        Predicate::Size(size) => Ok(items.count()? == *size),
        Predicate::Element(test) => {
            let name = required_name(test);
            loop {
                let next = match name {
                    Some(name) => items.next_named(name)?,
                    None => items.next()?,
                };
                match next {
                    Some(item) if element(test, item, work)? => return Ok(true),
                    Some(_) => {}
                    None => return Ok(false),
                }
            }
        }
        _ => holds_for_whole(predicate, items.array(), Type::Array, work),
    }
}

fn holds_for_object(predicate: &Predicate, entries: Entries<'_>, work: &Work) -> Answer {
    match predicate {
        Predicate::Size(_) | Predicate::Element(_) => Ok(false),
        _ => holds_for_whole(predicate, entries.object(), Type::Object, work),
    }
}

/// Parses an object or array only to compare it with another one.
fn holds_for_whole(predicate: &Predicate, value: Raw<'_>, own: Type, work: &Work) -> Answer {
    let compares = |literal: &Literal| Type::of(literal.datum()) == own;
    let comparable = match predicate {
        Predicate::Exists => return Ok(true),
        Predicate::Type(types) => return Ok(types.contains(own)),
        Predicate::Not(predicates) => {
            return Ok(!evaluate::all(predicates, |predicate| {
                holds(predicate, value, work)
            })?);
        }
        Predicate::Equal(literal) | Predicate::Compare(_, literal) => compares(literal),
        Predicate::In(set) => set.as_slice().iter().any(compares),
        Predicate::Mod { .. }
        | Predicate::Regex(_)
        | Predicate::Size(_)
        | Predicate::Element(_) => false,
    };
    if !comparable {
        return Ok(false);
    }
    let value = value.parse()?;
    Ok(evaluate::holds(predicate, Some(Datum::of(&value)), work)?)
}

/// The name that an item must have. Only the first condition may rule out an item before the others
/// are evaluated, because those can fail.
fn required_name(test: &ElementTest) -> Option<&str> {
    let ElementTest::Document(node) = test else {
        return None;
    };
    let first = match &**node {
        Node::And(nodes) => nodes.first()?,
        node => node,
    };
    match first {
        Node::Field {
            path,
            predicate: Predicate::Equal(Literal::Text(name)),
        } if matches!(path.segments(), [only] if only.name() == "name") => Some(name),
        _ => None,
    }
}

fn element(test: &ElementTest, item: Raw<'_>, work: &Work) -> Answer {
    match test {
        ElementTest::Value(predicates) => {
            work.add(evaluate::TEST_NANOSECONDS)?;
            evaluate::all(predicates, |predicate| holds(predicate, item, work))
        }
        ElementTest::Document(node) => {
            let looked_into = item.items()?.is_some() || item.entries()?.is_some();
            let document = Document {
                root: item,
                extra: &[],
                work,
            };
            Ok(looked_into && document.matches(node)?)
        }
    }
}
