//! The report, and the bodies that are made of odd values.

use std::fmt::Write as _;

use stockroom_datagerry::{Dump, Inventory, Limits, Objects, Report};
use stockroom_testkit::golden;

use crate::folder::{Archived, Folder, fixture};

fn survey(dump: &dyn Dump) -> (Inventory, Report) {
    Inventory::survey(dump, &Limits::default()).unwrap()
}

#[test]
fn the_reports() {
    let mut text = String::new();
    for name in ["small", "odd"] {
        let (_, report) = survey(&Folder(name));
        let _ = writeln!(text, "# {name}\n\n{}", report.to_text());
    }
    golden("crates/datagerry/tests/fixtures/reports.txt", &text);
}

#[test]
fn the_report_for_programs_has_the_same_counts() {
    let (_, report) = survey(&Folder("odd"));
    let report = report.to_json();
    assert_eq!(
        report["counts"]["objects"].to_string(),
        r#"{"moved":10,"changed":10,"left_out":3}"#
    );
    assert_eq!(report["left_out"][0]["why"], "its public_id is no id");
    assert_eq!(report["left_out"][0]["examples"][0], "management.groups x");
}

#[test]
fn the_bodies_of_odd_values() {
    let dump = Folder("odd");
    let (inventory, _) = survey(&dump);
    let mut text = String::new();
    let small = [&inventory.groups, &inventory.users, &inventory.categories];
    for body in small.into_iter().flatten() {
        let _ = writeln!(text, "{body}");
    }
    for (_, body) in &inventory.settings {
        let _ = writeln!(text, "{body}");
    }
    for body in &inventory.types {
        let _ = writeln!(text, "{body}");
    }
    let mut objects = Objects::of(&inventory);
    let read = dump.each("framework.objects", &mut |document| {
        if let Some(converted) = objects.convert(document, &mut Report::default())? {
            let _ = writeln!(text, "{}", converted.body);
        }
        Ok(())
    });
    read.unwrap();
    golden("crates/datagerry/tests/fixtures/odd-bodies.ndjson", &text);
}

#[test]
fn what_is_left_out_of_odd_records() {
    let dump = Folder("odd");
    let (inventory, _) = survey(&dump);
    let mut text = String::new();
    for (kind, line) in inventory.left_out.iter().chain(&inventory.members_left_out) {
        // The type that is too long for Stockroom is too long to read.
        let line = line.to_string();
        let shown: String = line.chars().take(1_000).collect();
        let _ = writeln!(text, "{}: {shown}", kind.name());
    }
    let mut objects = Objects::of(&inventory);
    let read = dump.each("framework.objects", &mut |document| {
        let converted = objects.convert(document, &mut Report::default())?;
        if let Some(left_out) = converted.and_then(|converted| converted.left_out) {
            let _ = writeln!(text, "objects: {left_out}");
        }
        Ok(())
    });
    read.unwrap();
    assert!(!text.contains("rh3DBUGC"), "no hash of a password");
    golden("crates/datagerry/tests/fixtures/odd-left-out.txt", &text);
}

#[test]
fn every_member_of_an_object_is_carried_or_left_out() {
    let dump = Folder("odd");
    let (inventory, _) = survey(&dump);
    let mut objects = Objects::of(&inventory);
    let read = dump.each("framework.objects", &mut |document| {
        let before = document.members.clone();
        let Some(converted) = objects.convert(document, &mut Report::default())? else {
            return Ok(());
        };
        let left_out = converted.left_out.map(|left_out| left_out.to_string());
        let left_out = left_out.unwrap_or_default();
        for (key, value) in before.iter().filter(|(key, _)| *key != "_id") {
            let is_carried = !converted.body[key].is_null() || value.is_null();
            let is_left_out = left_out.contains(&format!("\"member\":\"{key}\""));
            assert!(is_carried || is_left_out, "{key} of {before:?}");
        }
        Ok(())
    });
    read.unwrap();
}

#[test]
fn an_archive_is_read_as_the_folder_is() {
    let (of_folder, report) = survey(&Folder("small"));
    let (of_archive, other) = survey(&Archived(fixture("small.archive")));
    assert_eq!(report, other);
    assert_eq!(of_folder.types, of_archive.types);
    assert_eq!(of_folder.counters, of_archive.counters);
}
