//! An object for rendering: its stored text, and the positions of its values.

use std::ops::Range;

use serde_json::Value;
use stockroom_model::body::integer;
use stockroom_model::object::Object;
use stockroom_model::{ObjectId, TypeId};

/// A stored document, indexed without parsing its values: most are rendered as they are stored.
/// Values are returned as JSON text.
#[derive(Debug, Clone)]
pub struct Record {
    text: String,
    members: Vec<Member>,
    items: Vec<Member>,
    /// The indices of the items, sorted by name, if there are many items.
    by_name: Vec<usize>,
}

/// The range of a name, without its quotes, and the range of a value.
type Member = (Range<usize>, Range<usize>);

/// Initial capacities, enough for most documents.
const TYPICAL_MEMBERS: usize = 12;
const TYPICAL_FIELDS: usize = 24;

/// Up to this number of items, a linear search is as fast as a binary search.
const FEW_FIELDS: usize = 64;

impl Record {
    /// From the text of a stored document.
    ///
    /// # Errors
    ///
    /// The text is not valid JSON.
    pub fn new(text: String) -> Result<Self, serde_json::Error> {
        let mut items = Vec::with_capacity(TYPICAL_FIELDS);
        let members = object(&text, 0, |name, start| {
            (text.get(name) == Some("fields"))
                .then(|| list(&text, start, &mut items))
                .flatten()
        });
        match members {
            Some((members, _)) => Ok(Self {
                by_name: by_name(&text, &items),
                text,
                members,
                items,
            }),
            None => Self::rewritten(&text),
        }
    }

    /// From JSON that is not in the form in which documents are stored.
    fn rewritten(text: &str) -> Result<Self, serde_json::Error> {
        let document = Object::from_document(serde_json::from_str(text)?);
        let text = serde_json::to_string(document.members())?;
        if object(&text, 0, |_, _| None).is_some() {
            return Self::new(text);
        }
        Ok(Self {
            text,
            members: Vec::new(),
            items: Vec::new(),
            by_name: Vec::new(),
        })
    }

    /// A member of the document.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&str> {
        self.find(&self.members, name)
    }

    /// The value of the field with this name. `name` is escaped as in JSON, without quotes.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        if self.by_name.is_empty() {
            return self.find(&self.items, name);
        }
        let stands = |index: usize| self.text.get(self.items[index].0.clone());
        let first = self
            .by_name
            .partition_point(|index| stands(*index) < Some(name));
        let index = *self.by_name.get(first)?;
        let is_found = stands(index) == Some(name);
        is_found.then(|| self.text.get(self.items[index].1.clone()))?
    }

    /// Names may be duplicated; the first one counts.
    fn find(&self, members: &[Member], name: &str) -> Option<&str> {
        let bytes = self.text.as_bytes();
        // Names of one length mostly differ in the last byte, as in `port1`, `port2`. An empty name
        // follows its quotation mark.
        let last = name.as_bytes().last().unwrap_or(&b'"');
        let found = members.iter().find(|(found, _)| {
            found.len() == name.len()
                && bytes.get(found.end - 1) == Some(last)
                && bytes.get(found.clone()) == Some(name.as_bytes())
        });
        self.text.get(found?.1.clone())
    }

    /// The document with the value of the field `name` replaced by `value`, which is JSON text.
    /// `None` if replacing one value in the text does not suffice.
    #[must_use]
    pub fn with_value(&self, name: &str, value: &str) -> Option<String> {
        let quoted = serde_json::to_string(name).ok()?;
        let item = format!(r#""name":{quoted}"#);
        let mut occurrences = self.text.match_indices(&item);
        let Some((start, _)) = occurrences.next() else {
            return Some(self.text.clone());
        };
        let key = quoted.get(1..quoted.len() - 1)?;
        let (_, old) = self
            .items
            .iter()
            .find(|(found, _)| self.text.get(found.clone()) == Some(key))?;
        // Otherwise the item has more members, there are several items, or the match is inside a
        // value.
        let is_plain = occurrences.next().is_none()
            && self.text.get(..start)?.ends_with('{')
            && self.text.get(start + item.len()..old.start)? == r#","value":"#
            && self.text.get(old.end..)?.starts_with('}');
        is_plain.then(|| {
            let (before, after) = (&self.text.get(..old.start), &self.text.get(old.end..));
            [before.unwrap_or_default(), value, after.unwrap_or_default()].concat()
        })
    }

    /// A whole number in a member of the document.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        let stored = self.member(name)?;
        stored.parse().ok().or_else(|| integer(&parse(stored)))
    }

    /// Its id.
    #[must_use]
    pub fn public_id(&self) -> Option<ObjectId> {
        ObjectId::new(self.integer("public_id")?)
    }

    /// Whether it is active; old documents may not say.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.member("active") != Some("false")
    }

    /// The id of its type.
    #[must_use]
    pub fn type_id(&self) -> Option<TypeId> {
        TypeId::new(self.integer("type_id")?)
    }
}

