//! Sections: which fields are shown, in which order, and what reference sections show of other objects.

use serde_json::{Map, Value, json};
use stockroom_model::r#type::{FieldDefinition, Section};
use stockroom_model::{Object, Type, TypeId};

use crate::fields::{self, Secrets};
use crate::{MAX_HOPS, Target, World, reference};

/// The fields of all sections in their order.
pub(crate) fn fields(object: &Object, r#type: &Type, world: &impl World) -> Vec<Value> {
    places(object, r#type)
        .flat_map(|place| {
            let link = place.link();
            place.fields().filter_map(move |field| {
                if is_same(link, field) {
                    linked(place, field, world)
                } else {
                    let object = Some(object);
                    let entry = fields::entry(field, object, world, MAX_HOPS, Secrets::AsHeld);
                    Some(entry.into())
                }
            })
        })
        .collect()
}

/// The sections themselves. A selection that is empty stands for all fields, which are then listed.
pub(crate) fn outlines(r#type: &Type, world: &impl World) -> Vec<Value> {
    let sections = &r#type.render_meta.sections;
    sections
        .iter()
        .map(|section| outline(section, world))
        .collect()
}

fn outline(section: &Section, world: &impl World) -> Value {
    let mut outline = json!({
        "type": section.kind,
        "name": section.name,
        "label": section.label,
        "fields": section.fields,
    });
    if let (Some(reference), Some(outline)) = (&section.reference, outline.as_object_mut()) {
        let mut selected: Vec<&str> = reference
            .selected_fields
            .iter()
            .map(String::as_str)
            .collect();
        if selected.is_empty()
            && let Some(shown) = Place::shown_by(section, world)
        {
            selected = shown.fields().map(|field| field.name.as_str()).collect();
        }
        let reference = json!({
            "type_id": reference.type_id,
            "section_name": reference.section_name,
            "selected_fields": selected,
        });
        outline.insert("reference".to_owned(), reference);
    }
    outline
}

/// The sections of an object.
pub(crate) fn places<'a>(object: &'a Object, r#type: &'a Type) -> impl Iterator<Item = Place<'a>> {
    let sections = &r#type.render_meta.sections;
    sections.iter().map(move |section| Place {
        object: Some(object),
        r#type,
        section,
    })
}

/// A section of one object; without an object it shows its fields without values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) object: Option<&'a Object>,
    r#type: &'a Type,
    section: &'a Section,
}

/// Where the link of a reference section leads.
pub(crate) enum Next<'a> {
    /// Its type or section does not exist.
    Nowhere,
    /// To an object that the reader may not see.
    Hidden,
    /// To a section of another object.
    Shown(Place<'a>),
}

impl<'a> Place<'a> {
    /// The fields that are shown here; names that are no fields are skipped. The link of a reference section always is.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'a FieldDefinition> {
        let names = &self.section.fields;
        let unlisted = self.link().filter(|link| !names.contains(&link.name));
        let listed = names.iter().filter_map(move |name| self.r#type.field(name));
        unlisted.into_iter().chain(listed)
    }

    /// The field of a reference section that names the object to show: by convention that of the section's name with
    /// `-field` behind it.
    fn link(self) -> Option<&'a FieldDefinition> {
        let name = || format!("{}-field", self.section.name);
        self.section
            .is_reference()
            .then(|| self.r#type.field(&name()))?
            .filter(|field| reference::is_followed(field))
    }

    /// Follows the link. A target of another type than the section's counts as none.
    pub(crate) fn next(self, world: &'a impl World) -> Next<'a> {
        let Some(mut next) = Self::shown_by(self.section, world) else {
            return Next::Nowhere;
        };
        let value = self.link().and_then(|link| self.object?.value(&link.name));
        let target = value
            .and_then(reference::target)
            .map_or(Target::Missing, |id| world.object(id));
        match target {
            Target::Hidden => return Next::Hidden,
            Target::Missing => {}
            Target::Visible(object) => {
                let fits = object.type_id() == Some(next.r#type.public_id);
                next.object = fits.then_some(object);
            }
        }
        Next::Shown(next)
    }

    /// What a reference section shows, before it is known of which object.
    fn shown_by(section: &'a Section, world: &'a impl World) -> Option<Self> {
        let reference = section
            .reference
            .as_ref()
            .filter(|_| section.is_reference())?;
        let r#type = world.r#type(TypeId::new(reference.type_id)?)?;
        Some(Self {
            object: None,
            section: r#type.section(&reference.section_name)?,
            r#type,
        })
    }

    fn selected(self) -> &'a [String] {
        let reference = self.section.reference.as_ref();
        reference.map_or(&[], |reference| &reference.selected_fields)
    }
}

/// The link of a reference section with what it shows; `None` if there is no such type or section.
fn linked(place: Place<'_>, link: &FieldDefinition, world: &impl World) -> Option<Value> {
    let references = match place.next(world) {
        Next::Nowhere => return None,
        Next::Hidden => Value::Null,
        Next::Shown(next) => json!({
            "type_id": next.r#type.public_id,
            "type_name": next.r#type.name,
            "type_label": next.r#type.label,
            "type_icon": next.r#type.render_meta.icon,
            "fields": shown(next, place.selected(), world, MAX_HOPS - 1),
        }),
    };
    let mut entry = fields::plain(link, place.object, Secrets::AsHeld);
    entry.insert("references".to_owned(), references);
    Some(entry.into())
}

/// The selected fields of a section. Those of a reference section inside follow its link, so that there is one flat list; to
/// select the link is to select them all.
fn shown(
    place: Place<'_>,
    selected: &[String],
    world: &impl World,
    hops: usize,
) -> Vec<Map<String, Value>> {
    let is_selected = |name: &String| selected.is_empty() || selected.contains(name);
    let link = place.link();
    let mut shown = Vec::new();
    for field in place.fields() {
        if is_same(link, field) && hops > 0 {
            let all = is_selected(&field.name);
            let mut nested = nested(place, field, world, hops);
            nested
                .retain(|entry| all || entry.get("name").is_some_and(|name| names(selected, name)));
            shown.extend(nested);
        } else if is_selected(&field.name) {
            shown.push(fields::entry(
                field,
                place.object,
                world,
                hops,
                Secrets::Masked,
            ));
        }
    }
    shown
}

fn names(selected: &[String], name: &Value) -> bool {
    selected.iter().any(|selected| name == selected)
}

fn is_same(link: Option<&FieldDefinition>, field: &FieldDefinition) -> bool {
    link.is_some_and(|link| link.name == field.name)
}

fn nested(
    place: Place<'_>,
    link: &FieldDefinition,
    world: &impl World,
    hops: usize,
) -> Vec<Map<String, Value>> {
    let mut entry = fields::plain(link, place.object, Secrets::Masked);
    match place.next(world) {
        Next::Nowhere => Vec::new(),
        Next::Hidden => {
            entry.insert("references".to_owned(), Value::Null);
            vec![entry]
        }
        Next::Shown(next) => {
            let mut flat = vec![entry];
            flat.extend(shown(next, place.selected(), world, hops - 1));
            flat
        }
    }
}
