//! The variables of the environment that begin like ours. A misspelt one would silently leave a
//! setting at its default.

use std::collections::BTreeSet;

use anyhow::bail;
use clap::Command;

use super::file::SECRETS;

const PREFIX: &str = "STOCKROOM_";
/// Variables of the tests of this project, which may run the program.
const TESTS: &str = "STOCKROOM_TEST_";
/// Those that have no flag, beside [`SECRETS`].
const WITHOUT_FLAG: [&str; 3] = ["NEW_SECRET_KEY", "PASSWORD", "TOKEN"];

/// Refuses variables that mean nothing.
///
/// # Errors
///
/// It names each of them, and the known one that is spelt most like it.
pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let known = known(command);
    let unknown: Vec<String> = set
        .filter(|name| is_ours(name) && !known.contains(name))
        .map(|name| match nearest(&name, &known) {
            Some(nearest) => format!("{name} is no setting, the nearest one is {nearest}"),
            None => format!("{name} is no setting"),
        })
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    bail!(
        "unknown variables in the environment: {}",
        unknown.join("; ")
    )
}

fn known(command: &Command) -> BTreeSet<String> {
    let secrets = SECRETS.iter().map(|name| name.to_uppercase());
    let without_flag = WITHOUT_FLAG.map(str::to_owned);
    let mut known: BTreeSet<String> = secrets
        .chain(without_flag)
        .flat_map(|name| [format!("{PREFIX}{name}"), format!("{PREFIX}{name}_FILE")])
        .collect();
    add_flags(command, &mut known);
    known
}

fn add_flags(command: &Command, known: &mut BTreeSet<String>) {
    for arg in command.get_arguments() {
        let Some(name) = arg.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        known.insert(name.to_owned());
        if arg.is_hide_env_values_set() {
            known.insert(format!("{name}_FILE"));
        }
    }
    for inner in command.get_subcommands() {
        add_flags(inner, known);
    }
}

fn nearest<'k>(name: &str, known: &'k BTreeSet<String>) -> Option<&'k String> {
    let distance = |known: &&String| strsim::damerau_levenshtein(name, known);
    known.iter().min_by_key(distance)
}

/// Whether a variable is meant for this program.
fn is_ours(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .is_some_and(|rest| !name.starts_with(TESTS) && !is_of_kubernetes(rest))
}

/// Kubernetes sets variables for each service of a namespace, such as one that is called
/// `stockroom` or `stockroom-web`.
fn is_of_kubernetes(rest: &str) -> bool {
    let has_protocol = || {
        let protocols = ["_TCP", "_UDP", "_SCTP"];
        rest.contains("PORT_") && protocols.iter().any(|protocol| rest.contains(protocol))
    };
    rest == "PORT"
        || rest.ends_with("_PORT")
        || rest.ends_with("SERVICE_HOST")
        || rest.contains("SERVICE_PORT")
        || has_protocol()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_others_are_left_alone() {
        for (name, is_meant) in [
            ("STOCKROOM_DATABSE", true),
            ("STOCKROOM_IMPORT_BYTE", true),
            ("STOCKROOM_EXPORT", true),
            ("STOCKROOM", false),
            ("STOCKROOMS_DATA", false),
            ("STOCKROOM_TEST_DATABASE", false),
            ("STOCKROOM_SERVICE_HOST", false),
            ("STOCKROOM_SERVICE_PORT_HTTP", false),
            ("STOCKROOM_PORT", false),
            ("STOCKROOM_PORT_4000_TCP_ADDR", false),
            ("STOCKROOM_WEB_PORT_80_TCP", false),
            ("STOCKROOM_WEB_PORT", false),
        ] {
            assert_eq!(is_ours(name), is_meant, "{name}");
        }
    }
}
