//! All attacks against one server, once or for a given time.

use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::client::Client;
use crate::others::Others;
use crate::process::{ADMIN_PASSWORD, Server, serve};
use crate::raw::Target;
use crate::{bodies, filters, http2, sockets};

/// The limit of the process's peak memory.
const MOST_KIBIBYTES: u64 = 500 * 1_024;
/// The limit of other clients' response time in a soak.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_millis(250);

fn soak_seconds() -> Option<u64> {
    std::env::var("STOCKROOM_SOAK_SECONDS").ok()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attacked_server_goes_on() {
    attack(None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes STOCKROOM_SOAK_SECONDS: make soak"]
async fn an_attacked_server_goes_on_again_and_again() {
    attack(Some(Duration::from_secs(soak_seconds().unwrap_or(60)))).await;
}

/// Runs each attack once, or all of them repeatedly until the time is over.
async fn attack(soak: Option<Duration>) {
    let data = tempdir().unwrap();
    let mut command = serve(data.path());
    command.args(["--demo", "--log", "error"]);
    let server = Server::start(command);
    let (_, login) = Client::anonymous(&server).login("admin", ADMIN_PASSWORD);
    let token = login["token"].as_str().unwrap();
    let target = Target::new(&server, token);
    let others = Others::start(target.clone());
    let began = Instant::now();
    loop {
        for (name, shape) in shapes(&target) {
            let shape_began = Instant::now();
            shape.await;
            println!(
                "{name:<28} {:>6.1} s, {:>6} KiB, peak {:>6} KiB",
                shape_began.elapsed().as_secs_f64(),
                kibibytes(&server, "VmRSS:"),
                kibibytes(&server, PEAK)
            );
        }
        if soak.is_none_or(|soak| began.elapsed() >= soak) {
            break;
        }
    }
    let waits = others.stopped().await;
    println!("{waits}");
    assert!(waits.failures.is_empty(), "{:?}", waits.failures);
    assert!(waits.count() > 0);
    let peak = kibibytes(&server, PEAK);
    assert!(peak < MOST_KIBIBYTES, "{peak} KiB");
    if soak.is_some() {
        let p99 = waits.percentile(99);
        assert!(p99 < LONGEST_WAIT, "{p99:?}");
    }
    // An orderly stop shows that the process was not aborted.
    server.stopped();
}

type Shape = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

fn shapes(target: &Target) -> Vec<(&'static str, Shape)> {
    let target = || target.clone();
    vec![
        ("trees of JSON", Box::pin(bodies::trees(target()))),
        ("slow bodies", Box::pin(bodies::slow(target()))),
        ("wide objects", Box::pin(bodies::wide(target()))),
        ("long objects", Box::pin(bodies::long(target()))),
        ("slow heads", Box::pin(sockets::slow_heads(target()))),
        (
            "clients that do not read",
            Box::pin(sockets::silent_readers(target())),
        ),
        ("many connections", Box::pin(sockets::many(target()))),
        ("all connections", Box::pin(sockets::all(target()))),
        ("pattern bombs", Box::pin(filters::patterns(target()))),
        (
            "streams reset at once",
            Box::pin(http2::rapid_reset(target())),
        ),
        (
            "streams without end",
            Box::pin(http2::many_streams(target())),
        ),
    ]
}

/// The peak resident memory in `/proc/PID/status`.
const PEAK: &str = "VmHWM:";

/// A value of `/proc/PID/status` in KiB.
fn kibibytes(server: &Server, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let size = status
        .lines()
        .find_map(|line| line.strip_prefix(what)?.split_whitespace().next());
    size.unwrap().parse().unwrap()
}
