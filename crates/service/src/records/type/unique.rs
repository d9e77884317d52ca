//! Rules about unique values that a new definition of a type begins and ends.

use stockroom_access::Scope;
use stockroom_model::body::Report;
use stockroom_model::json::pointer;
use stockroom_model::r#type::{Rename, UniqueRule};
use stockroom_model::{Problem, Type, TypeId};
use stockroom_store::{SharedValues, WriteTx};

use crate::core::not_unique::shared;
use crate::{Error, object};

/// Rules times objects that may begin together.
const MOST_BEGUN: usize = 200_000;

/// Ends the rules that `after` does not have, and begins those that it has. A rule that was never
/// enforced, because objects share values by it, may stay so: returns a warning about it.
///
/// # Errors
///
/// Objects share values that would be unique; the caller learns which if it may read them.
pub(super) fn adapt(
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    (before, after): (&Type, &Type),
    renames: &[Rename],
) -> Result<Vec<Problem>, Error> {
    let id = after.public_id;
    let (rules, known) = (after.unique_rules(), before.unique_rules());
    let enforced = tx.unique_rules(id)?;
    // The values of a renamed field may meet others that stand under its new name.
    let mut kept = if renames.is_empty() {
        enforced.clone()
    } else {
        Vec::new()
    };
    kept.retain(|rule| rules.contains(rule));
    tx.end_unique_rules(id, &kept)?;
    let begun = rules.len() - kept.len();
    check_work(tx, scope, id, begun)?;
    let was_enforced = |rule: &UniqueRule| {
        let mut enforced = enforced.iter();
        enforced.any(|enforced| enforced.renamed(renames) == *rule)
    };
    let (report, sees) = (Report::default(), scope.sees(id));
    for rule in rules.iter().filter(|rule| !kept.contains(rule)) {
        let found = tx.begin_unique_rule(after, rule)?;
        if found.is_empty() {
            continue;
        }
        let told = told(&found, sees);
        if known.contains(rule) && !was_enforced(rule) {
            report.warning(at(after, rule), format!("is not enforced: {told}"));
        } else {
            report.problem(at(after, rule), format!("cannot be enforced: {told}"));
        }
    }
    if report.has_problems() {
        report.finish(Some(()))?;
    }
    Ok(report.into_warnings())
}

/// Each rule that begins reads all objects while other writes wait.
fn check_work(tx: &mut WriteTx<'_>, scope: &Scope, id: TypeId, begun: usize) -> Result<(), Error> {
    if begun <= 1 {
        return Ok(());
    }
    let objects = tx.count_objects_of_type(&Scope::for_maintenance(), id)?;
    let work = usize::try_from(objects).unwrap_or(usize::MAX);
    if work.saturating_mul(begun) <= MOST_BEGUN {
        return Ok(());
    }
    let objects = object::counted(scope, id, objects);
    Err(Error::invalid(
        "/fields",
        format!(
            "makes {begun} fields or sets of fields of {objects} unique, more than one transaction takes: do it in several requests"
        ),
    ))
}

/// The values that objects share.
fn told(found: &[SharedValues], sees: bool) -> String {
    if !sees {
        return "objects that you may not read share values".to_owned();
    }
    let all: Vec<String> = found.iter().map(shared).collect();
    format!("objects share values: {}", all.join("; "))
}

/// Where the definition has a rule.
fn at(definition: &Type, rule: &UniqueRule) -> String {
    let names: Vec<&str> = rule.names().collect();
    let set = definition.unique.iter().position(|set| *set == names);
    if let Some(index) = set {
        return pointer("/unique", index);
    }
    let index = names.first().and_then(|name| definition.field_index(name));
    pointer(&pointer("/fields", index.unwrap_or_default()), "unique")
}
