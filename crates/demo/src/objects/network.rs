//! Networks and switches of every site.

use serde_json::json;

use super::estate::{Estate, Network, Site};
use super::stock::{OLDEST, Record, Stock};
use crate::data::machines::{NETWORKS, SWITCHES};
use crate::types::{IP_NETWORK, SWITCH};

/// Access switches at each site, besides two core and two distribution switches.
const ACCESS_SWITCHES: i64 = 14;

/// Adds the networks of all sites.
pub(super) fn add_networks(stock: &mut Stock, estate: &mut Estate) {
    for (site, second) in estate.sites.iter_mut().zip(1_i64..) {
        for (name, zone, third, addressing) in &NETWORKS {
            let prefix = format!("10.{second}.{third}.");
            let age = stock.dice.between(OLDEST - 400, OLDEST);
            let fields = json!({
                "name": format!("{} {name}", site.table.code),
                "cidr": format!("{prefix}0/24"),
                "gateway": format!("{prefix}1"),
                "vlan": second * 100 + third,
                "zone": zone,
                "addressing": addressing,
                "site": site.id,
                "notes": if *zone == "guest" { "No route to any other network." } else { "" },
            });
            let id = stock.add(Record::new(IP_NETWORK, age, fields));
            site.networks.push(Network::new(id, zone, prefix));
        }
    }
}

/// Adds the switches of all sites, core first.
pub(super) fn add_switches(stock: &mut Stock, estate: &mut Estate) {
    let contracts = estate.contracts_for("hardware-support");
    for site in &mut estate.sites {
        let mut number = 0;
        for (layer, count) in [
            ("core", 2),
            ("distribution", 2),
            ("access", ACCESS_SWITCHES),
        ] {
            for index in 1..=count {
                number += 1;
                let age = stock.age(index, count);
                let support = stock.dice.pick(&contracts);
                add_switch(stock, site, (layer, number), age, support);
            }
        }
    }
}

fn add_switch(
    stock: &mut Stock,
    site: &mut Site,
    (layer, number): (&str, i64),
    age: i64,
    support: i64,
) {
    let models: Vec<_> = SWITCHES
        .iter()
        .copied()
        .filter(|(of_layer, ..)| *of_layer == layer)
        .collect();
    let (_, manufacturer, model, ports, firmware) = stock.dice.pick(&models);
    let retired = age > 950 && stock.dice.chance(25);
    let place = if retired { None } else { site.rack_space(1) };
    let address = if retired {
        None
    } else {
        site.address("management")
    };
    let (network, ip_address) = address.unzip();
    let (rack, unit) = place.unzip();
    let bought = age + stock.dice.between(3, 20);
    let fields = json!({
        "hostname": format!("{}-sw-{number:02}", site.table.code.to_lowercase()),
        "status": if retired { "retired" } else { "in-use" },
        "layer": layer,
        "manufacturer": manufacturer,
        "model": model,
        "serial": stock.dice.serial(11),
        "ports": ports,
        "firmware": firmware,
        "rack": rack,
        "rack-unit": unit,
        "ip-address": ip_address,
        "mac-address": stock.dice.mac_address(),
        "network": network,
        "enable-password": stock.dice.serial(16),
        "bought": stock.day(-bought),
        "warranty-until": stock.day(5 * 365 - bought),
        "support": if retired { None } else { Some(support) },
    });
    stock.add(
        Record::new(SWITCH, age, fields)
            .active(!retired)
            .latest_field("firmware"),
    );
}
