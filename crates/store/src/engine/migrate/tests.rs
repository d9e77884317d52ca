use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use stockroom_model::Timestamp;

use super::{INSERT_JOURNAL, MIGRATIONS, SELECT_JOURNAL, apply, migrate, newest};
use crate::engine::directory::DATABASE_FILE;
use crate::engine::driver::Driver as _;
use crate::engine::driver::sqlite::Sqlite;
use crate::engine::driver::versions::Versions;
use crate::{Error, Location, Store};

const CHANGE_CHECKSUM: &str = "UPDATE schema_migration SET checksum = ?1 WHERE version = 1";
const FORGET_ALL: &str = "DELETE FROM schema_migration";

fn new_database() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    Store::open(directory.path(), Timestamp(1)).unwrap().close();
    directory
}

fn connection(directory: &Path) -> Sqlite {
    Sqlite::writer(&directory.join(DATABASE_FILE)).unwrap()
}

/// Why a server and a reader beside it refuse the database. Checks that the refusals leave it
/// unchanged.
fn refusals(directory: &Path) -> [Error; 2] {
    let file = directory.join(DATABASE_FILE);
    let before = fs::read(&file).unwrap();
    let opened = Store::open(directory, Timestamp(2)).err().unwrap();
    let peeked = Store::peek(&Location::Directory(directory.to_owned()), |_| {
        Ok::<_, Error>(())
    })
    .unwrap_err();
    assert!(before == fs::read(&file).unwrap(), "the database changed");
    [opened, peeked]
}

#[test]
fn each_migration_is_applied_once() {
    let directory = new_database();
    Store::open(directory.path(), Timestamp(2)).unwrap().close();
    let mut versions = Vec::new();
    let mut connection = connection(directory.path());
    let read = connection.query(SELECT_JOURNAL, &[], &mut |row| {
        versions.push(row.int(0)?);
        Ok(())
    });
    read.unwrap();
    let known: Vec<i64> = MIGRATIONS
        .iter()
        .map(|migration| migration.version)
        .collect();
    assert_eq!(versions, known);
    assert!(known.is_sorted_by(|one, next| one < next));
}

#[test]
fn other_nodes_see_a_migration_by_the_versions_of_the_catalog() {
    let directory = tempfile::tempdir().unwrap();
    let mut driver = connection(directory.path());
    let mut seen = Vec::new();
    apply(&mut driver, &MIGRATIONS[..1], 1).unwrap();
    for _ in 0..2 {
        migrate(&mut driver, 1).unwrap();
        seen.push(Versions::read(&mut driver).unwrap());
    }
    assert_eq!(seen[0].schema(), newest());
    assert_eq!(seen[1], seen[0]);
}

#[test]
fn a_database_of_a_newer_release_is_refused_and_stays_as_it_is() {
    let directory = new_database();
    let from_the_future = [(newest() + 1).into(), "later".into(), "ab".into(), 5.into()];
    connection(directory.path())
        .execute(INSERT_JOURNAL, &from_the_future)
        .unwrap();
    for error in refusals(directory.path()) {
        assert!(matches!(error, Error::Newer { found, .. } if found == newest() + 1));
        assert!(error.to_string().contains("newer Stockroom"), "{error}");
    }
}

#[test]
fn a_database_with_an_altered_migration_is_refused_and_stays_as_it_is() {
    let directory = new_database();
    connection(directory.path())
        .execute(CHANGE_CHECKSUM, &["of another text".into()])
        .unwrap();
    for error in refusals(directory.path()) {
        assert!(matches!(error, Error::Altered { version: 1 }), "{error}");
    }
}

#[test]
fn who_only_looks_does_not_migrate() {
    let directory = new_database();
    connection(directory.path())
        .execute(FORGET_ALL, &[])
        .unwrap();
    let error = Store::peek(&Location::Directory(directory.path().to_owned()), |_| {
        Ok::<_, Error>(())
    })
    .unwrap_err();
    assert!(matches!(error, Error::Older { found: 0, .. }), "{error}");
}

