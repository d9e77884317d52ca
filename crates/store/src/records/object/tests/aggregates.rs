//! Aggregates are what the documents of the full list give.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use serde_json::{Value, json};
use stockroom_filter::{Datum, Key, Numeric, Order, Sort, TEXT_BYTES};
use stockroom_model::{Period, Timestamp};

use super::config;
use super::expected::matches;
use super::inventory::{Inventory, inventory};
use super::queries::{Asked, asked};
use super::test_database::{TestDatabase, both};
use crate::engine::counters::Counters;
use crate::engine::driver::Driver;
use crate::transaction::writers::Writers;
use crate::transaction::{FEW_DOCUMENTS, ReadTx, View};
use crate::{Aggregate, Aggregation, Catalog, Function, Group, GroupOrder, Grouping, Measure};

const INVENTORIES: u32 = 32;
const QUERIES: usize = 40;

const PATHS: [&str; 14] = [
    "type_id",
    "type_id",
    "active",
    "author_id",
    "creation_time",
    "last_edit_time",
    "version",
    "fields.a",
    "fields.a",
    "fields.b",
    "fields.b",
    "fields.long",
    "fields.ref",
    "fields.none",
];

both!(
    every_way_to_an_aggregate_finds_what_the_documents_give,
    check_aggregates
);

fn check_aggregates(database: fn() -> TestDatabase) {
    let cases = prop::collection::vec((asked(), plain_filter(), aggregation()), QUERIES);
    let strategy = (inventory(), cases);
    let result = TestRunner::new(config(INVENTORIES)).run(&strategy, |(inventory, cases)| {
        let database = database();
        let store = inventory.store(&database);
        let catalog = store.catalog();
        let mut driver = database.connection();
        for (mut asked, filter, aggregation) in cases {
            asked.filter = filter.unwrap_or(asked.filter);
            check(&inventory, &asked, &aggregation, driver.as_mut(), &catalog)?;
        }
        store.close();
        Ok(())
    });
    match result {
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        other => other.unwrap(),
    }
}

/// Often a filter that finds many objects, so that groups have several.
fn plain_filter() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        2 => Just(None),
        2 => Just(Some(json!({}))),
        1 => (1..4_i64).prop_map(|id| Some(json!({"type_id": id}))),
        1 => Just(Some(json!({"fields.a": {"$ne": 1}}))),
        1 => Just(Some(json!({"fields.a": {"$regex": "p|a"}}))),
    ]
}

fn aggregation() -> impl Strategy<Value = Aggregation> {
    let path = || prop::sample::select(PATHS.to_vec());
    let periods = vec![
        None,
        None,
        Some(Period::Day),
        Some(Period::Month),
        Some(Period::Year),
    ];
    let grouping = (path(), prop::sample::select(periods)).prop_map(|(path, period)| Grouping {
        value: Sort::objects(path, Order::Ascending),
        period,
    });
    let functions = vec![Function::Min, Function::Max, Function::Sum];
    let measure = (prop::sample::select(functions), path()).prop_map(|(function, path)| {
        let order = match function {
            Function::Max => Order::Descending,
            Function::Min | Function::Sum => Order::Ascending,
        };
        let value = Sort::objects(path, order);
        Measure { function, value }
    });
    let orders = [Order::Ascending, Order::Descending];
    let orders = orders.map(|order| [GroupOrder::Count(order), GroupOrder::Key(order)]);
    (
        prop::collection::vec(grouping, 0..4),
        prop::collection::vec(measure, 0..3),
        prop::sample::select(orders.concat()),
        prop::sample::select(vec![1, 3, 1_000]),
    )
        .prop_map(|(group_by, measures, order, limit)| Aggregation {
            group_by,
            measures,
            order,
            limit,
        })
}

fn check(
    inventory: &Inventory,
    asked: &Asked,
    aggregation: &Aggregation,
    driver: &mut dyn Driver,
    catalog: &Catalog,
) -> Result<(), TestCaseError> {
    let Some((scope, query)) = asked.query(inventory) else {
        return Ok(());
    };
    let wanted = expected(&matches(inventory, &scope, &query), aggregation);
    let writers = Writers::sole(Counters::load(driver).unwrap());
    for few in [0, 6, FEW_DOCUMENTS] {
        let view = View::Snapshot(&writers, None);
        let mut tx = ReadTx::with(driver, catalog, view).taking_for_few(few);
        let found = tx
            .aggregate(&scope, &query, aggregation)
            .map_err(|error| TestCaseError::fail(format!("{error}: {asked:?}")))?;
        if rounded(found.clone()) != rounded(wanted.clone()) {
            return Err(TestCaseError::fail(format!(
                "{few} are few\n{asked:?}\n{aggregation:?}\nexpected {wanted:#?}\nfound    {found:#?}\ntypes: {:?}",
                inventory.types
            )));
        }
    }
    Ok(())
}

