//! What the failures of a server mean, and servers that end at any moment.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use stockroom_testcluster::{Cluster, Direction, Pooler, Proxy, Settings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio_postgres::{Config, NoTls};

use super::{Address, Fault, Postgres, PostgresConfig, SharedConnection};
use crate::Error;
use crate::engine::driver::Driver as _;
use crate::engine::driver::sql::Sql;

/// Severity and SQLSTATE of a failure, and what it means.
const FAILURES: &[(&str, &str, Option<Fault>)] = &[
    // Conflicts: serialization, deadlock, unique key, lock.
    ("ERROR", "40001", Some(Fault::Conflict)),
    ("ERROR", "40P01", Some(Fault::Conflict)),
    ("ERROR", "23505", Some(Fault::Conflict)),
    ("ERROR", "55P03", Some(Fault::Conflict)),
    ("ERROR", "57014", Some(Fault::Slow)),
    ("ERROR", "53100", Some(Fault::Full)),
    // Connections.
    ("ERROR", "08000", Some(Fault::Lost)),
    ("FATAL", "08001", Some(Fault::Lost)),
    ("FATAL", "08003", Some(Fault::Lost)),
    ("FATAL", "08006", Some(Fault::Lost)),
    ("FATAL", "08P01", Some(Fault::Lost)),
    // Shutdown, crash of a process, start.
    ("FATAL", "57P01", Some(Fault::Lost)),
    ("ERROR", "57P01", Some(Fault::Lost)),
    ("WARNING", "57P02", Some(Fault::Lost)),
    ("FATAL", "57P02", Some(Fault::Lost)),
    ("FATAL", "57P03", Some(Fault::Lost)),
    // Too many connections, no memory.
    ("FATAL", "53300", Some(Fault::Lost)),
    ("ERROR", "53200", Some(Fault::Lost)),
    // Timeouts of an idle transaction, of a transaction, of an idle session.
    ("FATAL", "25P03", Some(Fault::Lost)),
    ("FATAL", "25P04", Some(Fault::Lost)),
    ("FATAL", "57P05", Some(Fault::Lost)),
    // A replica: it refuses writes, and locks.
    ("ERROR", "25006", Some(Fault::Lost)),
    ("ERROR", "55000", Some(Fault::Lost)),
    // A prepared statement whose table was changed.
    ("ERROR", "0A000", Some(Fault::Lost)),
    // Whatever ends the connection, or the whole server.
    ("FATAL", "XX000", Some(Fault::Lost)),
    ("FATAL", "58P01", Some(Fault::Lost)),
    ("PANIC", "58030", Some(Fault::Lost)),
    ("PANIC", "53100", Some(Fault::Lost)),
    ("PANIC", "XX000", Some(Fault::Lost)),
    // Faults of statement or data, and what follows an earlier failure.
    ("ERROR", "25P02", None),
    ("ERROR", "42601", None),
    ("ERROR", "22003", None),
    ("ERROR", "58030", None),
    ("ERROR", "XX001", None),
];

const AUTHENTICATED_AND_READY: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";
const READY: &[u8] = b"Z\0\0\0\x05I";

/// The message of a failure.
fn failure(severity: &str, code: &str) -> Vec<u8> {
    failure_in(severity, code, "failed", "")
}

/// The message of a failure with its text and its context.
fn failure_in(severity: &str, code: &str, text: &str, context: &str) -> Vec<u8> {
    let fields = format!("S{severity}\0V{severity}\0C{code}\0M{text}\0W{context}\0\0");
    let length = u32::try_from(fields.len() + 4).unwrap();
    [b"E", length.to_be_bytes().as_slice(), fields.as_bytes()].concat()
}

/// A server that answers the first request with these bytes and ends.
async fn answer(mut client: DuplexStream, answer: &[u8]) {
    let mut request = [0; 1_024];
    let _ = client.read(&mut request).await.unwrap();
    client.write_all(AUTHENTICATED_AND_READY).await.unwrap();
    let _ = client.read(&mut request).await.unwrap();
    client.write_all(answer).await.unwrap();
}

/// What a client makes of an answer.
fn fault_of(bytes: &[u8]) -> Option<Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (here, there) = duplex(4_096);
    let asked = async {
        let mut config = Config::new();
        let (client, connection) = config.user("a").connect_raw(here, NoTls).await.unwrap();
        let (answered, _) = tokio::join!(client.batch_execute("SELECT 1"), connection);
        Fault::of(&answered.unwrap_err())
    };
    let (fault, ()) = runtime.block_on(async { tokio::join!(asked, answer(there, bytes)) });
    fault
}

