//! Which column goes where, and what its cells become (`docs/guide/src/imports.md`).

use axum::http::Method;
use serde_json::{Map, Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{field, field_with, insert, make_type, restrict, value};
use crate::imports::{IMPORTS, at, counts, objects_of, run, upload, values};

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

#[apply(both)]
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
        let cells: Vec<String> = (0..columns)
            .map(|column| format!("cell {column}"))
            .collect();
        let import = upload(&admin, "h.csv", format!("{header}\n{}\n", cells.join(","))).await;
        let type_id = make_proposed(&admin, &import).await;
        let done = run(
            &server,
            &admin,
            &import,
            json!({"type_id": type_id, "ignore_columns": false}),
        )
        .await;
        assert_eq!(counts(&done), json!({"new": 1}), "{header}: {done}");
        let names = names_by_label(&admin, type_id).await;
        let objects = objects_of(&admin, type_id).await;
        for (column, cell) in import["columns"].as_array().unwrap().iter().zip(&cells) {
            let label = column["name"].as_str().unwrap();
            let field = names[label].as_str().unwrap();
            assert_eq!(value(&objects[0], field), cell, "{header}: {label}");
        }
        let _ = admin
            .delete(&format!("/rest/objects/{}", objects[0]["public_id"]))
            .await
            .expect(200);
        let _ = admin
            .delete(&format!("/rest/types/{type_id}"))
            .await
            .expect(202);
    }
}

#[apply(both)]
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
    assert_eq!(
        refused.len(),
        2,
        "an empty column holds nothing: {refused:?}"
    );
    assert!(
        refused[0].contains("\"Note\"") && refused[1].contains("\"Place\""),
        "{refused:?}"
    );
    let some = json!({"Name": "name", "Note": null});
    let body = json!({"type_id": type_id, "ignore_columns": false, "columns": some});
    let refused = refusals(&admin, &import, body).await;
    assert!(
        refused.len() == 1 && refused[0].contains("\"Place\""),
        "{refused:?}"
    );
    let body = json!({"type_id": type_id, "ignore_columns": false, "columns": goes});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(
        [&counts(&done), &done["plan"]["columns"]],
        [&json!({"new": 1}), &goes]
    );
}

#[apply(both)]
async fn texts_that_look_like_numbers_stay_as_they_are(server: TestServer) {
    let admin = server.admin();
    let cells = ["89490200001234567890", "34E111", "10.10", "007", "31.12.24"];
    let header = "iccid,part,version,number,day,count,share";
    let import = upload(
        &admin,
        "h.csv",
        format!("{header}\n{},12,0.5\n", cells.join(",")),
    )
    .await;
    let type_id = make_proposed(&admin, &import).await;
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "ignore_columns": false}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    for (name, cell) in header.split(',').zip(cells) {
        assert_eq!(value(&objects[0], name), cell, "{name}");
    }
    assert_eq!(
        [value(&objects[0], "count"), value(&objects[0], "share")],
        [&json!(12), &json!(0.5)]
    );
}

#[apply(both)]
async fn no_cell_becomes_another_value(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field("date", "bought"),
        field("number", "size"),
    ];
    let type_id = make_type(&admin, "host", &fields).await;
    let rows = "name,bought,size\na,31.12.24,1\nb,,89490200001234567890\nc,,18446744073709551615\n";
    let import = upload(&admin, "hosts.csv", rows).await;
    let body = json!({"type_id": type_id, "policy": "skip"});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 2}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "size"), [json!(u64::MAX)]);
}

#[apply(both)]
async fn an_empty_text_means_the_same_in_every_format(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field("date", "bought"),
        field("ref", "parent"),
    ];
    let type_id = make_type(&admin, "host", &fields).await;
    let csv = "name,bought,parent\n\"\",\"\",\"\"\n";
    let json = json!([{"name": "", "bought": "", "parent": ""}]).to_string();
    for (name, file) in [("hosts.csv", csv.to_owned()), ("a.json", json)] {
        let import = upload(&admin, name, file).await;
        let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
        assert_eq!(counts(&done), json!({"new": 1}), "{name}: {done}");
    }
    let objects = objects_of(&admin, type_id).await;
    for (name, expected) in [
        ("name", json!("")),
        ("bought", json!(null)),
        ("parent", json!(null)),
    ] {
        assert_eq!(
            values(&objects, name),
            [expected.clone(), expected],
            "{name}"
        );
    }
}