/// The groups of these documents.
fn expected(documents: &[Value], aggregation: &Aggregation) -> Aggregate {
    let mut groups: BTreeMap<Vec<Key>, Vec<&Value>> = BTreeMap::new();
    if aggregation.group_by.is_empty() {
        groups.insert(Vec::new(), Vec::new());
    }
    for document in documents {
        let groupings = aggregation.group_by.iter();
        let key = groupings.map(|grouping| {
            let value = shown(&grouping.value.key(document));
            Key::of(Datum::of(&start(value, grouping.period)), TEXT_BYTES)
        });
        groups.entry(key.collect()).or_default().push(document);
    }
    let total = groups.len();
    // The keys ascend, and a stable sort keeps that order for equal counts.
    let mut groups: Vec<_> = groups.into_iter().collect();
    match aggregation.order {
        GroupOrder::Count(Order::Ascending) => groups.sort_by_key(|(_, all)| all.len()),
        GroupOrder::Count(Order::Descending) => {
            groups.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
        }
        GroupOrder::Key(Order::Ascending) => {}
        GroupOrder::Key(Order::Descending) => groups.reverse(),
    }
    let group = |(key, documents): (Vec<Key>, Vec<&Value>)| Group {
        key: key.iter().map(shown).collect(),
        count: i64::try_from(documents.len()).unwrap(),
        measures: aggregation
            .measures
            .iter()
            .map(|measure| measured(measure, &documents))
            .collect(),
    };
    Aggregate {
        groups: groups
            .into_iter()
            .take(aggregation.limit)
            .map(group)
            .collect(),
        total,
        objects: i64::try_from(documents.len()).unwrap(),
    }
}

fn shown(key: &Key) -> Value {
    Key::decode(key.as_bytes()).map_or(Value::Null, Datum::to_value)
}

fn start(value: Value, period: Option<Period>) -> Value {
    match (Timestamp::from_input(&value), period) {
        (Some(time), Some(period)) => time.start_of(period).to_date(),
        _ => value,
    }
}

fn measured(measure: &Measure, documents: &[&Value]) -> Value {
    let values = documents.iter().map(|it| shown(&measure.value.key(it)));
    let mut values: Vec<Value> = values.filter(|value| !value.is_null()).collect();
    values.sort_by(|left, right| stockroom_filter::compare(Datum::of(left), Datum::of(right)));
    let extreme = match measure.function {
        Function::Min => values.first(),
        Function::Max => values.last(),
        Function::Sum => return sum(&values),
    };
    extreme.cloned().unwrap_or_default()
}

/// All numbers of the inventories are huge, or multiples of one half.
fn sum(values: &[Value]) -> Value {
    const HUGE: f64 = 1e300;
    let (mut huge, mut halves) = (0.0, 0_i128);
    for value in values.iter().filter_map(Value::as_number) {
        match Numeric::from(value) {
            Numeric::Integer(integer) => halves += 2 * integer,
            Numeric::Double(double) if double.abs() >= HUGE => huge += double / HUGE,
            Numeric::Double(double) => {
                halves += Numeric::Double(double * 2.0).integral().unwrap();
            }
        }
    }
    let number = if huge != 0.0 {
        Numeric::Double(huge * HUGE)
    } else if halves % 2 == 0 {
        Numeric::Integer(halves / 2)
    } else {
        Numeric::Double(format!("{}e-1", halves * 5).parse().unwrap())
    };
    Datum::Number(number).to_value()
}

/// Rounds what the sum of this test rounds twice.
fn rounded(mut found: Aggregate) -> Aggregate {
    for value in found
        .groups
        .iter_mut()
        .flat_map(|group| &mut group.measures)
    {
        if let Some(huge) = value.as_f64().filter(|number| number.abs() > 1e100) {
            *value = Value::from(format!("{huge:.12e}"));
        }
    }
    found
}
