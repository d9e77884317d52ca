//! Paging by cursor and lists without a total, for every list.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{Client, TestServer, apply, both};

use super::{PATH, fill};

/// The lists that have several records here, and the member that identifies a record.
const LISTS: [(&str, &str); 8] = [
    ("/rest/objects", "public_id"),
    ("/rest/objects/clean/1", "public_id"),
    ("/rest/types", "public_id"),
    ("/rest/categories", "public_id"),
    ("/rest/users", "public_id"),
    ("/rest/groups", "public_id"),
    ("/rest/rights", "name"),
    ("/rest/users/1/settings", "identifier"),
];

async fn grow(admin: &Client) {
    let _ = small(admin).await;
    for (user_name, group_id) in [("ann", 1), ("bob", 2)] {
        let user = json!({"user_name": user_name, "password": "a password", "group_id": group_id});
        insert(admin, "/rest/users", user).await;
    }
    for identifier in ["grid", "filter", "Ümlaut"] {
        let setting = json!({"identifier": identifier, "setting_type": "GLOBAL"});
        let _ = admin
            .post("/rest/users/1/settings", setting)
            .await
            .expect(201);
    }
    let change = json!({"fields": []});
    let _ = admin.patch("/rest/types/1", change).await.expect(202);
}

fn records(results: &Value, key: &str) -> Vec<Value> {
    let results = results.as_array().unwrap().iter();
    results.map(|record| record[key].clone()).collect()
}

/// The records of all pages, one record per page. Calls `between` after each page.
async fn walk(
    client: &Client,
    list: (&str, &str),
    more: &str,
    between: impl AsyncFn(&Value),
) -> Vec<Value> {
    let mut walked = Vec::new();
    let mut path = format!("{}?limit=1&after=&{more}", list.0);
    loop {
        let page = client.get(&path).await.expect(200);
        let found = records(&page.member("results"), list.1);
        assert!(found.len() == 1, "{path}: {found:?}");
        between(&found[0]).await;
        walked.extend(found);
        let next = page.member("pagination")["next"].clone();
        assert_eq!(next.is_null(), page.member("pager")["after"].is_null());
        let Some(next) = next.as_str() else {
            return walked;
        };
        next.strip_prefix("http://inventory.example")
            .unwrap()
            .clone_into(&mut path);
    }
}

#[apply(both)]
async fn links_lead_through_every_list_in_its_order(server: TestServer) {
    let admin = server.admin();
    grow(&admin).await;
    // Lists of objects may end with an empty page and have their own tests.
    let small = LISTS
        .into_iter()
        .filter(|list| !list.0.starts_with("/rest/objects"));
    for list in small {
        // Many records share a value of these, which leaves their order to the identity.
        for sort in [list.1, "group_id", "level", "nowhere"] {
            for order in [1, -1] {
                let more = format!("sort={sort}&order={order}");
                let all = admin
                    .get(&format!("{}?limit=0&{more}", list.0))
                    .await
                    .expect(200);
                let all = records(&all.member("results"), list.1);
                assert!(all.len() > 1, "{list:?}");
                let walked = walk(&admin, list, &more, async |_| {}).await;
                assert_eq!(walked, all, "{list:?} {more}");
            }
        }
    }
}

#[apply(both)]
async fn records_that_go_meanwhile_move_no_others(server: TestServer) {
    let admin = server.admin();
    fill(&admin, 5).await;
    let walked = walk(&admin, (PATH, "public_id"), "sort=name", async |id| {
        let _ = admin.delete(&format!("{PATH}/{id}")).await.expect(202);
    });
    assert_eq!(walked.await, [1, 2, 3, 4, 5]);
}

#[apply(both)]
async fn every_list_can_leave_its_total_out(server: TestServer) {
    let admin = server.admin();
    grow(&admin).await;
    for (path, _) in LISTS {
        let page = admin
            .get(&format!("{path}?limit=1&total=false"))
            .await
            .expect(200);
        assert_eq!(page.header("x-total-count"), "", "{path}");
        if path == "/rest/users/1/settings" {
            continue;
        }
        let links = page.member("pagination");
        let unknown = [
            &page.member("total"),
            &page.member("pager")["total_pages"],
            &links["last"],
        ];
        assert_eq!(unknown, [&Value::Null; 3], "{path}");
        assert_eq!(
            page.member("parameters")["optional"]["total"],
            false,
            "{path}"
        );
    }
}

#[apply(both)]
async fn a_cursor_is_for_one_order_and_takes_no_page(server: TestServer) {
    let admin = server.admin();
    fill(&admin, 3).await;
    let page = admin
        .get(&format!("{PATH}?sort=name&limit=1&after="))
        .await
        .expect(200);
    let cursor = page.member("pager")["after"].as_str().unwrap().to_owned();
    for (query, pointer) in [
        (format!("sort=label&after={cursor}"), "after"),
        (format!("sort=name&order=-1&after={cursor}"), "after"),
        ("sort=name&after=AAAA".to_owned(), "after"),
        ("sort=name&after=~".to_owned(), "after"),
        (format!("sort=name&after={cursor}&page=2"), "page"),
        ("after=&page=1".to_owned(), "page"),
    ] {
        let refused = admin.get(&format!("{PATH}?{query}")).await;
        assert_eq!(refused.pointers(), [pointer], "{query}");
    }
}

#[apply(both)]
async fn trees_have_no_cursors(server: TestServer) {
    for path in [PATH, "/rest/rights"] {
        let refused = server
            .admin()
            .get(&format!("{path}?view=tree&after="))
            .await;
        assert_eq!(refused.pointers(), ["after"], "{path}");
    }
}
