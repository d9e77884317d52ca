//! The texts in the text of a stored document, read without building its values.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use stockroom_model::json::Value;
use stockroom_model::{Object, Timestamp};

use crate::gram::{self, Gram};
use crate::text::Folded;

/// The fields of a document with the texts of their values.
#[derive(Debug)]
pub struct Document<'d> {
    fields: Vec<(Cow<'d, str>, Vec<Cow<'d, str>>)>,
}

impl<'d> Document<'d> {
    /// Reads the text of a stored document. Numbers and dates are texts, too; lists and objects are
    /// the texts inside.
    ///
    /// # Errors
    ///
    /// It is not JSON.
    pub fn read(text: &'d str) -> Result<Self, serde_json::Error> {
        if let Ok(Members { fields }) = serde_json::from_str(text) {
            let fields = fields.into_iter();
            let fields = fields.filter_map(|item| Some((item.name?.0, item.value?.0)));
            return Ok(Self {
                fields: fields.collect(),
            });
        }
        // Old documents may have any shape.
        let object = Object::from_document(serde_json::from_str(text)?);
        let mut fields = Vec::new();
        for (name, value) in object.fields() {
            let texts = owned(value)?;
            fields.push((Cow::Owned(name.to_owned()), texts));
        }
        Ok(Self { fields })
    }

    /// Each text with the name of its field.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        fields.flat_map(|(name, texts)| texts.iter().map(move |text| (name.as_ref(), &**text)))
    }

    /// The grams of its texts in ascending order, without the fields that `is_left_out` names.
    #[must_use]
    pub fn grams(&self, is_left_out: impl Fn(&str) -> bool) -> Vec<Gram> {
        let (mut grams, mut folded) = (Vec::new(), Folded::default());
        for (name, text) in self.texts() {
            if !is_left_out(name) {
                folded.set(text);
                gram::add_value(&folded, &mut grams);
            }
        }
        gram::sort(grams)
    }
}

fn owned(value: &Value) -> Result<Vec<Cow<'static, str>>, serde_json::Error> {
    let Texts(texts) = Texts::deserialize(value)?;
    let texts = texts.into_iter();
    Ok(texts.map(|text| Cow::Owned(text.into_owned())).collect())
}

#[derive(serde::Deserialize)]
struct Members<'d> {
    #[serde(borrow, default)]
    fields: Vec<Item<'d>>,
}

#[derive(serde::Deserialize)]
struct Item<'d> {
    #[serde(borrow)]
    name: Option<Name<'d>>,
    #[serde(borrow)]
    value: Option<Texts<'d>>,
}

#[derive(serde::Deserialize)]
struct Name<'d>(#[serde(borrow)] Cow<'d, str>);

/// The texts in a value.
#[derive(Default)]
struct Texts<'d>(Vec<Cow<'d, str>>);

impl<'de: 'd, 'd> Deserialize<'de> for Texts<'d> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

struct TextsVisitor;

impl Texts<'_> {
    fn of(text: &impl ToString) -> Self {
        Self(vec![Cow::Owned(text.to_string())])
    }
}

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Texts<'de>, E> {
        Ok(Texts(vec![Cow::Borrowed(text)]))
    }

    fn visit_str<E>(self, text: &str) -> Result<Texts<'de>, E> {
        Ok(Texts::of(&text))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Texts<'de>, E> {
        Ok(Texts::of(&number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Texts<'de>, E> {
        Ok(Texts::of(&number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Texts<'de>, E> {
        Ok(Texts::of(&number))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Texts<'de>, E> {
        Ok(Texts::default())
    }

    fn visit_unit<E>(self) -> Result<Texts<'de>, E> {
        Ok(Texts::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Texts<'de>, A::Error> {
        let mut texts = Texts::default();
        while let Some(Texts(inside)) = items.next_element()? {
            texts.0.extend(inside);
        }
        Ok(texts)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Texts<'de>, A::Error> {
        let mut texts = Texts::default();
        while let Some(key) = members.next_key::<Cow<'de, str>>()? {
            if key == "$date" {
                texts
                    .0
                    .extend(members.next_value::<Date>()?.0.map(Cow::Owned));
            } else {
                texts.0.extend(members.next_value::<Texts<'de>>()?.0);
            }
        }
        Ok(texts)
    }
}

/// The day of a date.
struct Date(Option<String>);

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Texts(texts) = Texts::deserialize(deserializer)?;
        let text = texts.first();
        let time = text.and_then(|text| text.parse().ok().and_then(Timestamp::from_millis));
        let day = time.map(Timestamp::to_plain);
        Ok(Self(day.map(|day| {
            day.chars().take_while(|c| *c != ' ').collect()
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(document: &str) -> Vec<(String, String)> {
        let document = Document::read(document).unwrap();
        let texts = document.texts();
        texts
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    }

    #[test]
    fn texts_are_found_in_every_shape() {
        for (value, expected) in [
            (r#""a\"b""#, vec!["a\"b"]),
            (r#""plain""#, vec!["plain"]),
            ("12", vec!["12"]),
            ("-1.5", vec!["-1.5"]),
            (r#"{"$date": 1531699200000}"#, vec!["2018-07-16"]),
            (r#"["a", {"b": "c", "d": [1]}]"#, vec!["a", "c", "1"]),
            ("null", vec![]),
            ("true", vec![]),
        ] {
            let text = format!(r#"{{"x": {{}}, "fields": [{{"name": "n", "value": {value}}}]}}"#);
            let expected: Vec<_> = expected
                .into_iter()
                .map(|text| ("n".to_owned(), text.to_owned()))
                .collect();
            assert_eq!(texts(&text), expected, "{value}");
        }
    }

    #[test]
    fn old_documents_are_read() {
        assert_eq!(texts(r#"{"fields": 7}"#), []);
        assert_eq!(texts("[]"), []);
        let odd = r#"{"fields": [1, {"name": 2, "value": "x"}, {"name": "n", "value": ["y"]}]}"#;
        assert_eq!(texts(odd), [("n".to_owned(), "y".to_owned())]);
        assert!(Document::read("{").is_err());
    }

    #[test]
    fn fields_can_be_left_out() {
        let text = r#"{"fields": [{"name": "a", "value": "xyz"}, {"name": "b", "value": "q"}]}"#;
        let document = Document::read(text).unwrap();
        let all = document.grams(|_| false);
        let some = document.grams(|name| name == "a");
        assert!(some.len() < all.len() && some.iter().all(|gram| all.contains(gram)));
        assert!(document.grams(|_| true).is_empty());
    }
}
