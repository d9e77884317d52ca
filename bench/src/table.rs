//! The table of rows with their goals.

pub(crate) mod postgres;

/// A row of the table. Its bounds apply to the median.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// A description of the measurement.
    pub(crate) what: &'static str,
    pub(crate) unit: Unit,
    /// The bounds; `None` if the row is only informative.
    pub(crate) goal: Option<Goal>,
}

/// The bounds of a row, in its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) must: f64,
    pub(crate) aim: f64,
}

/// The unit of a figure, which also says whether more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Relative to a baseline; more is better.
    Percent,
    /// Relative to a baseline; less is better.
    Times,
    Nanoseconds,
    Milliseconds,
    Seconds,
    Megabytes,
    /// More is better.
    MillionPerSecond,
    /// More is better.
    ThousandPerSecond,
}

impl Unit {
    const fn more_is_better(self) -> bool {
        matches!(
            self,
            Self::Percent | Self::MillionPerSecond | Self::ThousandPerSecond
        )
    }

    /// Formats a figure.
    pub(crate) fn write(self, value: f64) -> String {
        let digits = if value.abs() >= 100.0 {
            0
        } else if value.abs() >= 10.0 {
            1
        } else {
            2
        };
        match self {
            Self::Percent => format!("{:.0} %", value * 100.0),
            Self::Times => format!("{value:.digits$}x"),
            Self::Nanoseconds => format!("{value:.digits$} ns/row"),
            Self::Milliseconds => format!("{value:.digits$} ms"),
            Self::Seconds => format!("{value:.digits$} s"),
            Self::Megabytes => format!("{value:.digits$} MB"),
            Self::MillionPerSecond => format!("{value:.2} M docs/s"),
            Self::ThousandPerSecond => format!("{value:.1} k rows/s"),
        }
    }
}

/// How a figure compares with its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Missed,
    Met,
    AimMet,
}

impl Mark {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Missed => "MISSED",
            Self::Met => "met",
            Self::AimMet => "aim met",
        }
    }
}

impl Row {
    /// Compares a figure with the goal; `None` if there is none.
    pub(crate) fn mark(&self, value: f64) -> Option<Mark> {
        let reaches = |bound: f64| {
            if self.unit.more_is_better() {
                value >= bound
            } else {
                value <= bound
            }
        };
        self.goal
            .map(|goal| match (reaches(goal.must), reaches(goal.aim)) {
                (false, _) => Mark::Missed,
                (true, false) => Mark::Met,
                (true, true) => Mark::AimMet,
            })
    }
}

const fn row(name: &'static str, what: &'static str, unit: Unit, must: f64, aim: f64) -> Row {
    Row {
        name,
        what,
        unit,
        goal: Some(Goal { must, aim }),
    }
}

const fn told(name: &'static str, what: &'static str, unit: Unit) -> Row {
    Row {
        name,
        what,
        unit,
        goal: None,
    }
}

use Unit::{
    Megabytes, MillionPerSecond, Milliseconds, Nanoseconds, Percent, Seconds, ThousandPerSecond,
    Times,
};

