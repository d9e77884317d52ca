//! Rates of the most frequent reads, compared with a bare axum server.

use std::net::SocketAddr;
use std::process::Command;

use serde_json::json;

use super::{Measurement, Turn, rounds, turn};
use crate::client::Client;
use crate::environment::{BenchEnvironment, Subject};
use crate::load::{Closed, Supply};
use crate::process::{Server, Watched, on_server_core};
use crate::report::Figure;
use crate::stats::Spread;
use crate::table::{LIST, NATIVE_READ, RENDERED_READ, Row};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&NATIVE_READ, &LIST, &RENDERED_READ],
    run,
};

const CONNECTIONS: usize = 16;
/// From this utilization on, a core counts as saturated.
const SATURATED: f64 = 0.9;

/// A server, its requests and their measurements.
struct Route<'s> {
    server: &'s Watched,
    address: SocketAddr,
    supply: Supply,
    turns: Vec<Turn>,
}

fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let subject = bench.serve(bench.size())?;
    let hello = baseline(bench, &["hello"])?;
    let bytes = bytes_of_a_list(&subject)?.to_string();
    let static_list = baseline(bench, &["static", "--bytes", &bytes])?;
    let plain = Supply::new(|_| http::get("none", "/"));
    let mut routes = [
        Route::new(&hello, plain.clone()),
        Route::new(&static_list, plain),
        Route::new(
            &subject.server,
            subject.of_any_object(|id| format!("/rest/objects/{id}/native")),
        ),
        Route::new(&subject.server, subject.of_any_object(list_of_the_type)),
        Route::new(
            &subject.server,
            subject.of_any_object(|id| format!("/rest/objects/{id}")),
        ),
    ];
    for route in &routes {
        route.load(bench).run()?;
    }
    for _ in rounds(bench) {
        for route in &mut routes {
            let load = route.load(bench);
            route.turns.push(turn(route.server, &load)?);
        }
    }
    let [hello, static_list, native, list, rendered] = &routes;
    let figures = vec![
        figure(&NATIVE_READ, native, hello, "any object, 16 connections"),
        figure(
            &LIST,
            list,
            static_list,
            &format!("answers of {bytes} bytes, 16 connections"),
        ),
        figure(
            &RENDERED_READ,
            rendered,
            hello,
            "any object, 16 connections",
        ),
    ];
    bench.stop(subject)?;
    Ok(figures)
}

impl<'s> Route<'s> {
    fn new(server: &'s Server, supply: Supply) -> Self {
        Self {
            server: &server.process,
            address: server.address,
            supply,
            turns: Vec::new(),
        }
    }

    fn load(&self, bench: &BenchEnvironment) -> Closed {
        Closed {
            address: self.address,
            connections: CONNECTIONS,
            duration: bench.plan.turn,
            supply: self.supply.clone(),
        }
    }

    /// Rate, CPU and utilization of the core.
    fn describe(&self) -> String {
        let median = |read: fn(&Turn) -> f64| {
            let values: Vec<f64> = self.turns.iter().map(read).collect();
            Spread::of(&values).map_or(0.0, |spread| spread.median)
        };
        format!(
            "{:.0}/s at {:.1} µs CPU ({:.0} % busy, generator {:.1} µs)",
            median(|turn| turn.per_second),
            median(|turn| turn.cpu_micros),
            median(|turn| turn.busy) * 100.0,
            median(|turn| turn.own_micros)
        )
    }
}

fn baseline(bench: &BenchEnvironment, arguments: &[&str]) -> anyhow::Result<Server> {
    let mut command: Command = on_server_core(&bench.own_program);
    command.args(arguments);
    Server::start(&mut command)
}

fn list_of_the_type(id: i64) -> String {
    http::list(&json!({"type_id": data::type_of(id)}), "")
}

fn bytes_of_a_list(subject: &Subject) -> anyhow::Result<usize> {
    let mut client = Client::connect(subject.server.address)?;
    client.send(&http::get(&subject.token, &list_of_the_type(1)))?;
    let answer = client.answer();
    let head = answer
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .map_or(0, |end| end + 4);
    Ok(answer.len() - head)
}

/// The ratio of the rates if both cores were saturated. Otherwise other work took part of a core;
/// then it is the ratio of CPU times, which equals the ratio of rates at saturation.
fn figure(row: &'static Row, ours: &Route<'_>, base: &Route<'_>, remark: &str) -> Figure {
    let turns = || ours.turns.iter().zip(&base.turns);
    let saturated = turns().all(|(ours, base)| ours.busy.min(base.busy) > SATURATED);
    let ratios: Vec<f64> = turns()
        .map(|(ours, base)| {
            if saturated {
                ours.per_second / base.per_second
            } else {
                base.cpu_micros / ours.cpu_micros
            }
        })
        .collect();
    let kind = if saturated {
        ""
    } else {
        "; cores not saturated, so ratio of CPU times"
    };
    let detail = format!("{} vs {}; {remark}{kind}", ours.describe(), base.describe());
    Figure::new(row, &ratios, detail)
}
