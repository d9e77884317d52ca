//! Virtual machines.

use serde_json::json;

use super::estate::{Estate, Site};
use super::stock::{OLDEST, Record, Stock};
use crate::data::machines::{ENVIRONMENTS, SERVICES};
use crate::types::VIRTUAL_MACHINE;

/// The purpose of a virtual machine.
struct Purpose {
    hostname: String,
    environment: &'static str,
    zone: &'static str,
    service: &'static str,
    owner: Option<i64>,
    application: Option<i64>,
}

/// Adds the machines of every service, distributed over the sites.
pub(super) fn add_virtual_machines(stock: &mut Stock, estate: &mut Estate) {
    let mut places = (0..estate.sites.len()).cycle();
    for (service, application, department) in &SERVICES {
        let application = estate
            .products
            .iter()
            .find(|product| product.name == *application)
            .map(|product| product.id);
        let owner = estate.department(department);
        for (environment, short, zone, count) in &ENVIRONMENTS {
            for number in 1..=*count {
                let purpose = Purpose {
                    hostname: format!("{service}-{short}-{number:02}"),
                    environment,
                    zone: if *service == "web" && *short == "prod" {
                        "dmz"
                    } else {
                        zone
                    },
                    service,
                    owner,
                    application,
                };
                if let Some(site) = places.next().and_then(|place| estate.sites.get_mut(place)) {
                    add_virtual_machine(stock, site, &purpose);
                }
            }
        }
    }
}

fn add_virtual_machine(stock: &mut Stock, site: &mut Site, purpose: &Purpose) {
    let age = stock.dice.between(2, OLDEST);
    let production = purpose.environment == "production";
    let active = !stock.dice.chance(if production { 2 } else { 8 });
    let (network, ip_address) = site.address(purpose.zone).unzip();
    let cores = stock.dice.pick(&[1, 2, 2, 4, 4, 8, 16]);
    let windows = matches!(purpose.service, "mssql" | "directory" | "payroll");
    let system = if windows {
        stock
            .dice
            .weighted(&[("windows-2022", 80), ("windows-2019", 20)])
    } else {
        stock.dice.weighted(&[
            ("debian-12", 45),
            ("debian-13", 25),
            ("ubuntu-24.04", 20),
            ("rhel-9", 10),
        ])
    };
    let patched = stock
        .dice
        .between(1, if production { 35 } else { 120 })
        .min(age);
    let fields = json!({
        "hostname": purpose.hostname,
        "environment": purpose.environment,
        "service": purpose.service,
        "owner": purpose.owner,
        "host": stock.dice.pick(&site.hypervisors),
        "cores": cores,
        "memory-gib": cores * stock.dice.pick(&[2, 4, 4, 8]),
        "disk-gib": stock.dice.pick(&[40, 60, 80, 120, 250, 500, 1_000]),
        "ip-address": ip_address,
        "mac-address": stock.dice.mac_address(),
        "network": network,
        "operating-system": system,
        "application": purpose.application,
        "backup": production || stock.dice.chance(35),
        "patched": stock.day(-patched),
    });
    stock.add(Record::new(VIRTUAL_MACHINE, age, fields).active(active));
}
