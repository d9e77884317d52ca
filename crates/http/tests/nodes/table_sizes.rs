use serde_json::json;
use stockroom_testkit::inventory::{self, insert, object};

use crate::fixture::{cluster, node, run};

const OBJECTS: u64 = 4_000;
/// PostgreSQL keeps every version of a row until it prunes the page.
const MOST_PAGES: u64 = 16;
/// Of tables with so few rows.
const FEW: u64 = 100;

#[test]
fn tables_of_few_rows_stay_small_while_objects_are_inserted() {
    let cluster = cluster();
    run(async {
        let node = node(&cluster).await;
        let admin = node.admin();
        let type_id = insert(&admin, "/rest/types", inventory::site()).await;
        let inserted = async || {
            for _ in 0..OBJECTS / 4 {
                let body = object(type_id, &[("name", json!("a"))]);
                insert(&admin, "/rest/objects", body).await;
            }
        };
        tokio::join!(inserted(), inserted(), inserted(), inserted());
    });
    cluster.query("ANALYZE").unwrap();
    let tables = cluster
        .query(
            "SELECT relname, reltuples::bigint, pg_relation_size(oid) / 8192 FROM pg_class \
             WHERE relkind = 'r' AND relnamespace NOT IN (SELECT oid FROM pg_namespace \
             WHERE nspname IN ('pg_catalog', 'information_schema')) ORDER BY 1",
        )
        .unwrap();
    let mut large = Vec::new();
    let mut seen = Vec::new();
    for line in tables.lines() {
        let columns: Vec<&str> = line.split('|').collect();
        let [name, rows, pages] = columns[..] else {
            panic!("{line}");
        };
        let (rows, pages): (u64, u64) = (rows.parse().unwrap(), pages.parse().unwrap());
        if rows < FEW {
            seen.push(name);
            if pages > MOST_PAGES {
                large.push(line);
            }
        }
    }
    assert!(seen.contains(&"object_count"), "{tables}");
    assert!(large.is_empty(), "{large:?}");
}
