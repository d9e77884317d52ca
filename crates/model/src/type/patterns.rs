//! Checks the regular expressions of a type, except those that are already stored.

use super::{FieldDefinition, Type};
use crate::RecordLimits;
use crate::body::Body;
use crate::json::pointer;
use crate::pattern::check;

/// Notes expressions that do not compile or are too expensive, each by itself or all together.
/// Compiles those that pass.
pub(super) fn check_patterns(
    body: &Body<'_>,
    fields: &[FieldDefinition],
    stored: Option<&Type>,
    limits: &RecordLimits,
) {
    let mut sum = 0_usize;
    let mut changed = None;
    for (index, field) in fields.iter().enumerate() {
        let Some(pattern) = &field.regex else {
            continue;
        };
        let at = || pointer(&pointer(&body.at("fields"), index), "regex");
        if is_stored(field, stored) {
            sum = sum.saturating_add(check(pattern.source(), usize::MAX).unwrap_or_default());
            continue;
        }
        changed.get_or_insert_with(at);
        match check(pattern.source(), limits.pattern_bytes) {
            Ok(bytes) => sum = sum.saturating_add(bytes),
            Err(refusal) => body.problem_at(at(), refusal),
        }
    }
    if let Some(at) = changed.filter(|_| sum > limits.type_pattern_bytes) {
        body.problem_at(
            at,
            format!(
                "is too expensive: compiled the regular expressions of this type would take about {} KiB together, \
                 and the limit is {} KiB",
                sum.div_ceil(1_024),
                limits.type_pattern_bytes / 1_024
            ),
        );
    }
}

fn is_stored(field: &FieldDefinition, stored: Option<&Type>) -> bool {
    let source = |field: &FieldDefinition| {
        let pattern = field.regex.as_ref();
        pattern.map(|pattern| pattern.source().to_owned())
    };
    stored
        .and_then(|stored| stored.field(&field.name))
        .is_some_and(|stored| source(stored) == source(field))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::body::Report;
    use crate::r#type::TypeDraft;
    use crate::{Problems, TypeId};

    fn read(
        pattern: &str,
        stored: Option<&Type>,
        limits: &RecordLimits,
    ) -> Result<Type, Vec<String>> {
        let field = json!({"type": "text", "name": "a", "label": "", "regex": pattern});
        let body = json!({"name": "of-a", "author_id": 1, "fields": [field]});
        let pointers = |problems: Problems| -> Vec<String> {
            let problems = problems.as_slice().iter();
            problems.map(|problem| problem.pointer.clone()).collect()
        };
        let report = Report::default();
        let draft = TypeDraft::read(&body, stored, limits, &report);
        let draft = report.finish(draft).map_err(pointers)?;
        Ok(draft.into_new(TypeId::new(1).unwrap(), String::new()))
    }

    #[test]
    fn what_a_type_had_before_a_limit_may_stay() {
        let stored = read("[ab]{20}", None, &RecordLimits::default()).unwrap();
        let narrow = RecordLimits {
            pattern_bytes: 10,
            type_fields: 0,
            ..RecordLimits::default()
        };
        assert!(read("[ab]{20}", Some(&stored), &narrow).is_ok());
        let refused = read("[ab]{21}", Some(&stored), &narrow).unwrap_err();
        assert_eq!(refused, ["/fields/0/regex"]);
        assert_eq!(read("a", None, &narrow).unwrap_err(), ["/fields"]);
    }
}