/// The indices of the items, sorted by name, if there are many. Equal names keep their order.
fn by_name(text: &str, items: &[Member]) -> Vec<usize> {
    if items.len() <= FEW_FIELDS {
        return Vec::new();
    }
    let mut indices: Vec<usize> = (0..items.len()).collect();
    indices.sort_by_key(|index| text.get(items[*index].0.clone()));
    indices
}

/// Parses a value of a record.
pub(crate) fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// Reads the items with a name and a value from the list at `start`. Returns the end of the list;
/// `None` if there is no list.
fn list(text: &str, start: usize, items: &mut Vec<Member>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = after(bytes, start, b'[')?;
    if bytes.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        if let Some((found, end)) = usual_item(bytes, at) {
            items.push(found);
            at = end;
        } else if let Some((members, end)) = object(text, at, |_, _| None) {
            items.extend(item(text, &members));
            at = end;
        } else {
            at = value(bytes, at)?;
        }
        match bytes.get(at)? {
            b',' => at += 1,
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// An item with exactly a name and a value, in this order, and the end of the item.
fn usual_item(bytes: &[u8], start: usize) -> Option<(Member, usize)> {
    const NAME: &[u8] = br#"{"name":"#;
    const VALUE: &[u8] = br#","value":"#;
    let name_start = start + NAME.len();
    let name_end = (bytes.get(start..name_start)? == NAME)
        .then(|| string(bytes, name_start))
        .flatten()?;
    let value_start = name_end + VALUE.len();
    let value_end = (bytes.get(name_end..value_start)? == VALUE)
        .then(|| value(bytes, value_start))
        .flatten()?;
    let end = after(bytes, value_end, b'}')?;
    Some(((name_start + 1..name_end - 1, value_start..value_end), end))
}

fn item(text: &str, members: &[Member]) -> Option<Member> {
    let named = |key: &str| {
        members
            .iter()
            .find(|(name, _)| text.get(name.clone()) == Some(key))
            .map(|(_, value)| value.clone())
    };
    let (name, value) = (named("name")?, named("value")?);
    let is_text = text.as_bytes().get(name.start) == Some(&b'"');
    is_text.then_some((name.start + 1..name.end - 1, value))
}

/// The members of the object at `start`, and its end; `None` if there is no object or it has white
/// space. `known` may return the end of a value, given the range of its name and its start.
fn object(
    text: &str,
    start: usize,
    mut known: impl FnMut(Range<usize>, usize) -> Option<usize>,
) -> Option<(Vec<Member>, usize)> {
    let bytes = text.as_bytes();
    let mut members = Vec::with_capacity(TYPICAL_MEMBERS);
    let mut at = after(bytes, start, b'{')?;
    if bytes.get(at) == Some(&b'}') {
        return Some((members, at + 1));
    }
    loop {
        let name_end = string(bytes, at)?;
        let name = at + 1..name_end - 1;
        let value_start = after(bytes, name_end, b':')?;
        let known_end = known(name.clone(), value_start);
        let value_end = known_end.or_else(|| value(bytes, value_start))?;
        members.push((name, value_start..value_end));
        match bytes.get(value_end)? {
            b',' => at = value_end + 1,
            b'}' => return Some((members, value_end + 1)),
            _ => return None,
        }
    }
}

fn after(bytes: &[u8], at: usize, expected: u8) -> Option<usize> {
    (*bytes.get(at)? == expected).then_some(at + 1)
}

/// The end of the value at `start`.
fn value(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        b'"' => string(bytes, start),
        b'{' | b'[' => nested(bytes, start),
        b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
            let rest = bytes.get(start..)?;
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b']'))?;
            Some(start + length)
        }
        _ => None,
    }
}

