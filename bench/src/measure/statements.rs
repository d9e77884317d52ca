//! Rates of the commonest reads on PostgreSQL, of what the same server gives to whoever asks it the
//! raw statement.
//!
//! PostgreSQL has a core to itself. Whoever asks has the other one: the node, or the process that
//! asks the raw statement over as many connections as the node has for snapshots. The load
//! generator, which the raw statement does without, runs where time is left.

use serde_json::json;

use super::meter::{Meter, Turn, describe, rates};
use super::{Measurement, rounds};
use crate::lab::{Lab, Subject};
use crate::load::{Closed, Supply};
use crate::raw::{Asker, CONNECTIONS, Question};
use crate::report::Figure;
use crate::table::Row;
use crate::table::postgres::{LIST, NATIVE_READ, RENDERED_READ};
use crate::{data, http};

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&NATIVE_READ, &LIST],
    run: reads,
};
/// By itself: the views that it leaves are still being written while the next turn has begun.
pub(super) const RENDERED_MEASUREMENT: Measurement = Measurement {
    rows: &[&RENDERED_READ],
    run: rendered,
};

/// Of the load generator: enough that the node is never without work.
const CLIENTS: usize = 2 * CONNECTIONS;

fn reads(lab: &Lab) -> anyhow::Result<Vec<Figure>> {
    let subject = lab.serve(lab.size())?;
    let native = |id| format!("/rest/objects/{id}/native");
    let list = |id| http::list(&json!({"type_id": data::type_of(id)}), "");
    let pairs = vec![
        Pair::new(lab, &NATIVE_READ, subject.of_any_object(native))?,
        Pair::new(lab, &LIST, subject.of_any_object(list))?,
    ];
    compare(lab, subject, pairs)
}

fn rendered(lab: &Lab) -> anyhow::Result<Vec<Figure>> {
    let subject = lab.serve(lab.size())?;
    let supply = subject.of_any_object(|id| format!("/rest/objects/{id}"));
    let pairs = vec![Pair::new(lab, &RENDERED_READ, supply)?];
    compare(lab, subject, pairs)
}

/// A request and the raw statement that it needs at least.
struct Pair {
    row: &'static Row,
    supply: Supply,
    asker: Asker,
    ours: Vec<Turn>,
    raw: Vec<Turn>,
}

impl Pair {
    fn new(lab: &Lab, row: &'static Row, supply: Supply) -> anyhow::Result<Self> {
        let question = match row.name {
            name if name == LIST.name => Question::Page,
            name if name == RENDERED_READ.name => Question::References,
            _ => Question::Object,
        };
        Ok(Self {
            row,
            supply,
            asker: Asker::start(lab, question)?,
            ours: Vec::new(),
            raw: Vec::new(),
        })
    }

    /// The raw statement, then the request.
    fn turns(&mut self, lab: &Lab, subject: &Subject) -> anyhow::Result<[Turn; 2]> {
        let postgres = lab.postgres()?;
        let meter = Meter::start(postgres, &[&self.asker.process])?;
        let rate = self.asker.turn(lab.plan.turn)?;
        let raw = meter.stop(&[&self.asker.process], rate)?;
        let load = Closed {
            address: subject.server.address,
            connections: CLIENTS,
            duration: lab.plan.turn,
            supply: self.supply.clone(),
        };
        let node = [&subject.server.process];
        let meter = Meter::start(postgres, &node)?;
        let ours = meter.stop(&node, load.run()?.per_second())?;
        Ok([raw, ours])
    }

    fn figure(self) -> Figure {
        let detail = format!(
            "{} of {} raw; {CLIENTS} clients of the server, {CONNECTIONS} connections that ask the raw statement",
            describe(&self.ours),
            describe(&self.raw)
        );
        Figure::new(self.row, &rates(&self.ours, &self.raw), detail)
    }
}

/// Everything takes its turn in each round; the first one warms up.
fn compare(lab: &Lab, subject: Subject, mut pairs: Vec<Pair>) -> anyhow::Result<Vec<Figure>> {
    for pair in &mut pairs {
        pair.turns(lab, &subject)?;
    }
    for _ in rounds(lab) {
        for pair in &mut pairs {
            let [raw, ours] = pair.turns(lab, &subject)?;
            pair.raw.push(raw);
            pair.ours.push(ours);
        }
    }
    lab.stop(subject)?;
    Ok(pairs.into_iter().map(Pair::figure).collect())
}
