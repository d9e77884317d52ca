//! The statements of lists and the engine's plans for them, in a golden file, so that reviews see
//! changes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stockroom_access::Scope;
use stockroom_filter::{Order, Sort};
use stockroom_model::ObjectId;

use super::expected::checked;
use super::inventory::{Field, Inventory, Kind};
use super::recording::{Recording, Statement};
use super::test_database::TestDatabase;
use crate::transaction::ReadTx;
use crate::{ObjectPage, ObjectQuery, Restriction, Start, Want, Window};

const CASES: &str = "src/records/object/tests/statements.json";
const GOLDEN: &str = "src/records/object/tests/statements.txt";
/// If set to `1`, the golden file is written instead of compared.
const UPDATE: &str = "STOCKROOM_UPDATE_GOLDEN";

/// Prefixes of the statements of every list: the sums of the counters, the number of the commit,
/// and the rows of a page by their ids.
const OF_EVERY_LIST: [&str; 4] = [
    "SELECT total, active, irregular FROM object_count",
    "SELECT CAST(SUM(total) AS BIGINT) FROM object_count",
    "SELECT MAX(seq) FROM change",
    "SELECT public_id, type_id, revision, views, secrets, doc FROM rarray(?1) AS wanted CROSS JOIN object ",
];

/// A case in the file of cases.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Whether all rows must be found through an index.
    #[serde(default)]
    indexed: bool,
    /// Otherwise, what is scanned in full, and how far.
    #[serde(default)]
    scans: Option<String>,
    filter: Value,
    #[serde(default = "by_id")]
    sort: String,
    #[serde(default)]
    descending: bool,
    #[serde(default)]
    active_only: bool,
    #[serde(default)]
    references: Option<i64>,
    /// Number of objects before the page. If it is 0, a list of whole types needs only one
    /// statement for page and total.
    #[serde(default = "one")]
    skipped: usize,
}

fn one() -> usize {
    1
}

fn by_id() -> String {
    "public_id".to_owned()
}

impl Case {
    fn query(&self) -> ObjectQuery {
        let order = if self.descending {
            Order::Descending
        } else {
            Order::Ascending
        };
        let target = self.references.and_then(ObjectId::new);
        ObjectQuery {
            filter: checked(&self.filter).unwrap(),
            sort: Sort::objects(&self.sort, order),
            active_only: self.active_only,
            restriction: target.map_or(Restriction::None, Restriction::References),
        }
    }
}

/// Two types with common fields and one without; every case finds some of the objects.
fn inventory() -> Inventory {
    let field = |name, kind| Field { name, kind };
    let types = vec![
        vec![
            field("host", Kind::Text),
            field("cores", Kind::Text),
            field("site", Kind::Reference),
            field("note", Kind::Textarea),
        ],
        vec![field("host", Kind::Text), field("cores", Kind::Text)],
        Vec::new(),
    ];
    let document = |id: i64| {
        let type_index = usize::try_from(id).unwrap() % types.len();
        let values = [json!("abc"), json!(id), json!(1), json!("some text")];
        let items: Vec<Value> = types[type_index]
            .iter()
            .zip(values)
            .map(|(field, value)| json!({ "name": field.name, "value": if id > 9 { Value::Null } else { value } }))
            .collect();
        json!({
            "public_id": id, "type_id": type_index + 1, "active": id != 5, "version": "1.0.0", "author_id": 1, "views": 0,
            "creation_time": { "$date": id }, "last_edit_time": null, "fields": items,
        })
    };
    Inventory {
        documents: (1..13).map(document).collect(),
        types: types
            .into_iter()
            .map(|fields| [fields.clone(), fields])
            .collect(),
    }
}

#[test]
fn lists_run_these_statements_in_these_ways() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases: Vec<Case> =
        serde_json::from_str(&fs::read_to_string(root.join(CASES)).unwrap()).unwrap();
    let inventory = inventory();
    let database = TestDatabase::sqlite();
    let store = inventory.store(&database);
    let mut text = String::new();
    let mut scanning = Vec::new();
    for case in &cases {
        let mut driver = Recording::reader(&database);
        let total = run(case, &mut driver, &store.catalog());
        assert!(total > 0, "{} finds nothing", case.name);
        let scans = report(case, &mut driver, &mut text);
        if scans == case.indexed || scans != case.scans.is_some() {
            scanning.push((&case.name, scans));
        }
    }
    store.close();
    golden(&root.join(GOLDEN), &text);
    assert!(
        scanning.is_empty(),
        "not as the cases say whether they scan: {scanning:#?}"
    );
}

/// Lists a page with its total, as if no number of objects were few.
fn run(case: &Case, driver: &mut Recording, catalog: &crate::Catalog) -> usize {
    let everything = Scope::for_maintenance();
    let mut tx = ReadTx::new(driver, catalog).taking_for_few(0);
    let window = Window {
        start: Start::Offset(case.skipped),
        limit: 10,
    };
    let want = Want::Objects { total: true };
    let query = case.query();
    let single = ObjectPage::statement(catalog, &everything, &query, &window, want).unwrap();
    // Those by a column are for servers only.
    let is_here = |sql: &str| case.skipped == 0 && !sql.contains("RIGHT JOIN");
    if let Some(statement) = single.filter(|statement| is_here(statement.sql().text())) {
        let page = tx.fetch(&statement).unwrap();
        return page.and_then(|page| page.total).unwrap_or_default();
    }
    let page = tx.list(&everything, &query, &window, want);
    page.unwrap().total.unwrap_or_default()
}

/// Writes the recorded statements to `text`; returns whether one scans all objects, or the fields
/// of all objects.
fn report(case: &Case, driver: &mut Recording, text: &mut String) -> bool {
    let mut scans = false;
    let order = if case.descending { " backwards" } else { "" };
    writeln!(
        text,
        "# {}\n# {} by {}{order}",
        case.name, case.filter, case.sort
    )
    .unwrap();
    if let Some(scan) = &case.scans {
        writeln!(text, "# SCANS: {scan}").unwrap();
    }
    let own = |statement: &Statement| {
        !OF_EVERY_LIST
            .iter()
            .any(|start| statement.sql.starts_with(start))
    };
    let statements = std::mem::take(&mut driver.statements);
    for statement in statements.into_iter().filter(own) {
        writeln!(text, "{}", statement.sql).unwrap();
        for step in driver.plan(&statement) {
            scans |= step.starts_with("SCAN object");
            writeln!(text, "    {step}").unwrap();
        }
    }
    text.push('\n');
    scans
}

fn golden(file: &Path, text: &str) {
    if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
        fs::write(file, text).unwrap();
        return;
    }
    let stored = fs::read_to_string(file).unwrap_or_default();
    let lines = text
        .lines()
        .zip(stored.lines().chain(std::iter::repeat("")));
    let difference = lines.zip(1..).find(|((new, old), _)| new != old);
    if let Some(((new, old), line)) = difference {
        panic!(
            "{GOLDEN}:{line} is out of date (if the change is meant: {UPDATE}=1)\n- {old}\n+ {new}"
        );
    }
    assert!(
        stored == text,
        "{GOLDEN} has lines too many (if the change is meant: {UPDATE}=1)"
    );
}