#[apply(both)]
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
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "policy": "skip"}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 4, "error": 1}), "{done}");
    assert_eq!(
        values(&objects_of(&admin, type_id).await, "state"),
        ["on", "off", "Spare", "off"]
    );
}

#[apply(both)]
async fn tables_for_people_come_back_unchanged(server: TestServer) {
    let admin = server.admin();
    let shown = json!({"render_meta": {"summary": {"fields": ["name", "number"]}}});
    let mut types = Vec::new();
    for name in ["room", "person"] {
        let fields = [field("text", "name"), field("text", "number")];
        let id = make_type(&admin, name, &fields).await;
        let _ = admin
            .patch(&format!("/rest/types/{id}"), shown.clone())
            .await
            .expect(202);
        types.push(id);
    }
    // The summary of persons begins with another field than that of rooms.
    let other = json!({"render_meta": {"summary": {"fields": ["number", "name"]}}});
    let _ = admin
        .patch(&format!("/rest/types/{}", types[1]), other)
        .await
        .expect(202);
    let refers = field_with("ref", "at", &json!({"ref_types": types}));
    let fields = [
        field("text", "name"),
        refers,
        field("text", "note"),
        field("number", "size"),
    ];
    let desk = make_type(&admin, "desk", &fields).await;
    let mut targets = Vec::new();
    for (type_id, name, number) in [
        (types[0], "Hall", "1"),
        (types[0], "Hall", "2"),
        (types[0], "Hall", "2"),
        (types[1], "Ada", "77"),
    ] {
        let values = [("name", json!(name)), ("number", json!(number))];
        targets.push(insert(&admin, type_id, &values).await);
    }
    for (name, at, note, size) in [
        ("a", json!(targets[0]), json!(""), json!(27.0)),
        ("b", json!(targets[2]), json!(null), json!(27)),
        ("c", json!(targets[3]), json!("x"), json!(null)),
        ("d", json!(null), json!(null), json!(0.5)),
    ] {
        let values = [
            ("name", json!(name)),
            ("at", at),
            ("note", note),
            ("size", size),
        ];
        let _ = insert(&admin, desk, &values).await;
    }
    let before = objects_of(&admin, desk).await;
    for format in ["csv", "xlsx"] {
        let filter = json!({"type_id": desk}).to_string();
        let query = [("format", format), ("filter", &filter), ("labels", "true")];
        let file = admin
            .query("/rest/exports/objects", &query)
            .await
            .expect(200)
            .body;
        let import = upload(&admin, &format!("desks.{format}"), file).await;
        let body = json!({"type_id": desk, "key": ["name"], "ignore_columns": false});
        let done = run(&server, &admin, &import, body).await;
        assert_eq!(counts(&done), json!({"unchanged": 4}), "{format}: {done}");
    }
    assert_eq!(objects_of(&admin, desk).await, before);
    // Of two rooms alike, only the one that it has already is told.
    let moved = "name,at\na,Hall | 2\nb,Hall | 2\ne,Hall | 2\nf,Hall | 1\nd,77 | Ada\n";
    let import = upload(&admin, "desks.csv", moved).await;
    let body = json!({"type_id": desk, "key": ["name"], "policy": "skip"});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(
        counts(&done),
        json!({"new": 1, "update": 1, "unchanged": 1, "error": 2}),
        "{done}"
    );
    let found = values(&objects_of(&admin, desk).await, "at");
    let expected = [targets[0], targets[2], targets[3], targets[3], targets[0]];
    assert_eq!(found, expected.map(|id| json!(id)));
}

