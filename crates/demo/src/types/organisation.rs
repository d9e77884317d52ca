//! Departments and people.

use super::definition::{Definition, date, email, radio, reference, text};
use super::{DEPARTMENT, PERSON, ROOM, SITE};

const PHONE: &str = r"\+[0-9 ]{7,20}";

/// A department; departments form a tree.
pub(super) fn department() -> Definition {
    Definition::new(
        DEPARTMENT,
        "department",
        "Department",
        "fas fa-people-carry",
        "A part of the organisation that pays for what it uses.",
    )
    .section(
        "identity",
        "Department",
        [
            text("name", "Name").required(),
            text("cost-centre", "Cost centre")
                .required()
                .regex(r"\d{4}")
                .placeholder("4100"),
            email("e-mail", "Shared mailbox"),
        ],
    )
    .section(
        "place",
        "Place in the organisation",
        [
            reference("parent", "Part of", &[DEPARTMENT]).line(
                DEPARTMENT,
                "{} {}",
                &["cost-centre", "name"],
                "fas fa-people-carry",
            ),
            reference("site", "Main site", &[SITE]).line(SITE, "{}", &["name"], "fas fa-city"),
        ],
    )
    .summary(["name", "cost-centre"])
}

/// A person who works for the company.
pub(super) fn person() -> Definition {
    Definition::new(
        PERSON,
        "person",
        "Person",
        "fas fa-user",
        "Somebody who works here and may hold equipment.",
    )
    .section(
        "contact",
        "Contact",
        [
            text("first-name", "First name").required(),
            text("last-name", "Last name").required(),
            email("e-mail", "E-mail").required(),
            text("phone", "Phone")
                .regex(PHONE)
                .placeholder("+49 40 5550 1234"),
        ],
    )
    .section(
        "work",
        "Work",
        [
            text("personnel-number", "Personnel number").regex(r"P\d{5}"),
            text("job-title", "Job title"),
            reference("department", "Department", &[DEPARTMENT]),
            reference("manager", "Manager", &[PERSON]).line(
                PERSON,
                "{} {}",
                &["first-name", "last-name"],
                "fas fa-user-tie",
            ),
            reference("office", "Office", &[ROOM]).line(
                ROOM,
                "{} ({})",
                &["name", "number"],
                "fas fa-door-open",
            ),
        ],
    )
    .section(
        "employment",
        "Employment",
        [
            radio(
                "contract-form",
                "Contract",
                &[
                    ("permanent", "Permanent"),
                    ("fixed-term", "Fixed term"),
                    ("apprentice", "Apprentice"),
                    ("contractor", "Contractor"),
                ],
            )
            .preset("permanent"),
            date("joined", "Joined on"),
            date("left", "Left on"),
        ],
    )
    .external(
        "mail",
        "Write an e-mail",
        "fas fa-envelope",
        "mailto:{}",
        &["e-mail"],
    )
    .external(
        "directory",
        "Staff directory",
        "fas fa-address-card",
        "https://people.example.org/staff/{personnel-number}",
        &["personnel-number"],
    )
    .summary(["first-name", "last-name"])
}
