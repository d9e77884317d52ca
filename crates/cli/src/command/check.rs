//! `stockroom check`

use std::process::ExitCode;

use anyhow::Context as _;
use stockroom_store::{CheckReport, FindingKind, check, repair};

use crate::config::Config;
use crate::logging::{complain, print, say};

/// The status for a database that has problems.
const PROBLEMS: u8 = 1;
/// The status for a database that could not be checked.
const UNCHECKED: u8 = 2;

pub(crate) fn run_check(is_repair: bool, config: &Config) -> ExitCode {
    let examined = examine(is_repair, config);
    let shown = examined.and_then(|report| print_report(&report).map(|()| report));
    match shown {
        Ok(report) => {
            if is_repair {
                print_left(&report);
            }
            if report.problems() == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(PROBLEMS)
            }
        }
        Err(error) => {
            complain(&format!("stockroom: {error:#}"));
            ExitCode::from(UNCHECKED)
        }
    }
}

fn examine(is_repair: bool, config: &Config) -> anyhow::Result<CheckReport> {
    let location = config.database.location()?;
    if is_repair {
        repair(&location).with_context(|| format!("{location} was not repaired"))
    } else {
        check(&location).with_context(|| format!("{location} was not checked"))
    }
}

fn print_report(report: &CheckReport) -> anyhow::Result<()> {
    for (kind, count) in &report.counts {
        let mut shown = 0;
        for finding in report.findings.iter().filter(|found| found.kind == *kind) {
            shown += 1;
            print(&format!("{}: {}", label(*kind), finding.line))?;
        }
        if *count > shown {
            print(&format!("{}: and {} more", label(*kind), count - shown))?;
        }
    }
    for (kind, count) in &report.repaired {
        print(&format!("repaired: {count} of {}", kind.as_str()))?;
    }
    print(&format!(
        "{} problems; {} objects and {} changes checked",
        report.problems(),
        report.objects,
        report.changes
    ))
}

/// Says what a repair leaves.
fn print_left(report: &CheckReport) {
    let left = report.counts.iter().filter(|(kind, _)| kind.is_problem());
    for (kind, count) in left {
        let kind = kind.as_str();
        say(&format!(
            "not repaired: {count} of {kind}; only a backup can repair this"
        ));
    }
}

fn label(kind: FindingKind) -> String {
    if kind.is_problem() {
        kind.as_str().to_owned()
    } else {
        format!("note: {}", kind.as_str())
    }
}
