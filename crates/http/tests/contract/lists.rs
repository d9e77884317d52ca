//! The query parameters that every list takes.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, apply, both};

use crate::requests::start;

/// Every list with its default sort and view.
const LISTS: [(&str, &str, Option<&str>); 10] = [
    ("/rest/objects/", "public_id", Some("native")),
    ("/rest/objects/1/references", "public_id", Some("native")),
    ("/rest/objects/clean/2", "public_id", Some("native")),
    ("/rest/types/", "public_id", None),
    ("/rest/categories/", "public_id", Some("list")),
    ("/rest/views/", "public_id", None),
    ("/rest/tokens/", "public_id", None),
    ("/rest/users/", "public_id", None),
    ("/rest/groups/", "public_id", None),
    ("/rest/rights/", "name", Some("list")),
];

/// The lists that have several records here, and the member that identifies a record.
const LONG: [(&str, &str); 7] = [
    ("/rest/objects/", "public_id"),
    ("/rest/types/", "public_id"),
    ("/rest/categories/", "public_id"),
    ("/rest/views/", "public_id"),
    ("/rest/users/", "public_id"),
    ("/rest/groups/", "public_id"),
    ("/rest/rights/", "name"),
];

#[apply(both)]
async fn every_list_starts_with_ten_ascending_results_that_match_everything(engine: Engine) {
    let server = start(engine).await;
    for (list, sort, view) in LISTS {
        let answer = server.admin().get(list).await.expect(200);
        let optional = view.map_or(json!({}), |view| json!({"view": view}));
        let expected = json!({"limit": 10, "sort": sort, "order": 1, "page": 1, "filter": {}, "optional": optional});
        assert_eq!(answer.member("parameters"), expected, "{list}");
    }
}

#[apply(both)]
async fn sort_and_order_turn_every_list_around(engine: Engine) {
    let server = start(engine).await;
    for (list, key) in LONG {
        let keys = async |query: &str| -> Vec<Value> {
            let path = format!("{list}?limit=0&{query}");
            let results = server
                .admin()
                .get(&path)
                .await
                .expect(200)
                .member("results");
            results
                .as_array()
                .unwrap()
                .iter()
                .map(|record| record[key].clone())
                .collect()
        };
        let ascending = keys("").await;
        assert!(ascending.len() > 1, "{list}");
        assert_eq!(keys(&format!("sort={key}&order=1")).await, ascending);
        for order in ["-1", "0", "2", "down"] {
            let mut descending = keys(&format!("sort={key}&order={order}")).await;
            descending.reverse();
            assert_eq!(descending, ascending, "{list} {order}");
        }
    }
}

#[apply(both)]
async fn page_and_limit_cut_every_list(engine: Engine) {
    let server = start(engine).await;
    for (list, key) in LONG {
        let page = async |query: &str| {
            let answer = server
                .admin()
                .get(&format!("{list}?{query}"))
                .await
                .expect(200);
            let results = answer.member("results");
            let keys: Vec<Value> = results
                .as_array()
                .unwrap()
                .iter()
                .map(|record| record[key].clone())
                .collect();
            (keys, answer.member("pager"), answer.member("total"))
        };
        let (all, pager, total) = page("limit=0").await;
        assert_eq!(total, all.len());
        assert_eq!(pager, json!({"page": 1, "page_size": 0, "total_pages": 1}));
        for (index, key) in all.iter().enumerate().take(4) {
            let number = index + 1;
            let (keys, pager, total) = page(&format!("limit=1&page={number}")).await;
            assert_eq!(keys, std::slice::from_ref(key), "{list}");
            assert_eq!(
                pager,
                json!({"page": number, "page_size": 1, "total_pages": all.len()})
            );
            assert_eq!(total, all.len());
        }
    }
}

#[apply(both)]
async fn filter_picks_the_records_of_every_list(engine: Engine) {
    let server = start(engine).await;
    for (list, key) in LONG {
        let all = server
            .admin()
            .get(&format!("{list}?limit=0"))
            .await
            .expect(200)
            .member("results");
        let wanted = &all[1][key];
        let filter = json!({key: {"$in": [wanted, "nothing"]}})
            .to_string()
            .replace('"', "%22")
            .replace(['{'], "%7B")
            .replace('}', "%7D");
        let found = server
            .admin()
            .get(&format!("{list}?filter={filter}"))
            .await
            .expect(200);
        assert_eq!(found.member("results"), json!([all[1]]), "{list}");
        assert_eq!(found.member("total"), 1);
    }
}
