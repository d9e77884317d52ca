//! Two nodes on one PostgreSQL, compared with one node and the same clients.
//!
//! All processes may use both cores, and one node can saturate them with reads. So this shows what
//! a second node costs, and what its connections gain where commits wait for the disk, but not what
//! another machine would gain.

use std::thread;

use anyhow::anyhow;
use serde_json::json;

use super::meter::{Meter, Turn, describe, rates};
use super::writes::CLIENTS;
use super::{Measurement, rounds};
use crate::environment::{BenchEnvironment, Subject};
use crate::load::{Closed, Supply};
use crate::process::Cores;
use crate::raw::CONNECTIONS;
use crate::report::Figure;
use crate::table::Row;
use crate::table::postgres::{TWO_NODES_INSERTING, TWO_NODES_LISTING, TWO_NODES_READING};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&TWO_NODES_READING, &TWO_NODES_LISTING, &TWO_NODES_INSERTING],
    run,
};

/// A load and its measurements.
struct LoadSeries {
    row: &'static Row,
    supply: Supply,
    clients: usize,
    two: Vec<Turn>,
    one: Vec<Turn>,
}

impl LoadSeries {
    const fn new(row: &'static Row, supply: Supply, clients: usize) -> Self {
        Self {
            row,
            supply,
            clients,
            two: Vec::new(),
            one: Vec::new(),
        }
    }

    fn figure(self) -> Figure {
        let detail = format!(
            "two nodes: {}; one node: {}; {} clients; nodes, generator and PostgreSQL on both cores",
            describe(&self.two),
            describe(&self.one),
            self.clients
        );
        Figure::new(self.row, &rates(&self.two, &self.one), detail)
    }
}

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let postgres = bench.postgres()?;
    let data = bench.copy("served")?;
    postgres.move_to(Cores::All)?;
    let measured = (|| {
        let nodes = [
            bench.serve_on(Cores::All, &data, bench.size())?,
            bench.serve_on(Cores::All, &data, bench.size())?,
        ];
        let figures = measure(bench, &nodes)?;
        nodes
            .map(|node| bench.stop(node))
            .into_iter()
            .collect::<anyhow::Result<()>>()?;
        Ok(figures)
    })();
    postgres.move_to(Cores::Other)?;
    measured
}

/// Each round measures every load with one node, then with two. The first round warms up.
fn measure(bench: &BenchEnvironment, nodes: &[Subject; 2]) -> anyhow::Result<Vec<Figure>> {
    let [first, second] = nodes;
    let native = |id| format!("/rest/objects/{id}/native");
    let list = |id| http::list(&json!({"type_id": data::type_of(id)}), "");
    let (native, list) = (first.of_any_object(native), first.of_any_object(list));
    let clients = 2 * CONNECTIONS;
    let mut all_series = vec![
        LoadSeries::new(&TWO_NODES_READING, native, clients),
        LoadSeries::new(&TWO_NODES_LISTING, list, clients),
        LoadSeries::new(&TWO_NODES_INSERTING, first.inserts(), CLIENTS),
    ];
    for series in &all_series {
        turn(bench, series, [first, second])?;
    }
    for _ in rounds(bench) {
        for series in &mut all_series {
            let one = turn(bench, series, [first, first])?;
            series.one.push(one);
            let two = turn(bench, series, [first, second])?;
            series.two.push(two);
        }
    }
    Ok(all_series.into_iter().map(LoadSeries::figure).collect())
}

/// Sends half of the clients' requests to each of the nodes, which may be the same.
fn turn(bench: &BenchEnvironment, series: &LoadSeries, at: [&Subject; 2]) -> anyhow::Result<Turn> {
    let asking: Vec<_> = if std::ptr::eq(at[0], at[1]) {
        vec![&at[0].server.process]
    } else {
        at.iter().map(|node| &node.server.process).collect()
    };
    let loads = at.map(|node| Closed {
        address: node.server.address,
        connections: series.clients / 2,
        duration: bench.plan.turn,
        supply: series.supply.clone(),
    });
    let meter = Meter::start(bench.postgres()?, &asking)?;
    let rate = thread::scope(|scope| {
        let running: Vec<_> = loads
            .iter()
            .map(|load| scope.spawn(|| load.run()))
            .collect();
        let mut rate = 0.0;
        for load in running {
            rate += load
                .join()
                .map_err(|_| anyhow!("a client panicked"))??
                .per_second();
        }
        anyhow::Ok(rate)
    })?;
    meter.stop(&asking, rate)
}
