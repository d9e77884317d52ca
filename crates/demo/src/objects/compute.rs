//! Physical servers.

use std::collections::HashMap;

use serde_json::json;

use super::estate::{Estate, Site};
use super::stock::{Record, Stock};
use crate::data::machines::{SERVERS, ServerModel};
use crate::types::SERVER;

/// How many servers the company has.
const COUNT: i64 = 384;

/// Adds the servers and registers hypervisors with their site.
pub(super) fn add_servers(stock: &mut Stock, estate: &mut Estate) {
    let contracts = estate.contracts_for("hardware-support");
    let shares: Vec<(usize, i64)> = SERVERS
        .iter()
        .enumerate()
        .map(|(index, model)| (index, model.share))
        .collect();
    let mut numbers: HashMap<(&str, &str), i64> = HashMap::new();
    for (index, place) in (1..=COUNT).zip((0..estate.sites.len()).cycle()) {
        let model = SERVERS.get(stock.dice.weighted(&shares));
        let (Some(model), Some(site)) = (model, estate.sites.get_mut(place)) else {
            continue;
        };
        let number = numbers.entry((site.table.code, model.short)).or_default();
        *number += 1;
        let age = stock.age(index, COUNT);
        let support = stock.dice.chance(85).then(|| stock.dice.pick(&contracts));
        add_server(stock, site, model, (index, *number), age, support);
    }
}

fn add_server(
    stock: &mut Stock,
    site: &mut Site,
    model: &ServerModel,
    (tag, number): (i64, i64),
    age: i64,
    support: Option<i64>,
) {
    let status = status(stock, age);
    let running = status == "in-use";
    let place = if running {
        site.rack_space(model.height)
    } else {
        None
    };
    let address = if running {
        site.address("server")
    } else {
        None
    };
    let (rack, unit) = place.unzip();
    let (network, ip_address) = address.unzip();
    let bought = age + stock.dice.between(2, 40);
    let years = stock.dice.pick(&[3, 3, 5]);
    let fields = json!({
        "hostname": format!("{}-{}-{number:03}", site.table.code.to_lowercase(), model.short),
        "asset-tag": format!("A{:06}", 100_000 + tag),
        "status": status,
        "role": model.role,
        "operating-system": system(stock, model.role),
        "manufacturer": model.manufacturer,
        "model": model.model,
        "serial": stock.dice.serial(10),
        "cores": model.cores,
        "memory-gib": model.memory,
        "power-watts": model.watts + stock.dice.between(-40, 40),
        "rack": rack,
        "rack-unit": unit,
        "height-units": model.height,
        "ip-address": ip_address,
        "mac-address": stock.dice.mac_address(),
        "network": network,
        "support-field": support.filter(|_| status != "retired"),
        "bought": stock.day(-bought),
        "warranty-until": stock.day(years * 365 - bought),
        "console-password": stock.dice.serial(14),
        "notes": note(stock, status),
    });
    let active = status != "retired";
    let id = stock.add(
        Record::new(SERVER, age, fields)
            .active(active)
            .latest_field("power-watts"),
    );
    if running && model.role == "hypervisor" {
        site.hypervisors.push(id);
    }
}

fn status(stock: &mut Stock, age: i64) -> &'static str {
    if age > 800 && stock.dice.chance(22) {
        return "retired";
    }
    let idle = if age < 40 { 30 } else { 3 };
    stock
        .dice
        .weighted(&[("in-use", 95), ("in-stock", idle), ("in-repair", 2)])
}

fn system(stock: &mut Stock, role: &str) -> &'static str {
    match role {
        "hypervisor" => stock.dice.weighted(&[("proxmox-8", 60), ("esxi-8", 40)]),
        "database" => {
            stock
                .dice
                .weighted(&[("rhel-9", 55), ("debian-12", 25), ("windows-2022", 20)])
        }
        _ => stock
            .dice
            .weighted(&[("debian-12", 50), ("debian-13", 20), ("ubuntu-24.04", 30)]),
    }
}

fn note(stock: &mut Stock, status: &str) -> &'static str {
    match status {
        "retired" => "Disks shredded; certificate is with Information security.",
        "in-repair" => stock.dice.pick(&[
            "Memory module in slot B4 fails its test; replacement is on its way.",
            "Second power supply dead.\nSupplier comes on Thursday.",
        ]),
        "in-stock" => "In the IT storage, wiped and tested.",
        _ => stock.dice.weighted(&[
            ("", 80),
            ("Do not reboot without a word to the database team.", 10),
            ("Firmware update is due at the next maintenance window.", 10),
        ]),
    }
}
