//! Laptops, monitors, printers and fax machines.

use super::definition::{
    Definition, Field, checkbox, date, mac, number, password, reference, select, text, textarea,
};
use super::network::{ADDRESS, HOST_NAME, SERIAL, STATUS};
use super::{CONTRACT, FAX_MACHINE, IP_NETWORK, LAPTOP, MONITOR, PERSON, PRINTER, ROOM};

fn asset_tag() -> Field {
    text("asset-tag", "Asset tag")
        .required()
        .unique()
        .regex(r"A\d{6}")
        .placeholder("A104711")
}

fn room_reference() -> Field {
    reference("room", "Room", &[ROOM]).line(
        ROOM,
        "{} ({})",
        &["name", "number"],
        "fas fa-door-open",
    )
}

/// A laptop and its holder.
pub(super) fn laptop() -> Definition {
    Definition::new(
        LAPTOP,
        "laptop",
        "Laptop",
        "fas fa-laptop",
        "A portable computer, handed out to one person.",
    )
    .section(
        "identity",
        "Laptop",
        [
            asset_tag(),
            text("hostname", "Host name")
                .regex(HOST_NAME)
                .placeholder("nb-104711"),
            select("status", "Status", STATUS)
                .required()
                .preset("in-stock"),
        ],
    )
    .reference_section(
        "holder",
        "Holder",
        (PERSON, "contact"),
        &["first-name", "last-name", "e-mail", "phone"],
    )
    .section(
        "hardware",
        "Hardware",
        [
            text("manufacturer", "Manufacturer"),
            text("model", "Model"),
            text("serial", "Serial number")
                .required()
                .unique()
                .regex(SERIAL),
            mac("mac-address", "MAC address"),
            number("memory-gib", "Memory in GiB"),
            number("disk-gib", "Disk in GiB"),
        ],
    )
    .section(
        "system",
        "System",
        [
            select(
                "operating-system",
                "Operating system",
                &[
                    ("windows-11", "Windows 11"),
                    ("macos-15", "macOS 15"),
                    ("ubuntu-24.04", "Ubuntu 24.04 LTS"),
                ],
            ),
            checkbox("disk-encrypted", "Disk encrypted"),
        ],
    )
    .section(
        "life",
        "Purchase",
        [
            date("bought", "Bought on"),
            date("warranty-until", "Warranty until"),
            number("price", "Price in EUR"),
            reference("lease", "Leasing contract", &[CONTRACT]).line(
                CONTRACT,
                "{} {}",
                &["number", "title"],
                "fas fa-file-signature",
            ),
        ],
    )
    .section("remarks", "Remarks", [textarea("notes", "Notes")])
    .summary(["asset-tag", "model"])
}

/// A monitor on somebody's desk or in a room.
pub(super) fn monitor() -> Definition {
    Definition::new(
        MONITOR,
        "monitor",
        "Monitor",
        "fas fa-tv",
        "A display, assigned to a person or to a room.",
    )
    .section(
        "identity",
        "Monitor",
        [
            asset_tag(),
            select("status", "Status", STATUS)
                .required()
                .preset("in-stock"),
            reference("assigned-to", "Assigned to", &[PERSON, ROOM])
                .line(PERSON, "{} {}", &["first-name", "last-name"], "fas fa-user")
                .line(ROOM, "{} ({})", &["name", "number"], "fas fa-door-open"),
        ],
    )
    .section(
        "hardware",
        "Hardware",
        [
            text("manufacturer", "Manufacturer"),
            text("model", "Model"),
            text("serial", "Serial number").unique().regex(SERIAL),
            number("diagonal", "Diagonal in inches"),
        ],
    )
    .section(
        "life",
        "Purchase",
        [
            date("bought", "Bought on"),
            date("warranty-until", "Warranty until"),
        ],
    )
    .summary(["asset-tag", "model"])
}

/// A printer in a room.
pub(super) fn printer() -> Definition {
    Definition::new(
        PRINTER,
        "printer",
        "Printer",
        "fas fa-print",
        "A network printer.",
    )
    .section(
        "identity",
        "Printer",
        [
            asset_tag(),
            text("hostname", "Host name").required().regex(HOST_NAME),
            select("status", "Status", STATUS)
                .required()
                .preset("in-use"),
            room_reference(),
        ],
    )
    .section(
        "hardware",
        "Hardware",
        [
            text("manufacturer", "Manufacturer"),
            text("model", "Model"),
            text("serial", "Serial number").unique().regex(SERIAL),
            checkbox("colour", "Prints in colour"),
        ],
    )
    .section(
        "network",
        "Network",
        [
            text("ip-address", "IP address").regex(ADDRESS),
            reference("network", "Network", &[IP_NETWORK]).line(
                IP_NETWORK,
                "{} ({})",
                &["name", "cidr"],
                "fas fa-project-diagram",
            ),
            password("admin-pin", "Administrator PIN").regex(r"\d{6}"),
        ],
    )
    .section(
        "life",
        "Purchase and service",
        [
            date("bought", "Bought on"),
            reference("service", "Service contract", &[CONTRACT]).line(
                CONTRACT,
                "{} {}",
                &["number", "title"],
                "fas fa-file-signature",
            ),
            number("pages", "Page counter"),
        ],
    )
    .external(
        "web",
        "Web interface",
        "fas fa-cog",
        "https://{}/",
        &["ip-address"],
    )
    .summary(["hostname", "model"])
}

/// A fax machine: the type is kept for its history and refuses new objects.
pub(super) fn fax_machine() -> Definition {
    Definition::new(
        FAX_MACHINE,
        "fax-machine",
        "Fax machine",
        "fas fa-fax",
        "Retired in favour of e-mail: the type is inactive and takes no new objects.",
    )
    .section(
        "identity",
        "Fax machine",
        [
            asset_tag(),
            text("number", "Fax number")
                .required()
                .regex(r"\+[0-9 ]{7,20}"),
            room_reference(),
        ],
    )
    .summary(["number"])
    .inactive()
}
