//! An interrupted copy leaves an empty target, which the next copy can use.

use std::net::SocketAddr;

use stockroom_testcluster::{Direction, Proxy};

use super::filling::content;
use super::{TestDatabase, TransferError, both, filled, run};
use crate::engine::driver::Driver;
use crate::engine::driver::postgres::PostgresConfig;
use crate::engine::driver::versions::Versions;
use crate::engine::table::TABLES;
use crate::{Error, Location, Store, check};
use stockroom_model::Timestamp;

/// In the middle of the rows.
const BYTES: usize = 300_000;

both!(a_copy_that_comes_out_otherwise_is_undone, check_spoilt);

fn check_spoilt(database: fn() -> TestDatabase) {
    let (from, to) = (filled(TestDatabase::sqlite()), database());
    to.open().close();
    let script = match &to {
        TestDatabase::Sqlite(_) => {
            "CREATE TRIGGER spoil AFTER INSERT ON failed_login BEGIN \
             UPDATE failed_login SET doc = 'spoilt' WHERE network = new.network; END"
        }
        TestDatabase::Postgres(_) => {
            "CREATE FUNCTION spoil() RETURNS TRIGGER LANGUAGE plpgsql AS \
             $$ BEGIN new.doc := 'spoilt'; RETURN new; END $$; \
             CREATE TRIGGER spoil BEFORE INSERT ON failed_login FOR EACH ROW EXECUTE FUNCTION spoil()"
        }
    };
    to.writer().script(script).unwrap();
    let undone = run(&from.location(), &to.location()).unwrap_err();
    assert!(
        matches!(
            undone,
            TransferError::Differs {
                table: "failed_login",
                ..
            }
        ),
        "{undone:?}"
    );
    assert_is_empty(to.connection().as_mut());
    to.open().close();
}

both!(a_copy_that_ends_for_whatever_reason_is_undone, check_ended);

fn check_ended(database: fn() -> TestDatabase) {
    for stage in [super::Stage::Copying, super::Stage::Verifying] {
        let (from, to) = (filled(TestDatabase::sqlite()), database());
        let ended = super::transfer(
            &from.location(),
            &to.location(),
            Timestamp(1),
            &mut |progress| {
                assert!(progress.table != "change" || progress.stage != stage);
            },
        );
        assert!(ended.is_err());
        assert_is_empty(to.connection().as_mut());
        let is_refused = || {
            let opened = Store::open_at(&to.location(), Timestamp(1));
            matches!(opened, Err(Error::UnfinishedCopy))
        };
        assert!(is_refused());
        let checked = check(&to.location());
        assert!(matches!(checked, Err(Error::UnfinishedCopy)), "{checked:?}");
        let elsewhere = TestDatabase::sqlite();
        let moved = run(&to.location(), &elsewhere.location()).unwrap_err();
        let is_refused_as_source = matches!(moved, TransferError::Source(Error::UnfinishedCopy));
        assert!(is_refused_as_source, "{moved:?}");
        run(&from.location(), &to.location()).unwrap();
        assert!(!is_refused());
    }
}

#[test]
fn a_target_that_is_cut_off_stays_empty() {
    let (from, to) = (filled(TestDatabase::sqlite()), TestDatabase::postgres());
    to.open().close();
    let (proxy, through) = proxied(&to);
    proxy.cut_after(Direction::ToServer, BYTES).unwrap();
    let cut = run(&from.location(), &through).unwrap_err();
    assert!(matches!(cut, TransferError::Table { .. }), "{cut:?}");
    assert_is_empty(to.connection().as_mut());
    run(&from.location(), &to.location()).unwrap();
}

#[test]
fn a_source_that_is_cut_off_leaves_the_target_empty() {
    let (from, to) = (filled(TestDatabase::postgres()), TestDatabase::sqlite());
    let (proxy, through) = proxied(&from);
    proxy.cut_after(Direction::ToClient, BYTES).unwrap();
    let cut = run(&through, &to.location()).unwrap_err();
    assert!(matches!(cut, TransferError::Table { .. }), "{cut:?}");
    assert_is_empty(to.connection().as_mut());
    run(&from.location(), &to.location()).unwrap();
}

/// A proxy to the server whose connections can be cut.
fn proxied(database: &TestDatabase) -> (Proxy, Location) {
    let TestDatabase::Postgres(config) = database else {
        unreachable!("it is a server")
    };
    let (before, rest) = config.url.split_once('@').expect("a user in the URL");
    let (host, database) = rest.split_once('/').expect("a database in the URL");
    let target: SocketAddr = host.parse().expect("an address in the URL");
    let proxy = Proxy::start(target).unwrap();
    let url = format!("{before}@{}/{database}", proxy.address());
    let through = Location::Server(Box::new(PostgresConfig {
        url,
        ..config.clone()
    }));
    (proxy, through)
}

fn assert_is_empty(driver: &mut dyn Driver) {
    let content = content(driver);
    let mut tables = TABLES.iter().zip(&content);
    assert!(tables.all(|(table, rows)| rows.is_empty() || table.name == Versions::TABLE));
}
