//! The tree of categories, three levels deep.

use serde_json::{Value, json};

use crate::types::{
    CONTRACT, DEPARTMENT, FAX_MACHINE, IP_NETWORK, LAPTOP, MONITOR, PERSON, PRINTER, RACK, ROOM,
    SERVER, SITE, SOFTWARE, SOFTWARE_LICENCE, SUPPLIER, SWITCH, VIRTUAL_MACHINE,
};

/// A line of the tree with its depth; children follow their parent.
type Line = (
    usize,
    &'static str,
    &'static str,
    &'static str,
    &'static [i64],
);

#[rustfmt::skip] // A line of the table is a line of the tree.
const TREE: &[Line] = &[
    (0, "places", "Places", "fas fa-map-marked-alt", &[]),
    (1, "buildings", "Buildings", "fas fa-building", &[SITE, ROOM]),
    (1, "data-halls", "Data halls", "fas fa-warehouse", &[RACK]),
    (0, "infrastructure", "Infrastructure", "fas fa-sitemap", &[]),
    (1, "compute", "Compute", "fas fa-microchip", &[]),
    (2, "physical", "Physical machines", "fas fa-server", &[SERVER]),
    (2, "virtual", "Virtual machines", "fas fa-cubes", &[VIRTUAL_MACHINE]),
    (1, "network", "Network", "fas fa-network-wired", &[]),
    (2, "addressing", "Addressing", "fas fa-project-diagram", &[IP_NETWORK]),
    (2, "equipment", "Equipment", "fas fa-ethernet", &[SWITCH]),
    (0, "workplace", "Workplace", "fas fa-desktop", &[]),
    (1, "computers", "Computers", "fas fa-laptop", &[LAPTOP]),
    (1, "peripherals", "Peripherals", "fas fa-keyboard", &[]),
    (2, "displays", "Displays", "fas fa-tv", &[MONITOR]),
    (2, "printing", "Printing and fax", "fas fa-print", &[PRINTER, FAX_MACHINE]),
    (0, "software", "Software", "fas fa-code", &[SOFTWARE]),
    (1, "licences", "Licences", "fas fa-key", &[SOFTWARE_LICENCE]),
    (0, "organisation", "Organisation", "fas fa-users", &[]),
    (1, "people", "People", "fas fa-user-friends", &[DEPARTMENT, PERSON]),
    (1, "purchasing", "Purchasing", "fas fa-handshake", &[SUPPLIER, CONTRACT]),
];

pub(crate) fn all() -> Vec<Value> {
    let mut path: Vec<i64> = Vec::new();
    let mut orders: Vec<i64> = Vec::new();
    let mut bodies = Vec::new();
    for ((depth, name, label, icon, types), id) in TREE.iter().zip(1_i64..) {
        path.truncate(*depth);
        orders.resize(depth + 1, 0);
        if let Some(order) = orders.last_mut() {
            *order += 1;
        }
        bodies.push(json!({
            "public_id": id,
            "name": name,
            "label": label,
            "meta": {"icon": icon, "order": orders.last()},
            "parent": path.last(),
            "types": types,
        }));
        path.push(id);
    }
    bodies
}
