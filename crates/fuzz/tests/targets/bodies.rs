//! Every reader reads or refuses a body, and stored records can be written back.

#![expect(clippy::expect_used, reason = "a helper of tests fails as a test does")]

use stockroom_model::body::{self, Report};
use stockroom_model::json::{Value, length, most_bytes, parse};
use stockroom_model::object::{Merged, ObjectDraft, check_fields};
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{
    Object, ObjectId, Problems, RecordLimits, Setting, Timestamp, TypeId, UserId,
};

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
        let type_draft = read(|report| TypeDraft::read(&body, None, &limits, report));
        let user = UserId::new(1).expect("an id");
        let setting = read(|report| Setting::read(&body, user, None, report));
        let object = read(|report| ObjectDraft::read(&body, None, &limits, report));
        let outcome = kind(&(
            type_draft.as_ref().map(|(_, warnings)| warnings),
            setting.map(|(_, warnings)| warnings),
            object.as_ref().map(|(_, warnings)| warnings),
        ));
        if let Ok((draft, _)) = type_draft {
            let first = TypeId::new(1).expect("an id");
            let stored = draft.into_new(first, START.to_iso());
            let answer = serde_json::to_value(&stored).expect("a type");
            let again = read(|report| TypeDraft::read(&answer, Some(&stored), &limits, report));
            assert!(
                again.is_ok(),
                "{answer} cannot be put back: {:?}",
                again.err()
            );
        }
        if let Ok((draft, _)) = object {
            put_back(&draft.into_unsaved().saved(id, START), &body, &limits);
        }
        outcome
    });
}

/// The result of reading a body, with the number of warnings.
fn read<T>(reader: impl FnOnce(&Report) -> Option<T>) -> Result<(T, usize), Problems> {
    let report = Report::default();
    let value = report.finish(reader(&report))?;
    Ok((value, report.into_warnings().len()))
}

fn put_back(stored: &Object, patch: &Value, limits: &RecordLimits) {
    let answer = stored.clone().into_document();
    let again = read(|report| ObjectDraft::read(&answer, Some(stored), limits, report));
    assert!(
        again.is_ok(),
        "{answer} cannot be put back: {:?}",
        again.err()
    );
    let merged = Merged::new(stored, patch);
    let report = Report::default();
    let merged = ObjectDraft::read(&merged.document, Some(stored), limits, &report);
    if let Ok(draft) = report.finish(merged) {
        let fields = serde_json::json!([{"type": "date", "name": "a", "label": "", "required": true, "regex": "a+"}]);
        let body = serde_json::json!({"name": "of-a", "author_id": 1, "fields": fields});
        let draft_of_type = TypeDraft::read(&body, None, limits, &report).expect("a type");
        let definition = draft_of_type.into_new(TypeId::new(1).expect("an id"), String::new());
        let _ = check_fields(&definition, &draft.fields, Some(stored.items()), &report);
    }
}
