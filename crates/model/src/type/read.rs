//! Reads a type from a body (`docs/guide/src/types.md`).

use std::collections::HashSet;
use std::sync::LazyLock;

use fancy_regex::Regex;
use serde_json::json;

use super::Type;
use super::field::FieldDefinition;
use super::fields::Fields;
use super::parts::check_parts;
use super::patterns::check_patterns;
use super::rename::{self, Rename};
use super::render_meta::{
    External, RENDER_META_KEYS, RenderMeta, Section, SectionReference, Summary,
};
use super::unique::{check_unique_field, unique};
use crate::body::{Body, Report};
use crate::id::TypeId;
use crate::json::{self, Map, Value, pointer};
use crate::kind::{FieldKind, Setting};
use crate::{DEFAULT_VERSION, RecordLimits, title_case};

/// Names are in kebab case (`docs/guide/src/types.md`).
static NAME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\A(\w+)-*(\w)([\w-]*)\z").ok());

/// A type as a body describes it; the store sets id and times.
#[derive(Debug, Clone)]
pub struct TypeDraft {
    /// The requested id.
    pub public_id: Option<TypeId>,
    /// See [`Type::name`].
    pub name: String,
    /// The fields that get another name.
    pub renames: Vec<Rename>,
    label: String,
    author_id: i64,
    editor_id: Option<i64>,
    active: bool,
    version: String,
    description: Option<String>,
    fields: Option<Fields>,
    unique: Vec<Vec<String>>,
    render_meta: RenderMeta,
    acl: Value,
}

/// What bodies and answers have.
const MEMBERS: [&str; 14] = [
    "public_id",
    "name",
    "label",
    "author_id",
    "editor_id",
    "active",
    "version",
    "description",
    "creation_time",
    "last_edit_time",
    "fields",
    "unique",
    "render_meta",
    "acl",
];

impl TypeDraft {
    /// Reads a body; `stored` is the type that it replaces.
    #[must_use]
    pub fn read(
        body: &Value,
        stored: Option<&Type>,
        limits: &RecordLimits,
        report: &Report,
    ) -> Option<Self> {
        let draft = Self::members(&Body::open(body, "", report)?, stored, limits)?;
        draft.check_length(stored, report, limits);
        Some(draft)
    }

    fn members(body: &Body<'_>, stored: Option<&Type>, limits: &RecordLimits) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(stored) = stored {
            body.must_be("public_id", stored.public_id);
        }
        let public_id = body.id("public_id");
        let name = name(body);
        let label = body.text("label");
        let author_id = author(body, stored.map(|stored| stored.author_id));
        let editor_id = body.integer("editor_id");
        let active = body.boolean(
            "active",
            body.keep_if_absent("active", stored.map(|stored| stored.active), true),
        );
        let version = body.text("version").unwrap_or_else(|| {
            let stored = stored.map(|stored| stored.version.as_str());
            body.keep_if_absent("version", stored, DEFAULT_VERSION)
        });
        let description = body.text("description");
        let null_fields = body.given("fields").is_none();
        let fields = fields(body, stored, limits);
        let render_meta = render_meta(body);
        let acl = acl(body);
        let (fields, render_meta) = (fields?, render_meta?);
        check_parts(body, &render_meta, &fields, stored, limits);
        let renames = rename::renames(body, &fields, stored);
        let unique = unique(body, &fields, &renames, stored)?;
        let name = name?.to_owned();
        Some(Self {
            public_id,
            label: label.map_or_else(|| title_case(&name), str::to_owned),
            name,
            renames,
            author_id: author_id?,
            editor_id,
            active: active?,
            version: version.to_owned(),
            description: description.map(str::to_owned),
            fields: (!null_fields).then_some(fields),
            unique,
            render_meta,
            acl: acl?,
        })
    }

    /// The type may not exceed the limit, or the length of the stored type.
    fn check_length(&self, stored: Option<&Type>, report: &Report, limits: &RecordLimits) {
        let limit = limits.document_bytes;
        let parts = (&self.fields, &self.unique, &self.render_meta, &self.acl);
        let bytes = json::length(&parts)
            + [&self.name, &self.label, &self.version]
                .map(String::len)
                .iter()
                .sum::<usize>()
            + self.description.as_ref().map_or(0, String::len);
        if bytes > limit && bytes > stored.map_or(0, json::length) {
            report.problem(
                "",
                format!(
                    "the type has {bytes} bytes as JSON; the limit is {limit} bytes of a record"
                ),
            );
        }
    }

    /// The type to insert. Takes the editor from the body, so that types migrated from another
    /// system keep theirs.
    #[must_use]
    pub fn into_new(self, public_id: TypeId, creation_time: String) -> Type {
        let editor_id = self.editor_id;
        self.into_type(public_id, creation_time, None, editor_id)
    }

    /// The type that replaces `stored`, with its times and editor.
    #[must_use]
    pub fn into_replacement(self, stored: &Type) -> Type {
        self.into_type(
            stored.public_id,
            stored.creation_time.clone(),
            stored.last_edit_time.clone(),
            stored.editor_id,
        )
    }

    fn into_type(
        self,
        public_id: TypeId,
        creation_time: String,
        last_edit_time: Option<String>,
        editor_id: Option<i64>,
    ) -> Type {
        Type {
            public_id,
            name: self.name,
            label: self.label,
            author_id: self.author_id,
            editor_id,
            active: self.active,
            version: self.version,
            description: self.description,
            creation_time,
            last_edit_time,
            fields: self.fields,
            unique: self.unique,
            render_meta: self.render_meta,
            acl: self.acl,
        }
    }
}

