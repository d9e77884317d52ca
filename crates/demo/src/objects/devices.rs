//! Laptops, monitors and printers.

use serde_json::json;

use super::estate::{Estate, Site};
use super::stock::{Record, Stock};
use crate::data::devices::{LAPTOPS, MONITORS, PRINTERS};
use crate::types::{LAPTOP, MONITOR, PRINTER};

/// Spare and retired laptops, and as many monitors, besides one for each employee.
const SPARES: i64 = 40;

const LAPTOP_NOTES: [(&str, i64); 4] = [
    ("", 80),
    ("Keyboard with Ukrainian layout.", 6),
    ("Scratch on the lid.", 8),
    ("Battery replaced.", 6),
];

/// How many printers each site has.
const PRINTERS_PER_SITE: i64 = 8;

/// Adds a laptop for every employee, and spares.
pub(super) fn add_laptops(stock: &mut Stock, estate: &mut Estate) {
    let leases = estate.contracts_for("leasing");
    let holders = assignments(stock, estate);
    let count = i64::try_from(holders.len()).unwrap_or(i64::MAX);
    for (holder, index) in holders.into_iter().zip(1..) {
        let age = stock.age(index, count);
        let lease = stock.dice.chance(35).then(|| stock.dice.pick(&leases));
        add_laptop(stock, holder, index, age, lease);
    }
}

/// The holders of devices in random order: every employee, and `None` for spares.
fn assignments(stock: &mut Stock, estate: &Estate) -> Vec<Option<i64>> {
    let spares = (0..SPARES).map(|_| None);
    let mut holders: Vec<Option<i64>> = estate
        .staff()
        .map(|person| Some(person.id))
        .chain(spares)
        .collect();
    stock.dice.shuffle(&mut holders);
    holders
}

/// The lifecycle status of a device; a device with a holder is in use.
fn status(stock: &mut Stock, holder: Option<i64>, age: i64) -> &'static str {
    if holder.is_some() {
        "in-use"
    } else if age > 600 {
        "retired"
    } else {
        stock.dice.weighted(&[("in-stock", 75), ("in-repair", 25)])
    }
}

fn add_laptop(stock: &mut Stock, holder: Option<i64>, index: i64, age: i64, lease: Option<i64>) {
    let model = stock.dice.weighted(&LAPTOPS);
    let status = status(stock, holder, age);
    let bought = age + stock.dice.between(1, 25);
    let number = 200_000 + index;
    let fields = json!({
        "asset-tag": format!("A{number}"),
        "hostname": format!("nb-{number}"),
        "status": status,
        "holder-field": holder,
        "manufacturer": model.manufacturer,
        "model": model.model,
        "serial": stock.dice.serial(8),
        "mac-address": stock.dice.mac_address(),
        "memory-gib": model.memory,
        "disk-gib": model.disk,
        "operating-system": model.system,
        "disk-encrypted": stock.dice.chance(96),
        "bought": stock.day(-bought),
        "warranty-until": stock.day(3 * 365 - bought),
        "price": model.price,
        "lease": lease,
        "notes": stock.dice.weighted(&LAPTOP_NOTES),
    });
    let active = status != "retired";
    stock.add(
        Record::new(LAPTOP, age, fields)
            .active(active)
            .latest_field("disk-encrypted"),
    );
}

/// Adds a monitor for every employee, a few for meeting rooms, and spares.
pub(super) fn add_monitors(stock: &mut Stock, estate: &mut Estate) {
    let rooms: Vec<i64> = estate
        .sites
        .iter()
        .flat_map(|site| site.meeting_rooms.iter().copied())
        .collect();
    let mut holders = assignments(stock, estate);
    holders.extend(rooms.iter().flat_map(|room| [Some(*room); 3]));
    let count = i64::try_from(holders.len()).unwrap_or(i64::MAX);
    for (holder, index) in holders.into_iter().zip(1..) {
        let age = stock.age(index, count);
        let (manufacturer, model, diagonal) = stock.dice.pick(&MONITORS);
        let status = status(stock, holder, age);
        let bought = age + stock.dice.between(1, 25);
        let fields = json!({
            "asset-tag": format!("A{}", 300_000 + index),
            "status": status,
            "assigned-to": holder,
            "manufacturer": manufacturer,
            "model": model,
            "serial": stock.dice.serial(12),
            "diagonal": diagonal,
            "bought": stock.day(-bought),
            "warranty-until": stock.day(3 * 365 - bought),
        });
        stock.add(Record::new(MONITOR, age, fields).active(status != "retired"));
    }
}

pub(super) fn add_printers(stock: &mut Stock, estate: &mut Estate) {
    let contracts = estate.contracts_for("printing");
    for (site, place) in estate.sites.iter_mut().zip(0..) {
        for number in 1..=PRINTERS_PER_SITE {
            let tag = 400_000 + place * PRINTERS_PER_SITE + number;
            let service = stock.dice.pick(&contracts);
            add_printer(stock, site, (tag, number), service);
        }
    }
}

fn add_printer(stock: &mut Stock, site: &mut Site, (tag, number): (i64, i64), service: i64) {
    let (manufacturer, model, colour) = stock.dice.pick(&PRINTERS);
    let age = stock.age(number, PRINTERS_PER_SITE);
    let (network, ip_address) = site.address("printing").unzip();
    let bought = age + stock.dice.between(1, 25);
    let fields = json!({
        "asset-tag": format!("A{tag}"),
        "hostname": format!("{}-prn-{number:02}", site.table.code.to_lowercase()),
        "status": if stock.dice.chance(94) { "in-use" } else { "in-repair" },
        "room": stock.dice.pick(&site.offices),
        "manufacturer": manufacturer,
        "model": model,
        "serial": stock.dice.serial(10),
        "colour": colour,
        "ip-address": ip_address,
        "network": network,
        "admin-pin": format!("{:06}", stock.dice.between(0, 999_999)),
        "bought": stock.day(-bought),
        "service": service,
        "pages": stock.dice.between(40, 130) * age,
    });
    stock.add(Record::new(PRINTER, age, fields));
}
