//! The archive of everything.

use std::io::{Cursor, Read as _};

use super::*;
use stockroom_testkit::apply;

/// The files of the archive by name.
async fn files(client: &Client) -> Vec<(String, String)> {
    let file = client.get("/rest/exports/all").await.expect(200);
    assert_eq!(file.header("content-type"), "application/zip");
    assert_eq!(
        file.header("content-disposition"),
        r#"attachment; filename="everything-2026-03-04.zip""#
    );
    let mut archive = zip::ZipArchive::new(Cursor::new(&file.body)).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.push((file.name().unwrap().into_owned(), text));
    }
    files
}

fn names(files: &[(String, String)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[apply(both)]
async fn the_archive_has_all_that_the_caller_sees(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let category = json!({"name": "c", "label": "C", "meta": {"icon": "", "order": null}, "parent": null, "types": [site]});
    inventory::insert(&admin, "/rest/categories", category).await;
    insert(&admin, site, &[("city", json!("Bonn"))]).await;
    for number in 0..3 {
        insert(
            &admin,
            hosts,
            &host(
                &format!("web-{number}"),
                &[("console", json!("open sesame"))],
            ),
        )
        .await;
    }
    let all = files(&admin).await;
    assert_eq!(
        names(&all),
        [
            "types.json",
            "categories.json",
            "objects/site.ndjson",
            "objects/host.ndjson"
        ]
    );
    for (index, route) in [(0, "/rest/types"), (1, "/rest/categories")] {
        let expected = admin.get(route).await.expect(200).member("results");
        assert_eq!(
            serde_json::from_str::<Value>(&all[index].1).unwrap(),
            expected
        );
    }
    for (index, type_id) in [(2, site), (3, hosts)] {
        let expected = text(&admin, "ndjson", &[("filter", &*of_type(type_id))]).await;
        assert_eq!(all[index].1, expected);
        assert!(!expected.contains("sesame") && !expected.contains('•'));
    }
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, site, person.group_id, &[]).await;
    assert_eq!(names(&files(&person.client).await), ["objects/host.ndjson"]);
}
