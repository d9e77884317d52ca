//! Types.

use std::collections::HashSet;

use serde_json::{Value, json};
use stockroom_model::{RecordLimits, Timestamp};

use crate::field;
use crate::fit::{
    Members, make_boolean, require_label, take_first_time, take_integer, take_natural, take_object,
    take_text, take_texts,
};
use crate::names::Names;
use crate::notes::Notes;
use crate::rest::leave_out_rest;
use crate::section::render_meta;

const BAD_NAME: &str = "its name has characters that Stockroom refuses, which became hyphens";
const NO_AUTHOR: &str = "it names no author, and gets the author 0, who is unknown";
const DEAD_GROUP: &str =
    "its access list named a group that does not exist, and whose id a new group could get";

/// Members that are read without being taken.
const KEPT: [&str; 4] = ["public_id", "name", "label", "active"];

/// What a type needs to know of the rest of the dump.
pub(crate) struct Surroundings<'s> {
    pub(crate) groups: &'s HashSet<i64>,
    pub(crate) limits: &'s RecordLimits,
}

pub(crate) fn convert(
    id: i64,
    mut members: Members,
    around: &Surroundings<'_>,
    names: &mut Names,
    notes: &mut Notes,
) -> Value {
    let name = take_text(&mut members, "name", notes);
    let name = names.unique(kebab(id, name, notes), id, str::to_owned, notes);
    members.insert("name".to_owned(), Value::String(name.clone()));
    require_label(&mut members, notes);
    make_boolean(&mut members, "active", notes);
    let author = take_natural(&mut members, "author_id", notes);
    if author.is_none() {
        notes.add(NO_AUTHOR, "");
    }
    let created = take_first_time(&mut members, "creation_time", notes);
    let meta = take_object(&mut members, "render_meta", notes);
    let access = take_object(&mut members, "acl", notes);
    let body = json!({
        "public_id": id,
        "name": name,
        "label": members.get("label"),
        "author_id": author.unwrap_or_default(),
        "editor_id": take_integer(&mut members, "editor_id", notes),
        "active": members.get("active"),
        "version": take_text(&mut members, "version", notes),
        "description": take_text(&mut members, "description", notes),
        "creation_time": created.map(Timestamp::to_iso),
        "fields": field::convert_all(&mut members, around.limits, notes),
        "render_meta": render_meta(meta, notes),
        "acl": acl(access, around.groups, notes),
    });
    leave_out_rest(members, &KEPT, "", notes);
    body
}

/// A name of word characters and hyphens.
fn kebab(id: i64, name: Option<String>, notes: &mut Notes) -> String {
    let name = name.unwrap_or_default();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut fitting: String = name
        .chars()
        .map(|letter| if is_word(letter) { letter } else { '-' })
        .collect();
    fitting = fitting.trim_matches('-').to_owned();
    if fitting.chars().count() < 2 {
        fitting = format!("type-{id}");
    }
    // A hyphen at the end is legal.
    if fitting != name.trim_end_matches('-') {
        notes.add(BAD_NAME, &name);
        return fitting;
    }
    name
}

/// The access list, without groups that do not exist.
fn acl(mut acl: Members, groups: &HashSet<i64>, notes: &mut Notes) -> Value {
    make_boolean(&mut acl, "activated", notes);
    let mut lists = take_object(&mut acl, "groups", notes);
    let mut includes = take_object(&mut lists, "includes", notes);
    let mut kept = Members::new();
    for group in includes.keys().cloned().collect::<Vec<_>>() {
        let grants = take_texts(&mut includes, &group, notes);
        if group.parse().is_ok_and(|id| groups.contains(&id)) {
            kept.insert(group, grants);
        } else {
            notes.leave_out(DEAD_GROUP, &format!("acl.groups.includes.{group}"), grants);
        }
    }
    let activated = acl.shift_remove("activated");
    leave_out_rest(acl, &[], "acl", notes);
    leave_out_rest(lists, &[], "acl.groups", notes);
    json!({"activated": activated, "groups": {"includes": kept}})
}
