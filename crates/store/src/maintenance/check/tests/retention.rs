//! The gaps of retention are no damage, and hide none.

use stockroom_model::Timestamp;

use super::filling::{edit, filled, write};
use crate::maintenance::check::check;
use crate::records::object::tests::test_database::{TestDatabase, both};

const EDITED: i64 = 5;
const NEWEST: i64 = 70;

both!(gaps_of_retention_are_no_damage, check_gaps);

fn check_gaps(database: fn() -> TestDatabase) {
    let database = filled(database());
    let store = database.open();
    write(&store, |tx| {
        (2..=NEWEST).try_for_each(|revision| edit(tx, EDITED, &format!("name {revision}")))
    });
    // PostgreSQL holds changes back while a transaction of another database of the server is open.
    let mut removed = 0;
    while removed == 0 {
        removed = write(&store, |tx| tx.remove_history(Timestamp(3))).changes;
    }
    assert_eq!(removed, NEWEST.unsigned_abs() - 2);
    write(&store, |tx| edit(tx, EDITED, "later"));
    write(&store, |tx| edit(tx, EDITED, "last"));
    store.close();
    assert_eq!(check(&database.location()).unwrap().problems(), 0);

    let lost = format!(
        "DELETE FROM change WHERE resource = 'object' AND record_id = {EDITED} AND revision = {}",
        NEWEST + 1
    );
    database.writer().execute(&lost, &[]).unwrap();
    let report = check(&database.location()).unwrap();
    let line = format!(
        "object {EDITED}: revisions before {} are missing from its history",
        NEWEST + 2
    );
    assert_eq!(
        report
            .findings
            .iter()
            .filter(|finding| finding.line == line)
            .count(),
        1,
        "{report:#?}"
    );
}
