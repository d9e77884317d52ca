//! Sites, rooms and racks.

use super::definition::{Definition, date, number, radio, reference, select, text, textarea};
use super::{RACK, ROOM, SITE};

/// A site, at a single address.
pub(super) fn site() -> Definition {
    Definition::new(
        SITE,
        "site",
        "Site",
        "fas fa-city",
        "A place of business with an address.",
    )
    .section(
        "identity",
        "Site",
        [
            text("code", "Code")
                .required()
                .regex("[A-Z]{3}")
                .help("Three letters; host names start with it"),
            text("name", "Name").required(),
            radio(
                "kind",
                "Kind",
                &[
                    ("headquarters", "Headquarters"),
                    ("branch", "Branch office"),
                    ("plant", "Plant"),
                ],
            ),
            date("opened", "Opened on"),
        ],
    )
    .section(
        "address",
        "Address",
        [
            text("street", "Street"),
            text("postcode", "Postcode"),
            text("city", "City").required(),
            text("country", "Country").required(),
            text("time-zone", "Time zone")
                .regex(r"[A-Z]\w+/\w+")
                .placeholder("Europe/Berlin"),
            number("latitude", "Latitude"),
            number("longitude", "Longitude"),
        ],
    )
    .section("remarks", "Remarks", [textarea("notes", "Notes")])
    .external(
        "map",
        "Map",
        "fas fa-map",
        "https://www.openstreetmap.org/?mlat={}&mlon={}&zoom=14",
        &["latitude", "longitude"],
    )
    .summary(["code", "name"])
}

/// A room at a site.
pub(super) fn room() -> Definition {
    Definition::new(
        ROOM,
        "room",
        "Room",
        "fas fa-door-open",
        "A room in which people work or machines run.",
    )
    .section(
        "identity",
        "Room",
        [
            text("name", "Name").required(),
            text("number", "Number")
                .regex(r"[A-Z]\.-?\d\.\d{2}")
                .placeholder("A.2.07"),
            select(
                "usage",
                "Usage",
                &[
                    ("data-hall", "Data hall"),
                    ("network", "Network room"),
                    ("office", "Office"),
                    ("meeting", "Meeting room"),
                    ("storage", "Storage"),
                ],
            )
            .required(),
        ],
    )
    .section(
        "location",
        "Location",
        [
            reference("site", "Site", &[SITE]).required().line(
                SITE,
                "{} {}",
                &["code", "name"],
                "fas fa-city",
            ),
            number("floor", "Floor").help("0 is the ground floor"),
            number("area", "Area in m²"),
        ],
    )
    .summary(["name", "number"])
}

/// A rack in a room.
pub(super) fn rack() -> Definition {
    Definition::new(
        RACK,
        "rack",
        "Rack",
        "fas fa-th-list",
        "A 19-inch cabinet for servers and switches.",
    )
    .section(
        "identity",
        "Rack",
        [
            text("name", "Name")
                .required()
                .regex(r"[A-Z]{3}-R\d{2}")
                .placeholder("HAM-R01"),
            select(
                "manufacturer",
                "Manufacturer",
                &[
                    ("Rittal", "Rittal"),
                    ("APC", "APC"),
                    ("Vertiv", "Vertiv"),
                    ("Minkels", "Minkels"),
                ],
            ),
            text("model", "Model"),
            number("height-units", "Height units"),
        ],
    )
    .section(
        "location",
        "Location",
        [
            reference("room", "Room", &[ROOM]).required().line(
                ROOM,
                "{} ({})",
                &["name", "number"],
                "fas fa-door-open",
            ),
            text("row", "Row").regex("[A-Z]"),
        ],
    )
    .section(
        "power",
        "Power",
        [
            number("feeds", "Power feeds"),
            number("max-power-kw", "Maximum power in kW"),
        ],
    )
    .summary(["name"])
}
