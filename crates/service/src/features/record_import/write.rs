//! Writes the records of a file by the inserts and updates of their resources.

use std::sync::Arc;

use stockroom_access::Permission;
use stockroom_access::permission::{
    CategoryAdd, CategoryEdit, GroupAdd, GroupEdit, TypeAdd, TypeEdit, TypeImport,
};
use stockroom_model::body::Report;
use stockroom_model::json::{Map, Value};
use stockroom_model::{CategoryId, GroupId, Revision, TypeId};
use stockroom_store::WriteTx;

use super::file::{File, Record};
use super::names::{Names, Target};
use super::translate::{Translated, Translator};
use super::{Action, ImportedRecord, ImportedRecords, ImportedResource};
use crate::records::group::grant;
use crate::records::r#type::WrittenType;
use crate::{Caller, Error, Permit, category, group, r#type};

/// What the store knows of a record, whatever the file says.
const KEPT: [&str; 4] = ["author_id", "editor_id", "creation_time", "last_edit_time"];

/// Writes the records of a file in one transaction.
pub(super) struct Writer<'w> {
    caller: &'w Arc<Caller>,
    file: &'w File,
    /// The problems and warnings of the body.
    report: Report,
    results: Vec<ImportedRecord>,
}

impl<'w> Writer<'w> {
    pub(super) fn new(caller: &'w Arc<Caller>, file: &'w File) -> Self {
        Self {
            caller,
            file,
            report: Report::default(),
            results: Vec::new(),
        }
    }

    /// Writes all records; the transaction is taken back if one of them has a problem.
    pub(super) fn run(mut self, tx: &mut WriteTx<'_>) -> Result<ImportedRecords, Error> {
        let names = Names::find(tx, self.file, &self.report)?;
        // Ids of records with problems mean nothing.
        self.report.finish(Some(()))?;
        let translated = self.translate(&names);
        self.groups(tx, &names, translated.groups)?;
        let types = self.types(tx, &names, translated.types)?;
        self.categories(tx, &names, translated.categories)?;
        self.report.finish(Some(()))?;
        self.warn(tx, types)?;
        Ok(ImportedRecords {
            results: self.results,
            warnings: self.report.into_warnings(),
        })
    }