/// `author_id` may be any number from 0; the service records the true actor.
pub(crate) fn author(body: &Body<'_>, stored: Option<i64>) -> Option<i64> {
    if let (None, Some(author)) = (body.given("author_id"), stored) {
        return Some(author);
    }
    let author = body
        .require("author_id")
        .then(|| body.integer("author_id"))??;
    if author < 0 {
        body.problem("author_id", "must be 0 or more");
        return None;
    }
    Some(author)
}

fn name<'a>(body: &Body<'a>) -> Option<&'a str> {
    let name = body.required_text("name")?;
    let fits = NAME
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(name).unwrap_or(false));
    if !fits {
        body.problem("name", "must be two or more letters, digits, underscores and hyphens, and not start with a hyphen");
        return None;
    }
    Some(name)
}

fn fields(body: &Body<'_>, stored: Option<&Type>, limits: &RecordLimits) -> Option<Fields> {
    let most = stored.map_or(0, |stored| stored.fields().len());
    body.at_most("fields", limits.type_fields.max(most), "fields of a type")?;
    let definitions = body.objects("fields", field_definition)?;
    let mut names = HashSet::new();
    let mut unique = true;
    for (index, field) in definitions.iter().enumerate() {
        if !names.insert(&field.name) {
            body.problem_at(
                pointer(&pointer(&body.at("fields"), index), "name"),
                format!("the field {:?} stands twice in this type", field.name),
            );
            unique = false;
        }
    }
    check_patterns(body, &definitions, stored, limits);
    unique.then(|| Fields::from(definitions))
}

fn field_definition(field: &Body<'_>) -> Option<FieldDefinition> {
    let required = ["type", "name"].map(|key| field.required_text(key));
    let label = field.required_text_or_empty("label");
    let _ = field.boolean("required", false);
    for key in [
        "description",
        "regex",
        "placeholder",
        "value",
        "helperText",
        rename::KEY,
    ] {
        let _ = field.text(key);
    }
    if field
        .given("default")
        .is_some_and(|default| default.as_str() != Some(""))
    {
        let _ = field.integer("default");
    }
    let options = field.objects("options", |option| {
        Some((
            option.required_text_or_empty("name")?,
            option.required_text_or_empty("label")?,
        ))
    });
    let kind = required[0].map(|word| FieldKind::of(word, false));
    let chooses = kind.is_some_and(|kind| kind.settings().contains(&Setting::Options));
    if chooses && options.as_ref().is_some_and(Vec::is_empty) {
        let detail = "has none to choose from, so that every text is taken: list them as {\"name\": …, \"label\": …}";
        field.warn("options", detail);
    }
    let ref_types = field.integers("ref_types");
    let summaries = field.objects("summaries", summary_item);
    check_unique_field(field, kind);
    let complete = required.iter().all(Option::is_some)
        && label.is_some()
        && options.is_some()
        && ref_types.is_some()
        && summaries.is_some();
    complete.then(|| {
        let mut definition = field.members().clone();
        definition.shift_remove(rename::KEY);
        FieldDefinition::new(definition)
    })
}

