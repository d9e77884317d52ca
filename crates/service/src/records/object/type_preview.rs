//! What a new definition of a type means for its objects, without a change
//! (`docs/guide/src/types.md`).

mod findings;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use stockroom_access::Scope;
use stockroom_model::object::is_empty;
use stockroom_model::object::rename::Renamed;
use stockroom_model::r#type::Rename;
use stockroom_model::r#type::rename::new_names;
use stockroom_model::{Object, ObjectId, Type};
use stockroom_store::{ObjectRow, ObjectsOfType, ReadTx};

use super::clean::is_clean;
use super::rename::renamed_items;
use super::secrets;
use crate::Error;

pub(crate) use self::findings::{Finding, Findings, Reason};

/// A new definition of a type, to be held against its objects.
pub(crate) struct Examination<'t> {
    /// The stored type, with the new names of its fields.
    pub(crate) before: &'t Type,
    pub(crate) after: &'t Type,
    pub(crate) renames: &'t [Rename],
    /// Whether the caller may read the objects, and so learn which are concerned, and what is wrong
    /// with their values.
    pub(crate) names_objects: bool,
}

/// The result for some of the objects.
pub(crate) struct Examined {
    pub(crate) findings: Findings,
    /// The objects after these; `None` if there are none.
    pub(crate) rest: Option<ObjectsOfType>,
}

/// A reference in an object, whose target only the store knows.
struct Target {
    object: ObjectId,
    field: usize,
    id: ObjectId,
}

impl Examination<'_> {
    /// Examines the next objects, until `is_late`. A type changes for everybody, so hidden objects
    /// count; targets must be visible in `scope`, as in a write of the caller.
    pub(crate) fn run(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        mut objects: ObjectsOfType,
        is_late: impl Fn() -> bool,
    ) -> Result<Examined, Error> {
        let everything = Scope::for_maintenance();
        let rows = objects.next(tx, &everything)?;
        let new = new_names(self.renames);
        let mut findings = Findings::new(self.names_objects);
        let mut targets = Vec::new();
        for row in &rows {
            if is_late() {
                objects.read_again_from(row);
                break;
            }
            self.object(row, &new, &mut findings, &mut targets)?;
        }
        self.targets(tx, scope, &targets, &mut findings)?;
        Ok(Examined {
            findings,
            rest: (!rows.is_empty()).then_some(objects),
        })
    }

    fn object(
        &self,
        row: &ObjectRow,
        new: &BTreeMap<&str, &str>,
        findings: &mut Findings,
        targets: &mut Vec<Target>,
    ) -> Result<(), Error> {
        let id = row.public_id;
        let mut object = row.object()?;
        let mut sealed: BTreeSet<String> = secrets::names(row)?.collect();
        let mut changes = false;
        match renamed_items(row, &object, new)? {
            Renamed::Unchanged => {}
            Renamed::Taken(name) => self.note(Reason::Taken, &name, id, findings),
            Renamed::Changed(items) => {
                changes = true;
                for name in object.field_names().filter_map(|name| new.get(name)) {
                    self.note(Reason::Renamed, name, id, findings);
                }
                object.set_items(items);
                let renamed =
                    |name: String| new.get(&*name).map_or(name.clone(), ToString::to_string);
                sealed = sealed.into_iter().map(renamed).collect();
            }
        }
        self.sealed(id, &sealed, findings);
        changes |= self.values(id, &object, findings, targets);
        self.required(id, &object, &sealed, findings);
        if !is_clean(&object, self.after) {
            findings.note(Reason::Unclean, 0, id);
        }
        findings.count(changes);
        Ok(())
    }

    /// Notes a finding about a field of the new definition.
    fn note(&self, reason: Reason, field: &str, id: ObjectId, findings: &mut Findings) {
        if let Some(index) = self.after.field_index(field) {
            findings.note(reason, index, id);
        }
    }

    /// Passwords that would be shown or left behind.
    fn sealed(&self, id: ObjectId, sealed: &BTreeSet<String>, findings: &mut Findings) {
        for name in sealed {
            match (self.after.field(name), self.before.field_index(name)) {
                (Some(field), _) if field.kind.is_secret() => {}
                (Some(_), _) => self.note(Reason::Exposed, name, id, findings),
                (None, Some(index)) => findings.note(Reason::Removed, index, id),
                (None, None) => {}
            }
        }
    }

    /// Checks the values as those of a new object. Returns whether some would be encrypted.
    fn values(
        &self,
        id: ObjectId,
        object: &Object,
        findings: &mut Findings,
        targets: &mut Vec<Target>,
    ) -> bool {
        let mut encrypts = false;
        for (name, value) in object.fields() {
            let Some(index) = self.after.field_index(name) else {
                let removed = self.before.field_index(name).filter(|_| !is_empty(value));
                if let Some(index) = removed {
                    findings.note(Reason::Removed, index, id);
                }
                continue;
            };
            let field = &self.after.fields()[index];
            if field.kind.is_secret() {
                let was_password = self
                    .before
                    .field(name)
                    .is_some_and(|field| field.kind.is_secret());
                encrypts |= !was_password && !is_empty(value);
                continue;
            }
            // How many values match a pattern would tell the values.
            if !self.names_objects {
                continue;
            }
            field.each_violation(value, |violation| {
                findings.note(Reason::Violation(violation), index, id);
            });
            targets.extend(field.target(value).map(|target| Target {
                object: id,
                field: index,
                id: target,
            }));
        }
        encrypts
    }

    fn required(
        &self,
        id: ObjectId,
        object: &Object,
        sealed: &BTreeSet<String>,
        findings: &mut Findings,
    ) {
        let fields = self.after.fields().iter().enumerate();
        let mut required = fields.filter(|(_, field)| field.required).peekable();
        if required.peek().is_none() {
            return;
        }
        let held = object.fields().filter(|(_, value)| !is_empty(value));
        let held: HashSet<&str> = held.map(|(name, _)| name).collect();
        for (index, field) in required {
            if !held.contains(&*field.name) && !sealed.contains(&field.name) {
                findings.note(Reason::Required, index, id);
            }
        }
    }

    fn targets(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        targets: &[Target],
        findings: &mut Findings,
    ) -> Result<(), Error> {
        if targets.is_empty() {
            return Ok(());
        }
        let ids: BTreeSet<ObjectId> = targets.iter().map(|target| target.id).collect();
        let ids: Vec<ObjectId> = ids.into_iter().collect();
        let types = tx.types_of_objects(scope, &ids)?;
        for Target { object, field, id } in targets {
            let allowed = &self.after.fields()[*field].ref_types;
            match types.get(id) {
                None => findings.note(Reason::Target, *field, *object),
                Some(id) if !allowed.is_empty() && !allowed.contains(&id.get()) => {
                    findings.note(Reason::TargetType, *field, *object);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
