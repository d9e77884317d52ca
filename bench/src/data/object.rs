//! The bodies of objects.

use fastrand::Rng;
use serde_json::{Value, json};

use super::{FIRST_WITH_REFERENCES, TYPES};

/// The type that the field `site` references.
pub(super) const SITE: i64 = 1;
/// The type that the field `owner` references.
pub(super) const OWNER: i64 = 2;

/// How many different values the field `city` has.
pub(crate) const CITIES: i64 = 50;
/// The values of the field `environment`.
pub(crate) const ENVIRONMENTS: [&str; 4] = ["development", "production", "staging", "test"];

const STATUS: [&str; 5] = ["active", "in-stock", "in-repair", "ordered", "retired"];
const SYLLABLES: [&str; 16] = [
    "ba", "den", "co", "fu", "ger", "hal", "in", "ka", "lo", "mar", "no", "per", "rus", "sen",
    "tor", "vil",
];
const WORDS: [&str; 16] = [
    "replaced", "cable", "power", "supply", "after", "storm", "moved", "from", "the", "basement",
    "check", "fan", "warranty", "vendor", "called", "again",
];
const NOTES_BYTES: usize = 190;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// 2015-01-01 in days since 1970.
const FIRST_DAY: i64 = 16_436;

/// The type of object `number`.
pub(crate) const fn type_of(number: i64) -> i64 {
    1 + number % TYPES
}

/// The body that inserts object `number` with the id `number`.
pub(crate) fn body(number: i64) -> Value {
    let mut body = insert_body(number, number);
    body["public_id"] = Value::from(number);
    body
}

/// The body that inserts an object like `number` into an inventory of `existing` objects. The
/// service assigns the id.
pub(crate) fn insert_body(number: i64, existing: i64) -> Value {
    // Neighbouring seeds give similar first values, so a multiplier spreads them.
    let seed = number.unsigned_abs().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut dice = Rng::with_seed(seed);
    let fields: Vec<Value> = fields(number, existing, &mut dice)
        .into_iter()
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({
        "type_id": type_of(number),
        "author_id": 1,
        "version": "1.0.0",
        "active": dice.u8(..100) < 95,
        "fields": fields,
    })
}

fn fields(number: i64, existing: i64, dice: &mut Rng) -> [(&'static str, Value); 15] {
    let day = FIRST_DAY + dice.i64(0..3_650);
    [
        ("hostname", hostname(number).into()),
        ("serial", serial(dice).into()),
        ("city", name(dice.i64(0..CITIES)).into()),
        ("status", pick(&STATUS, dice).into()),
        ("vendor", name(1_000 + dice.i64(0..40)).into()),
        (
            "model",
            format!("M{}-{}", dice.u8(1..9), dice.u8(..50)).into(),
        ),
        ("rack", format!("R-{:04}", dice.u16(..2_000)).into()),
        (
            "contact",
            format!("{}@example.org", name(dice.i64(0..5_000))).into(),
        ),
        ("cores", (1_u16 << dice.u8(..8)).into()),
        ("price", (f64::from(dice.u32(..1_000_000)) / 100.0).into()),
        ("bought", json!({"$date": day * DAY_MILLISECONDS})),
        ("environment", pick(&ENVIRONMENTS, dice).into()),
        ("site", reference(SITE, number.min(existing), dice)),
        ("owner", reference(OWNER, number.min(existing), dice)),
        ("notes", notes(number, dice).into()),
    ]
}

/// The host name of object `number`. It is unique.
pub(crate) fn hostname(number: i64) -> String {
    format!("host-{number:07}")
}

/// The name of city `number`, modulo [`CITIES`].
pub(crate) fn city(number: i64) -> String {
    name(number.rem_euclid(CITIES))
}

fn serial(dice: &mut Rng) -> String {
    (0..10).map(|_| dice.digit(36)).collect()
}

/// A name derived from a number; different numbers give different names.
fn name(number: i64) -> String {
    let digits = [12, 8, 4, 0].map(|shift| usize::try_from((number >> shift) & 15).unwrap_or(0));
    let significant = digits
        .iter()
        .skip_while(|digit| **digit == 0)
        .count()
        .max(1);
    digits[4 - significant..]
        .iter()
        .map(|digit| SYLLABLES[*digit])
        .collect()
}

fn pick(list: &[&'static str], dice: &mut Rng) -> &'static str {
    list[dice.usize(..list.len())]
}

/// A reference to an object of type `target` with a smaller number than `number`; the first objects
/// have none.
fn reference(target: i64, number: i64, dice: &mut Rng) -> Value {
    if number < FIRST_WITH_REFERENCES {
        return Value::Null;
    }
    let remainder = target - 1;
    Value::from(remainder + TYPES * dice.i64(1..(number - remainder) / TYPES))
}

/// The objects that a stored document references.
pub(crate) fn references(document: &str) -> Vec<i64> {
    let value = |name| {
        let (_, rest) = document.split_once(&format!(r#""name":"{name}","value":"#))?;
        rest.split_once('}')?.0.parse().ok()
    };
    ["site", "owner"].into_iter().filter_map(value).collect()
}

/// About 200 bytes of prose that begin with a unique text.
fn notes(number: i64, dice: &mut Rng) -> String {
    let mut text = ticket(number);
    while text.len() < NOTES_BYTES {
        text.push(' ');
        text.push_str(pick(&WORDS, dice));
    }
    text
}

/// The start of the notes of object `number`.
pub(crate) fn ticket(number: i64) -> String {
    format!("ticket-{number:07}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_the_same_in_every_run() {
        // If the body has changed, increase `VERSION`.
        let expected = include_str!("object-4711.json").trim_end();
        assert_eq!(body(4_711).to_string(), expected);
    }

    #[test]
    fn references_name_earlier_objects_of_the_right_type() {
        for number in (FIRST_WITH_REFERENCES..100_000).step_by(37) {
            let body = body(number);
            for (index, target) in [(12, SITE), (13, OWNER)] {
                let id = body["fields"][index]["value"].as_i64().unwrap();
                assert!(
                    id >= 1 && id < number && type_of(id) == target,
                    "{number}: {body}"
                );
            }
        }
    }

    #[test]
    fn references_are_found_in_the_text() {
        let body = body(4_711);
        let named = [12, 13].map(|index| body["fields"][index]["value"].as_i64().unwrap());
        assert_eq!(references(&body.to_string()), named);
        assert_eq!(references(&super::body(1).to_string()), [0; 0]);
    }

    #[test]
    fn names_tell_numbers_apart() {
        let names: std::collections::HashSet<String> = (0..10_000).map(name).collect();
        assert_eq!(names.len(), 10_000);
    }
}