#[test]
fn each_failure_has_its_meaning() {
    for (severity, code, meaning) in FAILURES {
        let bytes = [&failure(severity, code), READY].concat();
        assert_eq!(fault_of(&bytes), *meaning, "{severity} {code}");
    }
}

#[test]
fn a_coordinator_that_lost_the_server_of_a_shard_is_told_from_a_bug() {
    let on_worker = "while executing command on worker-1:5432";
    let lost = [
        (
            "failure on connection marked as essential: worker-1:5432",
            "",
        ),
        ("could not connect to any active placements", ""),
        ("server closed the connection unexpectedly", on_worker),
        ("connection not open", on_worker),
        (
            "could not receive data from server: Connection reset by peer",
            on_worker,
        ),
        ("SSL connection has been closed unexpectedly", on_worker),
    ];
    for (text, context) in lost {
        let bytes = [&failure_in("ERROR", "XX000", text, context), READY].concat();
        assert_eq!(fault_of(&bytes), Some(Fault::Lost), "{text}");
    }
    let bugs = [
        ("cache lookup failed for type 7", ""),
        ("cache lookup failed for type 7", on_worker),
        ("server closed the connection unexpectedly", "SQL function"),
    ];
    for (text, context) in bugs {
        let bytes = [&failure_in("ERROR", "XX000", text, context), READY].concat();
        assert_eq!(fault_of(&bytes), None, "{text}");
    }
}

#[test]
fn an_answer_that_is_cut_off_is_a_lost_connection() {
    let whole = failure("ERROR", "42601");
    for length in 0..whole.len() {
        assert_eq!(
            fault_of(&whole[..length]),
            Some(Fault::Lost),
            "{length} bytes"
        );
    }
}

#[test]
fn a_server_that_ends_while_a_connection_is_opened_is_unavailable_on_postgres() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let proxy = Proxy::start(cluster.address()).unwrap();
    let address = Address::new(&PostgresConfig::new(&cluster.url_at(proxy.address()))).unwrap();
    for direction in [Direction::ToClient, Direction::ToServer] {
        let refusals = (0..).step_by(10).map(|bytes| {
            proxy.cut_after(direction, bytes).unwrap();
            Postgres::connect(&address).err()
        });
        let refusals: Vec<Error> = refusals.map_while(|refusal| refusal).collect();
        assert!(refusals.len() > 10, "{refusals:?}");
        for refusal in refusals {
            assert!(matches!(refusal, Error::Unavailable(_)), "{refusal:?}");
        }
    }
}

#[test]
fn settings_of_a_session_hold_behind_a_pooler_on_postgres() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let pooler = Pooler::start(&cluster, "session").unwrap();
    let config = PostgresConfig {
        schema: Some("inventory".to_owned()),
        ..PostgresConfig::new(&cluster.url_at(pooler.address()))
    };
    let settings = Postgres::on_own_thread(&config, |mut postgres| {
        let names = [
            "search_path",
            "statement_timeout",
            "idle_in_transaction_session_timeout",
            "tcp_user_timeout",
            "jit",
        ];
        let mut settings = Vec::new();
        for name in names {
            let sql = format!("SELECT current_setting('{name}')");
            postgres.query(&sql, &[], &mut |row| {
                settings.push(row.text(0)?.to_owned());
                Ok(())
            })?;
        }
        Ok::<_, Error>(settings)
    });
    assert_eq!(
        settings.unwrap(),
        ["inventory", "1min", "10s", "10000", "off"]
    );
}

#[test]
fn a_pooler_that_keeps_no_sessions_is_refused_on_postgres() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    for mode in ["transaction", "statement"] {
        let pooler = Pooler::start(&cluster, mode).unwrap();
        let config = PostgresConfig::new(&cluster.url_at(pooler.address()));
        let refused = Postgres::on_own_thread(&config, |_| Ok::<_, Error>(()));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("pool"), "{mode}: {refused}");
        // With several processes of the server to choose from, too.
        let others: Vec<_> = (0..5)
            .map(|_| {
                let mut psql = cluster.psql();
                let url = cluster.url_at(pooler.address());
                psql.args(["--dbname", &url, "--command", "SELECT pg_sleep(0.5)"]);
                psql.stdout(std::process::Stdio::null()).spawn().unwrap()
            })
            .collect();
        for mut other in others {
            assert!(other.wait().unwrap().success());
        }
        let refused = Postgres::on_own_thread(&config, |_| Ok::<_, Error>(()));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("pool"), "{mode}: {refused}");
    }
}

