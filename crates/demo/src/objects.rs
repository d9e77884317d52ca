//! The objects, each kind after those that it references.

mod compute;
mod devices;
mod estate;
mod licences;
mod machines;
mod network;
mod people;
mod places;
mod purchasing;
mod stock;

use serde_json::Value;
use stockroom_model::Timestamp;

use estate::Estate;
use stock::Stock;

pub(crate) fn all(now: Timestamp) -> Vec<Value> {
    let mut stock = Stock::new(now);
    let mut estate = Estate::default();
    for add in [
        places::add,
        people::add_departments,
        people::add_people,
        purchasing::add_suppliers,
        purchasing::add_contracts,
        network::add_networks,
        network::add_switches,
        licences::add_products,
        compute::add_servers,
        machines::add_virtual_machines,
        licences::add_licences,
        devices::add_laptops,
        devices::add_monitors,
        devices::add_printers,
    ] {
        add(&mut stock, &mut estate);
    }
    stock.into_bodies()
}
