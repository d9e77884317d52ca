//! The memory of a server on the largest data set under a mixed load.

use std::thread;

use anyhow::anyhow;
use serde_json::{Value, json};

use super::Measurement;
use super::growth::selective;
use crate::environment::{BenchEnvironment, Subject};
use crate::load::{Closed, Supply};
use crate::report::Figure;
use crate::table::MEMORY;
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&MEMORY],
    run,
};

#[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve_from(&bench.copy("served")?, bench.size())?;
    let mut loads = vec![
        load(bench, &subject, 32, subject.of_any_object(light)),
        load(bench, &subject, 16, subject.inserts()),
    ];
    // One connection each, so that all of them run even if some are slow.
    for heavy in HEAVY {
        loads.push(load(bench, &subject, 1, subject.of_any_object(heavy)));
    }
    thread::scope(|scope| {
        let running: Vec<_> = loads
            .iter()
            .map(|load| scope.spawn(|| load.run()))
            .collect();
        for load in running {
            load.join().map_err(|_| anyhow!("a client panicked"))??;
        }
        anyhow::Ok(())
    })?;
    bench.stop(subject)?;
    let megabytes = bench.peak.bytes() as f64 / 1e6;
    let detail = format!(
        "{} objects; concurrent reads, lists, sorts, scans and inserts, and all earlier servers of the run",
        bench.size()
    );
    Ok(vec![Figure::new(&MEMORY, &[megabytes], detail)])
}

fn load(bench: &BenchEnvironment, subject: &Subject, connections: usize, supply: Supply) -> Closed {
    Closed {
        address: subject.server.address,
        connections,
        duration: bench.plan.turn * 4,
        supply,
    }
}

/// Frequent requests.
fn light(id: i64) -> String {
    let of_type = json!({"type_id": data::type_of(id)});
    match id % 5 {
        0 => format!("/rest/objects/{id}"),
        1 => format!("/rest/objects/{id}/native"),
        2 => http::list(&of_type, ""),
        3 => http::list(&of_type, "&sort=fields.price"),
        _ => selective(id),
    }
}

/// Occasional expensive requests.
const HEAVY: [fn(i64) -> String; 4] = [
    |id| http::list(&has("notes", &data::ticket(id)), ""),
    |id| http::list(&has("hostname", &format!("{}$", id % 1_000)), ""),
    |id| http::list(&has("city", &data::city(id)), "&sort=fields.contact"),
    |id| {
        let of_type = json!({"type_id": data::type_of(id)});
        http::list(&of_type, "&limit=500&view=render")
    },
];

fn has(name: &str, pattern: &str) -> Value {
    json!({"fields": {"$elemMatch": {"name": name, "value": {"$regex": pattern}}}})
}
