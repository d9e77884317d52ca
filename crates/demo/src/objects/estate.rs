//! Objects that later objects refer to.

use crate::data::places;

/// All objects that others may refer to.
#[derive(Default)]
pub(super) struct Estate {
    /// In the order of [`places::SITES`].
    pub(super) sites: Vec<Site>,
    pub(super) departments: Vec<Department>,
    pub(super) people: Vec<Person>,
    pub(super) suppliers: Vec<Supplier>,
    pub(super) contracts: Vec<Contract>,
    pub(super) products: Vec<Product>,
}

/// A site and its equipment.
pub(super) struct Site {
    pub(super) id: i64,
    pub(super) table: &'static places::Site,
    pub(super) offices: Vec<i64>,
    pub(super) meeting_rooms: Vec<i64>,
    pub(super) racks: Vec<Rack>,
    pub(super) networks: Vec<Network>,
    /// Ids of servers that virtual machines run on.
    pub(super) hypervisors: Vec<i64>,
}

/// A rack and its next free unit.
pub(super) struct Rack {
    pub(super) id: i64,
    next_unit: i64,
}

impl Rack {
    /// Units for machines; the ones above are for cables and air.
    const UNITS: i64 = 42;

    /// An empty rack.
    pub(super) const fn new(id: i64) -> Self {
        Self { id, next_unit: 1 }
    }

    /// Takes the lowest free units; `None` if there are not enough.
    fn take(&mut self, height: i64) -> Option<i64> {
        let unit = self.next_unit;
        if unit + height > Self::UNITS + 1 {
            return None;
        }
        self.next_unit += height;
        Some(unit)
    }
}

impl Site {
    /// Finds room in the rack with the most free units: its id and the lowest unit.
    pub(super) fn rack_space(&mut self, height: i64) -> Option<(i64, i64)> {
        let rack = self.racks.iter_mut().min_by_key(|rack| rack.next_unit)?;
        Some((rack.id, rack.take(height)?))
    }

    /// Takes the next free address in the network of a zone: the network's id and the address.
    pub(super) fn address(&mut self, zone: &str) -> Option<(i64, String)> {
        let network = self
            .networks
            .iter_mut()
            .find(|network| network.zone == zone)?;
        let host = network.next_host;
        if host > Network::LAST_HOST {
            return None;
        }
        network.next_host += 1;
        Some((network.id, format!("{}{host}", network.prefix)))
    }
}

/// A network and its next free address.
pub(super) struct Network {
    pub(super) id: i64,
    pub(super) zone: &'static str,
    /// The address without its last byte.
    prefix: String,
    next_host: i64,
}

impl Network {
    /// Lower addresses are for routers.
    const FIRST_HOST: i64 = 10;
    const LAST_HOST: i64 = 254;

    /// A network without hosts.
    pub(super) const fn new(id: i64, zone: &'static str, prefix: String) -> Self {
        Self {
            id,
            zone,
            prefix,
            next_host: Self::FIRST_HOST,
        }
    }
}

/// A department.
pub(super) struct Department {
    pub(super) id: i64,
    pub(super) name: &'static str,
    pub(super) cost_centre: &'static str,
    /// The first person who works in it.
    pub(super) head: Option<i64>,
}

/// A person.
pub(super) struct Person {
    pub(super) id: i64,
    /// Whether the person still works here.
    pub(super) active: bool,
}

/// A supplier.
pub(super) struct Supplier {
    pub(super) id: i64,
    pub(super) offers: &'static str,
}

/// A contract that is in force.
pub(super) struct Contract {
    pub(super) id: i64,
    pub(super) kind: &'static str,
}

/// A product.
pub(super) struct Product {
    pub(super) id: i64,
    pub(super) name: &'static str,
    pub(super) metric: Option<&'static str>,
}

impl Estate {
    /// The department with this name.
    pub(super) fn department(&self, name: &str) -> Option<i64> {
        self.departments
            .iter()
            .find(|department| department.name == name)
            .map(|department| department.id)
    }

    /// The ids of all contracts of a kind.
    pub(super) fn contracts_for(&self, kind: &str) -> Vec<i64> {
        self.contracts
            .iter()
            .filter(|contract| contract.kind == kind)
            .map(|contract| contract.id)
            .collect()
    }

    /// The people who still work here.
    pub(super) fn staff(&self) -> impl Iterator<Item = &Person> {
        self.people.iter().filter(|person| person.active)
    }
}