#[apply(both)]
async fn documents_fit_the_type_that_they_propose(server: TestServer) {
    let admin = server.admin();
    let file = json!([
        {"a": 1, "b": "x", "c": [1, 2], "d": true},
        {"a": "y", "b": 5.5, "c": {"k": 1}, "d": false},
    ]);
    let import = upload(&admin, "a.json", file.to_string()).await;
    let type_id = make_proposed(&admin, &import).await;
    let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    assert_eq!(counts(&done), json!({"new": 2}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "a"), ["1", "y"]);
    assert_eq!(values(&objects, "b"), ["x", "5.5"]);
    assert_eq!(values(&objects, "c"), ["[1,2]", "{\"k\":1}"]);
    assert_eq!(values(&objects, "d"), [true, false]);
}

#[apply(both)]
async fn a_number_is_the_same_key_however_it_is_written(server: TestServer) {
    let admin = server.admin();
    let fields = [field("number", "number"), field("text", "name")];
    let type_id = make_type(&admin, "host", &fields).await;
    let stored = [("number", json!(77)), ("name", json!("a"))];
    let id = insert(&admin, type_id, &stored).await;
    for (name, file) in [
        ("a.csv", "number,name\n77.0,b\n".to_owned()),
        ("a.json", json!([{"number": 77.0, "name": "c"}]).to_string()),
        ("b.csv", "number,name\n77,d\n".to_owned()),
    ] {
        let import = upload(&admin, name, file).await;
        let done = run(
            &server,
            &admin,
            &import,
            json!({"type_id": type_id, "key": ["number"]}),
        )
        .await;
        assert_eq!(counts(&done), json!({"update": 1}), "{name}: {done}");
    }
    let twice = upload(&admin, "c.csv", "number,name\n77,e\n77.0,f\n").await;
    let body = json!({"type_id": type_id, "key": ["number"], "policy": "skip"});
    let done = run(&server, &admin, &twice, body).await;
    assert_eq!(
        counts(&done),
        json!({"update": 1, "duplicate": 1}),
        "{done}"
    );
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(
        (objects.len(), objects[0]["public_id"].as_i64()),
        (1, Some(id))
    );
}

#[apply(both)]
async fn a_title_above_the_columns_is_left_out(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "serial")],
    )
    .await;
    let titled = "All hosts\n\nname;serial\na;1\n";
    let import = upload(&admin, "hosts.csv", titled).await;
    assert_eq!(
        [&import["file"]["header"], &import["file"]["header_row"]],
        [&json!(true), &json!(3)]
    );
    let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let file = b"All hosts,2026\nname,serial\nb,2\n".to_vec();
    let told = format!("{IMPORTS}?file_name=a.csv&header_row=2");
    let told = admin
        .send(Method::POST, &told, &[], file.clone())
        .await
        .expect(201)
        .member("result");
    assert_eq!(told["columns"][1]["name"], "serial", "{told}");
    for (query, pointer) in [
        ("header_row=0", "header_row"),
        ("header=false&header_row=1", "header_row"),
    ] {
        let path = format!("{IMPORTS}?{query}");
        let refused = admin
            .send(Method::POST, &path, &[], file.clone())
            .await
            .expect(400);
        assert_eq!(refused.pointers(), [pointer]);
    }
}

#[apply(both)]
async fn refused_rows_keep_what_stands_beyond_the_columns(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "serial")],
    )
    .await;
    let import = upload(&admin, "hosts.csv", "name,serial\na,1,lost\nb,2\n").await;
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "policy": "skip"}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 1}), "{done}");
    let failed = admin.get(&at(&import, "/failed")).await.expect(200);
    let text = String::from_utf8(failed.body.clone()).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("a,1,") && row.ends_with(",lost"), "{text}");
}

