//! The seventeen types of the demo, from sites to fax machines.

mod commercial;
mod compute;
mod definition;
mod devices;
mod network;
mod organisation;
mod places;
mod software;

use serde_json::Value;

pub(crate) const SITE: i64 = 1;
pub(crate) const ROOM: i64 = 2;
pub(crate) const RACK: i64 = 3;
pub(crate) const DEPARTMENT: i64 = 4;
pub(crate) const PERSON: i64 = 5;
pub(crate) const SUPPLIER: i64 = 6;
pub(crate) const CONTRACT: i64 = 7;
pub(crate) const IP_NETWORK: i64 = 8;
pub(crate) const SWITCH: i64 = 9;
pub(crate) const SOFTWARE: i64 = 10;
pub(crate) const SERVER: i64 = 11;
pub(crate) const VIRTUAL_MACHINE: i64 = 12;
pub(crate) const SOFTWARE_LICENCE: i64 = 13;
pub(crate) const LAPTOP: i64 = 14;
pub(crate) const MONITOR: i64 = 15;
pub(crate) const PRINTER: i64 = 16;
pub(crate) const FAX_MACHINE: i64 = 17;

/// The bodies of all types, in the order of their ids.
pub(crate) fn all() -> Vec<Value> {
    [
        places::site(),
        places::room(),
        places::rack(),
        organisation::department(),
        organisation::person(),
        commercial::supplier(),
        commercial::contract(),
        network::ip_network(),
        network::switch(),
        software::software(),
        compute::server(),
        compute::virtual_machine(),
        software::software_licence(),
        devices::laptop(),
        devices::monitor(),
        devices::printer(),
        devices::fax_machine(),
    ]
    .into_iter()
    .map(definition::Definition::body)
    .collect()
}
