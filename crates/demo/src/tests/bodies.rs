//! The service's rules accept every body, in the order of insertion.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use stockroom_model::body::Report;
use stockroom_model::category::CategoryDraft;
use stockroom_model::group::GroupDraft;
use stockroom_model::object::{ObjectDraft, check_fields};
use stockroom_model::user::UserDraft;
use stockroom_model::view::ViewDraft;
use stockroom_model::{CategoryId, RecordLimits, Timestamp};

use super::{accepted, demo, id, ids, types};
use crate::inventory;

#[test]
fn the_same_moment_gives_the_same_inventory() {
    assert_eq!(demo(), demo());
}

#[test]
fn a_wrong_clock_breaks_nothing() {
    for moment in [i64::MIN, 0, i64::MAX] {
        assert_eq!(
            inventory(Timestamp(moment)).objects.len(),
            demo().objects.len()
        );
    }
}
#[test]
fn ids_leave_out_what_exists_from_the_first_start() {
    let demo = demo();
    for (bodies, first) in [
        (&demo.groups, 3),
        (&demo.users, 2),
        (&demo.types, 1),
        (&demo.categories, 1),
        (&demo.views, 1),
        (&demo.objects, 1),
    ] {
        let expected: Vec<i64> = (first..).take(bodies.len()).collect();
        assert_eq!(ids(bodies), expected);
    }
}

#[test]
fn groups_users_and_categories_are_accepted_and_find_their_targets() {
    let demo = demo();
    let mut groups = HashSet::from([1, 2]);
    for body in &demo.groups {
        accepted(body, |report| GroupDraft::read(body, None, report));
        groups.insert(id(body));
    }
    for body in &demo.users {
        let user = accepted(body, |report| UserDraft::read(body, None, report));
        assert!(groups.contains(&user.group_id.get()), "{body:#}");
    }
    let mut earlier = HashSet::new();
    for body in &demo.categories {
        let category = accepted(body, |report| CategoryDraft::read(body, None, report));
        let parent = category.parent.map(CategoryId::get);
        assert!(
            parent.is_none_or(|parent| earlier.contains(&parent)),
            "{body:#}"
        );
        earlier.insert(id(body));
    }
}

#[test]
fn every_view_shows_fields_that_its_type_has() {
    let demo = demo();
    let types = types(&demo);
    for body in &demo.views {
        let view = accepted(body, |report| ViewDraft::read(body, None, report));
        let Some(of) = view.type_id.map(|id| &types[&id.get()]) else {
            continue;
        };
        let definition = &view.definition;
        let columns = definition["columns"].as_array().unwrap().iter();
        let sort = [&definition["sort"]];
        let filtered = definition.get("filter").and_then(Value::as_object);
        let filtered = filtered.into_iter().flat_map(|filter| filter.keys());
        let named = columns.chain(sort).filter_map(Value::as_str);
        for path in named.chain(filtered.map(String::as_str)) {
            let name = path.strip_prefix("fields.").unwrap();
            assert!(of.field(name).is_some(), "{path} of {body:#}");
        }
    }
}

#[test]
fn every_object_obeys_its_type_and_refers_to_earlier_objects_of_an_allowed_type() {
    let demo = demo();
    let types = types(&demo);
    let mut earlier: HashMap<i64, i64> = HashMap::new();
    for body in &demo.objects {
        let limits = RecordLimits::default();
        let draft = accepted(body, |report| {
            ObjectDraft::read(body, None, &limits, report)
        });
        let of = &types[&draft.type_id.get()];
        assert!(of.active, "an inactive type refuses {body:#}");
        let report = Report::default();
        let references = check_fields(of, &draft.fields, None, &report);
        assert_eq!(report.finish(Some(())), Ok(()), "{body:#}");
        // Some lack the newest field of their type, so that there are objects to clean.
        let mut warnings = report.into_warnings().into_iter();
        let other = warnings.find(|warning| !warning.detail.contains("are left out"));
        assert_eq!(other, None);
        for reference in references {
            let target = earlier.get(&reference.target.get());
            assert!(
                target.is_some_and(|target| reference.ref_types.contains(target)),
                "{} of {body:#} refers to {target:?}",
                reference.pointer
            );
        }
        earlier.insert(id(body), draft.type_id.get());
    }
}
