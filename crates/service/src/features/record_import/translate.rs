//! Ids in the records of a file, as ids of this inventory. An id that no record has is left out: a
//! later record could get it.

use stockroom_model::body::{Report, integer};
use stockroom_model::json::{Map, Value, pointer};
use stockroom_model::object::listed;
use stockroom_model::{GroupId, Problem};

use super::file::Record;
use super::names::{MatchedRecords, Names};

/// A record with the ids of this inventory.
pub(super) struct Translated {
    pub(super) members: Map<String, Value>,
    at: String,
    /// The lists that lost items: their pointers, and the places of these items.
    shortened: Vec<(String, Vec<usize>)>,
}

impl Translated {
    /// A record whose members have no ids.
    pub(super) fn of(record: &Record) -> Self {
        let mut members = record.members.clone();
        members.shift_remove("public_id");
        Self {
            members,
            at: record.at.clone(),
            shortened: Vec::new(),
        }
    }

    /// A problem of the record as a problem of the body.
    pub(super) fn in_body(&self, problem: Problem) -> Problem {
        let pointer = self.in_record(&problem.pointer);
        Problem::new(format!("{}{pointer}", self.at), problem.detail)
    }

    fn is_shorter(&self, list: &str) -> bool {
        self.shortened
            .iter()
            .any(|(shortened, _)| shortened == list)
    }

    /// The pointer before items were left out.
    fn in_record(&self, pointer: &str) -> String {
        for (list, left_out) in &self.shortened {
            let rest = pointer.strip_prefix(list.as_str());
            let Some(rest) = rest.and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            let (index, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let Ok(mut index) = index.parse::<usize>() else {
                continue;
            };
            for left_out in left_out {
                index += usize::from(*left_out <= index);
            }
            return format!("{list}/{index}{rest}");
        }
        pointer.to_owned()
    }
}

/// Translates records.
pub(super) struct Translator<'n> {
    pub(super) names: &'n Names,
    pub(super) report: &'n Report,
}

impl Translator<'_> {
    pub(super) fn r#type(&self, record: &Record) -> Translated {
        let mut translated = Translated::of(record);
        let mut members = std::mem::take(&mut translated.members);
        let fields = members.get_mut("fields").and_then(Value::as_array_mut);
        for (index, field) in fields.into_iter().flatten().enumerate() {
            self.field(&mut translated, &pointer("/fields", index), field);
        }
        if let Some(sections) = members.get_mut("render_meta") {
            self.sections(&translated.at, sections);
        }
        let acl = members.get_mut("acl");
        if let Some(includes) = acl.and_then(|acl| acl.pointer_mut("/groups/includes")) {
            self.includes(&translated.at, includes);
        }
        translated.members = members;
        translated
    }

    pub(super) fn category(&self, record: &Record, parent: Option<i64>) -> Translated {
        let mut translated = Translated::of(record);
        if translated
            .members
            .get("parent")
            .is_some_and(|sent| integer(sent).is_some())
        {
            translated
                .members
                .insert("parent".to_owned(), parent.into());
        }
        if let Some(mut types) = translated.members.shift_remove("types") {
            self.types(&mut translated, "/types", &mut types, |id| Some(id));
            translated.members.insert("types".to_owned(), types);
        }
        translated
    }

    fn field(&self, translated: &mut Translated, at: &str, field: &mut Value) {
        let lost = field.get_mut("ref_types").is_some_and(|types| {
            let at = pointer(at, "ref_types");
            self.types(translated, &at, types, |id| Some(id));
            types.as_array().is_some_and(Vec::is_empty) && translated.is_shorter(&at)
        });
        if lost {
            let at = format!("{}{}", translated.at, pointer(at, "ref_types"));
            self.report
                .warning(at, "none is left, so it takes objects of any type");
        }
        if let Some(summaries) = field.get_mut("summaries") {
            let at = pointer(at, "summaries");
            self.types(translated, &at, summaries, |item| item.get_mut("type_id"));
        }
    }

    /// Translates the ids of types in a list.
    fn types(
        &self,
        translated: &mut Translated,
        list: &str,
        items: &mut Value,
        id: impl Fn(&mut Value) -> Option<&mut Value>,
    ) {
        let Some(items) = items.as_array_mut() else {
            return;
        };
        let (mut index, mut missing, mut left_out) = (0, Vec::new(), Vec::new());
        items.retain_mut(|item| {
            index += 1;
            let Some(slot) = id(item) else { return true };
            let Some(named) = integer(slot) else {
                return true;
            };
            let Some(local) = self.names.types.local(named) else {
                missing.push(named.to_string());
                left_out.push(index - 1);
                return false;
            };
            *slot = local.into();
            true
        });
        if !missing.is_empty() {
            let at = format!("{}{list}", translated.at);
            self.missing(at, "type", &missing);
            translated.shortened.push((list.to_owned(), left_out));
        }
    }

    fn missing(&self, at: String, what: &str, ids: &[String]) {
        let ids = listed(ids.iter().map(String::as_str));
        let detail = format!("no {what} here or in the file has the id {ids}; it is left out");
        self.report.warning(at, detail);
    }

    fn sections(&self, record: &str, meta: &mut Value) {
        let sections = meta.get_mut("sections").and_then(Value::as_array_mut);
        for (index, section) in sections.into_iter().flatten().enumerate() {
            let reference = section.get_mut("reference");
            let Some(id) = reference.and_then(|reference| reference.get_mut("type_id")) else {
                continue;
            };
            let Some(named) = integer(id) else { continue };
            if let Some(local) = self.names.types.local(named) {
                *id = local.into();
            } else if let Some(members) = section.as_object_mut() {
                members.shift_remove("reference");
                let at = format!("{record}/render_meta/sections/{index}/reference");
                self.missing(at, "type", &[named.to_string()]);
            }
        }
    }

    /// Translates the groups of an access list. An id of the file goes before the same id here.
    fn includes(&self, record: &str, includes: &mut Value) {
        let Some(members) = includes.as_object_mut() else {
            return;
        };
        let groups = &self.names.groups;
        let mut local: Map<String, Value> = Map::new();
        let mut others = Vec::new();
        for (key, words) in std::mem::take(members) {
            match key.parse::<GroupId>() {
                Ok(id) if groups.is_of_file(id.get()) => {
                    local.extend(key_here(groups, id).map(|key| (key, words)));
                }
                Ok(id) => others.push((id, words)),
                Err(_) => _ = local.insert(key, words),
            }
        }
        let mut missing = Vec::new();
        for (id, words) in others {
            match key_here(groups, id) {
                Some(key) => _ = local.entry(key).or_insert(words),
                None => missing.push(id.to_string()),
            }
        }
        if !missing.is_empty() {
            self.missing(format!("{record}/acl/groups/includes"), "group", &missing);
        }
        *members = local;
    }
}

/// The key of a group in access lists here.
fn key_here(groups: &MatchedRecords, id: GroupId) -> Option<String> {
    Some(groups.local(id.get())?.to_string())
}
