//! Clusters: creation, removal and replicas. The tests of `cargo xtask with-postgres` kill the
//! owner.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use stockroom_testcluster::{Cluster, Direction, Proxy, Settings, Stop};

#[test]
fn a_dropped_cluster_leaves_nothing() {
    for kill_first in [false, true] {
        let mut cluster = Cluster::create(&Settings::for_tests()).unwrap();
        assert_eq!(cluster.query("SELECT 'it', 'runs'").unwrap(), "it|runs");
        let folder = cluster.folder().to_owned();
        let segment = shared_memory_of(&folder);
        assert_ne!(processes_below(&folder), Vec::<PathBuf>::new());
        assert!(shared_memory().contains(&segment));
        if kill_first {
            cluster.kill().unwrap();
            assert_eq!(processes_below(&folder), Vec::<PathBuf>::new());
        }
        drop(cluster);
        assert!(!folder.exists(), "kill first: {kill_first}");
        assert_eq!(processes_below(&folder), Vec::<PathBuf>::new());
        assert!(
            !shared_memory().contains(&segment),
            "kill first: {kill_first}"
        );
    }
}

#[test]
fn data_that_are_kept_outlive_the_cluster_and_belong_to_one_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    // The account of the server needs access.
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let data = home.path().join("data");
    let settings = Settings::durable().keep_data(&data);
    let first = Cluster::create(&settings).unwrap();
    first.query("CREATE TABLE kept (step int)").unwrap();
    let refused = Cluster::create(&settings).unwrap_err().to_string();
    assert!(refused.contains("another cluster uses"), "{refused}");
    assert_eq!(first.query("SELECT count(*) FROM kept").unwrap(), "0");
    let folder = first.folder().to_owned();
    drop(first);
    assert!(!folder.exists());
    assert_eq!(processes_below(&data), Vec::<PathBuf>::new());
    let again = Cluster::create(&settings.parameter("work_mem", "5MB")).unwrap();
    assert_eq!(again.query("SELECT count(*) FROM kept").unwrap(), "0");
    assert_eq!(again.query("SHOW work_mem").unwrap(), "5MB");
}

#[test]
fn what_was_committed_survives_every_end_of_the_server() {
    let settings = Settings::durable().password("s3cret");
    let mut cluster = Cluster::create(&settings).unwrap();
    cluster.query("CREATE TABLE survivor (step int)").unwrap();
    let ends: [fn(&mut Cluster) -> anyhow::Result<()>; 4] = [
        |cluster| cluster.stop(Stop::Smart),
        |cluster| cluster.stop(Stop::Fast),
        |cluster| cluster.stop(Stop::Immediate),
        Cluster::kill,
    ];
    let url = cluster.url();
    for (step, end) in ends.into_iter().enumerate() {
        cluster
            .query(&format!("INSERT INTO survivor VALUES ({step})"))
            .unwrap();
        end(&mut cluster).unwrap();
        assert!(cluster.query("SELECT 1").is_err());
        assert!(cluster.stop(Stop::Fast).is_err());
        cluster.start().unwrap();
    }
    assert_eq!(cluster.url(), url, "a restart does not move the server");
    assert_eq!(
        say(&cluster, &url, "SELECT count(*) FROM survivor").unwrap(),
        "4"
    );
    let wrong = url.replace("s3cret", "guess");
    assert!(
        say(&cluster, &wrong, "SELECT 1")
            .unwrap_err()
            .contains("password")
    );
}

#[test]
fn connections_are_terminated_and_the_server_goes_on() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let mut sleeper = start(&cluster, &cluster.url(), "SELECT pg_sleep(600)");
    wait_for(&cluster, "wait_event = 'PgSleep'");
    cluster.terminate_connections().unwrap();
    let asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    assert_eq!(cluster.query(asleep).unwrap(), "0");
    assert!(!sleeper.wait().unwrap().success());
}

#[test]
fn tests_that_share_a_cluster_see_their_own_schema() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    for schema in ["one", "two"] {
        cluster.query(&format!("CREATE SCHEMA {schema}")).unwrap();
        let url = format!("{}?options=-csearch_path%3D{schema}", cluster.url());
        say(
            &cluster,
            &url,
            "CREATE TABLE own AS SELECT current_schema AS name",
        )
        .unwrap();
        assert_eq!(say(&cluster, &url, "SELECT name FROM own").unwrap(), schema);
    }
}

