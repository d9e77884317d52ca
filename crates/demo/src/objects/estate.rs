//! What later objects need to know of earlier ones.

use crate::data::places;

/// All that can be referred to.
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

/// A site and what stands there.
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

/// A rack and how far it is filled.
pub(super) struct Rack {
    pub(super) id: i64,
    next_unit: i64,
}

impl Rack {
    /// Units of a rack that takes machines; those above hold cables and air.
    const UNITS: i64 = 42;

    /// An empty rack.
    pub(super) const fn new(id: i64) -> Self {
        Self { id, next_unit: 1 }
    }

    /// Takes the lowest free units; `None` when they do not suffice.
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
    /// Finds room in the emptiest rack: its id and the lowest unit.
    pub(super) fn rack_space(&mut self, height: i64) -> Option<(i64, i64)> {
        let rack = self.racks.iter_mut().min_by_key(|rack| rack.next_unit)?;
        Some((rack.id, rack.take(height)?))
    }

    /// Takes the next free address of the network of that zone: the network's id and the address.
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

/// A network and how far its addresses are used.
pub(super) struct Network {
    pub(super) id: i64,
    pub(super) zone: &'static str,
    /// The address without its last byte.
    prefix: String,
    next_host: i64,
}

impl Network {
    /// The addresses below are for routers.
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
    /// The department of that name.
    pub(super) fn department(&self, name: &str) -> Option<i64> {
        self.departments
            .iter()
            .find(|department| department.name == name)
            .map(|department| department.id)
    }

    /// Ids of the contracts of that kind.
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
