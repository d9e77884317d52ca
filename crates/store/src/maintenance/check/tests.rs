//! A check finds each kind of damage, a repair mends what is derived, and healthy stores are clean.

mod filling;
mod images;
mod retention;
mod search_batches;

use std::collections::BTreeMap;
use std::fs;

use self::filling::{OBJECTS, filled};
use super::{CheckReport, FindingKind, check, repair};
use crate::Error;
use crate::engine::driver::{BatchStatement, Driver};
use crate::engine::table::TABLES;
use crate::maintenance::transfer::rows_of_all_tables;
use crate::records::object::tests::test_database::{TestDatabase, both};

fn kinds(report: &CheckReport) -> Vec<FindingKind> {
    let counts = report.counts.keys().copied();
    counts.filter(|kind| kind.is_problem()).collect()
}

both!(
    a_healthy_store_is_clean_and_a_dangling_reference_is_only_told,
    check_healthy
);

fn check_healthy(database: fn() -> TestDatabase) {
    let database = filled(database());
    let report = check(&database.location()).unwrap();
    assert_eq!(report.problems(), 0, "{report:#?}");
    assert_eq!(report.counts, BTreeMap::from([(FindingKind::Reference, 1)]));
    let line = &report.findings[0].line;
    assert_eq!(
        line,
        "object 9: `parent` names object 999, which does not exist"
    );
    assert_eq!(report.objects, OBJECTS.unsigned_abs() - 1);
    assert_eq!(report.changes, 10 + OBJECTS.unsigned_abs() + 2);
}

/// A statement that damages the store, the kinds of findings, and what a repair makes of it.
type Damage = (&'static str, &'static [FindingKind], After);

#[derive(Clone, Copy, PartialEq)]
enum After {
    /// All tables are as they were before the damage.
    AsBefore,
    Clean,
    Damaged,
}

