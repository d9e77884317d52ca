//! Random types, categories and groups: what lists answer, imported elsewhere, is the same but for
//! its ids.

use std::collections::HashMap;

use fastrand::Rng;
use serde_json::{Map, Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, Engine, Setup, apply, both};

const PATH: &str = "/rest/imports/records";
const ROUNDS: u64 = 4;
const LISTS: [&str; 3] = ["types", "categories", "groups"];
const RIGHTS: [&str; 4] = [
    "base.framework.*",
    "base.framework.object.view",
    "base.system.view",
    "base.import.type.*",
];

/// Fills an inventory. Types have scattered ids and may name any other one.
async fn fill(admin: &Client, random: &mut Rng) {
    let mut groups = vec![1, 2];
    for number in 0..random.usize(0..4) {
        let rights = random.choose_multiple(RIGHTS.iter(), 2);
        let body = json!({"name": format!("Group {number}"), "label": "", "rights": rights});
        groups.push(insert(admin, "/rest/groups", body).await);
    }
    let count = random.i64(1..8);
    let types: Vec<i64> = (0..count).map(|number| 50 + number * 3).collect();
    for id in &types {
        let body = random_type(random, *id, &types, &groups);
        insert(admin, "/rest/types", body).await;
    }
    let mut categories: Vec<i64> = Vec::new();
    for number in 0..random.usize(0..10) {
        let parent = random.choice(&categories).copied();
        let named: Vec<i64> = random.choose_multiple(types.iter().copied(), 3);
        let body = json!({
            // The same name in other places.
            "name": if random.bool() { format!("c{number}") } else { format!("under {parent:?}") },
            "label": "", "parent": parent, "types": named,
            "meta": {"icon": "fa fa-x", "order": random.choice([json!(null), json!(number)])},
        });
        let listed = admin
            .get("/rest/categories/?limit=0")
            .await
            .expect(200)
            .member("results");
        let is_taken = listed
            .as_array()
            .unwrap()
            .iter()
            .any(|known| known["name"] == body["name"] && known["parent"] == body["parent"]);
        if !is_taken {
            categories.push(insert(admin, "/rest/categories", body).await);
        }
    }
}

fn random_type(random: &mut Rng, id: i64, types: &[i64], groups: &[i64]) -> Value {
    let mut some = |most: usize| random.choose_multiple(types.iter().copied(), most);
    let (first, second, summarised) = (some(3), some(1), some(2));
    let summaries = summarised.iter().map(|id| {
        json!({"type_id": id, "line": "{}", "label": "", "fields": ["name"], "icon": "", "prefix": true})
    });
    let granted = random.choose_multiple(groups.iter(), 2);
    let includes: Map<String, Value> = granted
        .into_iter()
        .map(|id| (id.to_string(), json!(["READ", "CREATE"])))
        .collect();
    let mut sections =
        vec![json!({"type": "section", "name": "main", "label": "Main", "fields": ["name"]})];
    if random.bool() {
        let other = random.choice(types).unwrap();
        let reference =
            json!({"type_id": other, "section_name": "main", "selected_fields": ["name"]});
        sections.push(json!({"type": "ref-section", "name": "more", "label": "", "reference": reference, "fields": []}));
    }
    json!({
        "public_id": id, "name": format!("type-{id}"), "author_id": 1, "version": "2.0.0", "active": random.bool(),
        "fields": [
            {"type": "text", "name": "name", "label": "Name", "regex": "[a-z]*", "invented": {"kept": [1]}},
            {"type": "ref", "name": "a", "label": "A", "ref_types": first, "summaries": summaries.collect::<Vec<_>>()},
            {"type": "ref", "name": "b", "label": "B", "ref_types": second},
        ],
        "render_meta": {"icon": "fa fa-cube", "sections": sections, "summary": {"fields": ["name"]}},
        "acl": {"activated": random.bool(), "groups": {"includes": includes}, "more": 1},
    })
}

async fn export(client: &Client) -> Value {
    let mut file = json!({});
    for list in LISTS {
        let path = format!("/rest/{list}/?limit=0");
        file[list] = client.get(&path).await.expect(200).member("results");
    }
    file
}

