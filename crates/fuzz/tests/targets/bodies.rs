//! A body is read or refused, by every reader; what is stored can be put back.

#![expect(clippy::expect_used, reason = "a helper of tests fails as a test does")]

use stockroom_model::json::{Value, length, most_bytes, parse};
use stockroom_model::object::{Merged, ObjectDraft, check_fields};
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{Object, ObjectId, RecordLimits, Setting, Timestamp, TypeId, UserId, body};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "\"public_id\":1",
    "\"type_id\":1",
    "\"author_id\":1",
    "\"fields\":[",
    "\"name\":\"a\"",
    "\"value\":",
    "\"label\":\"\"",
    "\"type\":\"text\"",
    "\"type\":\"date\"",
    "\"type\":\"ref\"",
    "\"type\":\"password\"",
    "\"regex\":\"a+\"",
    "\"required\":true",
    "\"options\":[",
    "\"ref_types\":[1]",
    "\"render_meta\":{",
    "\"sections\":[",
    "\"externals\":[",
    "\"href\":\"{}\"",
    "\"summary\":{",
    "\"acl\":{",
    "\"groups\":{\"includes\":{",
    "\"status\":",
    "\"version\":",
    "\"active\":",
    "\"views\":",
    "{\"$date\":1}",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\\u0000",
    "\\ud800",
    "1e999",
];

const START: Timestamp = Timestamp(1_600_000_000_000_000);

#[test]
fn bodies_are_read_or_refused() {
    let limits = RecordLimits::default();
    let id = ObjectId::new(1).expect("an id");
    fuzz("bodies", WORDS, |input| {
        let body = match parse(input) {
            Ok(body) => body,
            Err(malformed) => return kind(&malformed),
        };
        assert!(length(&body) <= most_bytes(&body));
        assert_eq!(
            parse(body.to_string().as_bytes()).ok().as_ref(),
            Some(&body)
        );
        let mut patched = body.clone();
        body::merge_patch(&mut patched, &body);
        let type_draft = TypeDraft::read(&body, None, &limits);
        let setting = UserId::new(1).map(|user| Setting::read(&body, user, None));
        let object = ObjectDraft::read(&body, None, &limits);
        let outcome = kind(&(
            type_draft.as_ref().map(|read| read.warnings.len()),
            setting.map(|read| read.map(|read| read.warnings.len())),
            object.as_ref().map(|read| read.warnings.len()),
        ));
        if let Ok(draft) = type_draft {
            let first = TypeId::new(1).expect("an id");
            let stored = draft.value.into_new(first, START.to_iso());
            let answer = serde_json::to_value(&stored).expect("a type");
            let again = TypeDraft::read(&answer, Some(&stored), &limits);
            assert!(
                again.is_ok(),
                "{answer} cannot be put back: {:?}",
                again.err()
            );
        }
        if let Ok(draft) = object {
            put_back(&draft.value.into_new(id, START), &body, &limits);
        }
        outcome
    });
}

fn put_back(stored: &Object, patch: &Value, limits: &RecordLimits) {
    let answer = stored.clone().into_document();
    let again = ObjectDraft::read(&answer, Some(stored), limits);
    assert!(
        again.is_ok(),
        "{answer} cannot be put back: {:?}",
        again.err()
    );
    let merged = Merged::new(stored, patch);
    let report = body::Report::default();
    if let Ok(draft) = ObjectDraft::read(&merged.document, Some(stored), limits) {
        let fields = serde_json::json!([{"type": "date", "name": "a", "label": "", "required": true, "regex": "a+"}]);
        let body = serde_json::json!({"name": "of-a", "author_id": 1, "fields": fields});
        let r#type = TypeDraft::read(&body, None, limits).expect("a type").value;
        let r#type = r#type.into_new(TypeId::new(1).expect("an id"), String::new());
        let _ = check_fields(&r#type, &draft.value.fields, Some(stored.items()), &report);
    }
}
