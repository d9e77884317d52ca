//! Which column goes where, and what its cells become (`docs/guide/src/imports.md`).

use serde_json::{Map, Value, json};
use stockroom_testkit::{Client, TestServer, both};

use crate::fixture::{field, field_with, make_type, value};
use crate::imports::{at, counts, objects_of, run, upload, values};

/// Makes the type that the server proposes for a file.
async fn make_proposed(admin: &Client, import: &Value) -> i64 {
    let proposed = import["proposed_type"].clone();
    let made = admin.post("/rest/types/", proposed).await.expect(200);
    made.member("result_id").as_i64().unwrap()
}

/// The labels of the fields of a type, with their names.
async fn names_by_label(admin: &Client, type_id: i64) -> Map<String, Value> {
    let path = format!("/rest/types/{type_id}");
    let definition = admin.get(&path).await.expect(200).member("result");
    let fields = definition["fields"].as_array().unwrap().iter();
    fields
        .map(|field| {
            (
                field["label"].as_str().unwrap().to_owned(),
                field["name"].clone(),
            )
        })
        .collect()
}

/// Why a run is refused.
async fn refusals(admin: &Client, import: &Value, body: Value) -> Vec<String> {
    let refused = admin.post(&at(import, "/run"), body).await.expect(400);
    let errors = refused.problem()["errors"].clone();
    let errors = errors.as_array().unwrap().iter();
    errors
        .map(|error| error["detail"].to_string().replace("\\\"", "\""))
        .collect()
}

