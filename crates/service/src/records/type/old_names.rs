//! Warnings about other records that name a field of a type that gets another name.

use std::collections::HashSet;

use stockroom_access::permission::{ObjectImport, ObjectView};
use stockroom_model::body::Report;
use stockroom_model::json::Value;
use stockroom_model::object::listed;
use stockroom_model::r#type::Rename;
use stockroom_model::{Source, TypeId, View};
use stockroom_store::WriteTx;

use crate::core::access::Access;
use crate::{Error, view};

/// Warns of other types, and of views and sources that the caller sees. They are not changed.
pub(super) fn check(
    tx: &mut WriteTx<'_>,
    access: &Access,
    id: TypeId,
    renames: &[Rename],
    report: &Report,
) -> Result<(), Error> {
    if renames.is_empty() {
        return Ok(());
    }
    let others = tx.catalog().types().map(|entry| &entry.record);
    let types: Vec<_> = others
        .filter(|other| other.public_id != id)
        .map(|other| (other.title(), other.names_of_fields_of(id.get())))
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let views = views(tx, access, id)?;
    let views: Vec<_> = views
        .iter()
        .map(|view| (title(view), words(view)))
        .collect();
    let sources = sources(tx, access, id)?;
    let sources: Vec<_> = sources.iter().map(source_names).collect();
    for rename in renames {
        warn(rename, "types", &types, report);
        warn(rename, "views", &views, report);
        warn(rename, "sources", &sources, report);
    }
    Ok(())
}

/// `records` have their titles and the names of fields in them.
fn warn(rename: &Rename, what: &str, records: &[(String, HashSet<&str>)], report: &Report) {
    let from = rename.from.as_str();
    let naming = records.iter().filter(|(_, names)| names.contains(from));
    let titles: Vec<&str> = naming.map(|(title, _)| title.as_str()).collect();
    if titles.is_empty() {
        return;
    }
    report.warning(
        &rename.pointer,
        format!(
            "these {what} still name {from:?}; change them, too: {}",
            listed(titles.into_iter())
        ),
    );
}

/// The views of the type that the caller sees.
fn views(tx: &mut WriteTx<'_>, access: &Access, id: TypeId) -> Result<Vec<View>, Error> {
    if !access.scope.sees(id) || !access.holds::<ObjectView>() {
        return Ok(Vec::new());
    }
    let views = tx
        .views_of_type(id)?
        .into_iter()
        .map(|stored| stored.record);
    Ok(views.filter(|view| view::is_for(access, view)).collect())
}

/// The sources of the type that the caller sees.
fn sources(tx: &mut WriteTx<'_>, access: &Access, id: TypeId) -> Result<Vec<Source>, Error> {
    if !access.scope.sees(id) || !access.holds::<ObjectImport>() {
        return Ok(Vec::new());
    }
    let sources = tx.sources_of_type(id)?.into_iter();
    Ok(sources.map(|stored| stored.record).collect())
}

/// The title of a source, and the names of fields in it.
fn source_names(source: &Source) -> (String, HashSet<&str>) {
    let mut names: HashSet<&str> = source.key.iter().map(String::as_str).collect();
    for target in source.columns.values() {
        add_words(target, &mut names);
    }
    (format!("{:?} ({})", source.name, source.public_id), names)
}

fn title(view: &View) -> String {
    format!("{:?} ({})", view.name, view.public_id)
}

/// All texts of the definition of a view: the names of fields, alone, as `fields.<name>` or
/// `values.<name>`, are among them.
fn words(view: &View) -> HashSet<&str> {
    let mut words = HashSet::new();
    for (key, value) in &view.definition {
        words.insert(name(key));
        add_words(value, &mut words);
    }
    words
}

fn add_words<'v>(value: &'v Value, words: &mut HashSet<&'v str>) {
    match value {
        Value::String(text) => _ = words.insert(name(text)),
        Value::Array(items) => items.iter().for_each(|item| add_words(item, words)),
        Value::Object(members) => {
            for (key, value) in members {
                words.insert(name(key));
                add_words(value, words);
            }
        }
        _ => {}
    }
}

fn name(text: &str) -> &str {
    let prefixes = ["fields.", "values."];
    let name = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
    name.unwrap_or(text)
}
