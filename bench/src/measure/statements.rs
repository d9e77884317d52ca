//! Rates of the most frequent reads on PostgreSQL, compared with running the raw statements on the
//! same server.
//!
//! PostgreSQL has one core. Its client has the other: the node, or the process that runs the raw
//! statement on as many connections as the node has for snapshots. The load generator, needed only
//! for the node, runs on idle time.

use serde_json::json;

use super::meter::{Meter, Turn, describe, rates};
use super::{Measurement, rounds};
use crate::environment::{BenchEnvironment, Subject};
use crate::load::{Closed, Supply};
use crate::raw::{CONNECTIONS, QueryProcess, RawQuery};
use crate::report::Figure;
use crate::table::Row;
use crate::table::postgres::{LIST, NATIVE_READ, RENDERED_READ};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&NATIVE_READ, &LIST],
    run: reads,
};
/// Separate, because its views are still being written after the end of the load.
pub(super) const RENDERED_MEASUREMENT: Measurement = Measurement {
    rows: &[&RENDERED_READ],
    run: rendered,
};

/// Clients of the load generator; enough to keep the node busy.
const CLIENTS: usize = 2 * CONNECTIONS;

fn reads(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let native = |id| format!("/rest/objects/{id}/native");
    let list = |id| http::list(&json!({"type_id": data::type_of(id)}), "");
    let pairs = vec![
        Pair::new(bench, &NATIVE_READ, subject.of_any_object(native))?,
        Pair::new(bench, &LIST, subject.of_any_object(list))?,
    ];
    compare(bench, subject, pairs)
}

fn rendered(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let supply = subject.of_any_object(|id| format!("/rest/objects/{id}"));
    let pairs = vec![Pair::new(bench, &RENDERED_READ, supply)?];
    compare(bench, subject, pairs)
}

/// A request, and the raw statements that it needs at least.
struct Pair {
    row: &'static Row,
    supply: Supply,
    raw_queries: QueryProcess,
    ours: Vec<Turn>,
    raw: Vec<Turn>,
}

impl Pair {
    fn new(bench: &BenchEnvironment, row: &'static Row, supply: Supply) -> anyhow::Result<Self> {
        let question = match row.name {
            name if name == LIST.name => RawQuery::Page,
            name if name == RENDERED_READ.name => RawQuery::References,
            _ => RawQuery::Object,
        };
        Ok(Self {
            row,
            supply,
            raw_queries: QueryProcess::start(bench, question)?,
            ours: Vec::new(),
            raw: Vec::new(),
        })
    }

    /// Measures the raw statement, then the request.
    fn turns(&mut self, bench: &BenchEnvironment, subject: &Subject) -> anyhow::Result<[Turn; 2]> {
        let postgres = bench.postgres()?;
        let meter = Meter::start(postgres, &[&self.raw_queries.process])?;
        let rate = self.raw_queries.turn(bench.plan.turn)?;
        let raw = meter.stop(&[&self.raw_queries.process], rate)?;
        let load = Closed {
            address: subject.server.address,
            connections: CLIENTS,
            duration: bench.plan.turn,
            supply: self.supply.clone(),
        };
        let node = [&subject.server.process];
        let meter = Meter::start(postgres, &node)?;
        let ours = meter.stop(&node, load.run()?.per_second())?;
        Ok([raw, ours])
    }

    fn figure(self) -> Figure {
        let detail = format!(
            "{} vs {} raw; {CLIENTS} clients of the server, {CONNECTIONS} connections for the raw statements",
            describe(&self.ours),
            describe(&self.raw)
        );
        Figure::new(self.row, &rates(&self.ours, &self.raw), detail)
    }
}

/// Each round measures all pairs. The first round warms up.
fn compare(
    bench: &BenchEnvironment,
    subject: Subject,
    mut pairs: Vec<Pair>,
) -> anyhow::Result<Vec<Figure>> {
    for pair in &mut pairs {
        pair.turns(bench, &subject)?;
    }
    for _ in rounds(bench) {
        for pair in &mut pairs {
            let [raw, ours] = pair.turns(bench, &subject)?;
            pair.raw.push(raw);
            pair.ours.push(ours);
        }
    }
    bench.stop(subject)?;
    Ok(pairs.into_iter().map(Pair::figure).collect())
}
