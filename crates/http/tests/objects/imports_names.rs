//! By what words the cells of a file name objects (`docs/guide/src/imports.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{field, field_with, insert, make_type, patch_type, value};
use crate::imports::{at, counts, objects_of, problems, run, upload};

/// Sites, whose summary has two fields: 1 is `Berlin | Mitte`, 2 is `Vienna | Wien`.
async fn sites(admin: &Client) -> i64 {
    let site = make_type(
        admin,
        "site",
        &[field("text", "name"), field("text", "city")],
    )
    .await;
    let summary = json!({"render_meta": {"summary": {"fields": ["name", "city"]}}});
    let _ = patch_type(admin, site, summary).await.expect(202);
    for (name, city) in [("Berlin", "Mitte"), ("Vienna", "Wien")] {
        let _ = insert(admin, site, &[("name", json!(name)), ("city", json!(city))]).await;
    }
    site
}

/// Racks that stand at a site, or in another rack.
async fn racks(admin: &Client, site: i64) -> i64 {
    let fields = [
        field("text", "code"),
        field_with("ref", "site", &json!({"ref_types": [site]})),
        field("text", "site_text"),
        field_with("ref", "rack", &json!({"ref_types": []})),
        field("text", "rack_text"),
    ];
    make_type(admin, "rack", &fields).await
}

async fn import(server: &TestServer, file: &str, body: Value) -> Value {
    let admin = server.admin();
    let import = upload(&admin, "racks.csv", file).await;
    run(server, &admin, &import, body).await
}

#[apply(both)]
async fn a_summary_line_means_the_same_beside_any_other_row(server: TestServer) {
    let admin = server.admin();
    let site = sites(&admin).await;
    let type_id = racks(&admin, site).await;
    let columns = json!({
        "code": "code", "site": {"field": "site", "by": "name", "else": "site_text"},
    });
    let body = json!({"type_id": type_id, "key": ["code"], "columns": columns});
    let file = "code,site\nA,Berlin | Mitte\nB,Berlin\nC,Vienna\nD,Vienna | Berlin\n";
    for expected in [json!({"new": 4}), json!({"unchanged": 4})] {
        assert_eq!(counts(&import(&server, file, body.clone()).await), expected);
    }
    let named = objects_of(&admin, type_id).await;
    let named: Vec<_> = named
        .iter()
        .map(|rack| {
            (
                value(rack, "site").clone(),
                value(rack, "site_text").clone(),
            )
        })
        .collect();
    let expected = [
        (json!(1), json!(null)),
        (json!(1), json!(null)),
        (json!(2), json!(null)),
        (json!(null), json!("Vienna | Berlin")),
    ];
    assert_eq!(named, expected);
}

#[apply(both)]
async fn rows_have_one_key_by_whichever_words_they_name_an_object(server: TestServer) {
    let admin = server.admin();
    let site = sites(&admin).await;
    let type_id = racks(&admin, site).await;
    let columns = json!({"code": "code", "site": {"field": "site", "by": "name"}});
    let mut body = json!({"type_id": type_id, "key": ["code", "site"], "columns": columns});
    body["policy"] = json!("skip");
    let rows = "D,Berlin\nD,Berlin | Mitte\nD,Vienna | Wien\nE,Berlin\n";
    // In the next chunk, too.
    let fillers: Vec<String> = (0..1_000)
        .map(|number| format!("F{number},Berlin\n"))
        .collect();
    let fillers = fillers.concat();
    let file = format!("code,site\n{rows}{fillers}E,Berlin | Mitte\n");
    for (dry_run, expected) in [
        (true, json!({"new": 1_003, "duplicate": 2})),
        (false, json!({"new": 1_003, "duplicate": 2})),
        (false, json!({"unchanged": 1_003, "duplicate": 2})),
    ] {
        body["dry_run"] = json!(dry_run);
        assert_eq!(
            counts(&import(&server, &file, body.clone()).await),
            expected
        );
    }
}

#[apply(both)]
async fn a_row_of_the_file_is_named_by_its_summary_line(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field("text", "code"),
        field_with("ref", "parent", &json!({"ref_types": []})),
    ];
    for (policy, dry_run) in [("skip", true), ("all", false), ("skip", false)] {
        let type_id = make_type(&admin, &format!("place_{policy}_{dry_run}"), &fields).await;
        let summary = json!({"render_meta": {"summary": {"fields": ["name", "code"]}}});
        let _ = patch_type(&admin, type_id, summary).await.expect(202);
        let parent = json!({"field": "parent", "by": "name", "types": [type_id]});
        let body = json!({
            "type_id": type_id, "policy": policy, "dry_run": dry_run,
            "columns": {"name": "name", "code": "code", "parent": parent},
        });
        let file = "name,code,parent\nHall,H1,\nHall,H2,\nRoom,R1,Hall | H1\nDoor,D1,Room | R1\n";
        let done = import(&server, file, body.clone()).await;
        assert_eq!(counts(&done), json!({"new": 4}), "{policy} {dry_run}");
        let file = "name,code,parent\nWall,W1,Hall | H3\nDesk,T1,Hall\n";
        let refused = import(&server, file, body).await;
        assert_eq!(counts(&refused), json!({"error": 2}), "{policy} {dry_run}");
    }
}

