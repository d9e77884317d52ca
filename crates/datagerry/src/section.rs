//! How a type shows its objects: `render_meta`.

use serde_json::{Value, json};
use stockroom_model::link::forbidden_scheme_of_template;

use crate::fit::{
    Members, require_label, require_text, take_integer, take_object, take_objects, take_text,
    take_texts,
};
use crate::notes::Notes;
use crate::rest::{at, leave_out_rest};

const MULTI_DATA: &str =
    "a multi-data section becomes a plain section; its rows are left out of the objects";
const HALF_REFERENCE: &str = "a reference section named no type, and shows its own fields only";
const FORBIDDEN_SCHEME: &str = "a link with a scheme that links must not have is left out";
const NO_HREF: &str = "a link without an address is left out";

const EXTERNALS: &str = "render_meta.externals";

pub(crate) fn render_meta(mut meta: Members, notes: &mut Notes) -> Value {
    let icon = take_text(&mut meta, "icon", notes);
    let sections = take_objects(&mut meta, "sections", notes);
    let externals = take_objects(&mut meta, "externals", notes);
    let mut summary = take_object(&mut meta, "summary", notes);
    let shown = take_texts(&mut summary, "fields", notes);
    leave_out_rest(meta, &[], "render_meta", notes);
    leave_out_rest(summary, &[], "render_meta.summary", notes);
    let sections = sections.into_iter().enumerate();
    json!({
        "icon": icon,
        "sections": sections.map(|(index, it)| section(index, it, notes)).collect::<Vec<_>>(),
        "externals": externals.into_iter().filter_map(|it| external(it, notes)).collect::<Vec<_>>(),
        "summary": {"fields": shown},
    })
}

fn section(index: usize, mut section: Members, notes: &mut Notes) -> Value {
    require_text(&mut section, "name", notes, || {
        format!("section-{}", index + 1)
    });
    require_label(&mut section, notes);
    let kind = take_text(&mut section, "type", notes).filter(|kind| !kind.is_empty());
    let kind = kind.unwrap_or_else(|| "section".to_owned());
    if kind == "multi-data-section" {
        let name = section
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        notes.add(MULTI_DATA, name);
    }
    let (name, label) = (section.shift_remove("name"), section.shift_remove("label"));
    let path = name.as_ref().and_then(Value::as_str).unwrap_or_default();
    let path = at("render_meta.sections", path);
    let reference = take_object(&mut section, "reference", notes);
    let reference = self::reference(reference, &path, notes);
    let fields = take_texts(&mut section, "fields", notes);
    leave_out_rest(section, &[], &path, notes);
    json!({"type": kind, "name": name, "label": label, "reference": reference, "fields": fields})
}

fn reference(mut reference: Members, path: &str, notes: &mut Notes) -> Value {
    if reference.is_empty() {
        return json!({});
    }
    let path = at(path, "reference");
    let Some(type_id) = take_integer(&mut reference, "type_id", notes) else {
        notes.leave_out(HALF_REFERENCE, &path, Value::Object(reference));
        return json!({});
    };
    let section = take_text(&mut reference, "section_name", notes).unwrap_or_default();
    let fields = take_texts(&mut reference, "selected_fields", notes);
    leave_out_rest(reference, &[], &path, notes);
    json!({"type_id": type_id, "section_name": section, "selected_fields": fields})
}

fn external(mut external: Members, notes: &mut Notes) -> Option<Value> {
    let href = take_text(&mut external, "href", notes).filter(|href| !href.is_empty());
    let Some(href) = href else {
        notes.leave_out(NO_HREF, EXTERNALS, Value::Object(external));
        return None;
    };
    if forbidden_scheme_of_template(&href).is_some() {
        notes.add(FORBIDDEN_SCHEME, &href);
        external.insert("href".to_owned(), Value::String(href));
        notes.leave_out(FORBIDDEN_SCHEME, EXTERNALS, Value::Object(external));
        return None;
    }
    let name = take_text(&mut external, "name", notes).filter(|name| !name.is_empty());
    external.insert(
        "name".to_owned(),
        Value::from(name.unwrap_or_else(|| "link".to_owned())),
    );
    require_label(&mut external, notes);
    require_text(&mut external, "icon", notes, String::new);
    let fields = take_texts(&mut external, "fields", notes);
    let [name, label, icon] = ["name", "label", "icon"].map(|key| external.shift_remove(key));
    leave_out_rest(external, &[], EXTERNALS, notes);
    Some(json!({"name": name, "href": href, "label": label, "icon": icon, "fields": fields}))
}
