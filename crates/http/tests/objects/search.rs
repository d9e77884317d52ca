//! `GET /search`

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, make_type, patch_type, path, query, restrict,
};

/// The answer to a search.
pub(crate) async fn search(client: &Client, q: &str, more: &[(&str, &str)]) -> Value {
    let parameters = [&[("q", q), ("limit", "100")], more].concat();
    client
        .get(&query("/rest/search", &parameters))
        .await
        .expect(200)
        .json()
}

/// Kind and id of each result.
fn found(answer: &Value) -> Vec<(String, i64)> {
    let results = answer["results"].as_array().unwrap().iter();
    let results = results.map(|result| {
        let kind = result["kind"].as_str().unwrap().to_owned();
        (kind, result["public_id"].as_i64().unwrap())
    });
    results.collect()
}

/// The ids of the found objects, best first.
pub(crate) async fn ids(client: &Client, q: &str) -> Vec<i64> {
    let found = found(&search(client, q, &[]).await).into_iter();
    found
        .filter(|(kind, _)| kind == "object")
        .map(|(_, id)| id)
        .collect()
}

/// Writes the index of all objects that wait for it.
pub(crate) async fn index(server: &TestServer) {
    let _ = server.service().index_searches(1).await.unwrap();
}

/// Types of servers and of switches.
async fn types(server: &TestServer) -> [i64; 2] {
    let admin = server.admin();
    let device = |name: &'static str| {
        let fields = [
            field("text", "name"),
            field_with("text", "serial", &json!({"label": "Serial number"})),
            field("text", "mac"),
            field("textarea", "notes"),
            field("password", "key"),
            field("number", "cores"),
            field("date", "bought"),
            field("ref", "other"),
        ];
        let admin = admin.clone();
        async move {
            let id = make_type(&admin, name, &fields).await;
            let meta = json!({"label": format!("{name} (label)"), "render_meta": {"summary": {"fields": ["name"]}}});
            let _ = patch_type(&admin, id, meta).await.expect(202);
            id
        }
    };
    [device("server").await, device("switch").await]
}

async fn device(server: &TestServer, type_id: i64, values: &[(&str, Value)]) -> i64 {
    let names = [
        "name", "serial", "mac", "notes", "key", "cores", "bought", "other",
    ];
    let value = |name: &&'static str| {
        let known = values.iter().find(|(known, _)| known == name);
        (*name, known.map_or(Value::Null, |(_, value)| value.clone()))
    };
    let values: Vec<(&str, Value)> = names.iter().map(value).collect();
    insert(&server.admin(), type_id, &values).await
}

#[apply(both)]
async fn words_fragments_and_phrases_are_found(server: TestServer) {
    let [servers, switches] = types(&server).await;
    let admin = server.admin();
    let web = device(
        &server,
        servers,
        &[
            ("name", json!("web-01")),
            ("serial", json!("SN-0042")),
            ("mac", json!("b8:27:eb:12:34:56")),
            ("notes", json!("Power supply replaced. Moved to rack 7.")),
            ("cores", json!(16)),
            ("bought", json!({"$date": 1_531_699_200_000_i64})),
        ],
    )
    .await;
    let core = device(
        &server,
        switches,
        &[
            ("name", json!("core switch")),
            ("serial", json!("XSN-004")),
            ("notes", json!("supply of power")),
            ("other", json!(web)),
        ],
    )
    .await;
    for is_indexed in [false, true] {
        if is_indexed {
            index(&server).await;
        }
        for (q, expected) in [
            ("web-01", vec![web]),
            ("WEB01", vec![web]),
            ("we", vec![web]),
            ("eb-0", vec![web]),
            ("eb", vec![web]),
            ("7e", vec![]),
            ("b827eb", vec![web]),
            ("B8-27-EB", vec![web]),
            ("eb:12", vec![web]),
            ("sn-004", vec![web, core]),
            ("sn004", vec![web, core]),
            ("xsn", vec![core]),
            ("power supply", vec![core, web]),
            ("\"power supply\"", vec![web]),
            ("\"supply of power\"", vec![core]),
            ("\"power sup\"", vec![]),
            ("power switch", vec![core]),
            ("power nothing", vec![]),
            ("serial:sn-004", vec![web, core]),
            ("serialnumber:xsn", vec![core]),
            ("serial_number:xsn", vec![core]),
            ("name:sn-004", vec![]),
            ("name:\"core switch\"", vec![core]),
            ("type:server sn-004", vec![web]),
            ("type:\"switch label\" sn-004", vec![core]),
            ("type:sw", vec![core]),
            ("type:none", vec![]),
            ("type:server type:switch", vec![]),
            ("other:sn", vec![]),
            ("16", vec![web]),
            ("2018-07-16", vec![web]),
            ("2018-07", vec![web]),
            ("replaced. rack", vec![web]),
        ] {
            assert_eq!(ids(&admin, q).await, expected, "{q}, indexed: {is_indexed}");
        }
        for q in [core.to_string(), format!("#{core}")] {
            assert_eq!(ids(&admin, &q).await[0], core, "{q}, indexed: {is_indexed}");
        }
    }
}

