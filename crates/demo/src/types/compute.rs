//! Physical and virtual servers.

use super::definition::{
    Definition, Field, checkbox, date, mac, number, password, reference, select, text, textarea,
};
use super::network::{ADDRESS, HOST_NAME, SERIAL, STATUS};
use super::{CONTRACT, DEPARTMENT, IP_NETWORK, RACK, SERVER, SOFTWARE, VIRTUAL_MACHINE};

const SYSTEMS: &[(&str, &str)] = &[
    ("debian-12", "Debian 12"),
    ("debian-13", "Debian 13"),
    ("rhel-9", "Red Hat Enterprise Linux 9"),
    ("ubuntu-24.04", "Ubuntu 24.04 LTS"),
    ("windows-2019", "Windows Server 2019"),
    ("windows-2022", "Windows Server 2022"),
    ("proxmox-8", "Proxmox VE 8"),
    ("esxi-8", "VMware ESXi 8"),
];

/// Host name and address of a machine.
fn address() -> [Field; 3] {
    [
        text("ip-address", "IP address").regex(ADDRESS),
        mac("mac-address", "MAC address"),
        reference("network", "Network", &[IP_NETWORK]).line(
            IP_NETWORK,
            "{} ({})",
            &["name", "cidr"],
            "fas fa-project-diagram",
        ),
    ]
}

/// A physical server.
pub(super) fn server() -> Definition {
    Definition::new(
        SERVER,
        "server",
        "Server",
        "fas fa-server",
        "A physical machine in a rack.",
    )
    .section(
        "identity",
        "Server",
        [
            text("hostname", "Host name")
                .required()
                .regex(HOST_NAME)
                .placeholder("ham-hv-001"),
            text("asset-tag", "Asset tag")
                .required()
                .unique()
                .regex(r"A\d{6}"),
            select("status", "Status", STATUS)
                .required()
                .preset("in-use"),
            select(
                "role",
                "Role",
                &[
                    ("hypervisor", "Hypervisor"),
                    ("database", "Database"),
                    ("storage", "Storage"),
                    ("backup", "Backup"),
                    ("compute", "GPU compute"),
                    ("infrastructure", "Infrastructure"),
                ],
            ),
            select("operating-system", "Operating system", SYSTEMS),
        ],
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
            number("cores", "Processor cores"),
            number("memory-gib", "Memory in GiB"),
            number("power-watts", "Power in W")
                .help("Measured under load, not the label on the power supply"),
        ],
    )
    .section(
        "placement",
        "Placement",
        [
            reference("rack", "Rack", &[RACK]).line(
                RACK,
                "{}, row {}",
                &["name", "row"],
                "fas fa-th-list",
            ),
            number("rack-unit", "Lowest rack unit"),
            number("height-units", "Height units"),
        ],
    )
    .section("network", "Network", address())
    .reference_section(
        "support",
        "Support contract",
        (CONTRACT, "agreement"),
        &["number", "title", "supplier"],
    )
    .section(
        "life",
        "Purchase and access",
        [
            date("bought", "Bought on"),
            date("warranty-until", "Warranty until"),
            password("console-password", "Console password"),
            textarea("notes", "Notes"),
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
        "warranty",
        "Warranty check",
        "fas fa-shield-alt",
        "https://warranty.example.org/{0}?serial={1}",
        &["manufacturer", "serial"],
    )
    .summary(["hostname", "model", "serial"])
}

/// A virtual machine.
pub(super) fn virtual_machine() -> Definition {
    Definition::new(
        VIRTUAL_MACHINE,
        "virtual-machine",
        "Virtual machine",
        "fas fa-cube",
        "A machine that runs on a hypervisor.",
    )
    .section(
        "identity",
        "Virtual machine",
        [
            text("hostname", "Host name")
                .required()
                .regex(HOST_NAME)
                .placeholder("wiki-prod-01"),
            select(
                "environment",
                "Environment",
                &[
                    ("production", "Production"),
                    ("test", "Test"),
                    ("development", "Development"),
                ],
            )
            .required(),
            text("service", "Service"),
            reference("owner", "Owner", &[DEPARTMENT]).line(
                DEPARTMENT,
                "{}",
                &["name"],
                "fas fa-people-carry",
            ),
        ],
    )
    .section(
        "resources",
        "Resources",
        [
            reference("host", "Hypervisor", &[SERVER]).required().line(
                SERVER,
                "{} ({})",
                &["hostname", "model"],
                "fas fa-server",
            ),
            number("cores", "Virtual cores"),
            number("memory-gib", "Memory in GiB"),
            number("disk-gib", "Disk in GiB"),
        ],
    )
    .section("network", "Network", address())
    .section(
        "software",
        "Software",
        [
            select("operating-system", "Operating system", SYSTEMS),
            reference("application", "Main application", &[SOFTWARE]),
            checkbox("backup", "Backed up daily"),
            date("patched", "Last patched on"),
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
        "record",
        "This record",
        "fas fa-link",
        "https://cmdb.example.org/{object_id}",
        &["object_id"],
    )
    .summary(["hostname", "environment"])
}
