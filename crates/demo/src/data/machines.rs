//! Servers, switches, networks and services.

/// A model of a server.
pub(crate) struct ServerModel {
    /// The role of the servers of this model.
    pub(crate) role: &'static str,
    /// The abbreviation of the role in host names.
    pub(crate) short: &'static str,
    pub(crate) manufacturer: &'static str,
    pub(crate) model: &'static str,
    pub(crate) height: i64,
    pub(crate) cores: i64,
    /// GiB.
    pub(crate) memory: i64,
    /// Watts under load.
    pub(crate) watts: i64,
    /// The approximate percentage of servers of this model.
    pub(crate) share: i64,
}

#[rustfmt::skip] // A table reads better with one model a line.
pub(crate) const SERVERS: [ServerModel; 9] = [
    ServerModel { role: "hypervisor", short: "hv", manufacturer: "Dell", model: "PowerEdge R760", height: 2, cores: 64, memory: 1024, watts: 620, share: 22 },
    ServerModel { role: "hypervisor", short: "hv", manufacturer: "HPE", model: "ProLiant DL380 Gen11", height: 2, cores: 56, memory: 768, watts: 580, share: 20 },
    ServerModel { role: "database", short: "db", manufacturer: "Lenovo", model: "ThinkSystem SR650 V3", height: 2, cores: 48, memory: 1536, watts: 540, share: 14 },
    ServerModel { role: "infrastructure", short: "inf", manufacturer: "HPE", model: "ProLiant DL325 Gen11", height: 1, cores: 16, memory: 128, watts: 210, share: 14 },
    ServerModel { role: "infrastructure", short: "inf", manufacturer: "Dell", model: "PowerEdge R360", height: 1, cores: 8, memory: 64, watts: 160, share: 8 },
    ServerModel { role: "storage", short: "sto", manufacturer: "Supermicro", model: "SSG-640SP-E1CR90", height: 4, cores: 32, memory: 256, watts: 980, share: 8 },
    ServerModel { role: "backup", short: "bak", manufacturer: "Supermicro", model: "SSG-540P-E1CTR45L", height: 4, cores: 24, memory: 192, watts: 720, share: 6 },
    ServerModel { role: "compute", short: "gpu", manufacturer: "Supermicro", model: "AS-4125GS-TNRT", height: 4, cores: 96, memory: 1536, watts: 2_400, share: 4 },
    ServerModel { role: "database", short: "db", manufacturer: "Fujitsu", model: "PRIMERGY RX2540 M7", height: 2, cores: 40, memory: 512, watts: 490, share: 4 },
];

/// Switches: layer, manufacturer, model, ports, firmware.
pub(crate) const SWITCHES: [(&str, &str, &str, i64, &str); 5] = [
    ("core", "Arista", "7050SX3-48YC8", 56, "4.32.2F"),
    ("distribution", "Juniper", "QFX5120-48Y", 56, "23.4R2"),
    ("access", "Cisco", "Catalyst 9300-48P", 48, "17.12.4"),
    ("access", "HPE Aruba", "CX 6300M 48G", 52, "10.13.1040"),
    ("access", "Cisco", "Catalyst 9200L-24P", 24, "17.9.5"),
];

/// Networks that every site has: name, zone, third byte of the range, address assignment.
pub(crate) const NETWORKS: [(&str, &str, i64, &str); 12] = [
    ("Production", "production", 10, "static"),
    ("Test", "test", 11, "static"),
    ("Development", "development", 12, "dhcp"),
    ("DMZ", "dmz", 15, "static"),
    ("Servers", "server", 20, "static"),
    ("Management", "management", 30, "static"),
    ("Office", "office", 40, "dhcp"),
    ("Voice", "voice", 50, "dhcp"),
    ("Printers", "printing", 60, "static"),
    ("Wireless", "wireless", 70, "dhcp"),
    ("Guests", "guest", 80, "dhcp"),
    ("Plant floor", "plant", 90, "static"),
];

/// Services that run on virtual machines: the part of the host name, the main application, the
/// department.
pub(crate) const SERVICES: [(&str, &str, &str); 31] = [
    ("crm", "Odoo Enterprise", "Sales"),
    ("erp", "SAP S/4HANA", "Finance"),
    ("wiki", "BookStack", "IT operations"),
    ("git", "GitLab", "Software engineering"),
    ("ci", "Jenkins", "Software engineering"),
    ("registry", "Harbor", "Software engineering"),
    ("mail", "Postfix", "IT operations"),
    ("chat", "Mattermost", "IT operations"),
    ("files", "Nextcloud", "IT operations"),
    ("shop", "Shopware", "Sales"),
    ("web", "nginx", "Marketing"),
    ("cms", "TYPO3", "Marketing"),
    ("tickets", "Zammad", "Service desk"),
    ("phone", "Asterisk", "Service desk"),
    ("monitoring", "Prometheus", "IT operations"),
    ("logs", "OpenSearch", "Information security"),
    ("scanner", "Greenbone", "Information security"),
    ("vault", "OpenBao", "Information security"),
    ("dns", "BIND", "IT operations"),
    ("directory", "Active Directory", "IT operations"),
    ("proxy", "HAProxy", "IT operations"),
    ("postgres", "PostgreSQL", "Data and analytics"),
    ("mssql", "SQL Server", "Finance"),
    ("warehouse", "ClickHouse", "Data and analytics"),
    ("reports", "Metabase", "Data and analytics"),
    ("queue", "RabbitMQ", "Software engineering"),
    ("cache", "Valkey", "Software engineering"),
    ("mes", "Ignition", "Manufacturing"),
    ("quality", "Ignition", "Quality"),
    ("payroll", "DATEV", "Human resources"),
    ("archive", "d.velop documents", "Legal"),
];

/// Environments: the value, the part of the host name, the zone of the network, machines per
/// service.
pub(crate) const ENVIRONMENTS: [(&str, &str, &str, i64); 3] = [
    ("production", "prod", "production", 9),
    ("test", "test", "test", 6),
    ("development", "dev", "development", 5),
];
