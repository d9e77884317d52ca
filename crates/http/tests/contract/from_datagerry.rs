//! An inventory that was moved in from DATAGERRY answers as DATAGERRY did.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stockroom_datagerry::{Document, Dump, Error, Inventory, Limits, Objects, Report, Stream};
use stockroom_model::UserId;
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

/// A folder that `mongodump` might have written.
struct Folder;

impl Dump for Folder {
    fn collections(&self) -> Vec<String> {
        Vec::new()
    }

    fn each(
        &self,
        collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datagerry/tests/fixtures");
        let file = fixtures.join(format!("small/cmdb/{collection}.bson"));
        let bytes = fs::read(file).unwrap();
        Stream::new(collection, bytes.as_slice()).each(visit)
    }
}

async fn moved(engine: Engine) -> TestServer {
    let server = Setup::default().start(engine).await;
    let (inventory, _) = Inventory::survey(&Folder, &Limits::default()).unwrap();
    let into = server.service().move_in("moved").await.unwrap();
    for body in &inventory.groups {
        into.group(body).await.unwrap();
    }
    for body in &inventory.users {
        into.user(body).await.unwrap();
    }
    for (user, body) in &inventory.settings {
        let user = UserId::new(*user).unwrap();
        into.setting(user, body.clone()).await.unwrap();
    }
    for body in &inventory.types {
        into.r#type(body).await.unwrap();
    }
    for body in &inventory.categories {
        into.category(body).await.unwrap();
    }
    let (mut objects, mut bodies) = (Objects::of(&inventory), Vec::new());
    let read = Folder.each("framework.objects", &mut |document| {
        let converted = objects.convert(document, &mut Report::default())?;
        bodies.extend(converted.map(|converted| converted.body));
        Ok(())
    });
    read.unwrap();
    assert!(into.objects(bodies).await.unwrap().is_empty());
    into.finish(Vec::new()).await.unwrap();
    server
}

#[apply(both)]
async fn every_kind_of_field_is_rendered_as_before(engine: Engine) {
    let server = moved(engine).await;
    let answer = server
        .admin()
        .get("/rest/objects/12")
        .await
        .expect(200)
        .json();
    let information = &answer["object_information"];
    assert_eq!(
        *information,
        json!({
            "object_id": 12,
            "creation_time": {"$date": 1_620_284_889_123_i64},
            "last_edit_time": {"$date": 1_643_861_106_000_i64},
            "author_id": 2, "author_name": "Jane Doe",
            "editor_id": 3, "editor_name": "ldap.user",
            "active": true, "version": "1.2.3",
        })
    );
    let shown = &answer["type_information"];
    assert_eq!(
        shown["creation_time"],
        json!({"$date": 1_614_834_367_089_i64})
    );
    let fields = shown["fields"].as_array().unwrap();
    let values: Vec<Value> = fields
        .iter()
        .map(|field| json!([field["name"], field["value"]]))
        .collect();
    assert_eq!(
        Value::from(values),
        json!([
            ["hostname", "web-1"], ["root", "toor"], ["notes", "first\nsecond"],
            ["virtual", true], ["tier", "gold"], ["os", "linux"],
            ["bought", {"$date": 1_565_136_000_000_i64}],
            ["site", 40], ["backup", 13], ["dg_location", 40], ["where-field", 40],
            ["port", null],
        ])
    );
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_eq!(
        field("site")["reference"],
        json!({
            "type_id": 1, "object_id": 40, "line": "in Köln (CGN)", "type_label": "Site",
            "summaries": [
                {"value": "Köln", "type": "text"}, {"value": "CGN", "type": "text"},
            ],
            "icon": "fa fa-cube", "prefix": false,
        })
    );
    assert_eq!(
        field("backup")["reference"]["summaries"][0]["value"],
        "web-2"
    );
    assert_eq!(
        field("dg_location")["reference"]["summaries"][0]["value"],
        "Köln"
    );
    let section = &field("where-field")["references"];
    assert_eq!(section["type_icon"], "fa fa-cube");
    assert_eq!(section["fields"].as_array().unwrap().len(), 1);
    assert_eq!(section["fields"][0]["value"], "CGN");
    assert_eq!(
        field("tier")["options"][1],
        json!({"name": "tin", "label": "Tin"})
    );
    assert_eq!(shown["summary_line"], "web-1 | 40");
    assert_eq!(
        shown["externals"][0]["href"],
        "https://wiki.example.org/web-1"
    );
    assert_eq!(shown["acl"]["groups"]["includes"]["3"], json!(["READ"]));
}

#[apply(both)]
async fn authors_types_and_searches_are_there(engine: Engine) {
    let server = moved(engine).await;
    let admin = server.admin();
    let unknown = admin.get("/rest/objects/41").await.expect(200).json();
    assert_eq!(unknown["object_information"]["author_name"], "unknown");
    assert_eq!(unknown["type_information"]["active"], false);
    let found = admin
        .get("/rest/objects/?sort=fields.hostname&filter=%7B%22type_id%22%3A2%7D")
        .await
        .expect(200);
    assert_eq!(found.ids(), [12, 13]);
    let found = admin.get("/rest/objects/40/references").await.expect(200);
    assert_eq!(found.ids(), [12]);
    let history = admin
        .get("/rest/objects/12/history")
        .await
        .expect(200)
        .json();
    assert_eq!(history["results"][0]["comment"], "moved");
    let setting = admin
        .get("/rest/users/2/settings/framework-object-table")
        .await
        .expect(200)
        .json();
    assert_eq!(
        setting["results"][0]["payload"]["payloads"][0]["id"],
        "table-1"
    );
    let native = admin
        .get("/rest/objects/12/native")
        .await
        .expect(200)
        .json();
    let _ = admin.put("/rest/objects/12", native).await.expect(200);
}

#[apply(both)]
async fn users_need_a_password_first(engine: Engine) {
    let server = moved(engine).await;
    let login = |password: &str| json!({"user_name": "jane", "password": password});
    let admin = server.admin();
    for password in ["none", "-", "rh3DBUGCvIyFIvU6aXBAm9dDpsWOdGQGvRgBNKkM5EM="] {
        let _ = admin
            .post("/rest/auth/login", login(password))
            .await
            .expect(401);
    }
    let body = json!({"password": "a new one for Jane"});
    let _ = admin
        .patch("/rest/users/2/password", body)
        .await
        .expect(202);
    let _ = admin
        .post("/rest/auth/login", login("a new one for Jane"))
        .await
        .expect(200);
}

#[apply(both)]
async fn an_inventory_in_use_is_left_alone(engine: Engine) {
    let server = moved(engine).await;
    let Err(error) = server.service().move_in("again").await else {
        panic!("a second inventory was taken");
    };
    assert!(error.to_string().contains("types already"), "{error}");
}
