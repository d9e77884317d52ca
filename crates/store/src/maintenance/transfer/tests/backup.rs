//! A backup file holds one state of the store and gives it back; one that is not whole is refused.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crossbeam_channel::unbounded;
use stockroom_model::{Category, CategoryId, Revision, Timestamp};

use super::filling::content;
use super::{TestDatabase, TransferError, both, filled};
use crate::engine::driver::{Dialect, Driver};
use crate::engine::migrate;
use crate::engine::table::{TABLES, Table};
use crate::maintenance::transfer::rows::scan;
use crate::maintenance::transfer::{Origin, Step, Transferred, backup, restore};
use crate::{Error, Location, ReserveUse, Resource, Store, Via, WriteContext, WriteTx};

const COUNT: &str = "SELECT COUNT(*) FROM category";
const NEWEST: &str = "SELECT MAX(seq) FROM change";

/// A directory for files.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn save(from: &TestDatabase, file: &Path) -> Result<Transferred, TransferError> {
    backup(&from.location(), file, Timestamp(1), &mut |_| {
        ControlFlow::Continue(())
    })
}

fn load(file: &Path, to: &Location) -> Result<Transferred, TransferError> {
    restore(file, to, Timestamp(2), &mut |_| {})
}

#[test]
fn a_backup_of_either_engine_comes_back_the_same_on_either_engine() {
    let files = Files::new();
    let first = filled(TestDatabase::sqlite());
    let before = content(first.connection().as_mut());
    let targets = [
        TestDatabase::postgres(),
        TestDatabase::postgres(),
        TestDatabase::sqlite(),
        TestDatabase::sqlite(),
    ];
    let mut from = &first;
    let mut results = Vec::new();
    for (number, to) in targets.iter().enumerate() {
        let file = files.file(&number.to_string());
        results.push(save(from, &file).unwrap());
        results.push(load(&file, &to.location()).unwrap());
        assert!(content(to.connection().as_mut()) == before);
        from = to;
    }
    assert!(results.iter().all(|result| *result == results[0]));
    assert!(results[0].tables.iter().all(|(_, rows)| *rows > 0));
}