both! {
    async fn every_column_of_a_new_type_has_its_field(server: TestServer) {
        let admin = server.admin();
        for header in [
            "CPU #,CPU %,CPU",
            "cpu,CPU,Cpu",
            "CPU,cpu",
            "cpu_2,CPU #,CPU %,cpu",
            "a b,a_b,A-B,a.b,A b",
            "#,%,name,$",
            "Name,name (2),NAME,Name",
            "\u{dc}ber,\u{fc}ber,UBER",
        ] {
            let columns = header.split(',').count();
            let cells: Vec<String> = (0..columns).map(|column| format!("cell {column}")).collect();
            let import = upload(&admin, "h.csv", format!("{header}\n{}\n", cells.join(","))).await;
            let type_id = make_proposed(&admin, &import).await;
            let done = run(&server, &admin, &import, json!({"type_id": type_id, "ignore_columns": false})).await;
            assert_eq!(counts(&done), json!({"new": 1}), "{header}: {done}");
            let names = names_by_label(&admin, type_id).await;
            let objects = objects_of(&admin, type_id).await;
            for (column, cell) in import["columns"].as_array().unwrap().iter().zip(&cells) {
                let label = column["name"].as_str().unwrap();
                let field = names[label].as_str().unwrap();
                assert_eq!(value(&objects[0], field), cell, "{header}: {label}");
            }
            let _ = admin.delete(&format!("/rest/objects/{}", objects[0]["public_id"])).await.expect(200);
            let _ = admin.delete(&format!("/rest/types/{type_id}")).await.expect(202);
        }
    }

    async fn columns_that_go_nowhere_are_named(server: TestServer) {
        let admin = server.admin();
        let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
        let file = "Name,Note,nothing,Place,import_problem\nweb,x,,y,z\n";
        let import = upload(&admin, "hosts.csv", file).await;
        let goes = json!({"Name": "name", "Note": null, "nothing": null, "Place": null});
        let path = at(&import, &format!("?type_id={type_id}"));
        let suggested = admin.get(&path).await.expect(200).member("result");
        assert_eq!(suggested["suggested"]["columns"], goes);
        let body = json!({"type_id": type_id, "ignore_columns": false, "dry_run": true});
        let refused = refusals(&admin, &import, body).await;
        assert_eq!(refused.len(), 2, "an empty column holds nothing: {refused:?}");
        assert!(refused[0].contains("\"Note\"") && refused[1].contains("\"Place\""), "{refused:?}");
        let some = json!({"Name": "name", "Note": null});
        let body = json!({"type_id": type_id, "ignore_columns": false, "columns": some});
        let refused = refusals(&admin, &import, body).await;
        assert!(refused.len() == 1 && refused[0].contains("\"Place\""), "{refused:?}");
        let body = json!({"type_id": type_id, "ignore_columns": false, "columns": goes});
        let done = run(&server, &admin, &import, body).await;
        assert_eq!([&counts(&done), &done["plan"]["columns"]], [&json!({"new": 1}), &goes]);
    }

    async fn texts_that_look_like_numbers_stay_as_they_are(server: TestServer) {
        let admin = server.admin();
        let cells = ["89490200001234567890", "34E111", "10.10", "007", "31.12.24"];
        let header = "iccid,part,version,number,day,count,share";
        let import = upload(&admin, "h.csv", format!("{header}\n{},12,0.5\n", cells.join(","))).await;
        let type_id = make_proposed(&admin, &import).await;
        let done = run(&server, &admin, &import, json!({"type_id": type_id, "ignore_columns": false})).await;
        assert_eq!(counts(&done), json!({"new": 1}), "{done}");
        let objects = objects_of(&admin, type_id).await;
        for (name, cell) in header.split(',').zip(cells) {
            assert_eq!(value(&objects[0], name), cell, "{name}");
        }
        assert_eq!([value(&objects[0], "count"), value(&objects[0], "share")], [&json!(12), &json!(0.5)]);
    }

    async fn no_cell_becomes_another_value(server: TestServer) {
        let admin = server.admin();
        let fields = [field("text", "name"), field("date", "bought"), field("number", "size")];
        let type_id = make_type(&admin, "host", &fields).await;
        let rows = "name,bought,size\na,31.12.24,1\nb,,89490200001234567890\nc,,18446744073709551615\n";
        let import = upload(&admin, "hosts.csv", rows).await;
        let body = json!({"type_id": type_id, "policy": "skip"});
        let done = run(&server, &admin, &import, body).await;
        assert_eq!(counts(&done), json!({"new": 2, "error": 1}), "{done}");
        let objects = objects_of(&admin, type_id).await;
        assert_eq!(values(&objects, "size"), [json!("89490200001234567890"), json!(u64::MAX)]);
    }

    async fn an_empty_text_means_the_same_in_every_format(server: TestServer) {
        let admin = server.admin();
        let fields = [field("text", "name"), field("date", "bought"), field("ref", "parent")];
        let type_id = make_type(&admin, "host", &fields).await;
        let csv = "name,bought,parent\n\"\",\"\",\"\"\n";
        let json = json!([{"name": "", "bought": "", "parent": ""}]).to_string();
        for (name, file) in [("hosts.csv", csv.to_owned()), ("a.json", json)] {
            let import = upload(&admin, name, file).await;
            let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
            assert_eq!(counts(&done), json!({"new": 1}), "{name}: {done}");
        }
        let objects = objects_of(&admin, type_id).await;
        for (name, expected) in [("name", json!("")), ("bought", json!(null)), ("parent", json!(null))] {
            assert_eq!(values(&objects, name), [expected.clone(), expected], "{name}");
        }
    }

    async fn labels_of_options_are_read(server: TestServer) {
        let admin = server.admin();
        let options = json!({"options": [
            {"name": "on", "label": "In use"},
            {"name": "off", "label": "Switched off"},
            {"name": "Spare", "label": "In use?"},
            {"name": "a", "label": "Twice"},
            {"name": "b", "label": "Twice"},
        ]});
        let type_id = make_type(&admin, "host", &[field_with("select", "state", &options)]).await;
        let file = "State\nIn use\noff\nSpare\nTwice\nSwitched off\n";
        let import = upload(&admin, "hosts.csv", file).await;
        let done = run(&server, &admin, &import, json!({"type_id": type_id, "policy": "skip"})).await;
        assert_eq!(counts(&done), json!({"new": 4, "error": 1}), "{done}");
        assert_eq!(values(&objects_of(&admin, type_id).await, "state"), ["on", "off", "Spare", "off"]);
    }

    async fn own_exports_come_back_whole(server: TestServer) {
        let admin = server.admin();
        let import = upload(&admin, "hosts.csv", "Name,Active,Status\nweb,yes,ok\n").await;
        let type_id = make_proposed(&admin, &import).await;
        let done = run(&server, &admin, &import, json!({"type_id": type_id, "ignore_columns": false})).await;
        assert_eq!(counts(&done), json!({"new": 1}), "{done}");
        let before = objects_of(&admin, type_id).await;
        for format in ["csv", "xlsx", "json", "ndjson"] {
            let filter = json!({"type_id": type_id}).to_string();
            let query = [("format", format), ("filter", &filter)];
            let file = admin.query("/rest/exports/objects", &query).await.expect(200).body;
            let import = upload(&admin, &format!("hosts.{format}"), file).await;
            let body = json!({"type_id": type_id, "ignore_columns": false});
            let done = run(&server, &admin, &import, body).await;
            assert_eq!(counts(&done), json!({"unchanged": 1}), "{format}: {done}");
        }
        assert_eq!(objects_of(&admin, type_id).await, before);
    }

    async fn a_misspelt_member_of_a_run_writes_nothing(server: TestServer) {
        let admin = server.admin();
        let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
        let import = upload(&admin, "hosts.csv", "name\nweb\n").await;
        let refused = refusals(&admin, &import, json!({"type_id": type_id, "dryrun": true, "policiy": "skip"})).await;
        assert_eq!(refused.len(), 2, "{refused:?}");
        assert!(objects_of(&admin, type_id).await.is_empty());
    }
}
