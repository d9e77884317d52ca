//! The loading of a page: one fetch per hop, each object once.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::{field, object, record, template};
use serde_json::{Value, json};
use stockroom_model::{ObjectId, TypeId};
use stockroom_render::{
    MAX_HOPS, Record, RenderContext, Target, TypeTemplate, load, next_hop, references,
};

/// Objects of one type with four references: a link and a field in a reference section, one in the
/// summary, one in no section.
struct Loaded {
    template: Arc<TypeTemplate>,
    objects: BTreeMap<ObjectId, Record>,
}

impl Loaded {
    fn new() -> Self {
        let kinds = [
            ("ref-section-field", "s-field"),
            ("ref", "inside"),
            ("ref", "summed"),
            ("ref", "unsectioned"),
        ];
        let fields: Vec<Value> = kinds.iter().map(|(kind, name)| field(kind, name)).collect();
        let template = template(&json!({
            "fields": fields,
            "author_id": 3,
            "render_meta": {
                "sections": [{
                    "type": "ref-section", "name": "s", "label": "", "fields": ["inside"],
                    "reference": {"type_id": 1, "section_name": "s"},
                }],
                "summary": {"fields": ["summed"]},
            },
        }));
        Self {
            template: Arc::new(template),
            objects: BTreeMap::new(),
        }
    }
}

impl RenderContext for Loaded {
    fn template(&self, id: TypeId) -> Option<&TypeTemplate> {
        (id == self.template.public_id).then_some(&*self.template)
    }

    fn sees(&self, _: TypeId) -> bool {
        true
    }

    fn object(&self, id: ObjectId) -> Target<'_> {
        self.objects
            .get(&id)
            .map_or(Target::Missing, Target::Visible)
    }

    fn user_name(&self, _: i64) -> Option<&str> {
        None
    }

    fn is_whole(&self) -> bool {
        true
    }
}

/// Links to the next object; its other references are 100, 200 and 300 more than its id.
fn linked(id: i64) -> Record {
    object(&record(
        id,
        1,
        &[
            ("s-field", json!((id + 1).to_string())),
            ("inside", json!(id + 100)),
            ("summed", json!(id + 200)),
            ("unsectioned", json!(id + 300)),
        ],
    ))
}

fn numbers(ids: &[ObjectId]) -> Vec<i64> {
    ids.iter().map(|id| id.get()).collect()
}

#[test]
fn a_page_is_loaded_with_one_fetch_per_hop() {
    let page = [linked(1), linked(2)];
    let mut context = Loaded::new();
    let template = context.template.clone();
    let page: Vec<(&Record, &TypeTemplate)> =
        page.iter().map(|object| (object, &*template)).collect();
    let mut fetches = Vec::new();
    load(&page, &mut context, |context, ids| {
        fetches.push(numbers(ids));
        context
            .objects
            .extend(ids.iter().map(|id| (*id, linked(id.get()))));
        Ok::<(), ()>(())
    })
    .unwrap();
    // Object 1 leads to 2, 3, 4 and object 2 to 3, 4, 5: shared objects are fetched once.
    assert_eq!(
        fetches,
        [
            vec![2, 3, 101, 102, 201, 202, 301, 302],
            vec![4, 103],
            vec![5, 104]
        ]
    );
}

#[test]
fn hops_can_be_walked_one_by_one() {
    let mut context = Loaded::new();
    let template = context.template.clone();
    let first = linked(1);
    assert_eq!(numbers(&references(&first, &template)), [2, 101, 201, 301]);
    for hop in 1..=MAX_HOPS {
        for id in next_hop(&first, &template, &context, hop) {
            context.objects.insert(id, linked(id.get()));
        }
    }
    assert_eq!(numbers(&next_hop(&first, &template, &context, 2)), [3, 102]);
    assert_eq!(numbers(&next_hop(&first, &template, &context, 3)), [4, 103]);
    assert_eq!(next_hop(&first, &template, &context, MAX_HOPS + 1), []);
}

#[test]
fn a_failed_fetch_ends_the_loading() {
    let mut context = Loaded::new();
    let template = context.template.clone();
    let result = load(&[(&linked(1), &template)], &mut context, |_, ids| {
        Err(ids.len())
    });
    assert_eq!(result, Err(4));
}