#[apply(both)]
async fn better_matches_come_first(server: TestServer) {
    let [servers, _] = types(&server).await;
    let mut expected = Vec::new();
    for (name, notes) in [
        ("alpha", ""),
        ("x", "alpha"),
        ("alpha one", ""),
        ("x", "alpha two"),
        ("the alpha", ""),
        ("x", "my alpha"),
        ("an alphabet", ""),
        ("x", "an alphabet"),
        ("xalpha", ""),
        ("x", "an xalpha"),
    ] {
        let values = [("name", json!(name)), ("notes", json!(notes))];
        expected.push(device(&server, servers, &values).await);
    }
    let newer = device(&server, servers, &[("name", json!("alpha"))]).await;
    expected.insert(0, newer);
    let admin = server.admin();
    for _ in 0..2 {
        assert_eq!(ids(&admin, "alpha").await, expected);
        index(&server).await;
    }
    let answer = search(&admin, "alpha", &[]).await;
    assert_eq!(answer["total"], 11);
    assert_eq!(answer["more"], false);
    assert_eq!(
        answer["facets"],
        json!([{"type_id": servers, "label": "server (label)", "count": 11}])
    );
    assert_eq!(
        answer["results"][2],
        json!({
            "kind": "object", "public_id": expected[2], "type_id": servers, "title": "x",
            "field": {"name": "notes", "label": "notes"}, "value": "alpha",
        })
    );
}

