//! Measures how many documents per second a filter scans without an index:
//! `cargo test --release -p stockroom-filter --test text_rate -- --ignored --nocapture`

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints, and fails as a test does"
)]

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};
use stockroom_filter::{Checked, Limits, Order, Parsed, Paths, Sort};

const DOCUMENTS: usize = 2_000;
const ROUNDS: usize = 200;

#[test]
#[ignore = "measures, asserts nothing"]
fn rates() {
    let documents: Vec<String> = (0..DOCUMENTS).map(document).collect();
    let bytes: usize = documents.iter().map(String::len).sum();
    println!("{} documents of {} bytes", DOCUMENTS, bytes / DOCUMENTS);
    for (name, filter) in [
        (
            "equal, late field, text",
            json!({"fields": {"$elemMatch": {"name": "asset_tag", "value": "A-0001234"}}}),
        ),
        (
            "the same, no needle ($in of two)",
            json!({"fields": {"$elemMatch": {"name": "asset_tag", "value": {"$in": ["A-0001234", "A-0001235"]}}}}),
        ),
        (
            "$gt, late field, number",
            json!({"fields": {"$elemMatch": {"name": "power", "value": {"$gt": 498}}}}),
        ),
        (
            "two late fields",
            json!({"$and": [
                {"fields": {"$elemMatch": {"name": "power", "value": {"$gt": 10}}}},
                {"fields": {"$elemMatch": {"name": "monitored", "value": true}}},
            ]}),
        ),
        (
            "regex over all values, needle",
            json!({"fields.value": {"$regex": "^srv-0001[0-9]$".replace("[0-9]", r"\d")}}),
        ),
        (
            "regex over all values, no needle",
            json!({"fields.value": {"$regex": "^srv-0001[0-9]$"}}),
        ),
        (
            "$gt over all values",
            json!({"fields.value": {"$gt": 1_000_000}}),
        ),
        ("text at the top", json!({"version": "1.0.7"})),
        ("number at the top", json!({"author_id": 3})),
        ("beside the text", json!({"views": {"$gt": 5}})),
        (
            "$ne, late field",
            json!({"fields": {"$not": {"$elemMatch": {"name": "asset_tag", "value": "A-0001234"}}}}),
        ),
    ] {
        let filter = read(&filter);
        let found = documents
            .iter()
            .filter(|text| filter.matches_text(text, &[("views", 3)]).unwrap())
            .count();
        report(name, found, ROUNDS, || {
            documents
                .iter()
                .filter(|text| filter.matches_text(text, &[("views", 3)]).unwrap())
                .count()
        });
    }
    let filter = read(&json!({"fields": {"$elemMatch": {"name": "power", "value": {"$gt": 498}}}}));
    report("parsed first: $gt, late field", 0, 20, || {
        let parsed = documents.iter().filter(|text| {
            let document: Value = serde_json::from_str(text).unwrap();
            filter.matches(&document).unwrap()
        });
        parsed.count()
    });
    let sort = Sort::objects("fields.asset_tag", Order::Ascending);
    report("sort key, late field", 0, ROUNDS, || {
        let keys = documents
            .iter()
            .map(|text| sort.key_of_text(text, &[]).unwrap());
        keys.filter(|key| *key == sort.key(&Value::Null)).count()
    });
}

fn read(filter: &Value) -> Checked {
    let parsed = Parsed::from_value(filter, &Limits::default()).unwrap();
    parsed.check(&Paths::default()).unwrap()
}

/// The best of several rounds, because other processes disturb the measurement.
fn report(name: &str, found: usize, rounds: usize, mut look: impl FnMut() -> usize) {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        std::hint::black_box(look());
        best = best.min(start.elapsed().as_secs_f64());
    }
    let nanos = best * 1e9 / f64::from(u32::try_from(DOCUMENTS).unwrap());
    let rate = 1e3 / nanos;
    println!("{name:36} {found:6} found {nanos:8.0} ns {rate:7.2} M/s");
}

fn document(number: usize) -> String {
    let mut fields = String::new();
    for (name, value) in [
        ("hostname", json!(format!("srv-{number:05}"))),
        ("domain", json!("dc1.example.internal")),
        (
            "ip_address",
            json!(format!(
                "10.{}.{}.{}",
                number / 65536,
                number / 256 % 256,
                number % 256
            )),
        ),
        (
            "os",
            json!(if number.is_multiple_of(3) {
                "debian-12"
            } else {
                "ubuntu-24.04"
            }),
        ),
        ("cores", json!(1 << (number % 7))),
        ("memory_gb", json!(number % 13 * 16)),
        ("rack", json!(number % 211)),
        (
            "bought",
            json!({"$date": 1_577_923_200_000_i64 + i64::try_from(number).unwrap() * 86_400_000}),
        ),
        (
            "notes",
            json!(
                "second power supply replaced, the \"left\" one; firmware is to be renewed with the next maintenance, see the ticket of May"
            ),
        ),
        ("location", json!("Rotterdam, hall 2")),
        ("owner", json!(format!("team-{}", number % 17))),
        ("serial_number", json!(format!("SN{:010}", number * 7_919))),
        ("monitored", json!(number.is_multiple_of(2))),
        ("power", json!(number % 500)),
        ("asset_tag", json!(format!("A-{number:07}"))),
    ] {
        let comma = if fields.is_empty() { "" } else { "," };
        write!(fields, r#"{comma}{{"name":"{name}","value":{value}}}"#).unwrap();
    }
    format!(
        r#"{{"public_id":{number},"type_id":{},"status":true,"version":"1.0.{}","author_id":{},"creation_time":{{"$date":1577923200000}},"last_edit_time":null,"editor_id":null,"active":true,"fields":[{fields}]}}"#,
        number % 12,
        number % 50,
        number % 9,
    )
}
