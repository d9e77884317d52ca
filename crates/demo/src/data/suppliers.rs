//! Fictional suppliers, and kinds of contracts.

/// A supplier.
pub(crate) struct Supplier {
    pub(crate) name: &'static str,
    /// A domain under a TLD that is reserved for examples.
    pub(crate) domain: &'static str,
    pub(crate) country: &'static str,
    pub(crate) phone: &'static str,
    /// The kind of contracts with it.
    pub(crate) offers: &'static str,
}

#[rustfmt::skip] // A table reads better with one supplier a line.
pub(crate) const SUPPLIERS: [Supplier; 20] = [
    Supplier { name: "Nordlicht Systemhaus GmbH", domain: "nordlicht.example", country: "Germany", phone: "+49 40 5551 200", offers: "hardware-support" },
    Supplier { name: "Alpenrack AG", domain: "alpenrack.example", country: "Switzerland", phone: "+41 44 555 61 00", offers: "hardware-support" },
    Supplier { name: "Wisła Komputery sp. z o.o.", domain: "wisla-komputery.example", country: "Poland", phone: "+48 12 555 40 10", offers: "hardware-support" },
    Supplier { name: "Дніпро Сервіс", domain: "dnipro-servis.example", country: "Ukraine", phone: "+380 44 555 30 30", offers: "hardware-support" },
    Supplier { name: "Paulista Infra Ltda.", domain: "paulista-infra.example", country: "Brazil", phone: "+55 11 5550 7000", offers: "hardware-support" },
    Supplier { name: "株式会社みなと電算", domain: "minato-densan.example", country: "Japan", phone: "+81 6 5550 1212", offers: "hardware-support" },
    Supplier { name: "Quelltext Lizenzkontor", domain: "quelltext.example", country: "Germany", phone: "+49 30 5550 880", offers: "software-maintenance" },
    Supplier { name: "Softbazaar B.V.", domain: "softbazaar.example", country: "Netherlands", phone: "+31 20 555 0190", offers: "software-maintenance" },
    Supplier { name: "Ó Briain Software Ltd.", domain: "obriain.example", country: "Ireland", phone: "+353 1 555 0142", offers: "software-maintenance" },
    Supplier { name: "Północ Software S.A.", domain: "polnoc.example", country: "Poland", phone: "+48 58 555 17 00", offers: "software-maintenance" },
    Supplier { name: "Câmara Sistemas", domain: "camara-sistemas.example", country: "Brazil", phone: "+55 21 5550 4400", offers: "software-maintenance" },
    Supplier { name: "Hanse Leasing AG", domain: "hanse-leasing.example", country: "Germany", phone: "+49 40 5552 700", offers: "leasing" },
    Supplier { name: "Société Lémanique de Crédit-bail", domain: "lemanique.example", country: "Switzerland", phone: "+41 21 555 09 09", offers: "leasing" },
    Supplier { name: "オリーブリース", domain: "olive-lease.example", country: "Japan", phone: "+81 3 5550 8800", offers: "leasing" },
    Supplier { name: "Elbkabel Telekom", domain: "elbkabel.example", country: "Germany", phone: "+49 40 5553 100", offers: "connectivity" },
    Supplier { name: "Carpathia Net", domain: "carpathia.example", country: "Poland", phone: "+48 22 555 80 00", offers: "connectivity" },
    Supplier { name: "Fibra do Sul", domain: "fibra-do-sul.example", country: "Brazil", phone: "+55 51 5550 2000", offers: "connectivity" },
    Supplier { name: "関西光通信", domain: "kansai-hikari.example", country: "Japan", phone: "+81 6 5550 3900", offers: "connectivity" },
    Supplier { name: "Druckerei Tintenfass", domain: "tintenfass.example", country: "Germany", phone: "+49 421 5550 33", offers: "printing" },
    Supplier { name: "Papyrus Managed Print", domain: "papyrus-print.example", country: "Switzerland", phone: "+41 61 555 20 20", offers: "printing" },
];

/// Kinds of contracts: the title, how many there are, and the range of the yearly cost.
pub(crate) const CONTRACTS: [(&str, &str, i64, [i64; 2]); 5] = [
    (
        "hardware-support",
        "Next-business-day repair",
        22,
        [4_000, 60_000],
    ),
    (
        "software-maintenance",
        "Maintenance and updates",
        26,
        [1_500, 90_000],
    ),
    ("leasing", "Leasing of laptops", 10, [20_000, 120_000]),
    ("connectivity", "Internet access", 12, [3_000, 24_000]),
    ("printing", "Printing by the page", 8, [2_000, 15_000]),
];
