//! Sections: which fields are shown in which order, and the parts of other objects in reference
//! sections.

use stockroom_model::TypeId;
use stockroom_model::r#type::Section;

use crate::fields::{self, Secrets};
use crate::out::Out;
use crate::record::{Record, parse};
use crate::type_template::{Field, SectionTemplate, TypeTemplate};
use crate::{MAX_HOPS, RenderContext, Target, reference};

/// The fields of all sections in their order, then the fields without a section. Omits a link whose
/// type or section does not exist.
pub(crate) fn fields(
    out: &mut Out,
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
) {
    let in_sections = object_sections(record, template)
        .flat_map(|section| section.fields().map(move |field| (section, field)))
        .map(|(section, field)| {
            let next = section
                .is_link(field)
                .then(|| (section, section.next(context)));
            (field, next)
        })
        .filter(|(_, next)| !matches!(next, Some((_, Next::Nowhere))));
    let unsectioned = unsectioned(template).map(|field| (field, None));
    out.list(
        in_sections.chain(unsectioned),
        |out, (field, next)| match next {
            Some((section, next)) => linked(out, section, field, &next, context),
            None => reference::field(out, field, Some(record), context, MAX_HOPS, Secrets::AsHeld),
        },
    );
}

/// The fields that are in no section.
pub(crate) fn unsectioned(template: &TypeTemplate) -> impl Iterator<Item = &Field> {
    let indices = template.unsectioned.iter();
    indices.filter_map(|index| template.field_at(*index))
}

/// The sections of an object.
pub(crate) fn object_sections<'a>(
    record: &'a Record,
    template: &'a TypeTemplate,
) -> impl Iterator<Item = ObjectSection<'a>> {
    let sections = template.render_meta.sections.iter().zip(&template.sections);
    sections.map(move |(section, prepared)| ObjectSection {
        record: Some(record),
        template,
        section,
        prepared,
    })
}

/// A section of one object; without an object its fields have no values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObjectSection<'a> {
    pub(crate) record: Option<&'a Record>,
    template: &'a TypeTemplate,
    section: &'a Section,
    prepared: &'a SectionTemplate,
}

/// The target of a reference section's link.
pub(crate) enum Next<'a> {
    /// The type or section does not exist.
    Nowhere,
    /// An object that the reader may not see, or any of such a type.
    Hidden,
    /// A section of another object, or of none if the link has no valid target.
    ForeignField(ObjectSection<'a>),
}

impl<'a> ObjectSection<'a> {
    /// The fields of the section; unknown names are skipped. The link of a reference section is
    /// always included.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'a Field> {
        let indices = self.prepared.fields.iter();
        indices.filter_map(move |index| self.template.field_at(*index))
    }

    fn link(self) -> Option<&'a Field> {
        self.template.field_at(self.prepared.link?)
    }

    fn is_link(self, field: &Field) -> bool {
        self.link()
            .is_some_and(|link| link.definition.name == field.definition.name)
    }

    /// Follows the link. A target of the wrong type counts as missing.
    pub(crate) fn next(self, context: &'a impl RenderContext) -> Next<'a> {
        let Some(mut next) = Self::shown_by(self.section, context) else {
            return Next::Nowhere;
        };
        if !context.sees(next.template.public_id) {
            return Next::Hidden;
        }
        let value = self
            .link()
            .and_then(|link| self.record?.value(&link.key))
            .map(parse);
        let target = value
            .as_ref()
            .and_then(reference::target)
            .map_or(Target::Missing, |id| context.object(id));
        match target {
            Target::Hidden => return Next::Hidden,
            Target::Missing => {}
            Target::Visible(record) => {
                let fits = record.type_id() == Some(next.template.public_id);
                next.record = fits.then_some(record);
            }
        }
        Next::ForeignField(next)
    }

    /// The section that a reference section shows, not yet of a certain object.
    fn shown_by(section: &Section, context: &'a impl RenderContext) -> Option<Self> {
        let reference = section
            .reference
            .as_ref()
            .filter(|_| section.is_reference())?;
        let template = context.template(TypeId::new(reference.type_id)?)?;
        let mut sections = template.render_meta.sections.iter().zip(&template.sections);
        let (section, prepared) =
            sections.find(|(section, _)| section.name == reference.section_name)?;
        Some(Self {
            record: None,
            template,
            section,
            prepared,
        })
    }

    fn selected(self) -> &'a [String] {
        let reference = self.section.reference.as_ref();
        reference.map_or(&[], |reference| &reference.selected_fields)
    }
}