#[test]
fn an_old_primary_is_not_used_beside_the_one_that_replaced_it_on_postgres() {
    let mut old = Cluster::create(&Settings::durable()).unwrap();
    let replica = old.replica().unwrap();
    let both = format!("{},{}", old.address(), replica.address());
    let url = old.url().replace(&old.address().to_string(), &both);
    let address = Address::new(&PostgresConfig::new(&url)).unwrap();
    let port = |postgres: &mut Postgres| {
        let mut port = 0;
        let sql = "SELECT CAST(inet_server_port() AS BIGINT)";
        let found = postgres.query(sql, &[], &mut |row| {
            port = row.int(0)?;
            Ok(())
        });
        found.unwrap();
        port
    };
    let mut first = Postgres::connect(&address).unwrap();
    assert_eq!(port(&mut first), i64::from(old.address().port()));
    // It goes on, as a server does that only the replica cannot reach.
    replica.promote().unwrap();
    let only_new = PostgresConfig::new(&old.url_at(replica.address()));
    let mut seen = Address::new(&only_new).unwrap();
    seen.share_timeline_with(&address);
    let mut second = Postgres::connect(&seen).unwrap();
    assert_eq!(port(&mut second), i64::from(replica.address().port()));
    assert!(first.is_outdated(), "what it has written is lost");
    let mut third = Postgres::connect(&address).unwrap();
    assert_eq!(port(&mut third), i64::from(replica.address().port()));
    assert!(!third.is_outdated());
    drop(replica);
    let refused = Postgres::connect(&address).err().unwrap();
    assert!(matches!(refused, Error::Unavailable(_)), "{refused:?}");
    old.kill().unwrap();
}

#[test]
fn the_server_ends_a_shared_read_that_takes_long_on_postgres() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let config = PostgresConfig::new(&cluster.url());
    let table = "CREATE TABLE catalog_version (resource TEXT, version BIGINT)";
    Postgres::on_own_thread(&config, |mut postgres| postgres.script(table)).unwrap();
    let runtime = super::connect::runtime().unwrap();
    let ended = runtime.block_on(async {
        let address = Address::new(&config).unwrap();
        let shared = SharedConnection::connect(&address, Duration::from_millis(10));
        let forever = Sql::new("SELECT pg_sleep(1e9)");
        shared.await.unwrap().fetch(&forever).await.map(drop)
    });
    let Err(Error::Engine(cause)) = ended else {
        panic!("{ended:?}");
    };
    let state = cause.downcast_ref::<tokio_postgres::Error>();
    let state = state.and_then(tokio_postgres::Error::code);
    assert_eq!(
        state.map(tokio_postgres::error::SqlState::code),
        Some("57014")
    );
}

#[test]
fn the_server_ends_a_transaction_whose_rows_nobody_takes_on_postgres() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let address = Address::new(&PostgresConfig {
        statement_timeout: Duration::from_secs(30),
        ..PostgresConfig::new(&cluster.url())
    });
    let is_there = |sender: &str| {
        let sql = format!(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE 'SELECT REPEAT%' AND {sender}"
        );
        cluster.query(&sql).unwrap() != "0"
    };
    let runtime = super::connect::runtime().unwrap();
    let ended = runtime.block_on(async {
        let (client, _timeline) = address.unwrap().connect().await.unwrap();
        let sent = client.batch_execute("SELECT REPEAT('x', 1000000) FROM GENERATE_SERIES(1, 200)");
        let mut sent = std::pin::pin!(sent);
        assert!((&mut sent).now_or_never().is_none());
        while !is_there("state = 'active'") {
            tokio::task::yield_now().await;
        }
        // From here on this thread reads nothing, like that of a process that is stopped.
        let began = Instant::now();
        while !is_there("wait_event = 'ClientWrite'") {
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "it does not wait"
            );
        }
        while is_there("state = 'active'") {
            assert!(began.elapsed() < Duration::from_secs(25), "it waits still");
        }
        sent.await
    });
    assert!(ended.is_err());
}
