//! Suppliers and contracts.

use serde_json::json;

use super::estate::{Contract, Estate, Supplier};
use super::stock::{OLDEST, Record, Stock};
use crate::data::suppliers::{CONTRACTS, SUPPLIERS};
use crate::types::{CONTRACT, SUPPLIER};

const NOTES: [&str; 4] = [
    "",
    "",
    "Invoices only as PDF.",
    "Quote the customer number in every call.",
];

pub(super) fn add_suppliers(stock: &mut Stock, estate: &mut Estate) {
    for table in &SUPPLIERS {
        let age = stock.dice.between(OLDEST - 300, OLDEST);
        let fields = json!({
            "name": table.name,
            "customer-number": stock.dice.between(200_000, 899_999).to_string(),
            "country": table.country,
            "domain": table.domain,
            "e-mail": format!("support@{}", table.domain),
            "phone": table.phone,
            "notes": stock.dice.pick(&NOTES),
        });
        estate.suppliers.push(Supplier {
            id: stock.add(Record::new(SUPPLIER, age, fields)),
            offers: table.offers,
        });
    }
}

/// The terms of a contract.
struct Deal {
    kind: &'static str,
    title: &'static str,
    /// Range of the yearly cost.
    cost: [i64; 2],
    /// Days since it began.
    age: i64,
    /// Days until its end; `None` for an open-ended contract.
    end: Option<i64>,
}

impl Deal {
    /// Contracts stay active for a month after their end, until the last invoice.
    fn is_active(&self) -> bool {
        self.end.is_none_or(|end| end > -30)
    }
}

/// Adds the contracts in the order of their start; every eighth ends within two months, and some
/// have ended.
pub(super) fn add_contracts(stock: &mut Stock, estate: &mut Estate) {
    let mut deals = Vec::new();
    for (kind, title, count, cost) in CONTRACTS {
        for index in 1..=count {
            let age = stock.age(index, count);
            let end = end(stock, index, age);
            deals.push(Deal {
                kind,
                title,
                cost,
                age,
                end,
            });
        }
    }
    deals.sort_by_key(|deal| -deal.age);
    for (deal, number) in deals.iter().zip(1..) {
        let id = add_contract(stock, estate, deal, number);
        if deal.is_active() {
            estate.contracts.push(Contract {
                id,
                kind: deal.kind,
            });
        }
    }
}

fn end(stock: &mut Stock, index: i64, age: i64) -> Option<i64> {
    if index % 8 == 0 {
        return Some(stock.dice.between(5, 60));
    }
    let years = stock.dice.pick(&[1, 2, 3, 3, 4, 5]);
    (!stock.dice.chance(12)).then_some(years * 365 - age)
}

fn add_contract(stock: &mut Stock, estate: &Estate, deal: &Deal, number: i64) -> i64 {
    let suppliers: Vec<i64> = estate
        .suppliers
        .iter()
        .filter(|supplier| supplier.offers == deal.kind)
        .map(|supplier| supplier.id)
        .collect();
    let owners: Vec<i64> = estate.staff().map(|person| person.id).take(60).collect();
    let currencies: Vec<&str> = estate
        .sites
        .iter()
        .map(|site| site.table.currency)
        .collect();
    let active = deal.is_active();
    let [low, high] = deal.cost.map(|cost| cost / 100);
    let fields = json!({
        "number": format!("C-{}-{number:03}", stock.year(-deal.age)),
        "title": deal.title,
        "kind": deal.kind,
        "supplier": stock.dice.pick(&suppliers),
        "owner": stock.dice.pick(&owners),
        "start": stock.day(-deal.age),
        "end": deal.end.map(|days| stock.day(days)),
        "notice-days": stock.dice.pick(&[30, 60, 90, 90, 180]),
        "renews": active && stock.dice.chance(40),
        "annual-cost": stock.dice.between(low, high) * 100,
        "currency": if stock.dice.chance(60) { "EUR" } else { stock.dice.pick(&currencies) },
        "notes": if active { "" } else { "Ended; not to be renewed." },
    });
    stock.add(Record::new(CONTRACT, deal.age, fields).active(active))
}