#[apply(both)]
async fn texts_that_name_no_object_are_kept_in_another_field(server: TestServer) {
    let admin = server.admin();
    let host = make_type(&admin, "host", &[field("text", "name")]).await;
    let reference = field_with("ref", "host", &json!({"ref_types": [host]}));
    let port = make_type(
        &admin,
        "port",
        &[field("text", "name"), reference, field("text", "host_text")],
    )
    .await;
    let hosts = upload(&admin, "hosts.csv", "name\nweb\ntwin\ntwin\n").await;
    let _ = run(&server, &admin, &hosts, json!({"type_id": "host"})).await;
    let file = "name,Host\na,web\nb,twin\nc,lost\nd,\n";
    let import = upload(&admin, "ports.csv", file).await;
    let goes = json!({"field": "host", "by": "name", "types": [host], "else": "host_text"});
    let body =
        json!({"type_id": "port", "key": ["name"], "columns": {"name": "name", "Host": goes}});
    let done = run(&server, &admin, &import, body.clone()).await;
    assert_eq!(counts(&done), json!({"new": 4}), "{done}");
    assert_eq!(done["plan"]["columns"]["Host"], goes);
    let ports = objects_of(&admin, port).await;
    assert_eq!(
        values(&ports, "host"),
        [json!(1), json!(null), json!(null), json!(null)]
    );
    assert_eq!(
        values(&ports, "host_text"),
        [json!(null), json!("twin"), json!("lost"), json!(null)]
    );
    // What is found later takes the place of the text.
    let more = upload(&admin, "hosts.csv", "name\nlost\n").await;
    let _ = run(&server, &admin, &more, json!({"type_id": host})).await;
    let again = upload(&admin, "ports.csv", file).await;
    let done = run(&server, &admin, &again, body.clone()).await;
    assert_eq!(
        counts(&done),
        json!({"unchanged": 3, "update": 1}),
        "{done}"
    );
    let ports = objects_of(&admin, port).await;
    assert_eq!(
        [value(&ports[2], "host"), value(&ports[2], "host_text")],
        [&json!(8), &json!(null)]
    );
    for (wrong, detail) in [
        ("host", "for texts"),
        ("name", "another column goes to the same field"),
    ] {
        let mut body = body.clone();
        body["columns"]["Host"]["else"] = json!(wrong);
        let refused = refusals(&admin, &again, body).await;
        assert!(
            refused.len() == 1 && refused[0].contains(detail),
            "{refused:?}"
        );
    }
}

#[apply(both)]
async fn the_type_and_id_of_an_object_without_a_summary_name_it(server: TestServer) {
    let admin = server.admin();
    let rack = make_type(&admin, "rack", &[field("text", "name")]).await;
    let in_rack = field_with("ref", "rack", &json!({"ref_types": [rack]}));
    let host = make_type(&admin, "host", &[field("text", "name"), in_rack]).await;
    let racks = upload(&admin, "r.csv", "name\nR1\nR2\n").await;
    let _ = run(&server, &admin, &racks, json!({"type_id": rack})).await;
    let hosts = upload(
        &admin,
        "h.csv",
        "name,rack\na,Rack #2\nb,Shelf #2\nc,Rack #9\n",
    )
    .await;
    let body = json!({"type_id": host, "policy": "skip"});
    let done = run(&server, &admin, &hosts, body).await;
    assert_eq!(counts(&done), json!({"new": 1, "error": 2}), "{done}");
    let hosts = objects_of(&admin, host).await;
    assert_eq!(values(&hosts, "rack"), [json!(2)]);
}