const DAMAGES: [Damage; 44] = [
    (
        "DELETE FROM unique_value WHERE object_id = 8",
        &[FindingKind::Unique],
        After::AsBefore,
    ),
    (
        "UPDATE unique_value SET object_id = 999 WHERE object_id = 8",
        &[FindingKind::Unique],
        After::AsBefore,
    ),
    (
        "DELETE FROM unique_rule WHERE rule_id = 1",
        &[FindingKind::Unique],
        After::Clean,
    ),
    (
        "DELETE FROM search_gram WHERE gram < 262144",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "UPDATE search_gram SET gram = gram + 100 WHERE gram >= 524288",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "UPDATE search_gram SET objects = SUBSTR(objects, 1, 0)",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "DELETE FROM search_block",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "DELETE FROM search_pending WHERE object_id = 6",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "UPDATE search_pending SET changed = SUBSTR(changed, 1, 1) WHERE object_id = 6",
        &[FindingKind::Search],
        After::Clean,
    ),
    (
        "DELETE FROM object_field WHERE object_id = 8",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "DELETE FROM object_field",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "UPDATE object_field SET field_id = field_id + 1000 WHERE object_id = 30",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "INSERT INTO object_field SELECT field_id, key, 500 FROM object_field WHERE object_id = 8",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "INSERT INTO object_irregular (type_id, object_id) VALUES (1, 8)",
        &[FindingKind::Index, FindingKind::Counter],
        After::AsBefore,
    ),
    (
        "INSERT INTO object_irregular (type_id, object_id) VALUES (2, 8), (1, 400)",
        &[FindingKind::Irregular],
        After::AsBefore,
    ),
    (
        "UPDATE object_irregular SET targets_indexed = 0",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "DELETE FROM object_field WHERE field_id = 0",
        &[FindingKind::Index],
        After::AsBefore,
    ),
    (
        "DELETE FROM object_irregular",
        &[FindingKind::Irregular, FindingKind::Counter],
        After::AsBefore,
    ),
    (
        "UPDATE object_count SET total = total + 1",
        &[FindingKind::Counter],
        After::AsBefore,
    ),
    (
        "DELETE FROM object_count",
        &[FindingKind::Counter],
        After::AsBefore,
    ),
    (
        "UPDATE object SET active = 1 - active WHERE public_id = 5",
        &[FindingKind::Column],
        After::AsBefore,
    ),
    (
        "UPDATE object SET type_id = 2 WHERE public_id = 8",
        &[FindingKind::Column, FindingKind::Search],
        After::AsBefore,
    ),
    (
        "DELETE FROM sequence",
        &[FindingKind::Sequence],
        After::AsBefore,
    ),
    (
        "UPDATE sequence SET next_id = 7 WHERE resource = 'object'",
        &[FindingKind::Sequence],
        After::AsBefore,
    ),
    (
        "UPDATE user_group SET name_key = 'x'",
        &[FindingKind::NameKey],
        After::AsBefore,
    ),
    (
        "UPDATE user_account SET name_key = 'x'",
        &[FindingKind::NameKey],
        After::AsBefore,
    ),
    (
        "UPDATE object SET doc = '{' WHERE public_id = 8",
        &[FindingKind::Document],
        After::Damaged,
    ),
    (
        "UPDATE category SET doc = '[]' WHERE public_id = 2",
        &[FindingKind::Document],
        After::Damaged,
    ),
    (
        "DELETE FROM category WHERE public_id = 1",
        &[FindingKind::History, FindingKind::Link],
        After::Damaged,
    ),
    (
        "UPDATE user_account SET group_id = 5",
        &[FindingKind::Column, FindingKind::Link],
        After::Damaged,
    ),
    (
        "UPDATE saved_view SET visibility = 'all'",
        &[FindingKind::Column],
        After::Damaged,
    ),
    (
        "UPDATE saved_view SET owner_id = 5",
        &[FindingKind::Column, FindingKind::Link],
        After::Damaged,
    ),
    (
        "UPDATE source SET name = 'x'",
        &[FindingKind::Column],
        After::Damaged,
    ),
    (
        "UPDATE source_object SET source_id = 5",
        &[FindingKind::Link],
        After::Damaged,
    ),
    (
        "UPDATE api_token SET name_key = 'x'",
        &[FindingKind::Column],
        After::Damaged,
    ),
    (
        "UPDATE api_token SET user_id = 5",
        &[FindingKind::Column, FindingKind::Link],
        After::Damaged,
    ),
    (
        "DELETE FROM api_token",
        &[FindingKind::History],
        After::Damaged,
    ),
    (
        "DELETE FROM saved_view",
        &[FindingKind::History],
        After::Damaged,
    ),
    (
        "UPDATE user_setting SET identifier = 'y'",
        &[FindingKind::Column, FindingKind::History],
        After::Damaged,
    ),
    (
        "DELETE FROM type_field WHERE name = 'author_id'",
        &[FindingKind::Index, FindingKind::Link],
        After::Clean,
    ),
    (
        "UPDATE object SET revision = 5 WHERE public_id = 8",
        &[FindingKind::History],
        After::Damaged,
    ),
    (
        "DELETE FROM change WHERE resource = 'object' AND record_id = 6 AND revision = 1",
        &[FindingKind::History],
        After::Damaged,
    ),
    (
        "DELETE FROM change WHERE resource = 'object' AND record_id = 8",
        &[FindingKind::History],
        After::Damaged,
    ),
    (
        "DELETE FROM change WHERE resource = 'object' AND record_id = 7 AND revision = 2",
        &[FindingKind::History],
        After::Damaged,
    ),
];

both!(
    each_damage_is_found_and_what_is_derived_is_repaired,
    check_damages
);

