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

use super::{Found, Plan};
use crate::records::object::type_preview::{Finding, Findings, Reason};
use crate::records::object::{summaries, type_title};
use crate::{Error, Permit};

/// How often a preview names objects.
const MAX_NAMED: usize = 10_000;

/// What a PUT would do to the objects of a type.
#[derive(Debug, Clone, Serialize)]
pub struct TypePreview {
    type_id: TypeId,
    /// All objects of the type.
    objects: i64,
    /// How many of them were examined before the time was up.
    examined: usize,
    /// Whether all were.
    complete: bool,
    /// How many would change.
    changed: usize,
    unclean: Objects,
    renamed: Vec<RenamedField>,
    /// Values of fields that go.
    orphaned: Vec<FieldFinding>,
    /// Values that a new object could not have.
    unfit: Vec<FieldFinding>,
    /// What the PUT would be refused for.
    refused: Vec<FieldFinding>,
    warnings: Vec<Problem>,
}

/// Objects with something in common.
#[derive(Debug, Clone, Default, Serialize)]
struct Objects {
    count: usize,
    /// The first of them, if the caller may read them.
    objects: Vec<NamedObject>,
}

#[derive(Debug, Clone, Serialize)]
struct NamedObject {
    public_id: ObjectId,
    /// `None` if it is gone, or if there are too many to read.
    summary: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct RenamedField {
    from: String,
    to: String,
    count: usize,
}

#[derive(Debug, Clone, Serialize)]
struct FieldFinding {
    field: String,
    reason: &'static str,
    detail: String,
    #[serde(flatten)]
    objects: Objects,
}

/// The answer to what was found.
pub(super) async fn answer(
    permit: &Permit<TypeEdit>,
    plan: &Arc<Plan>,
    found: Found,
) -> Result<TypePreview, Error> {
    let (reader, plan) = (permit.clone(), Arc::clone(plan));
    let describe = move |tx: &mut ReadTx<'_>| {
        let access = reader.access(tx)?;
        let may_name = access.holds::<ObjectView>() && access.scope.sees(plan.id());
        let room = if may_name { MAX_NAMED } else { 0 };
        let ids = named(&found.findings, room);
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
fn named(findings: &Findings, room: usize) -> Vec<ObjectId> {
    let all = findings.by_field.values();
    let ids = all.flat_map(|finding| &finding.first).take(room).copied();
    let ids: BTreeSet<ObjectId> = ids.collect();
    ids.into_iter().collect()
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
    fn preview(&self, found: &Found) -> TypePreview {
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
            reason: "too_many",
            detail: self.plan.too_many.clone()?,
            objects: Objects {
                count: usize::try_from(self.plan.objects).unwrap_or_default(),
                objects: Vec::new(),
            },
        })
    }

    fn objects(&self, finding: &Finding) -> Objects {
        let named = finding.first.len().min(self.room.get());
        self.room.set(self.room.get() - named);
        let named = finding.first.iter().take(named).map(|id| NamedObject {
            public_id: *id,
            summary: self.summaries.get(id).cloned(),
        });
        Objects {
            count: finding.count,
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

    /// The word for programs and the sentence for people.
    fn words(&self, field: &FieldDefinition, reason: Reason) -> (&'static str, String) {
        let title = field.title();
        match reason {
            Reason::Violation(violation) => (word(violation), field.rule(violation)),
            Reason::Required => ("required", format!("the field {title} is required")),
            Reason::Target => (
                "reference",
                format!("{title} names an object, and there is no such object that you may read"),
            ),
            Reason::TargetType => ("ref_types", self.takes(field)),
            Reason::Taken => (
                "taken",
                format!(
                    "{title} is a new name under which objects hold values already; clear those, or choose another name"
                ),
            ),
            Reason::Exposed => (
                "password",
                format!(
                    "{title} must stay password, or objects would show or lose its values; clear those values first"
                ),
            ),
            Reason::Removed | Reason::Renamed | Reason::Unclean => (
                "removed",
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

const fn word(violation: Violation) -> &'static str {
    match violation {
        Violation::Kind => "kind",
        Violation::Regex => "regex",
        Violation::Options => "options",
    }
}
