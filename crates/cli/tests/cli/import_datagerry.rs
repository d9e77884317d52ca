//! `stockroom import-datagerry`

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{ADMIN_PASSWORD, Ended, Server, run, serve, stockroom};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../datagerry/tests/fixtures")
        .join(name)
}

fn import(dump: &Path, data: &Path, flags: &[&str]) -> Ended {
    let mut command = stockroom(&["import-datagerry"]);
    command.arg(dump).arg("--data").arg(data).args(flags);
    run(command.env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD))
}

#[test]
fn every_form_of_a_dump_is_moved() {
    let small = fs::read_to_string(fixture("reports.txt")).unwrap();
    let rows: Vec<&str> = small.lines().skip(3).take(6).collect();
    for name in [
        "small",
        "small/cmdb",
        "small-gz",
        "small.archive",
        "small.archive.gz",
    ] {
        let data = tempdir().unwrap();
        let report = import(&fixture(name), data.path(), &[]).succeeded();
        assert!(report.contains(&rows.join("\n")), "{name}: {report}");
        let server = Server::start(serve(data.path()));
        let admin = Client::admin(&server);
        let (status, object) = admin.get("/rest/objects/12");
        assert_eq!(status, 200, "{object}");
        assert_eq!(object["type_information"]["summary_line"], "web-1 | 40");
        let fields = json!([{"name": "city", "value": "Bonn"}, {"name": "code", "value": ""}]);
        let body = json!({"type_id": 1, "author_id": 1, "fields": fields});
        // DATAGERRY had given ids up to 99.
        assert_eq!(admin.insert("/rest/objects/", &body), 100);
        server.stopped();
        let checked = run(stockroom(&["check", "--data"]).arg(data.path())).succeeded();
        assert!(checked.contains("0 problems"), "{checked}");
    }
}

#[test]
fn a_dry_run_writes_nothing_but_its_report() {
    let folder = tempdir().unwrap();
    let (data, report) = (
        folder.path().join("data"),
        folder.path().join("report.json"),
    );
    let flags = ["--dry-run", "--report", report.to_str().unwrap()];
    let shown = import(&fixture("odd"), &data, &flags).succeeded();
    assert!(shown.contains("nothing was written"), "{shown}");
    assert!(!data.exists());
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["counts"]["objects"]["moved"], 10);
}

#[test]
fn what_has_no_place_is_written_beside() {
    let folder = tempdir().unwrap();
    let (data, beside) = (folder.path().join("data"), folder.path().join("beside"));
    let flags = ["--leftovers", beside.to_str().unwrap()];
    let _ = import(&fixture("small.archive"), &data, &flags).succeeded();
    let read = |name: &str| fs::read_to_string(beside.join(name)).unwrap();
    assert_eq!(read("files/000001-_plan_of_web-1.txt"), "this a plan\n");
    assert!(read("files.ndjson").contains("files/000001-_plan_of_web-1.txt"));
    assert!(read("multi-data-sections.ndjson").contains("eth0"));
    assert!(read("framework.logs.ndjson").contains("CmdbObjectLog"));
    assert!(read("framework.locations.ndjson").contains(r#""name":"Köln""#));
    let of_types = read("types-members-left-out.ndjson");
    assert!(of_types.contains(r#""member":"selectable_as_parent""#));
    assert!(read("groups-members-left-out.ndjson").contains("sectionTemplate.view"));
    assert!(!beside.join("settings.conf.ndjson").exists());
    let again = tempdir().unwrap();
    let refusal = import(&fixture("small"), again.path(), &flags).failed();
    assert!(refusal.contains("is not empty"), "{refusal}");
}

#[test]
fn what_cannot_be_moved_is_refused() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data");
    let cut = folder.path().join("cut.archive");
    let whole = fs::read(fixture("small.archive")).unwrap();
    fs::write(&cut, &whole[..5_000]).unwrap();
    let packed = folder.path().join("cut.archive.gz");
    let whole = fs::read(fixture("small.archive.gz")).unwrap();
    fs::write(&packed, &whole[..whole.len() / 2]).unwrap();
    for (dump, expected) in [
        (cut.as_path(), "cut.archive is damaged at byte "),
        (packed.as_path(), "cut.archive.gz is damaged at byte"),
        (
            folder.path(),
            "has no framework.types.bson: it is no dump of DATAGERRY",
        ),
        (Path::new("/nowhere"), "cannot read /nowhere"),
    ] {
        let refusal = import(dump, &data, &[]).failed();
        assert!(refusal.contains(expected), "{refusal}");
        assert!(!data.exists(), "{}", dump.display());
    }
    let _ = import(&fixture("small"), &data, &[]).succeeded();
    let refusal = import(&fixture("odd"), &data, &[]).failed();
    assert!(
        refusal.contains("the inventory has types already"),
        "{refusal}"
    );
}
