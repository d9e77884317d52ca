//! Software and licences.

use super::definition::{
    Definition, date, number, password, radio, reference, select, text, textarea,
};
use super::{CONTRACT, DEPARTMENT, SOFTWARE, SOFTWARE_LICENCE, SUPPLIER};
use crate::groups::LICENSING;

const ADMINISTRATORS: i64 = stockroom_model::Group::ADMINISTRATORS;

/// A product.
pub(super) fn software() -> Definition {
    Definition::new(
        SOFTWARE,
        "software",
        "Software",
        "fas fa-box-open",
        "A product that is installed or rented.",
    )
    .section(
        "identity",
        "Product",
        [
            text("name", "Name").required(),
            text("manufacturer", "Manufacturer"),
            text("version", "Version in use").regex(r"\d+(\.\d+)*"),
            select(
                "kind",
                "Kind",
                &[
                    ("database", "Database"),
                    ("operating-system", "Operating system"),
                    ("virtualisation", "Virtualisation"),
                    ("office", "Office"),
                    ("design", "Design"),
                    ("development", "Development"),
                    ("business", "Business application"),
                    ("security", "Security"),
                    ("infrastructure", "Infrastructure"),
                ],
            ),
        ],
    )
    .section(
        "terms",
        "Terms",
        [
            radio(
                "source",
                "Source",
                &[("open", "Open source"), ("proprietary", "Proprietary")],
            ),
            reference("supplier", "Bought from", &[SUPPLIER]).line(
                SUPPLIER,
                "{}",
                &["name"],
                "fas fa-truck",
            ),
            date("supported-until", "Supported until"),
        ],
    )
    .external(
        "manual",
        "In-house manual",
        "fas fa-book",
        "https://wiki.example.org/software/{name}",
        &["name"],
    )
    .summary(["name", "version"])
}

/// A licence. The key is valuable, so only administrators of licences may see these objects.
pub(super) fn software_licence() -> Definition {
    Definition::new(
        SOFTWARE_LICENCE,
        "software-licence",
        "Software licence",
        "fas fa-key",
        "The right to use a product. Only the groups Administrator and Licensing see licences.",
    )
    .section(
        "identity",
        "Licence",
        [
            text("number", "Number").required().regex(r"L-\d{4}"),
            reference("software", "Product", &[SOFTWARE])
                .required()
                .line(SOFTWARE, "{} {}", &["name", "version"], "fas fa-box-open"),
            radio(
                "metric",
                "Counted by",
                &[
                    ("user", "User"),
                    ("device", "Device"),
                    ("core", "Core"),
                    ("site", "Site"),
                ],
            ),
            number("seats", "Seats"),
            password("licence-key", "Licence key"),
        ],
    )
    .section(
        "term",
        "Term",
        [
            date("bought", "Bought on"),
            date("valid-until", "Valid until").help("Empty: for ever"),
            reference("maintenance", "Maintenance contract", &[CONTRACT]).line(
                CONTRACT,
                "{} {}",
                &["number", "title"],
                "fas fa-file-signature",
            ),
            reference("department", "Paid by", &[DEPARTMENT]).line(
                DEPARTMENT,
                "{} {}",
                &["cost-centre", "name"],
                "fas fa-people-carry",
            ),
        ],
    )
    .section("remarks", "Remarks", [textarea("notes", "Notes")])
    .summary(["number", "metric", "seats"])
    .only_for([
        (ADMINISTRATORS, &["CREATE", "READ", "UPDATE", "DELETE"]),
        (LICENSING, &["CREATE", "READ", "UPDATE"]),
    ])
}
