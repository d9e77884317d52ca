//! Legal bodies with a fault inserted.

use serde_json::Value;
use stockroom_testkit::{Client, Engine, apply, both};

use crate::fragments;
use crate::inventory::{Case, Dump, start};
use crate::positions::{self, Positions};
use crate::targets::{self, Target};

const SEED: u64 = 20_260_304;

/// How many random faults of each kind each target gets.
const ROUNDS: usize = 12;

/// Marks the place of a fragment that is not JSON. No legal body contains this text.
const MARK: &str = "@fragment@";

#[apply(both)]
async fn a_body_that_is_no_json_is_refused_and_changes_nothing(engine: Engine) {
    let mut random = fastrand::Rng::with_seed(SEED);
    let count = refuse_all(engine, |target| {
        let mut cases = Vec::new();
        for _ in 0..ROUNDS {
            cases.push(target.truncated(&mut random));
            cases.push(target.without_utf8(&mut random));
            cases.push(target.with_trailing(&mut random));
            cases.push(target.with_fragment(&mut random));
            cases.push(target.with_fragment(&mut random));
        }
        cases
    })
    .await;
    assert!(count >= 1_000, "only {count} requests");
}

#[apply(both)]
async fn a_body_of_the_wrong_shape_is_refused_where_it_is_wrong_and_changes_nothing(
    engine: Engine,
) {
    let document = stockroom_http::document();
    let count = refuse_all(engine, |target| {
        let positions = positions::of(&document, &target.operation, &target.body);
        assert!(!positions.typed.is_empty(), "{}", target.operation);
        let mut cases = target.with_wrong_types(&positions);
        cases.extend(target.with_members_missing(&positions));
        cases
    })
    .await;
    assert!(count >= 1_000, "only {count} requests");
}

#[apply(both)]
async fn a_body_that_breaks_a_rule_is_refused_where_it_does_and_changes_nothing(engine: Engine) {
    let count = refuse_all(engine, Target::with_illegal_values).await;
    assert!(count >= 100, "only {count} requests");
}

#[apply(both)]
async fn a_body_of_another_kind_or_length_is_refused_and_changes_nothing(engine: Engine) {
    let types = [
        "text/plain",
        "application/xml",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "x",
    ];
    refuse_all(engine, |target| {
        let body = target.body.to_string().into_bytes();
        let of_type = |kind| Case {
            headers: vec![("content-type", kind)],
            ..target.case(body.clone())
        };
        let mut cases: Vec<Case> = types.into_iter().map(of_type).collect();
        cases.push(target.case(Vec::new()));
        if target.path.len() < 14 {
            // White space is legal, so only the length is wrong.
            let mut long = body.clone();
            long.resize(16 * 1024 * 1024 + 1, b' ');
            cases.push(target.case(long));
        }
        cases
    })
    .await;
}

/// Sends all requests that `spoil` makes of every target. Returns how many there were.
async fn refuse_all(engine: Engine, mut spoil: impl FnMut(&Target) -> Vec<Case>) -> usize {
    let server = start(engine).await;
    let admin: Client = server.admin();
    let before = Dump::of(&admin).await;
    let mut count = 0;
    for target in targets::all() {
        for case in spoil(&target) {
            case.must_be_refused(&admin).await;
            count += 1;
        }
        assert_eq!(Dump::of(&admin).await, before, "{}", target.operation);
    }
    count
}

impl Target {
    fn case(&self, body: Vec<u8>) -> Case {
        Case {
            method: self.method.clone(),
            path: self.path.clone(),
            headers: Vec::new(),
            body,
            pointer: None,
        }
    }

    fn truncated(&self, random: &mut fastrand::Rng) -> Case {
        let mut body = self.body.to_string().into_bytes();
        body.truncate(random.usize(..body.len()));
        self.case(body)
    }

    fn without_utf8(&self, random: &mut fastrand::Rng) -> Case {
        let mut body = self.body.to_string().into_bytes();
        let place = random.usize(..=body.len());
        let bytes = fragments::NO_UTF8[random.usize(..fragments::NO_UTF8.len())];
        body.splice(place..place, bytes.iter().copied());
        self.case(body)
    }

    fn with_trailing(&self, random: &mut fastrand::Rng) -> Case {
        let trailing = fragments::TRAILING[random.usize(..fragments::TRAILING.len())];
        self.case(format!("{}{trailing}", self.body).into_bytes())
    }

    fn with_fragment(&self, random: &mut fastrand::Rng) -> Case {
        let mut places = Vec::new();
        pointers(&self.body, "", &mut places);
        let place = &places[random.usize(..places.len())];
        let marked = self.with(place, Value::from(MARK)).to_string();
        let fragment = fragments::any(random);
        self.case(
            marked
                .replace(&format!("\"{MARK}\""), &fragment)
                .into_bytes(),
        )
    }

    /// The body with another value at `pointer`, which may be a new member.
    fn with(&self, pointer: &str, value: Value) -> Value {
        let mut body = self.body.clone();
        let place = body.pointer(pointer).is_some();
        match pointer.rsplit_once('/').filter(|_| !place) {
            None => *body.pointer_mut(pointer).unwrap() = value,
            Some((parent, key)) => body.pointer_mut(parent).unwrap()[key] = value,
        }
        body
    }

    fn at(&self, pointer: &str, value: Value) -> Case {
        Case {
            pointer: Some(pointer.to_owned()),
            ..self.case(self.with(pointer, value).to_string().into_bytes())
        }
    }

    fn with_wrong_types(&self, positions: &Positions) -> Vec<Case> {
        let typed = positions.typed.iter();
        let cases = typed.flat_map(|position| {
            let illegal = position.illegal().into_iter();
            illegal.map(|value| self.at(&position.pointer, value))
        });
        cases.collect()
    }

    /// Leaves out required members. At the top level only inserts need them, as replacements, their
    /// previews and patches keep the stored ones.
    fn with_members_missing(&self, positions: &Positions) -> Vec<Case> {
        let is_preview = self.path.ends_with("/preview");
        let is_insert = self.method == axum::http::Method::POST && !is_preview;
        let required = positions.required.iter();
        let missing = required.filter(|pointer| is_insert || pointer.matches('/').count() > 1);
        let cases = missing.map(|pointer| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let mut body = self.body.clone();
            body.pointer_mut(parent)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .shift_remove(key);
            Case {
                pointer: Some(pointer.to_owned()),
                ..self.case(body.to_string().into_bytes())
            }
        });
        cases.collect()
    }

    fn with_illegal_values(&self) -> Vec<Case> {
        let cases = self.illegal.iter().flat_map(|(pointer, values)| {
            values.iter().map(|value| self.at(pointer, value.clone()))
        });
        cases.collect()
    }
}

/// The pointers to all values of a body.
fn pointers(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    for (key, member) in value.as_object().into_iter().flatten() {
        pointers(member, &format!("{at}/{key}"), places);
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        pointers(item, &format!("{at}/{index}"), places);
    }
}