#[test]
fn a_commit_whose_answer_is_lost_is_a_commit() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let proxy = Proxy::start(cluster.address()).unwrap();
    let mut client = open(&cluster, &cluster.url_at(proxy.address()));
    let mut input = client.stdin.take().unwrap();
    let mut output = BufReader::new(client.stdout.take().unwrap());
    writeln!(
        input,
        "CREATE TABLE kept (a int);\nBEGIN;\nINSERT INTO kept VALUES (1);\n\\echo done"
    )
    .unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "done\n");

    proxy.cut_after(Direction::ToClient, 0).unwrap();
    writeln!(input, "COMMIT;").unwrap();
    drop(input);
    assert!(!client.wait().unwrap().success());
    assert_eq!(cluster.query("SELECT count(*) FROM kept").unwrap(), "1");
}

#[test]
fn a_replica_streams_and_takes_over() {
    let mut primary = Cluster::create(&Settings::durable()).unwrap();
    let mut replica = primary.replica().unwrap();
    primary.query("CREATE TABLE kept AS SELECT 1 AS a").unwrap();
    replica.catch_up_with(&primary).unwrap();
    assert_eq!(replica.query("SELECT a FROM kept").unwrap(), "1");
    assert!(replica.query("INSERT INTO kept VALUES (2)").is_err());

    // Without the replica a commit waits, until synchronous standbys are switched off.
    primary.set_synchronous_standbys("*").unwrap();
    replica.stop(Stop::Fast).unwrap();
    let mut waiter = start(&primary, &primary.url(), "INSERT INTO kept VALUES (2)");
    wait_for(&primary, "wait_event = 'SyncRep'");
    primary.set_synchronous_standbys("").unwrap();
    assert!(waiter.wait().unwrap().success());

    // With it, committed data survive the primary.
    replica.start().unwrap();
    primary.set_synchronous_standbys(&replica.name()).unwrap();
    primary.query("INSERT INTO kept VALUES (3)").unwrap();
    primary.kill().unwrap();
    replica.promote().unwrap();
    replica.query("INSERT INTO kept VALUES (4)").unwrap();
    assert_eq!(replica.query("SELECT sum(a) FROM kept").unwrap(), "10");
}

/// `psql` for a URL, with statements on its standard input.
fn open(cluster: &Cluster, url: &str) -> Child {
    let mut psql = cluster.psql();
    psql.args(["--dbname", url]);
    let piped = psql.stdin(Stdio::piped()).stdout(Stdio::piped());
    piped.stderr(Stdio::null()).spawn().unwrap()
}

fn start(cluster: &Cluster, url: &str, statement: &str) -> Child {
    let mut psql = cluster.psql();
    psql.args(["--dbname", url, "--command", statement]);
    psql.stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The server's answer to a statement at a URL, or its error.
fn say(cluster: &Cluster, url: &str, statement: &str) -> Result<String, String> {
    let mut psql = cluster.psql();
    psql.args(["--dbname", url, "--no-align", "--tuples-only"]);
    let output = psql.args(["--command", statement]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim_end().to_owned();
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}

/// Polls until such a session exists; the test runner ends endless polling.
fn wait_for(cluster: &Cluster, condition: &str) {
    let statement = format!("SELECT count(*) FROM pg_stat_activity WHERE {condition}");
    while cluster.query(&statement).unwrap() == "0" {}
}

/// The working directories, in or below the folder, of all processes.
fn processes_below(folder: &Path) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let places = processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
    places.filter(|place| place.starts_with(folder)).collect()
}

/// The shared memory segment that the server keeps outside of its folder.
fn shared_memory_of(folder: &Path) -> String {
    let file = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    let line = file.lines().nth(6).unwrap();
    line.split_whitespace().last().unwrap().to_owned()
}

/// All shared memory segments of the machine.
fn shared_memory() -> Vec<String> {
    let table = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    let second = |line: &str| Some(line.split_whitespace().nth(1)?.to_owned());
    table.lines().skip(1).filter_map(second).collect()
}