#[apply(both)]
async fn what_a_kept_text_would_tell_is_refused(server: TestServer) {
    let admin = server.admin();
    let place = make_type(&admin, "place", &[field("text", "name")]).await;
    let in_place = field_with("ref", "place", &json!({"ref_types": [place]}));
    let host = make_type(
        &admin,
        "host",
        &[
            field("text", "name"),
            in_place.clone(),
            field("text", "place_text"),
        ],
    )
    .await;
    let on_host = field_with("ref", "host", &json!({"ref_types": [host]}));
    let port = make_type(
        &admin,
        "port",
        &[in_place, field("text", "place_text"), on_host],
    )
    .await;
    let goes = json!({"field": "place", "by": "name", "else": "place_text"});
    let hosts = upload(&admin, "h.csv", "name,Place\nweb,lost\n").await;
    let done = run(
        &server,
        &admin,
        &hosts,
        json!({"type_id": host, "columns": {"name": "name", "Place": goes}}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let by = json!({"field": "host", "by": {"name": "Host", "place": "Place"}});
    let ports = upload(&admin, "p.csv", "Place,Host\nlost,web\n").await;
    let body = json!({"type_id": port, "policy": "skip", "columns": {"Place": goes, "Host": by}});
    let done = run(&server, &admin, &ports, body).await;
    assert_eq!(counts(&done), json!({"error": 1}), "{done}");
    let rows = admin
        .get(&at(&ports, "/rows"))
        .await
        .expect(200)
        .member("results");
    let detail = rows[0]["problems"][0]["detail"].to_string();
    assert!(
        detail.contains("is found by a column that names no object"),
        "{rows}"
    );
}

#[apply(both)]
async fn a_key_with_a_reference_is_told_by_all_of_its_columns(server: TestServer) {
    let admin = server.admin();
    let rack = make_type(
        &admin,
        "rack",
        &[field("text", "name"), field("text", "site")],
    )
    .await;
    for site in ["Berlin", "Paris"] {
        let _ = insert(
            &admin,
            rack,
            &[("name", json!("R1")), ("site", json!(site))],
        )
        .await;
    }
    let in_rack = field_with("ref", "rack", &json!({"ref_types": [rack]}));
    let device = make_type(&admin, "device", &[field("text", "slot"), in_rack]).await;
    let by = json!({"field": "rack", "by": {"name": "rack", "site": "site"}});
    let columns = json!({"slot": "slot", "rack": by, "site": null});
    let body =
        json!({"type_id": device, "columns": columns, "key": ["slot", "rack"], "policy": "skip"});
    let file = "slot,rack,site\n1,R1,Berlin\n1,R1,Paris\n1,R1,Berlin\n";
    let import = upload(&admin, "d.csv", file).await;
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 2, "duplicate": 1}), "{done}");
}

#[apply(both)]
async fn rows_further_down_are_found_before_their_text_is_kept(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "name"),
        field_with("ref", "parent", &json!({"ref_types": []})),
        field("text", "parent_text"),
    ];
    let type_id = make_type(&admin, "region", &fields).await;
    let import = upload(
        &admin,
        "r.csv",
        "name,Parent\nchild,top\norphan,gone\ntop,\n",
    )
    .await;
    let goes = json!({"field": "parent", "by": "name", "types": [type_id], "else": "parent_text"});
    let mut body =
        json!({"type_id": type_id, "columns": {"name": "name", "Parent": goes}, "dry_run": true});
    let done = run(&server, &admin, &import, body.clone()).await;
    assert_eq!(counts(&done), json!({"new": 3}), "{done}");
    body["dry_run"] = json!(false);
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 3}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    let top = &objects[2]["public_id"];
    assert_eq!(
        values(&objects, "parent"),
        [top.clone(), json!(null), json!(null)]
    );
    assert_eq!(
        values(&objects, "parent_text"),
        [json!(null), json!("gone"), json!(null)]
    );
}

#[apply(both)]
async fn files_of_other_versions_may_lack_columns(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "prefix",
        &[field("text", "prefix"), field("text", "scope")],
    )
    .await;
    let optional = json!({"field": "scope", "optional": true});
    let columns =
        json!({"Prefix": "prefix", "Site": optional, "Scope": optional, "Children": null});
    for (header, scope) in [
        ("Prefix,Site", json!("Bonn")),
        ("Prefix,Scope", json!("Bonn")),
        ("Prefix,Other", json!(null)),
    ] {
        let import = upload(&admin, "p.csv", format!("{header}\n::/64,Bonn\n")).await;
        let done = run(
            &server,
            &admin,
            &import,
            json!({"type_id": type_id, "columns": columns}),
        )
        .await;
        assert_eq!(counts(&done), json!({"new": 1}), "{header}: {done}");
        let objects = objects_of(&admin, type_id).await;
        assert_eq!(value(objects.last().unwrap(), "scope"), &scope, "{header}");
    }
    let source = json!({"name": "netbox", "type_id": type_id, "columns": {"Prefix": "prefix", "Scope": optional}});
    let _ = admin.post("/rest/sources/", source).await.expect(201);
    let import = upload(&admin, "p.csv", "Prefix\n::/65\n").await;
    let done = run(&server, &admin, &import, json!({"source": "netbox"})).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let import = upload(&admin, "p.csv", "Scope\nBonn\n").await;
    let refused = refusals(
        &admin,
        &import,
        json!({"type_id": type_id, "columns": columns}),
    )
    .await;
    assert!(refused[0].contains("no such column"), "{refused:?}");
    let unknown = refusals(
        &admin,
        &import,
        json!({"type_id": "prefixes", "columns": {"Scope": "scope"}}),
    )
    .await;
    assert!(unknown[0].contains("is no name of a type"), "{unknown:?}");
}

