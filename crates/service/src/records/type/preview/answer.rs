//! The findings of a preview in words, and the objects with their summaries.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use stockroom_access::Scope;
use stockroom_access::permission::{ObjectView, TypeEdit};
use stockroom_model::object::{Violation, listed};
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{ObjectId, Problem, Type, TypeId};
use stockroom_store::{Catalog, ReadTx};
use utoipa::ToSchema;

use super::{Plan, PreviewResult};
use crate::records::object::type_preview::{Finding, Findings, Reason};
use crate::records::object::{summaries, type_title};
use crate::records::r#type::unique::UnenforceableRule;
use crate::{Error, Permit};

/// How many objects are named that share values by one rule.
const MAX_SHARING: usize = 100;

/// How often a preview names objects.
const MAX_NAMED: usize = 10_000;

/// What a PUT would do to the objects of a type
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TypePreview {
    #[schema(value_type = i64)]
    type_id: TypeId,
    /// Objects of the type, hidden ones included
    #[schema(minimum = 0)]
    objects: i64,
    /// Objects that were examined
    #[schema(value_type = i64, minimum = 0)]
    examined: usize,
    /// False if the time was up before all objects were examined
    complete: bool,
    /// Objects that would change: values move to another name or are encrypted
    #[schema(value_type = i64, minimum = 0)]
    changed: usize,
    /// Objects whose fields would not be those of the type
    unclean: Objects,
    /// Fields that get another name, in the order of the body
    renamed: Vec<RenamedField>,
    /// Fields that go and whose values stay behind
    orphaned: Vec<FieldFinding>,
    /// Values that a new object could not have
    unfit: Vec<FieldFinding>,
    /// Why the PUT would be refused
    refused: Vec<FieldFinding>,
    /// What the PUT would warn of, except `orphaned`
    warnings: Vec<Problem>,
}

/// Objects with something in common
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[schema(as = PreviewedObjects)]
struct Objects {
    #[schema(value_type = i64, minimum = 0)]
    count: usize,
    /// The first 100, if you may read them
    #[schema(max_items = 100)]
    objects: Vec<NamedObject>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PreviewedObject)]
struct NamedObject {
    #[schema(value_type = i64)]
    public_id: ObjectId,
    /// By the definition that is stored; null if the object is gone
    #[schema(required)]
    summary: Option<String>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
struct RenamedField {
    from: String,
    to: String,
    /// Objects that have the field
    #[schema(value_type = i64, minimum = 0)]
    count: usize,
}

/// A field, and the objects whose values are concerned
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PreviewFinding)]
struct FieldFinding {
    field: String,
    reason: PreviewReason,
    /// The reason in words
    detail: String,
    #[serde(flatten)]
    objects: Objects,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PreviewReason {
    Kind,
    Regex,
    Options,
    Required,
    Reference,
    RefTypes,
    Removed,
    Taken,
    Password,
    Unique,
    TooMany,
}

/// The answer to what was found.
pub(super) async fn answer(
    permit: &Permit<TypeEdit>,
    plan: &Arc<Plan>,
    found: PreviewResult,
) -> Result<TypePreview, Error> {
    let (reader, plan) = (permit.clone(), Arc::clone(plan));
    let describe = move |tx: &mut ReadTx<'_>| {
        let access = reader.access(tx)?;
        let may_name = access.holds::<ObjectView>() && access.scope.sees(plan.id());
        let room = if may_name { MAX_NAMED } else { 0 };
        let ids = named(&found, room);
        let stored = &plan.stored.record;
        let words = Words {
            summaries: summaries(reader.service(), tx, &access.scope, stored, &ids)?,
            plan: &plan,
            catalog: tx.catalog(),
            scope: &access.scope,
            room: Cell::new(room),
        };
        Ok(words.preview(&found))
    };
    permit.read_newest(describe).await
}

/// The objects that are named where they are named at most `room` times.
fn named(found: &PreviewResult, room: usize) -> Vec<ObjectId> {
    let all = found.findings.by_field.values();
    let ids = all.flat_map(|finding| &finding.first).copied();
    let sharing = found.unenforceable.iter().flat_map(first_sharing);
    let ids = sharing.chain(ids).take(room);
    let ids: BTreeSet<ObjectId> = ids.collect();
    ids.into_iter().collect()
}

/// The first objects that share values by a rule.
fn first_sharing(shared: &UnenforceableRule) -> Vec<ObjectId> {
    let objects = shared.values.iter().flat_map(|values| &values.objects);
    objects.take(MAX_SHARING).copied().collect()
}

struct Words<'p> {
    plan: &'p Plan,
    catalog: &'p Catalog,
    scope: &'p Scope,
    summaries: BTreeMap<ObjectId, String>,
    /// How many more objects may be named.
    room: Cell<usize>,
}

