//! The files of `docs/moving-in`: types for the exports of other systems, and bodies of imports.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Server, run, serve, stockroom};

const PATIENCE: Duration = Duration::from_secs(60);

fn folder(system: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/moving-in")
        .join(system)
}

/// A server with the types of a system, and a client of it.
fn prepared(system: &str, data: &Path) -> (Server, Client) {
    let server = Server::start(serve(data));
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    let token = login["token"].as_str().expect("a token").to_owned();
    let mut apply = stockroom(&["apply", "-f"]);
    apply
        .arg(folder(system).join("types.yaml"))
        .env("STOCKROOM_SERVER", server.url())
        .env("STOCKROOM_TOKEN", &token);
    let _ = run(&mut apply).succeeded();
    let client = Client::anonymous(&server).with_token(&token);
    (server, client)
}

/// Imports the sample of a file, and returns the import after its end.
fn import(client: &Client, folder: &Path, file: &str) -> Value {
    let sample = fs::read(folder.join(format!("samples/{file}.csv"))).expect("a sample");
    let path = format!("/rest/imports?file_name={file}.csv");
    let (status, uploaded) = client.upload(&path, &sample);
    assert!((200..300).contains(&status), "{file}: {status} {uploaded}");
    let body = fs::read(folder.join(format!("{file}.json"))).expect("a body");
    let mut body: Value = serde_json::from_slice(&body).expect("JSON");
    // The body names each column of the file.
    body["ignore_columns"] = json!(false);
    let path = format!("/rest/imports/{}", bare(&uploaded)["id"]);
    let (status, started) = client.send("POST", &format!("{path}/run"), Some(&body));
    assert!((200..300).contains(&status), "{file}: {status} {started}");
    let began = Instant::now();
    loop {
        let (_, answer) = client.get(&path);
        let import = bare(&answer).clone();
        if !import["ended_at"].is_null() {
            // A user may have 20 of them.
            let _ = client.send("DELETE", &path, None);
            return import;
        }
        assert!(began.elapsed() < PATIENCE, "{file}: {answer}");
    }
}

/// The import in an answer.
fn bare(answer: &Value) -> &Value {
    answer.get("result").unwrap_or(answer)
}