pub(crate) static NATIVE_READ: Row = row(
    "native-read",
    "rate of authenticated native reads, relative to `hello`",
    Percent,
    0.50,
    0.70,
);
pub(crate) static LIST: Row = row(
    "list",
    "rate of lists of 10 with exact total, by type, relative to `static-10`",
    Percent,
    0.45,
    0.60,
);
pub(crate) static RENDERED_READ: Row = row(
    "rendered-read",
    "rate of rendered reads with 2 references, relative to `hello`",
    Percent,
    0.30,
    0.45,
);
pub(crate) static SELECTIVE_FILTER: Row = row(
    "selective-filter",
    "storage time of a selective filter with total, relative to the raw SQL",
    Times,
    1.5,
    1.1,
);
pub(crate) static TOTAL: Row = row("total", "uncached filtered total", Nanoseconds, 50.0, 35.0);
pub(crate) static REGEX: Row = row(
    "regex",
    "one-field regex over 1M objects",
    Milliseconds,
    150.0,
    60.0,
);
pub(crate) static SUBSTRING: Row = row(
    "substring",
    "one-field substring over 1M objects",
    Milliseconds,
    150.0,
    60.0,
);
pub(crate) static DOCUMENTS: Row = row(
    "documents",
    "arbitrary filter over documents, last field",
    MillionPerSecond,
    1.0,
    2.5,
);
pub(crate) static DEEP_PAGE: Row = row(
    "deep-page",
    "page 1000 of a sorted, filtered list, reached page by page, relative to page 1",
    Times,
    3.0,
    1.3,
);
pub(crate) static COLD_JUMP: Row = told(
    "cold-jump",
    "the same page, reached by a jump, relative to page 1",
    Times,
);
pub(crate) static JUMP_COLD: Row = told(
    "jump-cold",
    "first jump to the last page of all objects after a commit",
    Milliseconds,
);
pub(crate) static JUMP_AGAIN: Row = row(
    "jump-again",
    "the same jump again, relative to page 1",
    Times,
    10.0,
    2.0,
);
pub(crate) static JUMP_ANYWHERE: Row = row(
    "jump-anywhere",
    "jumps to any page after two jumps, relative to page 1",
    Times,
    10.0,
    3.0,
);
pub(crate) static INSERTS: Row = row(
    "inserts",
    "durable inserts by 64 HTTP clients, 14 indexed fields, relative to a raw group-commit loop",
    Percent,
    0.60,
    0.85,
);
pub(crate) static INSERT_P99: Row = row(
    "insert-p99",
    "p99 of point reads during these inserts (open loop)",
    Milliseconds,
    10.0,
    5.0,
);
pub(crate) static AS_OF_READ: Row = row(
    "as-of",
    "native reads as of a time before the last edit, relative to reads of the present",
    Times,
    2.0,
    1.5,
);
pub(crate) static AS_OF_LIST: Row = told(
    "as-of",
    "a filtered, sorted list of a type as of a time",
    Seconds,
);
pub(crate) static FEED: Row = told(
    "feed",
    "from the answer to a write to the change in the feed",
    Milliseconds,
);
pub(crate) static SEARCH_RARE: Row = row(
    "search",
    "search for a word and a fragment that one object has, with 10 results",
    Milliseconds,
    10.0,
    5.0,
);
pub(crate) static SEARCH_COMMON: Row = row(
    "search",
    "search for a word that most objects have, with 10 results",
    Milliseconds,
    10.0,
    5.0,
);
pub(crate) static EXPORT_NDJSON: Row = row(
    "export",
    "export of all objects as NDJSON",
    MillionPerSecond,
    0.2,
    0.3,
);
pub(crate) static EXPORT_CSV: Row = row(
    "export",
    "export of the objects of a type as CSV",
    MillionPerSecond,
    0.1,
    0.15,
);
pub(crate) static BACKUP: Row = told("backup", "backup of the whole set", Seconds);
pub(crate) static BACKUP_P99: Row = row(
    "backup",
    "p99 of point reads during this backup (open loop)",
    Milliseconds,
    10.0,
    5.0,
);
pub(crate) static BULK_LOAD: Row = row(
    "bulk-load",
    "bulk load of 1M objects, validated",
    Seconds,
    60.0,
    40.0,
);
pub(crate) static BULK_MEMORY: Row = row(
    "bulk-load",
    "peak RssAnon of that bulk load",
    Megabytes,
    300.0,
    300.0,
);
pub(crate) static IMPORT_P99: Row = row(
    "import",
    "p99 of point reads during such an import (open loop)",
    Milliseconds,
    10.0,
    5.0,
);
pub(crate) static IMPORT_MEMORY: Row = row(
    "import",
    "peak RssAnon of the server with these imports",
    Megabytes,
    300.0,
    200.0,
);
pub(crate) static IMPORT: Row = row(
    "import",
    "import of a CSV file with 15 columns, 2 of them references by name, by a key",
    ThousandPerSecond,
    15.0,
    30.0,
);
pub(crate) static BULK_IMPORT: Row = row(
    "bulk-import",
    "import of 100,000 rows, 14 indexed fields, relative to the engine's bulk load of a plain table",
    Percent,
    0.68,
    0.90,
);
pub(crate) static BULK_UPDATE: Row = row(
    "bulk-import",
    "import that changes all of them, relative to that bulk load",
    Percent,
    0.34,
    0.45,
);
pub(crate) static BULK_UNDO: Row = row(
    "bulk-import",
    "undo of the import that made them, relative to that import",
    Percent,
    0.50,
    1.0,
);
pub(crate) static GROWTH: Row = row(
    "growth",
    "growth of server CPU per request from the smallest to the largest set (worst of four)",
    Times,
    2.0,
    1.3,
);
pub(crate) static MEMORY: Row = row("memory", "peak RssAnon under load", Megabytes, 400.0, 200.0);
pub(crate) static COLD_START: Row = row("cold-start", "cold start", Milliseconds, 500.0, 200.0);
pub(crate) static DEMO_START: Row = told("demo", "cold start on the demo inventory", Milliseconds);
pub(crate) static DEMO_MEMORY: Row = told(
    "demo",
    "idle RssAnon + RssFile on the demo inventory",
    Megabytes,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_checked_in_the_better_direction() {
        assert_eq!(NATIVE_READ.mark(0.49), Some(Mark::Missed));
        assert_eq!(NATIVE_READ.mark(0.50), Some(Mark::Met));
        assert_eq!(NATIVE_READ.mark(0.71), Some(Mark::AimMet));
        assert_eq!(MEMORY.mark(401.0), Some(Mark::Missed));
        assert_eq!(MEMORY.mark(201.0), Some(Mark::Met));
        assert_eq!(MEMORY.mark(200.0), Some(Mark::AimMet));
        assert_eq!(COLD_JUMP.mark(1.0), None);
    }
}