#[apply(both)]
async fn dates_are_read_in_the_order_that_the_plan_says(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "asset",
        &[field("text", "name"), field("date", "bought")],
    )
    .await;
    let file = "name,bought\na,1/23/23\nb,12/31/1999\nc,2024-02-03\nd,31/12/1999\n";
    let import = upload(&admin, "a.csv", file).await;
    let bought = json!({"field": "bought", "dates": "month/day/year"});
    let columns = json!({"name": "name", "bought": bought});
    let body = json!({"type_id": type_id, "columns": columns, "policy": "skip"});
    let done = run(&server, &admin, &import, body).await;
    assert_eq!(counts(&done), json!({"new": 3, "error": 1}), "{done}");
    assert_eq!(done["plan"]["columns"]["bought"], bought);
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(
        values(&objects, "bought"),
        ["2023-01-23", "1999-12-31", "2024-02-03"]
    );
    let columns = json!({"name": {"field": "name", "dates": "month/day/year"}, "bought": {"field": "bought", "dates": "m/d/y"}});
    let refused = refusals(
        &admin,
        &import,
        json!({"type_id": type_id, "columns": columns}),
    )
    .await;
    assert_eq!(refused.len(), 2, "{refused:?}");
}

#[apply(both)]
async fn names_of_types_that_one_may_not_use_are_unknown(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "secret", &[field("text", "name")]).await;
    restrict(&admin, type_id, 1, &["CREATE", "READ", "UPDATE", "DELETE"]).await;
    let rights = ["base.import.object.*", "base.framework.object.*"];
    let user = server.user_with(&rights).await.client;
    let import = upload(&user, "a.csv", "name\na\n").await;
    let answer = async |name: &str| {
        let body = json!({"type_id": name});
        let refused = user.post(&at(&import, "/run"), body).await.expect(400);
        refused.problem()["errors"].clone()
    };
    assert_eq!(answer("secret").await, answer("nothing").await);
}

#[apply(both)]
async fn refused_rows_come_back_where_columns_look_like_formulas(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("date", "bought")],
    )
    .await;
    let plan = json!({"type_id": type_id, "policy": "skip", "columns": {"=name": "name", "@bought": "bought"}});
    let import = upload(&admin, "hosts.csv", "=name,@bought\nweb,many\n").await;
    let done = run(&server, &admin, &import, plan.clone()).await;
    assert_eq!(counts(&done), json!({"error": 1}), "{done}");
    let failed = admin.get(&at(&import, "/failed")).await.expect(200);
    let failed = String::from_utf8(failed.body).unwrap();
    assert!(failed.contains("'=name,'@bought,"), "{failed}");
    let import = upload(
        &admin,
        "failed.csv",
        failed.replacen("many", "2024-05-06", 1),
    )
    .await;
    let done = run(&server, &admin, &import, plan).await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
}

#[apply(both)]
async fn types_of_a_reference_are_no_more_than_there_are(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "name"), field("ref", "parent")];
    let type_id = make_type(&admin, "host", &fields).await;
    let import = upload(&admin, "hosts.csv", "name,parent\nweb,web\n").await;
    let plan = |types: Vec<i64>| {
        let parent = json!({"field": "parent", "by": "name", "types": types});
        json!({"type_id": type_id, "columns": {"name": "name", "parent": parent}})
    };
    let refused = refusals(&admin, &import, plan((1..100).collect())).await;
    assert_eq!(refused.len(), 1, "{refused:?}");
    let done = run(&server, &admin, &import, plan(vec![type_id; 1_000])).await;
    assert_eq!(done["plan"]["columns"]["parent"]["types"], json!([type_id]));
}