#[test]
fn only_the_owner_can_read_a_backup_and_nothing_is_left_beside_it() {
    let files = Files::new();
    fs::write(files.file("a.partial"), "left by a crash").unwrap();
    save(&filled(TestDatabase::sqlite()), &files.file("a")).unwrap();
    assert_eq!(files.names(), ["a"]);
    let mode = fs::metadata(files.file("a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

both!(
    a_backup_is_one_state_of_a_store_that_is_written_to,
    check_concurrent
);

/// Every category is written with its row in `change`, so both tables tell whether a commit is in
/// the backup.
fn check_concurrent(database: fn() -> TestDatabase) {
    let (files, database) = (Files::new(), database());
    let store = database.open();
    let mut seen = 0;
    add(&store);
    let expected = numbers(database.connection().as_mut());
    let saved = backup(
        &database.location(),
        &files.file("a"),
        Timestamp(1),
        &mut |_| {
            seen += 1;
            add(&store);
            ControlFlow::Continue(())
        },
    );
    saved.unwrap();
    assert!(seen > TABLES.len());
    let after = numbers(database.connection().as_mut());
    store.close();
    assert_ne!(after, expected);
    let restored = TestDatabase::sqlite();
    load(&files.file("a"), &restored.location()).unwrap();
    let found = numbers(restored.connection().as_mut());
    let (writes, rows) = (after.1 - found.1, after.0 - found.0);
    assert_eq!(writes, rows, "a commit is in the backup by half");
    assert!(found.0 >= expected.0 && found.0 < after.0, "{found:?}");
}

fn add(store: &Store) {
    let context = WriteContext {
        actor: 1,
        request_id: "test".to_owned(),
        via: Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now: Timestamp(2),
        work_limit: None,
        commit_token: None,
    };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.build().unwrap();
    runtime
        .block_on(store.write(context, add_category))
        .unwrap();
}

fn add_category(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    let category = Category {
        public_id: CategoryId::new(tx.next_id(Resource::Category)?).unwrap(),
        name: "a".to_owned(),
        label: "A".to_owned(),
        meta: serde_json::from_str(r#"{"icon": "", "order": null}"#)?,
        parent: None,
        types: Vec::new(),
    };
    tx.insert_category(Revision(1), category)?;
    Ok(())
}

/// The number of categories, and the newest change.
fn numbers(driver: &mut dyn Driver) -> (i64, i64) {
    let mut number = |sql| {
        let mut number = 0;
        let asked = driver.query(sql, &[], &mut |row| {
            number = row.int(0)?;
            Ok(())
        });
        asked.unwrap();
        number
    };
    (number(COUNT), number(NEWEST))
}

#[test]
fn a_file_that_is_damaged_anywhere_or_cut_off_is_refused_and_nothing_is_made() {
    let files = Files::new();
    let whole = files.file("whole");
    save(&filled(TestDatabase::sqlite()), &whole).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let target = Location::Directory(files.file("new"));
    let refuse = |bytes: &[u8], what: &str| {
        let damaged = files.file("damaged");
        fs::write(&damaged, bytes).unwrap();
        let refused = load(&damaged, &target).unwrap_err();
        assert!(
            matches!(refused, TransferError::Source(Error::Backup { .. })),
            "{what}: {refused:?}"
        );
        assert_eq!(files.names(), ["damaged", "whole"], "{what}");
    };
    let places = (0..400).chain((0..60).map(|part| bytes.len() / 60 * part));
    for place in places.chain(bytes.len() - 40..bytes.len()) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        refuse(&bytes, &format!("byte {place} was changed"));
        refuse(&bytes[..place], &format!("cut off at {place}"));
    }
    refuse(&[&bytes[..], b"\n"].concat(), "longer by a byte");
    load(&whole, &target).unwrap();
}

both!(a_full_target_is_refused_and_stays_as_it_is, check_full);

fn check_full(database: fn() -> TestDatabase) {
    let (files, target) = (Files::new(), filled(database()));
    save(&target, &files.file("a")).unwrap();
    let before = content(target.connection().as_mut());
    let refused = load(&files.file("a"), &target.location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::NotEmpty { .. }),
        "{refused:?}"
    );
    assert!(content(target.connection().as_mut()) == before);
}

#[test]
fn an_existing_file_is_not_replaced() {
    let (files, from) = (Files::new(), filled(TestDatabase::sqlite()));
    fs::write(files.file("a"), "precious").unwrap();
    let refused = save(&from, &files.file("a")).unwrap_err();
    assert!(refused.to_string().contains("cannot write"), "{refused:?}");
    assert_eq!(fs::read(files.file("a")).unwrap(), b"precious");
    assert_eq!(files.names(), ["a"]);
}

both!(a_stopped_backup_leaves_nothing, check_stopped);

fn check_stopped(database: fn() -> TestDatabase) {
    let (files, from) = (Files::new(), filled(database()));
    let stopped = backup(
        &from.location(),
        &files.file("a"),
        Timestamp(1),
        &mut |progress| match progress.table {
            "object" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        },
    );
    assert!(
        matches!(stopped, Err(TransferError::Stopped)),
        "{stopped:?}"
    );
    assert_eq!(files.names(), Vec::<String>::new());
}

#[test]
fn a_missing_store_gives_no_file() {
    let files = Files::new();
    let refused = save(&TestDatabase::sqlite(), &files.file("a")).unwrap_err();
    assert!(
        matches!(refused, TransferError::Source(Error::Missing(_))),
        "{refused:?}"
    );
    assert_eq!(files.names(), Vec::<String>::new());
}

both!(a_backup_of_an_older_schema_is_migrated, check_older);

const INSERT_OLD_GROUP: &str =
    "INSERT INTO user_group (public_id, name, revision, doc) VALUES (1, 'Desk', 1, ?1)";
const DESK: &str = r#"{"public_id":1,"name":"Desk","label":"","rights":[]}"#;
const OLD_GROUP: Table = Table {
    columns: &[
        ("public_id", crate::engine::table::Kind::Int),
        ("name", crate::engine::table::Kind::Text),
        ("revision", crate::engine::table::Kind::Int),
        ("doc", crate::engine::table::Kind::Text),
    ],
    ..group()
};

const OLD_CHANGE: Table = Table {
    name: "change",
    home: crate::engine::table::Home::Object("record_id"),
    key: &["seq"],
    columns: &[
        ("seq", crate::engine::table::Kind::Int),
        ("record_id", crate::engine::table::Kind::Int),
        ("resource", crate::engine::table::Kind::Text),
        ("name", crate::engine::table::Kind::Text),
        ("revision", crate::engine::table::Kind::Int),
        ("kind", crate::engine::table::Kind::Text),
        ("actor", crate::engine::table::Kind::Int),
        ("at", crate::engine::table::Kind::Int),
        ("request_id", crate::engine::table::Kind::Text),
        ("comment", crate::engine::table::Kind::OptText),
    ],
};

const fn group() -> Table {
    Table {
        name: "user_group",
        home: crate::engine::table::Home::Everywhere,
        key: &["public_id"],
        columns: &[],
    }
}

/// The tables that later migrations made or changed.
const NEW_OR_CHANGED: [&str; 23] = [
    "unique_rule",
    "unique_value",
    "user_group",
    "change",
    "object_irregular",
    "login_session",
    "login_event",
    "idempotency_key",
    "own_change_usage",
    "object_job",
    "object_job_chunk",
    "import",
    "import_chunk",
    "import_verdict",
    "import_turn",
    "node_heartbeat",
    "saved_view",
    "source",
    "source_object",
    "api_token",
    "search_block",
    "search_gram",
    "search_pending",
];

/// Before the migration that added keys of names.
fn check_older(database: fn() -> TestDatabase) {
    let files = Files::new();
    save_old(&files.file("old"));
    let target = database();
    load(&files.file("old"), &target.location()).unwrap();
    let mut keys = Vec::new();
    let sql = "SELECT name_key FROM user_group";
    let asked = target.connection().query(sql, &[], &mut |row| {
        keys.push(row.text(0)?.to_owned());
        Ok(())
    });
    asked.unwrap();
    assert_eq!(keys, ["desk"]);
    target.open().close();

    let newer = database();
    newer.open().close();
    let refused = load(&files.file("old"), &newer.location()).unwrap_err();
    assert!(
        matches!(refused, TransferError::Target(Error::NotOlder(_))),
        "{refused:?}"
    );
}

/// A backup as the release of the second migration would have made it.
fn save_old(file: &Path) {
    let old = TestDatabase::sqlite();
    let mut driver = old.writer();
    let driver = driver.as_mut();
    migrate::apply_first(driver, &migrate::first(2), 1).unwrap();
    driver.execute(INSERT_OLD_GROUP, &[DESK.into()]).unwrap();
    let (steps, queue) = unbounded();
    let origin = Origin {
        engine: Dialect::Sqlite,
        migrations: migrate::applied(driver).unwrap(),
    };
    steps.send(Step::Opened(origin)).unwrap();
    let is_new = |name| NEW_OR_CHANGED.contains(&name);
    let old_tables = TABLES.iter().filter(|table| !is_new(table.name));
    for table in [&OLD_GROUP, &OLD_CHANGE].into_iter().chain(old_tables) {
        steps.send(Step::Table(table)).unwrap();
        let sum = scan(driver, table, &mut |batch| {
            steps.send(Step::Rows(batch)).unwrap();
            Ok(())
        });
        steps.send(Step::End(sum.unwrap())).unwrap();
    }
    steps.send(Step::Finished).unwrap();
    let proceed = &mut |_| ControlFlow::Continue(());
    backup::write(file, Timestamp(1), &queue, proceed).unwrap();
}

#[test]
fn a_backup_of_a_newer_release_is_refused_and_nothing_is_made() {
    let files = Files::new();
    let (steps, queue) = unbounded();
    let mut migrations = migrate::first(usize::MAX);
    migrations.push((1_000, "of the future".to_owned()));
    let origin = Origin {
        engine: Dialect::Sqlite,
        migrations,
    };
    steps.send(Step::Opened(origin)).unwrap();
    steps.send(Step::Finished).unwrap();
    let proceed = &mut |_| ControlFlow::Continue(());
    backup::write(&files.file("a"), Timestamp(1), &queue, proceed).unwrap();
    let target = Location::Directory(files.file("new"));
    let refused = load(&files.file("a"), &target).unwrap_err();
    let TransferError::Source(reason) = refused else {
        panic!("{refused:?}")
    };
    assert!(
        reason.to_string().contains("is at migration 1000"),
        "{reason}"
    );
    assert_eq!(files.names(), ["a"]);
}