fn summary_item(summary: &Body<'_>) -> Option<()> {
    let type_id = summary
        .require("type_id")
        .then(|| summary.integer("type_id"))
        .flatten();
    let texts = ["line", "label", "icon"].map(|key| summary.required_text_or_empty(key));
    let fields = summary.texts("fields");
    let prefix = summary.boolean("prefix", true);
    (type_id.is_some() && texts.iter().all(Option::is_some) && fields.is_some() && prefix.is_some())
        .then_some(())
}

fn render_meta(body: &Body<'_>) -> Option<RenderMeta> {
    if body.given("render_meta").is_none() {
        return Some(RenderMeta::default());
    }
    let meta = body.inside("render_meta")?;
    meta.refuse_unknown(&RENDER_META_KEYS);
    let icon = meta.text("icon").map(str::to_owned);
    let sections = meta.objects("sections", section);
    let externals = meta.objects("externals", external);
    let summary = match meta.inside("summary") {
        Some(summary) => {
            summary.warn_unknown(&["fields"]);
            summary.texts("fields").map(|fields| Summary { fields })
        }
        None => Some(Summary::default()),
    };
    Some(RenderMeta {
        icon,
        sections: sections?,
        externals: externals?,
        summary: summary?,
    })
}

fn section(section: &Body<'_>) -> Option<Section> {
    section.warn_unknown(&["type", "name", "label", "reference", "fields"]);
    let kind = section.required_text("type");
    let name = section.required_text("name");
    let label = section.required_text_or_empty("label");
    let reference = section
        .inside("reference")
        .filter(|reference| !reference.members().is_empty());
    let reference = match reference {
        None => Some(None),
        Some(reference) => section_reference(&reference).map(Some),
    };
    let fields = section.texts("fields");
    Some(Section {
        kind: kind?.to_owned(),
        name: name?.to_owned(),
        label: label?.to_owned(),
        reference: reference?,
        fields: fields?,
    })
}

fn section_reference(reference: &Body<'_>) -> Option<SectionReference> {
    let type_id = reference
        .require("type_id")
        .then(|| reference.integer("type_id"))
        .flatten();
    let section_name = reference.required_text_or_empty("section_name");
    let selected_fields = reference.texts("selected_fields");
    Some(SectionReference {
        type_id: type_id?,
        section_name: section_name?.to_owned(),
        selected_fields: selected_fields?,
    })
}

fn external(external: &Body<'_>) -> Option<External> {
    external.warn_unknown(&["name", "href", "label", "icon", "fields"]);
    let name = external.required_text("name");
    let href = external.required_text("href");
    let label = external.required_text_or_empty("label");
    let icon = external.required_text_or_empty("icon");
    let fields = external.texts("fields");
    Some(External {
        name: name?.to_owned(),
        href: href?.to_owned(),
        label: label?.to_owned(),
        icon: icon?.to_owned(),
        fields: fields?,
    })
}

/// Kept as sent, unknown keys included; the parts that decide access are checked.
fn acl(body: &Body<'_>) -> Option<Value> {
    if body.given("acl").is_none() {
        return Some(json!({"activated": false, "groups": {"includes": {}}}));
    }
    let acl = body.inside("acl")?;
    let _ = acl.boolean("activated", false);
    if let Some(includes) = acl.inside("groups").and_then(|it| it.inside("includes")) {
        for group in includes.members().keys() {
            let _ = includes.texts(group);
        }
    }
    Some(Value::Object(normal_acl(acl.members())))
}

/// Replaces null parts by their defaults.
fn normal_acl(members: &Map<String, Value>) -> Map<String, Value> {
    let mut acl = members.clone();
    if acl.get("activated").is_none_or(Value::is_null) {
        acl.insert("activated".to_owned(), Value::Bool(false));
    }
    if acl.get("groups").is_none_or(Value::is_null) {
        acl.insert("groups".to_owned(), json!({"includes": {}}));
    }
    acl
}