#[apply(both)]
async fn a_text_goes_elsewhere_if_what_tells_it_names_nothing(server: TestServer) {
    let admin = server.admin();
    let site = sites(&admin).await;
    let type_id = racks(&admin, site).await;
    let mut columns = json!({
        "Code": "code", "Site": null,
        "Rack": {
            "field": "rack", "by": {"code": "Rack", "site": "Site"}, "types": [type_id],
            "else": "rack_text",
        },
    });
    let mut body = json!({"type_id": type_id, "columns": columns, "policy": "skip"});
    let file = "Code,Rack,Site\nA,R1,Paris\nB,R1,Vienna\nC,,\n";
    assert_eq!(
        counts(&import(&server, file, body.clone()).await),
        json!({"new": 3})
    );
    let racks = objects_of(&admin, type_id).await;
    let texts: Vec<_> = racks
        .iter()
        .map(|rack| value(rack, "rack_text").clone())
        .collect();
    assert_eq!(texts, [json!("R1"), json!("R1"), json!(null)]);
    // Without it, the reason is that of the column that tells.
    columns["Rack"].as_object_mut().unwrap().remove("else");
    body["columns"] = columns;
    let refused = import(&server, file, body).await;
    let (row, column, detail) = problems(&admin, &refused).await.remove(0);
    assert_eq!((row, column.as_str()), (2, "Site"));
    assert!(detail.contains("Paris"), "{detail}");
}

#[apply(both)]
async fn a_row_of_the_file_is_no_part_of_a_key(server: TestServer) {
    let admin = server.admin();
    let site = sites(&admin).await;
    let type_id = racks(&admin, site).await;
    let rack = json!({"field": "rack", "by": "code", "types": [type_id]});
    let columns = json!({"code": "code", "rack": rack});
    let body = json!({
        "type_id": type_id, "key": ["code", "rack"], "columns": columns, "policy": "skip",
    });
    let refused = import(&server, "code,rack\nB,A\nA,\n", body).await;
    let problems = problems(&admin, &refused).await;
    let details: Vec<&str> = problems
        .iter()
        .map(|(_, _, detail)| detail.as_str())
        .collect();
    assert_eq!(
        details,
        [
            "names no object that is there before the import, but objects are found by it",
            "is empty, but objects are found by it",
        ]
    );
}

#[apply(both)]
async fn refused_rows_are_read_back_as_they_were(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "owner"),
        field("invented", "count"),
        field("json", "any"),
        field_with("text", "serial", &json!({"regex": "SN.*"})),
    ];
    let values = [
        json!(null),
        json!("null"),
        json!("5"),
        json!(5),
        json!("10.10"),
        json!(10.5),
        json!("true"),
        json!(true),
        json!("a"),
        json!("\\x"),
        json!("\"q\""),
        json!("89490200001234567890"),
        json!("[1]"),
        json!(""),
    ];
    let rows = values
        .iter()
        .map(|one| json!({"owner": one, "count": one, "any": one, "serial": "bad"}));
    let json_file = rows.collect::<Value>().to_string();
    let texts = values
        .iter()
        .filter_map(Value::as_str)
        .filter(|text| !text.is_empty());
    let quoted = texts.map(|text| format!("\"{}\"", text.replace('"', "\"\"")));
    let rows: Vec<String> = quoted
        .map(|text| format!("{text},{text},{text},bad\n"))
        .collect();
    let csv_file = format!("owner,count,any,serial\n{}", rows.concat());
    for (kind, file) in [("json", json_file), ("csv", csv_file)] {
        let name = format!("rows.{kind}");
        let mut stored = Vec::new();
        for is_repaired_before in [true, false] {
            let type_id = make_type(&admin, &format!("{kind}_{is_repaired_before}"), &fields).await;
            let columns =
                json!({"owner": "owner", "count": "count", "any": "any", "serial": "serial"});
            let body = json!({"type_id": type_id, "columns": columns, "policy": "skip"});
            let sent = if is_repaired_before {
                file.replace("bad", "SN1")
            } else {
                file.clone()
            };
            let first = upload(&admin, &name, sent).await;
            let _ = run(&server, &admin, &first, body.clone()).await;
            if !is_repaired_before {
                let failed = admin.get(&at(&first, "/failed")).await.expect(200);
                let failed = String::from_utf8(failed.body).unwrap();
                let again = upload(&admin, "failed.csv", failed.replace(",bad,", ",SN1,")).await;
                let done = run(&server, &admin, &again, body).await;
                assert_eq!(counts(&done)["error"], json!(null), "{failed}");
            }
            let objects = objects_of(&admin, type_id).await;
            let fields = objects.iter().map(|object| object["fields"].clone());
            stored.push(fields.collect::<Vec<_>>());
        }
        assert!(!stored[0].is_empty());
        assert_eq!(stored[0], stored[1], "{name}");
    }
}