/// Names instead of ids, in the order of the names, without records that were here before.
fn by_name(file: &Value) -> Value {
    let mut names: [HashMap<i64, String>; 3] = Default::default();
    for (list, names) in LISTS.iter().zip(&mut names) {
        for record in file[list].as_array().unwrap() {
            names.insert(
                record["public_id"].as_i64().unwrap(),
                record["name"].to_string(),
            );
        }
    }
    let [types, categories, groups] = &names;
    let name =
        |names: &HashMap<i64, String>, id: &Value| json!(id.as_i64().map(|id| names[&id].clone()));
    let mut by_names = json!({});
    for list in LISTS {
        let mut records = file[list].as_array().unwrap().clone();
        records.retain(|record| !record["name"].as_str().unwrap().starts_with("taken"));
        for record in &mut records {
            for member in [
                "public_id",
                "author_id",
                "editor_id",
                "creation_time",
                "last_edit_time",
            ] {
                let _ = record.as_object_mut().unwrap().remove(member);
            }
            match list {
                "types" => name_ids(record, &|id| name(types, id), groups),
                "categories" => {
                    record["parent"] = name(categories, &record["parent"]);
                    let ids = record["types"].as_array().unwrap().iter();
                    record["types"] = ids.map(|id| name(types, id)).collect();
                }
                _ => {}
            }
        }
        records.sort_by_key(Value::to_string);
        by_names[list] = records.into();
    }
    by_names
}

fn name_ids(record: &mut Value, name: &impl Fn(&Value) -> Value, groups: &HashMap<i64, String>) {
    for field in record["fields"].as_array_mut().unwrap() {
        for id in field
            .get_mut("ref_types")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            *id = name(id);
        }
        for summary in field
            .get_mut("summaries")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            summary["type_id"] = name(&summary["type_id"]);
        }
    }
    for section in record["render_meta"]["sections"].as_array_mut().unwrap() {
        if let Some(reference) = section.get_mut("reference") {
            reference["type_id"] = name(&reference["type_id"]);
        }
    }
    let includes = record["acl"]["groups"]["includes"].as_object().unwrap();
    let mut by_names: Vec<Value> = includes
        .iter()
        .map(|(id, words)| json!([groups[&id.parse().unwrap()], words]))
        .collect();
    by_names.sort_by_key(Value::to_string);
    record["acl"]["groups"]["includes"] = by_names.into();
}

#[apply(both)]
async fn an_inventory_imported_elsewhere_is_the_same_but_for_its_ids(engine: Engine) {
    for seed in 0..ROUNDS {
        let mut random = Rng::with_seed(seed);
        let (source, target) = (
            Setup::default().start(engine).await,
            Setup::default().start(engine).await,
        );
        fill(&source.admin(), &mut random).await;
        let admin = target.admin();
        for number in 0..random.i64(1..5) {
            // Among the ids that the source uses.
            let id = 50 + random.i64(0..8) * 3 + number * 100;
            insert(
                &admin,
                "/rest/types",
                json!({"name": format!("taken-{number}"), "author_id": 1, "public_id": id}),
            )
            .await;
            insert(
                &admin,
                "/rest/categories",
                json!({"name": format!("taken {number}")}),
            )
            .await;
            insert(
                &admin,
                "/rest/groups",
                json!({"name": format!("taken {number}")}),
            )
            .await;
        }
        let file = export(&source.admin()).await;
        let answer = admin.post(PATH, file.clone()).await.expect(200);
        assert_eq!(
            by_name(&export(&admin).await),
            by_name(&file),
            "seed {seed}\n{answer}"
        );
        for (server, file) in [(&target, &file), (&source, &export(&admin).await)] {
            let again = server.admin().post(PATH, file.clone()).await.expect(200);
            let is_new = |result: &Value| result["action"] != "unchanged";
            let mut results = again.member("results").as_array().unwrap().clone();
            results.retain(|result| {
                is_new(result) && !result["name"].as_str().unwrap().starts_with("taken")
            });
            assert_eq!(results, Vec::<Value>::new(), "seed {seed}");
        }
    }
}