    fn translate(&self, names: &Names) -> TranslatedFile {
        let translator = Translator {
            names,
            report: &self.report,
        };
        let (groups, types) = (self.file.groups.iter(), self.file.types.iter());
        let categories = self.file.categories.iter().zip(&names.parents);
        TranslatedFile {
            groups: groups.map(Translated::of).collect(),
            types: types.map(|record| translator.r#type(record)).collect(),
            categories: categories
                .map(|(record, parent)| translator.category(record, *parent))
                .collect(),
        }
    }

    fn groups(
        &mut self,
        tx: &mut WriteTx<'_>,
        names: &Names,
        translated: Vec<Translated>,
    ) -> Result<(), Error> {
        let file = self.file;
        let mut is_changed = false;
        let records = file
            .groups
            .iter()
            .zip(&names.groups.targets)
            .zip(translated);
        for ((record, target), translated) in records {
            let written = self.group(tx, *target, &translated);
            if let Some(action) = self.noted(record, &translated, written)? {
                is_changed |= action == Action::Update;
                self.done(ImportedResource::Group, record, *target, action);
            }
        }
        if is_changed {
            grant::check_administrator_remains(tx).map_err(|error| in_list("/groups", error))?;
        }
        Ok(())
    }

    fn group(
        &self,
        tx: &mut WriteTx<'_>,
        target: Target,
        translated: &Translated,
    ) -> Result<Action, Error> {
        if target.is_new {
            let body = new_body(target, &translated.members);
            group::insert_in(&self.permit::<GroupAdd>(tx)?, tx, &body)?;
            return Ok(Action::New);
        }
        let permit = self.permit::<GroupEdit>(tx)?;
        let stored = group::stored(tx, GroupId::try_from(target.id).map_err(Error::internal)?)?;
        let body = overlaid(group::answer(&stored.record), &translated.members);
        let before = stored.revision;
        let written = group::replace_in(&permit, tx, stored, &body)?;
        Ok(action(before, written.document.revision))
    }

    fn types(
        &mut self,
        tx: &mut WriteTx<'_>,
        names: &Names,
        translated: Vec<Translated>,
    ) -> Result<Vec<(WrittenType, Translated)>, Error> {
        let file = self.file;
        let mut changed = Vec::new();
        let records = file.types.iter().zip(&names.types.targets).zip(translated);
        for ((record, target), translated) in records {
            let written = self.r#type(tx, *target, &translated);
            let Some(written) = self.noted(record, &translated, written)? else {
                continue;
            };
            let action = match (target.is_new, written.is_changed) {
                (true, _) => Action::New,
                (false, true) => Action::Update,
                (false, false) => Action::Unchanged,
            };
            self.done(ImportedResource::Type, record, *target, action);
            if written.is_changed {
                changed.push((written, translated));
            }
        }
        Ok(changed)
    }

    fn r#type(
        &self,
        tx: &mut WriteTx<'_>,
        target: Target,
        translated: &Translated,
    ) -> Result<WrittenType, Error> {
        if target.is_new {
            let permit = self.permit::<TypeAdd>(tx)?;
            let mut body = new_body(target, &translated.members);
            body["author_id"] = self.caller.user_id().get().into();
            return r#type::insert_in(&permit, tx, &body);
        }
        let permit = self.permit::<TypeEdit>(tx)?;
        let stored = r#type::stored(tx, TypeId::try_from(target.id).map_err(Error::internal)?)?;
        let body = overlaid(r#type::answer(&stored.record), &translated.members);
        r#type::replace_in(&permit, tx, stored, &body)
    }

    fn categories(
        &mut self,
        tx: &mut WriteTx<'_>,
        names: &Names,
        translated: Vec<Translated>,
    ) -> Result<(), Error> {
        let file = self.file;
        let records = file.categories.iter().zip(&names.categories.targets);
        for ((record, target), translated) in records.zip(translated) {
            let written = self.category(tx, *target, &translated);
            if let Some(action) = self.noted(record, &translated, written)? {
                self.done(ImportedResource::Category, record, *target, action);
            }
        }
        Ok(())
    }

    fn category(
        &self,
        tx: &mut WriteTx<'_>,
        target: Target,
        translated: &Translated,
    ) -> Result<Action, Error> {
        if target.is_new {
            let body = new_body(target, &translated.members);
            category::insert_in(&self.permit::<CategoryAdd>(tx)?, tx, &body)?;
            return Ok(Action::New);
        }
        let permit = self.permit::<CategoryEdit>(tx)?;
        let id = CategoryId::try_from(target.id).map_err(Error::internal)?;
        let stored = category::stored(tx, id)?;
        let body = overlaid(category::document(&stored).value, &translated.members);
        let before = stored.revision;
        let written = category::replace_in(&permit, tx, stored, &body)?;
        Ok(action(before, written.document.revision))
    }

    /// Notes the warnings about the changed types, when all others are there.
    fn warn(
        &self,
        tx: &mut WriteTx<'_>,
        types: Vec<(WrittenType, Translated)>,
    ) -> Result<(), Error> {
        if types.is_empty() {
            return Ok(());
        }
        let permit = self.permit::<TypeImport>(tx)?;
        for (written, translated) in types {
            for warning in written.warnings(&permit, tx)? {
                let warning = translated.in_body(warning);
                self.report.warning(warning.pointer, warning.detail);
            }
        }
        Ok(())
    }

    fn permit<P: Permission>(&self, tx: &WriteTx<'_>) -> Result<Permit<P>, Error> {
        Permit::within(self.caller, tx)
    }

    /// Notes the problems of a record, so that those of the next are found, too.
    fn noted<T>(
        &self,
        record: &Record,
        translated: &Translated,
        written: Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match written {
            Err(Error::Invalid { problems, .. }) => {
                for problem in problems {
                    let problem = translated.in_body(problem);
                    self.report.problem(problem.pointer, problem.detail);
                }
                Ok(None)
            }
            Err(Error::Forbidden(detail)) => {
                Err(Error::Forbidden(format!("{}: {detail}", record.at)))
            }
            written => written.map(Some),
        }
    }

    fn done(
        &mut self,
        resource: ImportedResource,
        record: &Record,
        target: Target,
        action: Action,
    ) {
        self.results.push(ImportedRecord {
            resource,
            name: record.name.clone(),
            public_id: target.id,
            action,
        });
    }
}

/// The records of a file with the ids of this inventory.
struct TranslatedFile {
    groups: Vec<Translated>,
    types: Vec<Translated>,
    categories: Vec<Translated>,
}

/// The body of an insert.
fn new_body(target: Target, sent: &Map<String, Value>) -> Value {
    let mut members = sent.clone();
    members.retain(|name, _| !KEPT.contains(&name.as_str()));
    members.insert("public_id".to_owned(), target.id.into());
    Value::Object(members)
}

/// The body of an update: what the file leaves out stays.
fn overlaid(mut stored: Value, sent: &Map<String, Value>) -> Value {
    let sent = sent
        .iter()
        .filter(|(name, _)| !KEPT.contains(&name.as_str()));
    if let Some(members) = stored.as_object_mut() {
        members.extend(sent.map(|(name, value)| (name.clone(), value.clone())));
    }
    stored
}

fn action(before: Revision, after: Revision) -> Action {
    if before == after {
        Action::Unchanged
    } else {
        Action::Update
    }
}

/// A problem of a whole list.
fn in_list(list: &str, error: Error) -> Error {
    match error {
        Error::Invalid { detail, .. } => Error::invalid(list, detail),
        other => other,
    }
}
