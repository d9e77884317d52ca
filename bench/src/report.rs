//! The results, for the terminal and for `docs/benchmarks/measurements.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use crate::engine::Engine;
use crate::environment::BenchEnvironment;
use crate::machine;
use crate::stats::Spread;
use crate::table::{Mark, Row};

const HEADING: &str = "# Benchmarks\n";

/// The size of the data set that the bounds of the table are for.
const BOUNDS_ARE_FOR: i64 = 1_000_000;

/// The result of a row.
pub(crate) struct Figure {
    pub(crate) row: &'static Row,
    /// The figure with its spread, or why it is missing.
    pub(crate) outcome: Result<Spread, String>,
    /// The measurements behind the figure.
    pub(crate) detail: String,
}

impl Figure {
    /// A figure from one value per round.
    pub(crate) fn new(row: &'static Row, rounds: &[f64], detail: String) -> Self {
        let outcome = Spread::of(rounds).ok_or_else(|| "nothing was measured".to_owned());
        Self {
            row,
            outcome,
            detail,
        }
    }

    /// A row without a figure, with the reason.
    pub(crate) fn missing(row: &'static Row, reason: String) -> Self {
        Self {
            row,
            outcome: Err(reason),
            detail: String::new(),
        }
    }

    fn mark(&self) -> Option<Mark> {
        self.row.mark(self.outcome.as_ref().ok()?.median)
    }

    fn cells(&self) -> [String; 7] {
        let unit = self.row.unit;
        let (figure, spread, detail) = match &self.outcome {
            Ok(spread) if spread.is_one_value() => {
                (unit.write(spread.median), String::new(), &self.detail)
            }
            Ok(spread) => (
                unit.write(spread.median),
                format!("{} … {}", unit.write(spread.least), unit.write(spread.most)),
                &self.detail,
            ),
            Err(reason) => ("none".to_owned(), String::new(), reason),
        };
        let bound = |bound: Option<f64>| bound.map_or_else(String::new, |bound| unit.write(bound));
        [
            self.row.what.to_owned(),
            figure,
            spread,
            bound(self.row.goal.map(|goal| goal.must)),
            bound(self.row.goal.map(|goal| goal.aim)),
            self.mark().map_or("", Mark::word).to_owned(),
            detail.clone(),
        ]
    }

    /// The result for the terminal, as soon as it is known.
    pub(crate) fn line(&self) -> String {
        let [what, figure, _, _, _, mark, detail] = self.cells();
        format!("{what}: {figure} {mark}\n    {detail}")
    }
}

/// All results as a Markdown table, which is readable on a terminal, too.
pub(crate) fn table(bench: &BenchEnvironment, figures: &[Figure]) -> String {
    let head = [
        "measurement",
        "result",
        "min … max",
        "must",
        "aim",
        "mark",
        "details",
    ]
    .map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(head)
        .chain(figures.iter().map(Figure::cells))
        .collect();
    let mut text = markdown(&rows);
    if bench.size() != BOUNDS_ARE_FOR {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\nThe bounds are for {BOUNDS_ARE_FOR} objects, but this run had {}: bounds that are met here may be missed there.",
            bench.size()
        );
    }
    text
}

/// A Markdown table with aligned columns.
pub(crate) fn markdown<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(widths) {
            // Writing to a String cannot fail.
            let _ = write!(text, "| {cell:width$} ");
        }
        text.push_str("|\n");
        if index == 0 {
            for width in widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

/// Replaces the engine's part of the report. Keeps the other engine's part and the text written by
/// people.
pub(crate) fn write(
    path: &Path,
    bench: &BenchEnvironment,
    figures: &[Figure],
) -> anyhow::Result<()> {
    let old = fs::read_to_string(path).unwrap_or_default();
    let part = generated(bench, figures)?;
    let text = with_part(&old, bench.plan.engine, &part);
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn generated(bench: &BenchEnvironment, figures: &[Figure]) -> anyhow::Result<String> {
    let sizes: Vec<String> = bench.plan.sizes.iter().map(ToString::to_string).collect();
    Ok(format!(
        "## {}\n\n\
         {}\n\
         Data sets of {} objects of 20 types with 15 fields each. {}\n\
         Each of {} rounds measures everything that is compared. Results are medians of the rounds; ratios are computed within each\n\
         round. CPU is the user and system time of the server per request.\n\n\
         {}\n\
         ### Growth\n\n\
         Server CPU per request.\n\n\
         {}",
        bench.plan.engine.name(),
        machine::describe(bench)?,
        sizes.join(", "),
        bench.plan.engine.placement(),
        bench.plan.rounds,
        table(bench, figures),
        bench.growth.borrow(),
    ))
}

/// Replaces the part of an engine in a report, or appends it.
fn with_part(old: &str, engine: Engine, part: &str) -> String {
    let command = engine.command();
    let begin = format!("<!-- What follows is written by `{command}`. -->\n");
    let end = format!("<!-- What stands above is written by `{command}`. -->\n");
    let part = format!("{begin}\n{part}\n{end}");
    let found = old.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some(format!("{before}{part}{after}"))
    });
    found.unwrap_or_else(|| {
        let before = if old.is_empty() { HEADING } else { old };
        format!("{before}\n{part}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_replaces_that_of_its_engine_and_nothing_else() {
        let both = with_part("", Engine::Sqlite, "first");
        let both = with_part(&both, Engine::Postgres, "second") + "\nnotes\n";
        let text = with_part(&both, Engine::Sqlite, "third");
        let text = with_part(&text, Engine::Postgres, "fourth");
        assert!(text.starts_with(HEADING), "{text}");
        assert_eq!(
            text,
            both.replace("first", "third").replace("second", "fourth")
        );
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["a", "µs"], ["long", "1"]].map(|row| row.map(str::to_owned));
        assert_eq!(
            markdown(&rows),
            "| a    | µs |\n|------|----|\n| long | 1  |\n"
        );
    }
}
