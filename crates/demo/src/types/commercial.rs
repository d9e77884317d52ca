//! Suppliers and contracts.

use super::definition::{
    Definition, checkbox, date, email, number, reference, select, text, textarea,
};
use super::{CONTRACT, PERSON, SUPPLIER};

/// A supplier.
pub(super) fn supplier() -> Definition {
    Definition::new(
        SUPPLIER,
        "supplier",
        "Supplier",
        "fas fa-truck",
        "A company that sells or services something.",
    )
    .section(
        "identity",
        "Supplier",
        [
            text("name", "Name").required(),
            text("customer-number", "Our customer number"),
            text("country", "Country"),
            text("domain", "Web site")
                .regex(r"[a-z0-9.-]+\.[a-z]{2,}")
                .placeholder("supplier.example"),
        ],
    )
    .section(
        "contact",
        "Contact",
        [
            email("e-mail", "Support e-mail"),
            text("phone", "Support hotline").regex(r"\+[0-9 ]{7,20}"),
            textarea("notes", "Notes"),
        ],
    )
    .external(
        "web",
        "Web site",
        "fas fa-globe",
        "https://{domain}/",
        &["domain"],
    )
    .summary(["name"])
}

/// A contract with a supplier.
pub(super) fn contract() -> Definition {
    Definition::new(
        CONTRACT,
        "contract",
        "Contract",
        "fas fa-file-signature",
        "An agreement with a supplier that starts, costs money and ends.",
    )
    .section(
        "agreement",
        "Agreement",
        [
            text("number", "Number")
                .required()
                .regex(r"C-\d{4}-\d{3}")
                .placeholder("C-2026-001"),
            text("title", "Title").required(),
            select(
                "kind",
                "Kind",
                &[
                    ("hardware-support", "Hardware support"),
                    ("software-maintenance", "Software maintenance"),
                    ("leasing", "Leasing"),
                    ("connectivity", "Connectivity"),
                    ("printing", "Managed printing"),
                ],
            )
            .required(),
            reference("supplier", "Supplier", &[SUPPLIER])
                .required()
                .line(SUPPLIER, "{}", &["name"], "fas fa-truck"),
            reference("owner", "Owner", &[PERSON]).line(
                PERSON,
                "{} {}",
                &["first-name", "last-name"],
                "fas fa-user",
            ),
        ],
    )
    .section(
        "term",
        "Term",
        [
            date("start", "Starts on").required(),
            date("end", "Ends on"),
            number("notice-days", "Notice period in days"),
            checkbox("renews", "Renews itself"),
        ],
    )
    .section(
        "price",
        "Price",
        [
            number("annual-cost", "Cost per year"),
            select(
                "currency",
                "Currency",
                &[
                    ("EUR", "Euro"),
                    ("CHF", "Swiss franc"),
                    ("PLN", "Złoty"),
                    ("UAH", "Hryvnia"),
                    ("BRL", "Real"),
                    ("JPY", "Yen"),
                ],
            )
            .preset("EUR"),
        ],
    )
    .section("remarks", "Remarks", [textarea("notes", "Notes")])
    .external(
        "document",
        "Signed document",
        "fas fa-file-pdf",
        "https://documents.example.org/contracts/{}",
        &["number"],
    )
    .summary(["number", "title"])
}