/// The end of the array or object at `start`.
fn nested(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string(bytes, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The end of the text at `start`, quotes included.
fn string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = after(bytes, start, b'"')?;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(document: &Value) -> Record {
        Record::new(document.to_string()).unwrap()
    }

    #[test]
    fn values_are_found_as_they_are_written() {
        let long = json!({"a": [1, {"b": "]}\"\\"}], "c": "ü\n"});
        let record = record(&json!({
            "public_id": 7, "empty": {}, "fields": [
                {"name": "x", "value": 1.50}, {"name": "x", "value": 2}, {"name": "y \"", "value": long},
                {"value": true, "more": [], "name": "z"}, 5, [], {}, {"name": "lost"}, {"name": 3, "value": 3},
            ], "last": null,
        }));
        assert_eq!(record.value("x"), Some("1.5"));
        assert_eq!(record.value(r#"y \""#), Some(long.to_string().as_str()));
        assert_eq!(record.value("z"), Some("true"));
        for missing in ["lost", "3", "", "public_id"] {
            assert_eq!(record.value(missing), None, "{missing}");
        }
        assert_eq!(record.member("last"), Some("null"));
        assert_eq!(record.public_id(), ObjectId::new(7));
    }

    #[test]
    fn among_many_fields_the_first_of_a_name_counts() {
        let field = |at: usize| json!({"name": format!("f{}", at % 150), "value": at});
        let record = record(&json!({"fields": (0..200).map(field).collect::<Vec<Value>>()}));
        for at in 0..150 {
            let value = at.to_string();
            assert_eq!(record.value(&format!("f{at}")), Some(value.as_str()));
        }
        for missing in ["", "e", "f", "f150", "g"] {
            assert_eq!(record.value(missing), None, "{missing}");
        }
    }

    #[test]
    fn one_plain_value_is_exchanged() {
        let field = |name: &str| json!({"name": name, "value": null});
        let with = |fields: Value| record(&json!({"fields": fields})).with_value("a \"", "[1]");
        let exchanged = json!({"fields": [field("b"), {"name": "a \"", "value": [1]}]}).to_string();
        assert_eq!(with(json!([field("b"), field("a \"")])), Some(exchanged));
        let without = json!({"fields": [field("b")]}).to_string();
        assert_eq!(with(json!([field("b")])), Some(without));
        for harder in [
            json!([field("a \""), field("a \"")]),
            json!([{"name": "a \"", "value": null, "more": 1}]),
            json!([{"more": 1, "name": "a \"", "value": null}]),
            json!([{"value": null, "name": "a \""}]),
            json!([{"name": "a \""}]),
            json!([{"name": "b", "value": field("a \"")}]),
            json!([{"name": "b", "value": field("a \"")}, {"value": null, "name": "a \""}]),
            json!({"of": field("a \"")}),
        ] {
            assert_eq!(with(harder.clone()), None, "{harder}");
        }
    }

    #[test]
    fn any_json_is_a_record_and_anything_else_an_error() {
        for odd in [
            "[]",
            "1",
            "null",
            "{}",
            r#"{"fields":{}}"#,
            r#"{"fields":[]}"#,
        ] {
            let record = Record::new(odd.to_owned()).unwrap();
            assert_eq!(record.value("x"), None, "{odd}");
        }
        let spaced = "{ \"fields\" : [ {\"name\": \"x\", \"value\": 1} ] }\n";
        let record = Record::new(spaced.to_owned()).unwrap();
        assert_eq!(record.value("x"), Some("1"));
        for broken in [
            "", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\\", "{\"a\":[", "x", "{\"a\":}",
        ] {
            assert!(Record::new(broken.to_owned()).is_err(), "{broken}");
        }
    }
}
