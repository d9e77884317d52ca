//! A byte sequence that every matching document contains.

use memchr::memmem::Finder;

use crate::literal::Literal;
use crate::node::{ElementTest, Node, Predicate};
use crate::path::Segment;
use crate::pattern::{Options, Pattern};

/// Shorter sequences occur in nearly every document.
const MIN_BYTES: usize = 3;

/// A byte sequence that the text of every matching document contains.
#[derive(Debug, Clone)]
pub(crate) struct Needle(Option<Finder<'static>>);

impl Needle {
    /// The longest sequence that the filter requires, as an estimate of the rarest.
    ///
    /// Only texts count: each has one spelling and equals no other value. A filter that may be too
    /// expensive has no needle, because the result must not depend on which documents are tested
    /// first.
    pub(crate) fn of(root: &Node) -> Self {
        let mut found = Vec::new();
        if !root.may_take_long() {
            of_node(root, &mut found);
        }
        // All objects of a type have the same field names, so names filter little.
        if found.iter().any(|text| !text.is_name) {
            found.retain(|text| !text.is_name);
        }
        let longest = found.into_iter().max_by_key(|text| text.json.len());
        let useful = longest.filter(|text| text.json.len() >= MIN_BYTES);
        Self(useful.map(|text| Finder::new(text.json.as_bytes()).into_owned()))
    }

    /// Whether `document` may match.
    pub(crate) fn is_in(&self, document: &str) -> bool {
        self.0
            .as_ref()
            .is_none_or(|finder| finder.find(document.as_bytes()).is_some())
    }
}

struct Text {
    json: String,
    is_name: bool,
}

/// Collects the texts of all members of a conjunction; a disjunction has no text that all matches
/// share.
fn of_node(node: &Node, found: &mut Vec<Text>) {
    match node {
        Node::And(nodes) => nodes.iter().for_each(|node| of_node(node, found)),
        Node::Or(nodes) => {
            if let [only] = nodes.as_slice() {
                of_node(only, found);
            }
        }
        Node::Nor(_) => {}
        Node::Field { path, predicate } => {
            let last = path.segments().last().map(Segment::name);
            let is_name = last == Some("name") && path.field().is_none();
            of_predicate(predicate, is_name, found);
        }
    }
}

fn of_predicate(predicate: &Predicate, is_name: bool, found: &mut Vec<Text>) {
    let json = match predicate {
        Predicate::Equal(Literal::Text(text)) => quoted(text),
        Predicate::In(set) => match set.as_slice() {
            [Literal::Text(text)] => quoted(text),
            _ => None,
        },
        Predicate::Regex(pattern) => {
            longest_run(pattern).and_then(|run| Some(unquoted(&quoted(&run)?)?.to_owned()))
        }
        Predicate::Element(ElementTest::Document(node)) => return of_node(node, found),
        Predicate::Element(ElementTest::Value(predicates)) => {
            return predicates
                .iter()
                .for_each(|predicate| of_predicate(predicate, is_name, found));
        }
        _ => None,
    };
    found.extend(json.map(|json| Text { json, is_name }));
}

fn quoted(text: &str) -> Option<String> {
    serde_json::to_string(text).ok()
}

fn unquoted(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// The longest literal that every match contains. Only for expressions without groups, alternatives
/// and classes, where it can be read off.
fn longest_run(pattern: &Pattern) -> Option<String> {
    let options = pattern.options();
    if options.contains(Options::IGNORE_CASE) || options.contains(Options::EXTENDED) {
        return None;
    }
    let mut runs = vec![String::new()];
    let mut characters = pattern.source().chars();
    while let Some(character) = characters.next() {
        match character {
            '|' | '(' | ')' | '[' | ']' | '{' | '}' => return None,
            '\\' => match characters.next()? {
                'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' => runs.push(String::new()),
                escaped if escaped.is_ascii_punctuation() => push(&mut runs, escaped),
                _ => return None,
            },
            '*' | '?' => {
                // The quantified character may be absent. After another quantifier the run is
                // empty, and nothing is lost.
                if let Some(run) = runs.last_mut() {
                    run.pop();
                }
                runs.push(String::new());
            }
            '.' | '^' | '$' | '+' => runs.push(String::new()),
            plain => push(&mut runs, plain),
        }
    }
    runs.into_iter().max_by_key(String::len)
}

fn push(runs: &mut [String], character: char) {
    if let Some(run) = runs.last_mut() {
        run.push(character);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Limits, Parsed, Paths};

    fn needle(filter: &Value) -> Option<String> {
        let filter = Parsed::from_value(filter, &Limits::default()).unwrap();
        let filter = filter.check(&Paths::default()).unwrap();
        let finder = Needle::of(filter.root()).0?;
        Some(String::from_utf8(finder.needle().to_vec()).unwrap())
    }

    fn of_pattern(pattern: &str) -> Option<String> {
        needle(&json!({ "a": { "$regex": pattern } }))
    }

    #[test]
    fn the_value_of_a_field_is_rarer_than_its_name() {
        let filter =
            json!({"fields": {"$elemMatch": {"name": "serial_number", "value": "x\n\"1\""}}});
        assert_eq!(needle(&filter).as_deref(), Some(r#""x\n\"1\"""#));
        let filter = json!({"fields": {"$elemMatch": {"name": "cores", "value": {"$gt": 1}}}});
        assert_eq!(needle(&filter).as_deref(), Some(r#""cores""#));
    }

    #[test]
    fn what_a_match_can_do_without_is_no_needle() {
        for filter in [
            json!({"a": {"$ne": "text"}}),
            json!({"a": {"$not": {"$eq": "text"}}}),
            json!({"a": {"$not": {"$elemMatch": {"b": "text"}}}}),
            json!({"$nor": [{"a": "text"}]}),
            json!({"$or": [{"a": "text"}, {"b": 1}]}),
            json!({"a": {"$in": ["text", null]}}),
            json!({"a": {"$gte": "text"}}),
            json!({"a": ["text"]}),
            json!({"a": 1000, "b": null, "c": {"$date": 1000}, "d": {"$exists": true}}),
            json!({"a": "text", "b": {"$regex": "(?=x)y"}}),
        ] {
            assert_eq!(needle(&filter), None, "{filter}");
        }
    }

    #[test]
    fn runs_of_expressions() {
        for (pattern, run) in [
            ("^srv-01", Some("srv-01")),
            (r"srv\.local$", Some("srv.local")),
            (r"say \x22", None),
            ("abcd*", Some("abc")),
            ("abcd?ef", Some("abc")),
            ("abcd+?ef", Some("abcd")),
            ("abcd+*", None),
            (r#"a"b\\c"#, Some(r#"a\"b\\c"#)),
            ("ab.cd", None),
            (r"\Qabc.\E", None),
            ("abc|def", None),
            ("(abc)?", None),
            ("[abc]", None),
            ("a{2}bcd", None),
            ("(?i)abc", None),
        ] {
            if needle_is_refused(pattern) {
                continue;
            }
            assert_eq!(of_pattern(pattern).as_deref(), run, "{pattern}");
        }
        let ignored = json!({"a": {"$regex": "abcdef", "$options": "i"}});
        assert_eq!(needle(&ignored), None);
    }

    fn needle_is_refused(pattern: &str) -> bool {
        Parsed::from_value(&json!({ "a": { "$regex": pattern } }), &Limits::default()).is_err()
    }
}