#[apply(both)]
async fn pages_follow_each_other(server: TestServer) {
    let [servers, _] = types(&server).await;
    for number in 0..7 {
        device(
            &server,
            servers,
            &[("name", json!(format!("host-{number}")))],
        )
        .await;
    }
    let admin = server.admin();
    let all = ids(&admin, "host").await;
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let parameters = [("q", "host"), ("limit", "3"), ("after", after.as_str())];
        let page = admin
            .get(&query("/rest/search", &parameters))
            .await
            .expect(200)
            .json();
        assert_eq!(page["total"], 7);
        seen.extend(found(&page).into_iter().map(|(_, id)| id));
        // A better match does not move the next page.
        device(&server, servers, &[("name", json!("host"))]).await;
        let path = path(*admin_newest(&admin).await.iter().max().unwrap());
        let _ = admin.delete(&path).await.expect(200);
        match page["pager"]["after"].as_str() {
            Some(next) => after = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(seen, all);
}

#[apply(both)]
async fn changes_are_seen_at_once(server: TestServer) {
    let [servers, _] = types(&server).await;
    let admin = server.admin();
    let id = device(&server, servers, &[("name", json!("before"))]).await;
    for is_indexed in [false, true] {
        if is_indexed {
            index(&server).await;
        }
        let change = |name: &str| json!({"fields": [{"name": "name", "value": name}]});
        assert_eq!(ids(&admin, "before").await, [id]);
        let _ = admin.patch(&path(id), change("after")).await.expect(200);
        assert_eq!(ids(&admin, "before").await, [0; 0]);
        assert_eq!(ids(&admin, "after").await, [id]);
        if is_indexed {
            index(&server).await;
            assert_eq!(ids(&admin, "before").await, [0; 0]);
            assert_eq!(ids(&admin, "after").await, [id]);
        }
        let _ = admin.delete(&path(id)).await.expect(200);
        assert_eq!(ids(&admin, "after").await, [0; 0]);
        if is_indexed {
            index(&server).await;
        }
        let _ = admin
            .post(&format!("{}/restore", path(id)), json!({"revision": 2}))
            .await;
        let _ = admin.patch(&path(id), change("before")).await.expect(200);
        assert_eq!(ids(&admin, "before").await, [id]);
    }
}

#[apply(both)]
async fn nobody_finds_what_the_access_list_hides(server: TestServer) {
    let [servers, switches] = types(&server).await;
    let hidden = device(&server, servers, &[("name", json!("secret-host"))]).await;
    let shown = device(
        &server,
        switches,
        &[("name", json!("open-host")), ("other", json!(hidden))],
    )
    .await;
    let person = server.user_with(OBJECTS).await;
    restrict(&server.admin(), servers, person.group_id, &["UPDATE"]).await;
    for _ in 0..2 {
        let answer = search(&person.client, "host", &[]).await;
        assert_eq!(found(&answer), [("object".to_owned(), shown)]);
        assert_eq!(answer["total"], 1);
        assert_eq!(answer["facets"].as_array().unwrap().len(), 1);
        for q in [
            "secret",
            "type:server",
            "type:server host",
            &hidden.to_string(),
            &format!("other:{hidden}"),
        ] {
            assert_eq!(ids(&person.client, q).await, [0; 0], "{q}");
        }
        index(&server).await;
    }
    let nobody = server.user_with(&["base.framework.type.view"]).await;
    let answer = search(&nobody.client, "host", &[]).await;
    assert_eq!(
        (&answer["results"], &answer["facets"], &answer["total"]),
        (&json!([]), &json!([]), &json!(0))
    );
}

#[apply(both)]
async fn passwords_are_never_found(server: TestServer) {
    let [servers, _] = types(&server).await;
    let admin = server.admin();
    let values = [
        ("name", json!("plain")),
        ("key", json!("hunter2")),
        ("notes", json!("swordfish")),
    ];
    let id = device(&server, servers, &values).await;
    for _ in 0..2 {
        assert_eq!(ids(&admin, "hunter2").await, [0; 0]);
        assert_eq!(ids(&admin, "key:hunter2").await, [0; 0]);
        assert_eq!(ids(&admin, "swordfish").await, [id]);
        index(&server).await;
    }
    let mut fields = admin
        .get(&format!("/rest/types/{servers}"))
        .await
        .expect(200)
        .json()["result"]["fields"]
        .clone();
    fields[3]["type"] = json!("password");
    let _ = patch_type(&admin, servers, json!({"fields": fields}))
        .await
        .expect(202);
    for _ in 0..2 {
        assert_eq!(ids(&admin, "swordfish").await, [0; 0]);
        assert_eq!(ids(&admin, "plain").await, [id]);
        index(&server).await;
    }
}

#[apply(both)]
async fn ids_of_other_objects_are_no_texts(server: TestServer) {
    let [servers, _] = types(&server).await;
    let admin = server.admin();
    let id = device(
        &server,
        servers,
        &[
            ("name", json!("a")),
            ("other", json!(null)),
            ("cores", json!(77_177)),
        ],
    )
    .await;
    index(&server).await;
    let mut fields = admin
        .get(&format!("/rest/types/{servers}"))
        .await
        .expect(200)
        .json()["result"]["fields"]
        .clone();
    assert_eq!(ids(&admin, "77177").await, [id]);
    for (kind, expected) in [("ref", vec![]), ("number", vec![id])] {
        fields[5]["type"] = json!(kind);
        let _ = patch_type(&admin, servers, json!({"fields": fields}))
            .await
            .expect(202);
        for _ in 0..2 {
            assert_eq!(ids(&admin, "77177").await, expected, "{kind}");
            index(&server).await;
        }
    }
}

#[apply(both)]
async fn all_kinds_of_records_are_found_by_those_who_may_view_them(server: TestServer) {
    let admin = server.admin();
    let made = inventory::small(&server.admin()).await;
    let answer = search(&admin, "server", &[]).await;
    assert_eq!(found(&answer)[0], ("type".to_owned(), made.server_type));
    assert_eq!(
        answer["results"][0]["field"],
        json!({"name": "label", "label": "label"})
    );
    assert_eq!(
        found(&search(&admin, "machines", &[]).await)[0],
        ("category".to_owned(), made.machines)
    );
    let administrators = [("user".to_owned(), 1), ("group".to_owned(), 1)];
    let answer = search(&admin, "admin", &[]).await;
    assert!(
        administrators
            .iter()
            .all(|known| found(&answer).contains(known)),
        "{answer}"
    );
    let person = server.user_with(OBJECTS).await;
    for q in ["server", "machines", "admin"] {
        let found = found(&search(&person.client, q, &[]).await);
        assert!(found.iter().all(|(kind, _)| kind == "object"), "{found:?}");
    }
}

#[apply(both)]
async fn lists_take_searches(server: TestServer) {
    let [servers, switches] = types(&server).await;
    let mut made = Vec::new();
    for (type_id, name, cores) in [
        (servers, "web-1", 4),
        (servers, "web-2", 8),
        (switches, "web-3", 8),
        (servers, "db-1", 8),
    ] {
        made.push(
            device(
                &server,
                type_id,
                &[("name", json!(name)), ("cores", json!(cores))],
            )
            .await,
        );
    }
    let person = server.user_with(OBJECTS).await;
    restrict(&server.admin(), switches, person.group_id, &[]).await;
    for _ in 0..2 {
        for (client, q, filter, expected) in [
            (
                server.admin(),
                "web",
                json!({}),
                vec![made[2], made[1], made[0]],
            ),
            (
                server.admin(),
                "web",
                json!({"fields.cores": 8}),
                vec![made[2], made[1]],
            ),
            (
                server.admin(),
                "web",
                json!({"type_id": servers}),
                vec![made[1], made[0]],
            ),
            (
                server.admin(),
                "type:server 1",
                json!({}),
                vec![made[3], made[0]],
            ),
            (server.admin(), "nothing", json!({}), vec![]),
            (
                person.client.clone(),
                "web",
                json!({}),
                vec![made[1], made[0]],
            ),
        ] {
            let filter = filter.to_string();
            let parameters = [
                ("q", q),
                ("filter", &filter),
                ("sort", "fields.name"),
                ("order", "-1"),
            ];
            let answer = client
                .get(&query("/rest/objects", &parameters))
                .await
                .expect(200);
            let mut found = answer.ids();
            found.sort_unstable_by_key(|id| std::cmp::Reverse(*id));
            assert_eq!(found, expected, "{q} {filter}");
            assert_eq!(answer.member("total"), expected.len());
            assert_eq!(answer.member("parameters")["optional"]["q"], q);
        }
        index(&server).await;
    }
    let past = query(
        "/rest/objects",
        &[("q", "web"), ("as_of", "2026-03-04T05:06:07")],
    );
    let _ = server.admin().get(&past).await.expect(400);
}

#[apply(both)]
async fn a_wrong_search_is_refused(server: TestServer) {
    let admin = server.admin();
    for (parameters, pointer) in [
        (vec![], "q"),
        (vec![("q", "")], "q"),
        (vec![("q", " -:\" ")], "q"),
        (vec![("q", "a b c d e f g h i j k l m n o p q")], "q"),
        (vec![("q", &*"x".repeat(257))], "q"),
        (vec![("q", "a"), ("limit", "0")], "limit"),
        (vec![("q", "a"), ("limit", "101")], "limit"),
        (vec![("q", "a"), ("limit", "x")], "limit"),
        (vec![("q", "a"), ("after", "x")], "after"),
    ] {
        let answer = admin
            .get(&query("/rest/search", &parameters))
            .await
            .expect(400);
        assert_eq!(answer.pointers(), [pointer], "{parameters:?}");
    }
}

/// The ids of all objects.
async fn admin_newest(admin: &Client) -> Vec<i64> {
    admin.get("/rest/objects?limit=0").await.expect(200).ids()
}
