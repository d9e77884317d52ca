//! IP networks and switches.

use super::definition::{
    Definition, date, mac, number, password, radio, reference, select, text, textarea,
};
use super::{CONTRACT, IP_NETWORK, RACK, SITE, SWITCH};

/// A host name of one label.
pub(super) const HOST_NAME: &str = "[a-z][a-z0-9-]{1,62}";
/// An IPv4 address.
pub(super) const ADDRESS: &str = r"((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)";
/// Six bytes in hexadecimal.
/// A manufacturer's serial number.
pub(super) const SERIAL: &str = "[A-Z0-9]{7,12}";
/// The lifecycle of an asset.
pub(super) const STATUS: &[(&str, &str)] = &[
    ("in-use", "In use"),
    ("in-stock", "In stock"),
    ("in-repair", "In repair"),
    ("retired", "Retired"),
];

/// A range of IP addresses.
pub(super) fn ip_network() -> Definition {
    Definition::new(
        IP_NETWORK,
        "ip-network",
        "IP network",
        "fas fa-project-diagram",
        "A range of addresses and the VLAN that carries it.",
    )
    .section(
        "identity",
        "Network",
        [
            text("name", "Name").required(),
            text("cidr", "Range")
                .required()
                .regex(r"(\d{1,3}\.){3}\d{1,3}/\d{1,2}")
                .placeholder("10.1.20.0/24"),
            text("gateway", "Gateway").regex(ADDRESS),
            number("vlan", "VLAN"),
        ],
    )
    .section(
        "purpose",
        "Purpose",
        [
            select(
                "zone",
                "Zone",
                &[
                    ("production", "Production"),
                    ("test", "Test"),
                    ("development", "Development"),
                    ("dmz", "DMZ"),
                    ("server", "Physical servers"),
                    ("management", "Management"),
                    ("office", "Office"),
                    ("voice", "Voice"),
                    ("printing", "Printing"),
                    ("wireless", "Wireless"),
                    ("guest", "Guests"),
                    ("plant", "Plant"),
                ],
            )
            .required(),
            radio(
                "addressing",
                "Addresses are given",
                &[("static", "by hand"), ("dhcp", "by DHCP")],
            ),
            reference("site", "Site", &[SITE]).line(
                SITE,
                "{} {}",
                &["code", "name"],
                "fas fa-city",
            ),
            textarea("notes", "Notes"),
        ],
    )
    .external(
        "addresses",
        "Address plan",
        "fas fa-table",
        "https://ipam.example.org/vlan/{vlan}",
        &["vlan"],
    )
    .summary(["name", "cidr"])
}

/// A network switch.
pub(super) fn switch() -> Definition {
    Definition::new(
        SWITCH,
        "switch",
        "Switch",
        "fas fa-ethernet",
        "An Ethernet switch in a rack.",
    )
    .section(
        "identity",
        "Switch",
        [
            text("hostname", "Host name")
                .required()
                .regex(HOST_NAME)
                .placeholder("ham-sw-01"),
            select("status", "Status", STATUS)
                .required()
                .preset("in-use"),
            radio(
                "layer",
                "Layer",
                &[
                    ("core", "Core"),
                    ("distribution", "Distribution"),
                    ("access", "Access"),
                ],
            ),
        ],
    )
    .section(
        "hardware",
        "Hardware",
        [
            text("manufacturer", "Manufacturer"),
            text("model", "Model"),
            text("serial", "Serial number").regex(SERIAL),
            number("ports", "Ports"),
            text("firmware", "Firmware"),
        ],
    )
    .section(
        "placement",
        "Placement",
        [
            reference("rack", "Rack", &[RACK]).line(RACK, "{}", &["name"], "fas fa-th-list"),
            number("rack-unit", "Rack unit"),
        ],
    )
    .section(
        "management",
        "Management",
        [
            text("ip-address", "IP address").regex(ADDRESS),
            mac("mac-address", "MAC address"),
            reference("network", "Network", &[IP_NETWORK]).line(
                IP_NETWORK,
                "{} ({})",
                &["name", "cidr"],
                "fas fa-project-diagram",
            ),
            password("enable-password", "Enable password"),
        ],
    )
    .section(
        "life",
        "Purchase and support",
        [
            date("bought", "Bought on"),
            date("warranty-until", "Warranty until"),
            reference("support", "Support contract", &[CONTRACT]).line(
                CONTRACT,
                "{} {}",
                &["number", "title"],
                "fas fa-file-signature",
            ),
        ],
    )
    .external(
        "monitoring",
        "Monitoring",
        "fas fa-chart-line",
        "https://monitoring.example.org/hosts/{}",
        &["hostname"],
    )
    .external(
        "console",
        "Console",
        "fas fa-terminal",
        "ssh://admin@{}",
        &["ip-address"],
    )
    .summary(["hostname", "model"])
}