#[test]
fn where_nothing_is_nothing_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let peeked = Store::peek(&Location::Directory(directory.path().to_owned()), |_| {
        Ok::<_, Error>(())
    })
    .unwrap_err();
    let opened = Store::open_existing(
        &Location::Directory(directory.path().to_owned()),
        Timestamp(1),
    )
    .err();
    for error in [peeked, opened.unwrap()] {
        assert!(matches!(error, Error::Missing(_)), "{error}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn names_of_old_data_that_look_alike_keep_their_records_and_get_keys_of_their_own() {
    const INSERT_GROUP: &str =
        "INSERT INTO user_group (public_id, name, revision, doc) VALUES (?1, ?2, 1, ?3)";
    const KEYS: &str = "SELECT name_key FROM user_group ORDER BY public_id";
    let directory = tempfile::tempdir().unwrap();
    let mut old = connection(directory.path());
    apply(&mut old, &MIGRATIONS[..2], 1).unwrap();
    for (id, name) in [(1, "Desk"), (2, "desk"), (3, "2nd\u{a0}floor")] {
        let doc = format!(r#"{{"public_id":{id},"name":"{name}","label":"","rights":[]}}"#);
        old.execute(INSERT_GROUP, &[id.into(), name.into(), doc.as_str().into()])
            .unwrap();
    }
    drop(old);
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    Store::open(directory.path(), Timestamp(2)).unwrap().close();
    let mut keys = Vec::new();
    let read = connection(directory.path()).query(KEYS, &[], &mut |row| {
        keys.push(row.text(0)?.to_owned());
        Ok(())
    });
    read.unwrap();
    assert_eq!(keys, ["desk", "desk ALIKE 2", "2nd floor"]);
}

const INSERT_USER: &str = "INSERT INTO user_account (public_id, name_key, group_id, password_hash, token_generation, revision, doc) VALUES (1, 'Ann', 1, 'x', 1, 1, ?1)";
const ANN: &str = r#"{"public_id":1,"user_name":"Ann","active":true,"group_id":1,"registration_time":"","authenticator":"","email":null,"image":null,"first_name":null,"last_name":null}"#;
const USER_KEYS: &str = "SELECT name_key FROM user_account";
const COPY: &str = "before-migration-3.db";

/// A database before the migration that rewrites the keys of names.
fn old_database() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    apply(&mut connection(directory.path()), &MIGRATIONS[..2], 1).unwrap();
    directory
}

fn user_keys(file: &Path) -> Vec<String> {
    let mut keys = Vec::new();
    let mut driver = Sqlite::reader(file).unwrap();
    let read = driver.query(USER_KEYS, &[], &mut |row| {
        keys.push(row.text(0)?.to_owned());
        Ok(())
    });
    read.unwrap();
    keys
}

#[test]
fn before_records_are_rewritten_the_database_is_copied() {
    let directory = old_database();
    connection(directory.path())
        .execute(INSERT_USER, &[ANN.into()])
        .unwrap();
    let copy = directory.path().join(COPY);
    fs::write(copy.with_extension("partial"), "of a crash").unwrap();
    fs::write(&copy, "of an earlier attempt").unwrap();
    Store::open(directory.path(), Timestamp(2)).unwrap().close();
    assert_eq!(user_keys(&copy), ["Ann"]);
    assert_eq!(user_keys(&directory.path().join(DATABASE_FILE)), ["ann"]);
    assert_eq!(
        fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
        0o600
    );

    let again = tempfile::tempdir().unwrap();
    fs::set_permissions(again.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(&copy, again.path().join(DATABASE_FILE)).unwrap();
    Store::open(again.path(), Timestamp(3)).unwrap().close();
    assert_eq!(user_keys(&again.path().join(DATABASE_FILE)), ["ann"]);
}

#[test]
fn without_records_or_rewrites_nothing_is_copied() {
    let (empty, current) = (old_database(), new_database());
    for directory in [&empty, &current] {
        Store::open(directory.path(), Timestamp(2)).unwrap().close();
        assert!(!directory.path().join(COPY).exists());
    }
}

#[test]
fn a_copy_that_cannot_be_made_refuses_the_start_and_nothing_is_rewritten() {
    let directory = old_database();
    connection(directory.path())
        .execute(INSERT_USER, &[ANN.into()])
        .unwrap();
    fs::create_dir(directory.path().join(COPY)).unwrap();
    let refused = Store::open(directory.path(), Timestamp(2)).err().unwrap();
    assert!(refused.to_string().contains(COPY), "{refused}");
    assert_eq!(user_keys(&directory.path().join(DATABASE_FILE)), ["Ann"]);
}

const INSERT_ANSWER: &str = "INSERT INTO idempotency_key (user_id, key, at, fingerprint, status, headers, body) \
     VALUES (1, 'a', 5, 'plain-digest-7c1d', 200, '{}', 'hidden-7c1d')";
const INSERT_CHANGE: &str = "INSERT INTO change (record_id, resource, name, revision, action, actor, at, request_id) \
     VALUES (1, 'category', '', 1, 'insert', 1, 5, 'r')";
const SELECT_ANSWERS: &str =
    "SELECT fingerprint, body, status FROM idempotency_key WHERE key = 'a'";

#[test]
fn answers_under_plain_digests_are_erased_and_their_keys_stay_taken() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(DATABASE_FILE);
    let mut old = connection(directory.path());
    let count = MIGRATIONS
        .iter()
        .take_while(|known| known.version < 16)
        .count();
    apply(&mut old, &MIGRATIONS[..count], 1).unwrap();
    for insert in [INSERT_ANSWER, INSERT_CHANGE] {
        old.execute(insert, &[]).unwrap();
    }
    drop(old);
    assert!(holds(&file, "7c1d"));
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    Store::open(directory.path(), Timestamp(2)).unwrap().close();
    let mut kept = Vec::new();
    let read = connection(directory.path()).query(SELECT_ANSWERS, &[], &mut |row| {
        kept.push((
            row.text(0)?.to_owned(),
            row.opt_text(1)?.is_none(),
            row.int(2)?,
        ));
        Ok(())
    });
    read.unwrap();
    assert_eq!(kept, [(String::new(), true, 200)]);
    assert!(!holds(&file, "7c1d"));
}

fn holds(file: &Path, text: &str) -> bool {
    let bytes = fs::read(file).unwrap();
    let mut places = bytes.windows(text.len());
    places.any(|place| place == text.as_bytes())
}

#[test]
fn a_token_of_an_older_release_gets_what_its_owner_holds_at_the_upgrade() {
    const INSERT_GROUP: &str = "INSERT INTO user_group (public_id, name, name_key, revision, doc) VALUES (1, 'a', 'a', 1, ?1)";
    const INSERT_TYPE: &str =
        "INSERT INTO type (public_id, name, revision, doc) VALUES (7, 'vault', 1, ?1)";
    const INSERT_TOKEN: &str = "INSERT INTO api_token (public_id, revision, doc, user_id, name_key, digest) VALUES (1, 1, ?1, 1, 'a', 'x')";
    const CEILINGS: &str = "SELECT ceiling FROM api_token";
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let mut old = connection(directory.path());
    apply(&mut old, &MIGRATIONS[..14], 1).unwrap();
    let group = r#"{"public_id":1,"name":"a","label":"","rights":["base.framework.object.view"]}"#;
    let vault = r#"{"public_id":7,"name":"vault","label":"","author_id":1,"editor_id":null,"active":true,"version":"","description":null,"creation_time":"","last_edit_time":null,"fields":[],"render_meta":{},"acl":{"activated":true,"groups":{"includes":{"1":["READ"]}}}}"#;
    let token = r#"{"public_id":1,"user_id":1,"name":"a","prefix":"stk_","rights":null,"types":null,"read_only":false,"networks":null,"created_at":"","expires_at":null}"#;
    for (sql, document) in [
        (INSERT_GROUP, group),
        (INSERT_USER, ANN),
        (INSERT_TYPE, vault),
        (INSERT_TOKEN, token),
    ] {
        old.execute(sql, &[document.into()]).unwrap();
    }
    drop(old);
    Store::open(directory.path(), Timestamp(2)).unwrap().close();
    let mut ceilings = Vec::new();
    let read = connection(directory.path()).query(CEILINGS, &[], &mut |row| {
        ceilings.push(row.text(0)?.to_owned());
        Ok(())
    });
    read.unwrap();
    assert_eq!(
        ceilings,
        [
            r#"{"made_by":null,"rights":["base.framework.object.view"],"group_id":1,"denied":{"7":["CREATE","UPDATE","DELETE"]}}"#
        ]
    );
}
