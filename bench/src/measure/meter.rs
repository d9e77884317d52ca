//! Measures the CPU of PostgreSQL and of its clients.

use std::time::{Duration, Instant};

use crate::postgres::Postgres;
use crate::process::{Watched, own_cpu};
use crate::stats::{Spread, micros};

/// The result of a load in one round.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) per_second: f64,
    /// CPU of the processes that query PostgreSQL, per answer.
    asking_micros: f64,
    /// CPU of the load generator, per answer.
    own_micros: f64,
    postgres_micros: f64,
    /// How many cores the querying processes used.
    busy: f64,
    postgres_busy: f64,
}

/// The CPU times at the start of a load.
pub(super) struct Meter<'p> {
    postgres: &'p Postgres,
    began: Instant,
    asking: Duration,
    own: Duration,
    answering: Duration,
}

impl<'p> Meter<'p> {
    /// Starts measuring. `asking` are the processes that query PostgreSQL; if empty, this process
    /// does, without a load generator.
    pub(super) fn start(postgres: &'p Postgres, asking: &[&Watched]) -> anyhow::Result<Self> {
        Ok(Self {
            postgres,
            asking: cpu(asking)?,
            own: own_cpu()?,
            answering: postgres.cpu(),
            began: Instant::now(),
        })
    }

    /// Ends measuring, given the rate of answers.
    pub(super) fn stop(self, processes: &[&Watched], per_second: f64) -> anyhow::Result<Turn> {
        let elapsed = self.began.elapsed().as_secs_f64();
        let asking = cpu(processes)?.saturating_sub(self.asking);
        let own = own_cpu()?.saturating_sub(self.own);
        let (asking, own) = if processes.is_empty() {
            (own, Duration::ZERO)
        } else {
            (asking, own)
        };
        let answering = self.postgres.cpu().saturating_sub(self.answering);
        let answers = per_second * elapsed;
        Ok(Turn {
            per_second,
            asking_micros: micros(asking) / answers,
            own_micros: micros(own) / answers,
            postgres_micros: micros(answering) / answers,
            busy: asking.as_secs_f64() / elapsed,
            postgres_busy: answering.as_secs_f64() / elapsed,
        })
    }
}

fn cpu(processes: &[&Watched]) -> anyhow::Result<Duration> {
    processes.iter().map(|process| process.cpu()).sum()
}

/// Rate, CPU and utilization of the cores.
pub(super) fn describe(turns: &[Turn]) -> String {
    let median = |read: fn(&Turn) -> f64| {
        let values: Vec<f64> = turns.iter().map(read).collect();
        Spread::of(&values).map_or(0.0, |spread| spread.median)
    };
    let generator = median(|turn| turn.own_micros);
    format!(
        "{:.0}/s at {:.1} µs CPU and {:.1} µs CPU of PostgreSQL ({:.0} % and {:.0} % busy{})",
        median(|turn| turn.per_second),
        median(|turn| turn.asking_micros),
        median(|turn| turn.postgres_micros),
        median(|turn| turn.busy) * 100.0,
        median(|turn| turn.postgres_busy) * 100.0,
        if generator > 0.0 {
            format!(", generator {generator:.1} µs")
        } else {
            String::new()
        }
    )
}

/// The ratios of the rates, by round.
pub(super) fn rates(turns: &[Turn], base: &[Turn]) -> Vec<f64> {
    let pairs = turns.iter().zip(base);
    pairs
        .map(|(turn, base)| turn.per_second / base.per_second)
        .collect()
}