#[apply(both)]
async fn own_exports_come_back_whole(server: TestServer) {
    let admin = server.admin();
    let import = upload(&admin, "hosts.csv", "Name,Active,Status\nweb,yes,ok\n").await;
    let type_id = make_proposed(&admin, &import).await;
    let done = run(
        &server,
        &admin,
        &import,
        json!({"type_id": type_id, "ignore_columns": false}),
    )
    .await;
    assert_eq!(counts(&done), json!({"new": 1}), "{done}");
    let before = objects_of(&admin, type_id).await;
    for format in ["csv", "xlsx", "json", "ndjson"] {
        let filter = json!({"type_id": type_id}).to_string();
        let query = [("format", format), ("filter", &filter)];
        let file = admin
            .query("/rest/exports/objects", &query)
            .await
            .expect(200)
            .body;
        let import = upload(&admin, &format!("hosts.{format}"), file).await;
        let body = json!({"type_id": type_id, "ignore_columns": false});
        let done = run(&server, &admin, &import, body).await;
        assert_eq!(counts(&done), json!({"unchanged": 1}), "{format}: {done}");
    }
    assert_eq!(objects_of(&admin, type_id).await, before);
}

/// Spreadsheets do not store empty cells, and keep 15 digits of a number.
#[apply(both)]
async fn sheets_come_back_whole(server: TestServer) {
    let admin = server.admin();
    let fields = ["text", "number", "number", "text"];
    let fields: Vec<Value> = (fields.iter().zip(["name", "size", "big", "last"]))
        .map(|(kind, name)| field(kind, name))
        .collect();
    let type_id = make_type(&admin, "disk", &fields).await;
    let size = [json!(1e300), json!(-9_007_199_254_740_992_i64), json!(0.5)];
    let big = [json!(9_007_199_254_740_991_i64), json!(1e16), json!(null)];
    let disks = size.iter().zip(&big).zip(["a", "b", "c"]);
    for ((size, big), name) in disks {
        let values = [
            ("name", json!(name)),
            ("size", size.clone()),
            ("big", big.clone()),
            ("last", json!(null)),
        ];
        let _ = insert(&admin, type_id, &values).await;
    }
    let filter = json!({"type_id": type_id}).to_string();
    let query = [("format", "xlsx"), ("filter", &filter)];
    let file = admin
        .query("/rest/exports/objects", &query)
        .await
        .expect(200)
        .body;
    let changed = upload(
        &admin,
        "a.csv",
        "name,size,big,last\na,1,1,x\nb,1,1,x\nc,1,1,x\n",
    )
    .await;
    let body = json!({"type_id": type_id, "key": ["name"]});
    let done = run(&server, &admin, &changed, body).await;
    assert_eq!(counts(&done), json!({"update": 3}), "{done}");
    let import = upload(&admin, "a.xlsx", file).await;
    let done = run(&server, &admin, &import, json!({"type_id": type_id})).await;
    assert_eq!(counts(&done), json!({"update": 3}), "{done}");
    let objects = objects_of(&admin, type_id).await;
    assert_eq!(values(&objects, "size"), size);
    assert_eq!(values(&objects, "big"), big);
    assert_eq!(
        values(&objects, "last"),
        [json!(null), json!(null), json!(null)]
    );
}

#[apply(both)]
async fn a_misspelt_member_of_a_run_writes_nothing(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    let import = upload(&admin, "hosts.csv", "name\nweb\n").await;
    let refused = refusals(
        &admin,
        &import,
        json!({"type_id": type_id, "dryrun": true, "policiy": "skip"}),
    )
    .await;
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(objects_of(&admin, type_id).await.is_empty());
}
