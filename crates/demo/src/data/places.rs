//! The sites of the company, and the rooms of every site.

/// A site.
pub(crate) struct Site {
    /// Three letters at the start of host names and rack names.
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) street: &'static str,
    pub(crate) postcode: &'static str,
    pub(crate) city: &'static str,
    pub(crate) country: &'static str,
    pub(crate) time_zone: &'static str,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    /// The prefix of phone numbers.
    pub(crate) dialling: &'static str,
    pub(crate) currency: &'static str,
}

/// The site with index `n` has the `n`-th culture of the names and the network `10.(n + 1).0.0/16`.
pub(crate) const SITES: [Site; 6] = [
    Site {
        code: "HAM",
        name: "Hamburg Speicherstadt",
        kind: "headquarters",
        street: "Am Sandtorkai 27",
        postcode: "20457",
        city: "Hamburg",
        country: "Germany",
        time_zone: "Europe/Berlin",
        latitude: 53.5438,
        longitude: 9.9880,
        dialling: "+49 40 5550",
        currency: "EUR",
    },
    Site {
        code: "ZRH",
        name: "Zürich Oerlikon",
        kind: "branch",
        street: "Thurgauerstrasse 80",
        postcode: "8050",
        city: "Zürich",
        country: "Switzerland",
        time_zone: "Europe/Zurich",
        latitude: 47.4136,
        longitude: 8.5573,
        dialling: "+41 44 555",
        currency: "CHF",
    },
    Site {
        code: "KRK",
        name: "Kraków Zabłocie",
        kind: "plant",
        street: "ul. Zabłocie 43",
        postcode: "30-701",
        city: "Kraków",
        country: "Poland",
        time_zone: "Europe/Warsaw",
        latitude: 50.0478,
        longitude: 19.9610,
        dialling: "+48 12 555",
        currency: "PLN",
    },
    Site {
        code: "KBP",
        name: "Київ Поділ",
        kind: "branch",
        street: "вул. Сагайдачного 16",
        postcode: "04070",
        city: "Київ",
        country: "Ukraine",
        time_zone: "Europe/Kyiv",
        latitude: 50.4608,
        longitude: 30.5233,
        dialling: "+380 44 555",
        currency: "UAH",
    },
    Site {
        code: "GRU",
        name: "São Paulo Pinheiros",
        kind: "plant",
        street: "Rua dos Pinheiros 870",
        postcode: "05422-001",
        city: "São Paulo",
        country: "Brazil",
        time_zone: "America/Sao_Paulo",
        latitude: -23.5648,
        longitude: -46.6845,
        dialling: "+55 11 5550",
        currency: "BRL",
    },
    Site {
        code: "KIX",
        name: "大阪 梅田",
        kind: "branch",
        street: "北区梅田3-1-3",
        postcode: "530-0001",
        city: "大阪市",
        country: "Japan",
        time_zone: "Asia/Tokyo",
        latitude: 34.7025,
        longitude: 135.4959,
        dialling: "+81 6 5550",
        currency: "JPY",
    },
];

/// A room that every site has.
pub(crate) struct Room {
    pub(crate) name: &'static str,
    pub(crate) number: &'static str,
    pub(crate) usage: &'static str,
    pub(crate) floor: i64,
    /// Square metres.
    pub(crate) area: i64,
    /// How many racks it holds.
    pub(crate) racks: i64,
}

#[rustfmt::skip] // A table reads better with one room a line.
pub(crate) const ROOMS: [Room; 9] = [
    Room { name: "Data hall 1", number: "A.-1.01", usage: "data-hall", floor: -1, area: 140, racks: 4 },
    Room { name: "Data hall 2", number: "A.-1.02", usage: "data-hall", floor: -1, area: 110, racks: 4 },
    Room { name: "Network room", number: "A.0.03", usage: "network", floor: 0, area: 18, racks: 2 },
    Room { name: "IT storage", number: "A.0.04", usage: "storage", floor: 0, area: 35, racks: 0 },
    Room { name: "Office north", number: "A.1.10", usage: "office", floor: 1, area: 180, racks: 0 },
    Room { name: "Office south", number: "A.1.20", usage: "office", floor: 1, area: 165, racks: 0 },
    Room { name: "Office tower", number: "B.2.01", usage: "office", floor: 2, area: 210, racks: 0 },
    Room { name: "Service desk", number: "A.0.11", usage: "office", floor: 0, area: 40, racks: 0 },
    Room { name: "Board room", number: "B.3.01", usage: "meeting", floor: 3, area: 60, racks: 0 },
];

/// Manufacturers and models of racks.
pub(crate) const RACKS: [(&str, &str); 4] = [
    ("Rittal", "VX IT 800x1000"),
    ("APC", "NetShelter SX AR3100"),
    ("Vertiv", "VR3300"),
    ("Minkels", "Nexpand 600x1200"),
];