/// The link of a reference section with the fields that it shows.
fn linked(
    out: &mut Out,
    section: ObjectSection<'_>,
    link: &Field,
    next: &Next<'_>,
    context: &impl RenderContext,
) {
    fields::open(out, link, section.record, Secrets::AsHeld);
    out.raw(r#","references":"#);
    match next {
        Next::Nowhere | Next::Hidden => out.raw("null"),
        Next::ForeignField(next) => {
            let template = next.template;
            out.raw(r#"{"type_id":"#);
            out.json(&template.public_id);
            out.raw(r#","type_name":"#);
            out.json(&template.name);
            out.raw(r#","type_label":"#);
            out.json(&template.label);
            out.raw(r#","type_icon":"#);
            out.json(&template.render_meta.icon);
            out.raw(r#","fields":["#);
            let fields = shown(*next, section.selected(), context, MAX_HOPS - 1);
            out.list(fields, |out, field| field.write(out, context));
            out.raw("]}");
        }
    }
    out.raw("}");
}

/// A field of another object.
struct ForeignField<'a> {
    field: &'a Field,
    record: Option<&'a Record>,
    extra: Extra,
}

/// What is rendered in addition to a field.
enum Extra {
    /// Its referenced object, if hops are left.
    Reference(usize),
    /// Nothing: the fields of the referenced object follow separately.
    Nothing,
    /// A null that says that the reader may not see the referenced object.
    Hidden,
}

impl ForeignField<'_> {
    fn write(&self, out: &mut Out, context: &impl RenderContext) {
        let (field, record, secrets) = (self.field, self.record, Secrets::Masked);
        match self.extra {
            Extra::Reference(hops) => reference::field(out, field, record, context, hops, secrets),
            Extra::Nothing => fields::plain(out, field, record, secrets),
            Extra::Hidden => {
                fields::open(out, field, record, secrets);
                out.raw(r#","references":null}"#);
            }
        }
    }
}

/// The selected fields of a section. A nested reference section's link is followed by the fields
/// that it shows, in one flat list; selecting the link selects them all.
fn shown<'a>(
    section: ObjectSection<'a>,
    selected: &[String],
    context: &'a impl RenderContext,
    hops: usize,
) -> Vec<ForeignField<'a>> {
    let is_selected =
        |field: &Field| selected.is_empty() || selected.contains(&field.definition.name);
    let mut shown = Vec::new();
    for field in section.fields() {
        if section.is_link(field) && hops > 0 {
            let all = is_selected(field);
            let mut nested = nested(section, field, context, hops);
            nested.retain(|shown| all || selected.contains(&shown.field.definition.name));
            shown.extend(nested);
        } else if is_selected(field) {
            shown.push(ForeignField {
                field,
                record: section.record,
                extra: Extra::Reference(hops),
            });
        }
    }
    shown
}

fn nested<'a>(
    section: ObjectSection<'a>,
    link: &'a Field,
    context: &'a impl RenderContext,
    hops: usize,
) -> Vec<ForeignField<'a>> {
    let link = |extra| ForeignField {
        field: link,
        record: section.record,
        extra,
    };
    match section.next(context) {
        Next::Nowhere => Vec::new(),
        Next::Hidden => vec![link(Extra::Hidden)],
        Next::ForeignField(next) => {
            let mut flat = vec![link(Extra::Nothing)];
            flat.extend(shown(next, section.selected(), context, hops - 1));
            flat
        }
    }
}