fn check_damages(database: fn() -> TestDatabase) {
    let database = filled(database());
    if let TestDatabase::Sqlite(directory) = &database {
        // It would refuse a database whose newest change is gone, before it is checked.
        fs::remove_file(directory.path().join("stockroom.state")).unwrap();
    }
    let healthy = rows_of_all_tables(database.connection().as_mut());
    for (damage, expected, outcome) in DAMAGES {
        database.writer().execute(damage, &[]).unwrap();
        let report = check(&database.location()).unwrap();
        assert_eq!(kinds(&report), expected, "{damage}: {report:#?}");
        let left = repair(&database.location()).unwrap();
        let again = check(&database.location()).unwrap();
        assert_eq!(left.counts, again.counts, "{damage}");
        if outcome == After::Damaged {
            assert_eq!(kinds(&left), expected, "{damage}: {left:#?}");
        } else {
            assert_eq!(left.problems(), 0, "{damage}: {left:#?}");
            let repaired: Vec<FindingKind> = left.repaired.keys().copied().collect();
            assert_eq!(repaired, expected, "{damage}");
        }
        let after = rows_of_all_tables(database.connection().as_mut());
        assert_eq!(after == healthy, outcome == After::AsBefore, "{damage}");
        restore(database.writer().as_mut(), &healthy);
    }
}

/// Puts back all rows.
fn restore(driver: &mut dyn Driver, tables: &[Vec<Vec<crate::maintenance::transfer::Value>>]) {
    driver.script("BEGIN").unwrap();
    for (table, rows) in TABLES.iter().zip(tables) {
        driver
            .execute(&format!("DELETE FROM {}", table.name), &[])
            .unwrap();
        let (one, all) = (table.insert_one(), table.insert_all());
        let insert = BatchStatement {
            width: table.columns.len(),
            one: &one,
            all: &all,
            alike: None,
            copy: None,
        };
        let params: Vec<_> = rows.iter().flatten().map(|value| value.param()).collect();
        driver.execute_many(&insert, &params).unwrap();
    }
    driver.script("COMMIT").unwrap();
}

both!(a_repair_never_changes_documents_or_history, check_untouched);

fn check_untouched(database: fn() -> TestDatabase) {
    let database = filled(database());
    let kept = [
        "object",
        "type",
        "category",
        "user_setting",
        "saved_view",
        "source",
        "source_object",
        "api_token",
        "change",
        "instance",
    ];
    let rows = |database: &TestDatabase| {
        let tables = rows_of_all_tables(database.connection().as_mut());
        let named = TABLES.iter().zip(tables);
        let kept = named.filter(|(table, _)| kept.contains(&table.name));
        kept.map(|(_, rows)| rows).collect::<Vec<_>>()
    };
    let before = rows(&database);
    for damage in ["DELETE FROM object_field", "DELETE FROM object_count"] {
        database.writer().execute(damage, &[]).unwrap();
    }
    repair(&database.location()).unwrap();
    assert!(rows(&database) == before);
}

#[test]
fn a_directory_in_use_can_be_checked_but_not_repaired() {
    let database = filled(TestDatabase::sqlite());
    let store = database.open();
    assert_eq!(check(&database.location()).unwrap().problems(), 0);
    let refused = repair(&database.location()).unwrap_err();
    assert!(matches!(refused, Error::Locked(_)), "{refused:?}");
    store.close();
}

both!(
    where_nothing_is_nothing_can_be_checked_and_nothing_is_made,
    check_missing
);

fn check_missing(database: fn() -> TestDatabase) {
    let database = database();
    for refused in [check(&database.location()), repair(&database.location())] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Missing(_)), "{refused:?}");
    }
    if let TestDatabase::Sqlite(directory) = &database {
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }
}

#[test]
fn a_kind_of_finding_has_few_lines_and_all_are_counted() {
    let mut report = CheckReport::default();
    for number in 0..1_000 {
        report.add(FindingKind::Index, number.to_string());
    }
    report.add(FindingKind::Link, "last".to_owned());
    assert_eq!(report.problems(), 1_001);
    assert_eq!(report.findings.len(), 51);
}