/// Imports all samples of a folder, in an order in which references find their objects, and every
/// fifth again, among them racks, devices and interfaces.
fn check(client: &Client, folder: &Path, files: &[&str]) {
    let mut bodies: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| {
            let name = entry.expect("an entry").file_name();
            Some(name.to_str()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    bodies.sort();
    let mut sorted = files.to_vec();
    sorted.sort_unstable();
    assert_eq!(sorted, bodies, "each body has a sample");
    let of = |file: &str, status: &str| {
        let import = import(client, folder, file);
        let rows = &import["rows"];
        assert!(rows.as_i64() >= Some(1), "{file}: {import}");
        assert_eq!(&import["counts"][status], rows, "{file}: {import}");
    };
    for file in files {
        of(file, "new");
    }
    for (place, file) in files.iter().enumerate() {
        if place % 5 == 2 {
            of(file, "unchanged");
        }
    }
}

/// The values of the object of a type whose field has the value.
fn values(client: &Client, type_name: &str, field: &str, value: &str) -> Map<String, Value> {
    let (_, types) = client.get("/rest/types/?limit=0");
    let mut all = types["results"].as_array().expect("types").iter();
    let found = all.find(|known| known["name"] == type_name);
    let type_id = found.expect("the type")["public_id"].clone();
    let item = json!({"$elemMatch": {"name": field, "value": value}});
    let body = json!({"filter": {"type_id": type_id, "fields": item}});
    let (_, found) = client.send("POST", "/rest/objects/query", Some(&body));
    let object = &found["results"][0];
    let fields = object["fields"].as_array().expect("an object").iter();
    let mut values: Map<String, Value> = fields
        .map(|item| {
            let name = item["name"].as_str().expect("a name");
            (name.to_owned(), item["value"].clone())
        })
        .collect();
    values.insert("public_id".to_owned(), object["public_id"].clone());
    values
}

const NETBOX: [&str; 54] = [
    "tags",
    "tenant-groups",
    "tenants",
    "contact-groups",
    "contact-roles",
    "contacts",
    "regions",
    "site-groups",
    "sites",
    "contact-assignments",
    "locations",
    "manufacturers",
    "platforms",
    "device-roles",
    "device-types",
    "module-types",
    "rack-roles",
    "racks",
    "rack-reservations",
    "cluster-types",
    "cluster-groups",
    "clusters",
    "devices",
    "virtual-chassis",
    "module-bays",
    "modules",
    "device-bays",
    "interfaces",
    "console-ports",
    "power-ports",
    "power-outlets",
    "rear-ports",
    "front-ports",
    "power-panels",
    "power-feeds",
    "cables",
    "rirs",
    "aggregates",
    "asns",
    "route-targets",
    "vrfs",
    "roles",
    "vlan-groups",
    "vlans",
    "prefixes",
    "ip-ranges",
    "ip-addresses",
    "virtual-machines",
    "vm-interfaces",
    "providers",
    "provider-networks",
    "circuit-types",
    "circuits",
    "circuit-terminations",
];

#[test]
fn the_exports_of_netbox_are_imported_with_their_references() {
    let data = tempdir().expect("a directory");
    let (_server, client) = prepared("netbox", data.path());
    check(&client, &folder("netbox"), &NETBOX);
    let site = values(&client, "netbox-site", "name", "Köln");
    assert_eq!(site["comments"], "Ring twice");
    let rack = values(&client, "netbox-rack", "netbox_id", "7");
    assert_eq!(rack["site"], site["public_id"]);
    let device = values(&client, "netbox-device", "name", "web-1");
    assert_eq!(device["rack"], rack["public_id"], "the R1 of its site");
    let tenant = values(&client, "netbox-tenant", "name", "ACME");
    assert_eq!(device["tenant"], tenant["public_id"]);
    assert_eq!(
        [&device["tags"], &device["comments"]],
        ["critical,web", "Fan is loud"]
    );
    assert_eq!(device["created"], "2026-01-02T00:00:00+00:00");
    let port = values(&client, "netbox-interface", "netbox_id", "21");
    assert_eq!(
        [&port["device"], &port["enabled"]],
        [&device["public_id"], &json!(true)]
    );
    let port = values(&client, "netbox-interface", "netbox_id", "23");
    let unnamed = [&port["device"], &port["device_text"]];
    assert_eq!(
        unnamed,
        [&json!(null), &json!("R740 (99)")],
        "a device without a name"
    );
    let machine = values(&client, "netbox-virtual-machine", "name", "vm-1");
    let cluster = values(&client, "netbox-cluster", "name", "pve");
    assert_eq!(machine["cluster"], cluster["public_id"]);
    let vlan = values(&client, "netbox-vlan", "vid", "10");
    assert_eq!(
        [&vlan["site"], &vlan["tenant"]],
        [&site["public_id"], &tenant["public_id"]]
    );
}

#[test]
fn the_exports_of_snipe_it_are_imported() {
    let data = tempdir().expect("a directory");
    let (_server, client) = prepared("snipe-it", data.path());
    let files = [
        "companies",
        "categories",
        "manufacturers",
        "locations",
        "models",
        "users",
        "assets",
        "licences",
        "accessories",
        "consumables",
        "components",
        "maintenances",
    ];
    check(&client, &folder("snipe-it"), &files);
    let jane = values(&client, "snipe-user", "username", "jane");
    assert_eq!(
        [&jane["employee_number"], &jane["notes"]],
        ["E-3", "Works from home"]
    );
    let asset = values(&client, "snipe-asset", "asset_tag", "A-0005");
    assert_eq!(asset["assigned_user"], jane["public_id"]);
    let dates = [&asset["purchase_date"], &asset["warranty_expires"]];
    assert_eq!(dates, ["2024-03-05", "2027-03-05"]);
    assert_eq!(asset["notes"], "Sticker on the lid");
    let other = values(&client, "snipe-asset", "asset_tag", "A-0006");
    let model = [&other["model"], &other["model_text"]];
    assert_eq!(
        model,
        [&json!(null), &json!("ThinkPad")],
        "no such model was moved"
    );
}

#[test]
fn files_that_snipe_it_imports_are_imported() {
    let data = tempdir().expect("a directory");
    let (_server, client) = prepared("snipe-it", data.path());
    let files = [
        "locations",
        "models",
        "users",
        "assets",
        "licences",
        "accessories",
        "consumables",
        "components",
    ];
    check(&client, &folder("snipe-it").join("import-files"), &files);
    let jane = values(&client, "snipe-user", "username", "jane");
    assert_eq!(
        [&jane["employee_number"], &jane["start_date"]],
        ["E-3", "2024-01-02"]
    );
    let asset = values(&client, "snipe-asset", "asset_tag", "A-0005");
    assert_eq!(asset["assigned_user"], jane["public_id"]);
    let dates = [&asset["purchase_date"], &asset["eol_date"]];
    assert_eq!(dates, ["2024-03-05", "2028-03-05"]);
    let other = values(&client, "snipe-asset", "asset_tag", "A-0007");
    assert_eq!(other["assigned_user_text"], "nobody");
    let licence = values(&client, "snipe-licence", "name", "Office");
    let dates = [&licence["purchase_date"], &licence["expiration_date"]];
    assert_eq!(dates, ["2008-11-24", "2016-02-26"]);
}

#[test]
fn columns_of_custom_fields_are_named_and_become_fields() {
    let data = tempdir().expect("a directory");
    let (server, client) = prepared("netbox", data.path());
    let sample = folder("netbox").join("samples/tags.csv");
    let sample = fs::read_to_string(sample).expect("a sample");
    let (header, row) = sample.split_once('\n').expect("rows");
    let file = data.path().join("tags.csv");
    let more = format!("{header},Cost center,Owner\n{},4711,\n", row.trim_end());
    fs::write(&file, more).expect("a file");
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    let import = |more: &[&str]| {
        let mut import = stockroom(&["import"]);
        import
            .arg(&file)
            .arg("--plan")
            .arg(folder("netbox").join("tags.json"));
        import.args(more).env("STOCKROOM_SERVER", server.url());
        import.env("STOCKROOM_TOKEN", login["token"].as_str().expect("a token"));
        run(&mut import)
    };
    let refused = import(&[]);
    assert_eq!(refused.status.code(), Some(6), "{}", refused.err);
    let unnamed = "\"Cost center\" goes to no field";
    assert!(refused.err.contains(unnamed), "{}", refused.err);
    let checked = import(&["--add-fields", "--dry-run"]);
    let named = "fields would be added for the columns \"Cost center\"";
    assert!(checked.err.contains(named), "{}", checked.err);
    let done = import(&["--add-fields"]);
    let added = "added the field cost_center for the column \"Cost center\"";
    assert!(done.err.contains(added), "{}", done.err);
    let tag = values(&client, "netbox-tag", "name", "critical");
    assert_eq!(tag["cost_center"], 4711);
    let again = import(&["--map", "Cost center=cost_center"]).succeeded();
    assert!(again.contains("unchanged 1"), "{again}");
}
