//! A check finds images that cannot be read, and a repair leaves them.

use super::filling::{edit, filled, write};
use crate::engine::driver::Param;
use crate::maintenance::check::{check, repair};
use crate::records::image::decode;
use crate::records::object::tests::test_database::{TestDatabase, both};

const SELECT: &str =
    "SELECT image FROM change WHERE resource = 'object' AND record_id = ?1 AND revision = ?2";
const UPDATE: &str =
    "UPDATE change SET image = ?3 WHERE resource = 'object' AND record_id = ?1 AND revision = ?2";

/// The object that was edited often, and its newest revision.
const EDITED: i64 = 5;
const NEWEST: i64 = 70;

fn image(database: &TestDatabase, id: i64, revision: i64) -> Vec<u8> {
    let mut image = Vec::new();
    let mut read = |row: &dyn crate::engine::driver::Row| {
        image = row.opt_bytes(0)?.unwrap_or_default().to_vec();
        Ok(())
    };
    let params = [id.into(), revision.into()];
    let mut connection = database.connection();
    connection.query(SELECT, &params, &mut read).unwrap();
    image
}

/// What a check says after an image was replaced. It is put back.
fn said_of(database: &TestDatabase, images: &[(i64, i64, Option<&[u8]>)]) -> Vec<String> {
    let mut before = Vec::new();
    for (id, revision, new) in images {
        before.push((*id, *revision, image(database, *id, *revision)));
        set(database, *id, *revision, *new);
    }
    let report = check(&database.location()).unwrap();
    let repaired = repair(&database.location()).unwrap();
    assert_eq!(repaired.counts, report.counts);
    for (id, revision, old) in before {
        set(database, id, revision, Some(&old));
    }
    let problems = report
        .findings
        .iter()
        .filter(|finding| finding.kind.is_problem());
    problems.map(|finding| finding.line.clone()).collect()
}

fn set(database: &TestDatabase, id: i64, revision: i64, image: Option<&[u8]>) {
    let image = image.map_or(Param::Null, Param::from);
    let params = [id.into(), revision.into(), image];
    database.writer().execute(UPDATE, &params).unwrap();
}

fn unreadable(id: i64, revision: i64) -> String {
    format!("object {id}: what it was before revision {revision} cannot be read")
}

/// Whether two whole images hold the same document: some bits of a compressed text mean nothing.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    decode(one, None).ok() == decode(other, None).ok()
}

both!(an_image_that_cannot_be_read_is_found, check_images);

fn check_images(database: fn() -> TestDatabase) {
    let database = filled(database());
    let store = database.open();
    write(&store, |tx| {
        (2..=NEWEST).try_for_each(|revision| edit(tx, EDITED, &format!("name {revision}")))
    });
    store.close();
    let of = |revision| image(&database, EDITED, revision);
    assert_eq!(said_of(&database, &[]), Vec::<String>::new());

    let whole = of(64);
    for byte in (0..whole.len()).step_by(5) {
        let mut flipped = whole.clone();
        flipped[byte] ^= 0x10;
        let said = said_of(&database, &[(EDITED, 64, Some(&flipped))]);
        let expected = if is_same(&whole, &flipped) {
            Vec::new()
        } else {
            vec![unreadable(EDITED, 64)]
        };
        assert_eq!(said, expected, "byte {byte}");
    }
    for revision in [2, 30, 65, NEWEST] {
        let mut flipped = of(revision);
        *flipped.last_mut().unwrap() ^= 1;
        let said = said_of(&database, &[(EDITED, revision, Some(&flipped))]);
        assert_eq!(said, [unreadable(EDITED, revision)]);
    }

    // What the first gives is a document of this record, too. The second needs what follows it.
    let (first, second) = (of(30), of(31));
    let swapped = [
        (EDITED, 30, Some(&second[..])),
        (EDITED, 31, Some(&first[..])),
    ];
    assert_eq!(said_of(&database, &swapped), [unreadable(EDITED, 30)]);
    // After what is unknown, nothing can be read up to the next whole image.
    let unknown = [(EDITED, 66, None), (EDITED, 65, Some(&b"?"[..]))];
    assert_eq!(said_of(&database, &unknown), Vec::<String>::new());
    let after_unknown = [(EDITED, 66, None), (EDITED, 63, Some(&b"?"[..]))];
    assert_eq!(said_of(&database, &after_unknown), [unreadable(EDITED, 63)]);

    let difference = of(63);
    let without_whole = [(EDITED, 64, Some(&difference[..]))];
    assert_eq!(said_of(&database, &without_whole), [unreadable(EDITED, 64)]);
    let of_another = image(&database, 7, 2);
    let foreign = [(6, 2, Some(&of_another[..]))];
    assert_eq!(said_of(&database, &foreign), [unreadable(6, 2)]);
    for (id, revision) in [(7, 2), (EDITED, 40)] {
        let said = said_of(&database, &[(id, revision, Some(&[]))]);
        assert_eq!(said, [unreadable(id, revision)]);
    }
}
