//! Inserts by many concurrent clients on PostgreSQL, compared with inserting the same rows without
//! a node.

use super::meter::{Meter, describe, rates};
use super::writes::{CLIENTS, insert_load};
use super::{Measurement, rounds};
use crate::environment::{self, BenchEnvironment};
use crate::raw::{CommitReader, Committers, WRITERS};
use crate::report::Figure;
use crate::table::postgres::INSERTS;

pub(super) const MEASUREMENT: Measurement = Measurement {
    rows: &[&INSERTS],
    run,
};

/// Each round inserts over HTTP into one copy, then the resulting rows into another copy.
fn run(bench: &BenchEnvironment) -> anyhow::Result<Vec<Figure>> {
    let (served, copy) = (bench.copy("served")?, bench.copy("raw")?);
    let subject = bench.serve_from(&served, bench.size())?;
    let postgres = bench.postgres()?;
    let reader = CommitReader::open(environment::url(&served)?)?;
    let raw = Committers::open(environment::url(&copy)?)?;
    let load = insert_load(&subject, &subject.inserts(), bench.plan.turn);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in rounds(bench) {
        let before = reader.last_change()?;
        let node = [&subject.server.process];
        let meter = Meter::start(postgres, &node)?;
        ours.push(meter.stop(&node, load.run()?.per_second())?);
        let new = reader.objects_after(before)?;
        theirs.push(bench.in_place_of_server(|| {
            let meter = Meter::start(postgres, &[])?;
            meter.stop(&[], raw.insert(&new)?)
        })?);
    }
    bench.stop(subject)?;
    let detail = format!(
        "{} vs {} raw; {CLIENTS} clients, {WRITERS} connections for writes; raw: one round trip per transaction",
        describe(&ours),
        describe(&theirs)
    );
    Ok(vec![Figure::new(&INSERTS, &rates(&ours, &theirs), detail)])
}
