//! Every reference has a target.

use serde_json::Value;

use super::{demo, of_type, types, value};

#[test]
fn names_of_types_sections_and_links_are_of_their_targets() {
    let demo = demo();
    let types = types(&demo);
    let mut reference_sections = 0;
    for of in types.values() {
        for section in of
            .render_meta
            .sections
            .iter()
            .filter(|section| section.is_reference())
        {
            let reference = section.reference.as_ref().unwrap();
            let shown = types[&reference.type_id]
                .section(&reference.section_name)
                .unwrap();
            assert!(
                reference
                    .selected_fields
                    .iter()
                    .all(|name| shown.fields.contains(name))
            );
            let field = of.field(&format!("{}-field", section.name)).unwrap();
            assert_eq!(
                (field.kind_name(), &field.ref_types),
                ("ref-section-field", &vec![reference.type_id])
            );
            reference_sections += 1;
        }
        for field in of.fields() {
            for summary in field
                .definition
                .get("summaries")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let target = summary["type_id"].as_i64().unwrap();
                assert!(field.ref_types.contains(&target));
                for name in summary["fields"].as_array().unwrap() {
                    assert!(
                        types[&target].field(name.as_str().unwrap()).is_some(),
                        "{summary}"
                    );
                }
            }
        }
    }
    assert!(reference_sections >= 2);
}

#[test]
fn virtual_machines_lead_to_their_site_and_to_a_supplier() {
    let demo = demo();
    let object = |id: &Value| {
        let index = usize::try_from(id.as_i64().unwrap()).unwrap() - 1;
        &demo.objects[index]
    };
    let mut supplied = 0;
    for machine in of_type(&demo, "virtual-machine") {
        let server = object(value(machine, "host"));
        let rack = object(value(server, "rack"));
        let site = object(value(object(value(rack, "room")), "site"));
        assert!(value(site, "city").is_string());
        assert!(value(machine, "application").is_i64(), "{machine:#}");
        if let contract @ Value::Number(_) = value(server, "support-field") {
            assert!(value(object(value(object(contract), "supplier")), "name").is_string());
            supplied += 1;
        }
    }
    assert!(supplied > 100, "{supplied}");
}
