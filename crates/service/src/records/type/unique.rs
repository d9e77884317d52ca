//! Rules about unique values that a new definition of a type begins and ends.

use stockroom_access::Scope;
use stockroom_access::permission::TypeEdit;
use stockroom_model::body::Report;
use stockroom_model::json::pointer;
use stockroom_model::r#type::UniqueRule;
use stockroom_model::{Problem, Type, TypeId};
use stockroom_store::{End, SharedValues, WriteTx};

use super::redefinition::Redefinition;
use crate::core::not_unique::shared;
use crate::{Caller, Error, Permit, object};

/// Rules times objects that may begin together.
const MOST_BEGUN: usize = 200_000;

/// Ends the rules that `after` does not have, and begins those that it has. Returns warnings about
/// rules that were never enforced, and stay so because objects share values by them.
///
/// # Errors
///
/// Objects share values that would be unique; the caller learns which if it may read them.
pub(super) fn adapt(
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    redefinition: &Redefinition,
) -> Result<Vec<Problem>, Error> {
    let after = &redefinition.after;
    let (report, sees) = (Report::default(), scope.sees(after.public_id));
    for found in begin(tx, scope, redefinition)? {
        let (at, told) = (at(after, &found.rule), found.told(sees));
        if found.was_unenforced {
            report.warning(at, told);
        } else {
            report.problem(at, told);
        }
    }
    if report.has_problems() {
        report.finish(Some(()))?;
    }
    Ok(report.into_warnings())
}

/// What [`adapt`] would refuse or warn of. Other writes wait meanwhile, as they do for that.
pub(super) async fn preview(
    permit: &Permit<TypeEdit>,
    redefinition: &Redefinition,
) -> Result<Vec<UnenforceableRule>, Error> {
    let attempt = |caller: Caller| {
        let redefinition = redefinition.clone();
        async move { (begin_in(caller, redefinition).await, End::RollBack) }
    };
    permit.caller().transact(attempt).await?
}

async fn begin_in(
    caller: Caller,
    redefinition: Redefinition,
) -> Result<Vec<UnenforceableRule>, Error> {
    let permit: Permit<TypeEdit> = caller.permit().await?;
    let writer = permit.clone();
    let begin = move |tx: &mut WriteTx<'_>| {
        let access = writer.access(tx)?;
        tx.require_exclusive()?;
        begin(tx, &access.scope, &redefinition)
    };
    permit.write(begin).await
}

/// A rule that cannot begin, because objects share values.
pub(super) struct UnenforceableRule {
    pub(super) rule: UniqueRule,
    pub(super) values: Vec<SharedValues>,
    /// Whether the stored type has the rule, which was never enforced.
    pub(super) was_unenforced: bool,
}

impl UnenforceableRule {
    /// What a caller learns, who may read the objects or not.
    pub(super) fn told(&self, sees: bool) -> String {
        let is = if self.was_unenforced {
            "is not"
        } else {
            "cannot be"
        };
        if sees {
            format!("{is} enforced: {}", shared(&self.values))
        } else {
            format!("{is} enforced: objects that you may not read share values")
        }
    }
}

/// Ends and begins rules. Returns those that cannot begin.
fn begin(
    tx: &mut WriteTx<'_>,
    scope: &Scope,
    redefinition: &Redefinition,
) -> Result<Vec<UnenforceableRule>, Error> {
    let Redefinition {
        before,
        after,
        renames,
    } = redefinition;
    let id = after.public_id;
    let (rules, known) = (after.unique_rules(), before.unique_rules());
    let enforced = tx.unique_rules(id)?;
    // The rule of a renamed field begins anew: values may meet others under the new name.
    let mut kept = enforced.clone();
    kept.retain(|rule| rules.contains(rule));
    tx.end_unique_rules(id, &kept)?;
    check_work(tx, scope, id, rules.len().saturating_sub(kept.len()))?;
    let was_enforced = |rule: &UniqueRule| {
        let mut enforced = enforced.iter();
        enforced.any(|enforced| enforced.renamed(renames) == *rule)
    };
    let mut found = Vec::new();
    for rule in rules.into_iter().filter(|rule| !kept.contains(rule)) {
        let values = tx.begin_unique_rule(after, &rule)?;
        if !values.is_empty() {
            let was_unenforced = known.contains(&rule) && !was_enforced(&rule);
            found.push(UnenforceableRule {
                rule,
                values,
                was_unenforced,
            });
        }
    }
    Ok(found)
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