impl Words<'_> {
    fn preview(&self, found: &PreviewResult) -> TypePreview {
        let mut preview = TypePreview {
            type_id: self.plan.id(),
            objects: self.plan.objects,
            examined: found.findings.examined,
            complete: found.is_complete,
            changed: found.findings.changed,
            unclean: Objects::default(),
            renamed: self.renamed(&found.findings),
            orphaned: Vec::new(),
            unfit: Vec::new(),
            refused: self.too_many().into_iter().collect(),
            warnings: self.plan.warnings.clone(),
        };
        for shared in &found.unenforceable {
            if shared.was_unenforced {
                let told = shared.told(self.scope.sees(self.plan.id()));
                preview.warnings.push(Problem::new("/fields", told));
            } else {
                preview.refused.push(self.shared(shared));
            }
        }
        let (before, after) = (self.before().fields(), self.after().fields());
        for ((reason, index), finding) in &found.findings.by_field {
            match reason {
                Reason::Unclean => preview.unclean = self.objects(finding),
                Reason::Renamed => {}
                Reason::Removed => {
                    let finding = self.finding(&before[*index], *reason, finding);
                    preview.orphaned.push(finding);
                }
                Reason::Taken | Reason::Exposed => {
                    let finding = self.finding(&after[*index], *reason, finding);
                    preview.refused.push(finding);
                }
                Reason::Violation(_) | Reason::Required | Reason::Target | Reason::TargetType => {
                    let finding = self.finding(&after[*index], *reason, finding);
                    preview.unfit.push(finding);
                }
            }
        }
        preview
    }

    fn before(&self) -> &Type {
        &self.plan.redefinition.before
    }

    fn after(&self) -> &Type {
        &self.plan.redefinition.after
    }

    fn renamed(&self, findings: &Findings) -> Vec<RenamedField> {
        let count = |name: &str| {
            let index = self.after().field_index(name)?;
            let finding = findings.by_field.get(&(Reason::Renamed, index))?;
            Some(finding.count)
        };
        let renames = self.plan.redefinition.renames.iter();
        renames
            .map(|rename| RenamedField {
                from: rename.from.clone(),
                to: rename.to.clone(),
                count: count(&rename.to).unwrap_or_default(),
            })
            .collect()
    }

    fn too_many(&self) -> Option<FieldFinding> {
        let rename = self.plan.redefinition.renames.first()?;
        Some(FieldFinding {
            field: rename.to.clone(),
            reason: PreviewReason::TooMany,
            detail: self.plan.too_many.clone()?,
            objects: Objects {
                count: usize::try_from(self.plan.objects).unwrap_or_default(),
                objects: Vec::new(),
            },
        })
    }

    fn shared(&self, shared: &UnenforceableRule) -> FieldFinding {
        let names: Vec<&str> = shared.rule.names().collect();
        let titles = shared.rule.titles(self.after());
        let told = shared.told(self.scope.sees(self.plan.id()));
        let count = shared.values.iter().map(|values| values.count).sum();
        FieldFinding {
            field: names.join(", "),
            reason: PreviewReason::Unique,
            detail: format!("{} {told}", titles.join(", ")),
            objects: self.named_objects(count, &first_sharing(shared)),
        }
    }

    fn objects(&self, finding: &Finding) -> Objects {
        self.named_objects(finding.count, &finding.first)
    }

    fn named_objects(&self, count: usize, first: &[ObjectId]) -> Objects {
        let named = first.len().min(self.room.get());
        self.room.set(self.room.get() - named);
        let named = first.iter().take(named).map(|id| NamedObject {
            public_id: *id,
            summary: self.summaries.get(id).cloned(),
        });
        Objects {
            count,
            objects: named.collect(),
        }
    }

    fn finding(&self, field: &FieldDefinition, reason: Reason, finding: &Finding) -> FieldFinding {
        let (reason, detail) = self.words(field, reason);
        FieldFinding {
            field: field.name.clone(),
            reason,
            detail,
            objects: self.objects(finding),
        }
    }

    /// The reason for programs, and the sentence for people.
    fn words(&self, field: &FieldDefinition, reason: Reason) -> (PreviewReason, String) {
        let title = field.title();
        match reason {
            Reason::Violation(violation) => (word(violation), field.rule(violation)),
            Reason::Required => (
                PreviewReason::Required,
                format!("the field {title} is required"),
            ),
            Reason::Target => (
                PreviewReason::Reference,
                format!("{title} names an object, and there is no such object that you may read"),
            ),
            Reason::TargetType => (PreviewReason::RefTypes, self.takes(field)),
            Reason::Taken => (
                PreviewReason::Taken,
                format!(
                    "{title} is a new name under which objects hold values already; clear those, or choose another name"
                ),
            ),
            Reason::Exposed => (
                PreviewReason::Password,
                format!(
                    "{title} must stay password, or objects would show or lose its values; clear those values first"
                ),
            ),
            Reason::Removed | Reason::Renamed | Reason::Unclean => (
                PreviewReason::Removed,
                format!("the field {title} goes; objects keep its values until they are cleaned"),
            ),
        }
    }

    fn takes(&self, field: &FieldDefinition) -> String {
        let titles = field.ref_types.iter();
        let titles: Vec<String> = titles
            .map(|id| type_title(self.catalog, self.scope, *id))
            .collect();
        let titles = listed(titles.iter().map(String::as_str));
        format!("{} takes objects of the type {titles}", field.title())
    }
}

const fn word(violation: Violation) -> PreviewReason {
    match violation {
        Violation::Kind => PreviewReason::Kind,
        Violation::Regex => PreviewReason::Regex,
        Violation::Options => PreviewReason::Options,
    }
}
