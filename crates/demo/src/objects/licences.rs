//! Products and the licences for them.

use serde_json::json;

use super::estate::{Estate, Product};
use super::stock::{OLDEST, Record, Stock};
use crate::data::software::PRODUCTS;
use crate::types::{SOFTWARE, SOFTWARE_LICENCE};
use crate::users::YOKO;

/// How many licences the company has.
const COUNT: i64 = 140;

pub(super) fn add_products(stock: &mut Stock, estate: &mut Estate) {
    let shops: Vec<i64> = estate
        .suppliers
        .iter()
        .filter(|supplier| supplier.offers == "software-maintenance")
        .map(|supplier| supplier.id)
        .collect();
    for table in &PRODUCTS {
        let age = stock.dice.between(30, OLDEST);
        let supported = stock.dice.between(-60, 1_800);
        let fields = json!({
            "name": table.name,
            "manufacturer": table.manufacturer,
            "version": table.version,
            "kind": table.kind,
            "source": if table.metric.is_some() { "proprietary" } else { "open" },
            "supplier": table.metric.map(|_| stock.dice.pick(&shops)),
            "supported-until": stock.day(supported),
        });
        let id = stock.add(Record::new(SOFTWARE, age, fields));
        estate.products.push(Product {
            id,
            name: table.name,
            metric: table.metric,
        });
    }
}

/// Adds the licences; some end within weeks, some have ended.
pub(super) fn add_licences(stock: &mut Stock, estate: &mut Estate) {
    let paid: Vec<(i64, &str)> = estate
        .products
        .iter()
        .filter_map(|product| Some((product.id, product.metric?)))
        .collect();
    let maintenance = estate.contracts_for("software-maintenance");
    let departments: Vec<i64> = estate
        .departments
        .iter()
        .map(|department| department.id)
        .collect();
    for index in 1..=COUNT {
        let age = stock.age(index, COUNT);
        let (product, metric) = stock.dice.pick(&paid);
        let end = end(stock, age);
        let active = end.is_none_or(|days| days > -30);
        let fields = json!({
            "number": format!("L-{index:04}"),
            "software": product,
            "metric": metric,
            "seats": if metric == "site" { 1 } else { stock.dice.pick(&[5, 10, 10, 25, 50, 100, 250]) },
            "licence-key": licence_key(stock),
            "bought": stock.day(-age),
            "valid-until": end.map(|days| stock.day(days)),
            "maintenance": stock.dice.chance(55).then(|| stock.dice.pick(&maintenance)),
            "department": stock.dice.pick(&departments),
            "notes": if active { "" } else { "Run out; seats moved to the successor." },
        });
        stock.add(
            Record::new(SOFTWARE_LICENCE, age, fields)
                .active(active)
                .kept_by(YOKO),
        );
    }
}

/// Days until the end; `None` for a perpetual licence.
fn end(stock: &mut Stock, age: i64) -> Option<i64> {
    let over = if age > 400 { 20 } else { 0 };
    let (from, to) = stock.dice.weighted(&[
        (None, 25),
        (Some((1, 45)), 12),
        (Some((46, 1_095)), 55),
        (Some((-340, -31)), over),
    ])?;
    Some(stock.dice.between(from, to))
}

fn licence_key(stock: &mut Stock) -> String {
    let blocks: Vec<String> = (0..5).map(|_| stock.dice.serial(5)).collect();
    blocks.join("-")
}
