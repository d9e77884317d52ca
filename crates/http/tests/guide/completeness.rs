//! Topics that the guide must cover.

use std::collections::BTreeSet;

use stockroom_model::FieldKind;
use stockroom_testkit::golden;

use crate::chapter::{Chapter, chapters, files};

/// The source files that parse the filter language.
const FILTER_SOURCE: [&str; 2] = [
    include_str!("../../../filter/src/operators.rs"),
    include_str!("../../../filter/src/parsed.rs"),
];
const HELP: &str = include_str!("../../../../docs/cli/serve.txt");

fn chapter(name: &str) -> Chapter {
    let found = chapters().into_iter().find(|chapter| chapter.name == name);
    found.unwrap_or_else(|| panic!("there is no chapter {name}"))
}

#[test]
fn every_chapter_is_in_the_summary_once() {
    let mut listed: Vec<String> = chapters().into_iter().map(|chapter| chapter.name).collect();
    listed.sort();
    assert_eq!(listed, files());
}

/// All string literals of the source that are an operator and nothing more.
fn operators() -> BTreeSet<&'static str> {
    let quoted = FILTER_SOURCE.iter().flat_map(|source| source.split('"'));
    let operators = quoted.filter(|text| {
        let name = text.strip_prefix('$').unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    // `$date` marks a value and is not an operator.
    operators.filter(|text| *text != "$date").collect()
}

#[test]
fn every_operator_of_filters_has_a_section_and_an_example() {
    let text = chapter("filters.md").text();
    let operators = operators();
    assert!(operators.len() > 15, "{operators:?}");
    for operator in operators {
        let heading =
            |line: &str| line.starts_with("##") && line.contains(&format!("`{operator}`"));
        let section = text.lines().skip_while(|line| !heading(line)).skip(1);
        let section: Vec<&str> = section.take_while(|line| !line.starts_with('#')).collect();
        let section = section.join("\n");
        assert!(!section.is_empty(), "{operator} has no section");
        let mut requests = section.split("```http\n").skip(1);
        let has_example = requests.any(|block| block.contains(&format!("\"{operator}\"")));
        assert!(has_example, "{operator} has no example in its section");
    }
}

/// The flags whose value is a number, with their defaults.
fn limits() -> Vec<(&'static str, &'static str)> {
    let flags = HELP.split("\n      --").skip(1);
    let limits = flags.filter_map(|flag| {
        let (name, rest) = flag.split_once(' ')?;
        let is_amount = ["<BYTES>", "<NUMBER>", "<SECONDS>", "<DAYS>"]
            .iter()
            .any(|kind| rest.starts_with(kind));
        let (_, default) = rest.split_once("[default: ")?;
        is_amount.then_some((name, default.split(']').next()?))
    });
    limits.collect()
}

#[test]
fn every_limit_is_listed_with_its_flag_and_default() {
    let text = chapter("limits.md").text();
    let limits = limits();
    assert!(limits.len() > 40, "{limits:?}");
    for (flag, default) in limits {
        let row = text
            .lines()
            .find(|line| line.contains(&format!("`--{flag}`")));
        let row = row.unwrap_or_else(|| panic!("--{flag} is not in limits.md"));
        let digits = |text: &str| -> String { text.chars().filter(|c| *c != ',').collect() };
        let cells: Vec<String> = row.split('|').map(|cell| digits(cell.trim())).collect();
        assert!(
            cells.contains(&default.to_owned()),
            "--{flag} has the default {default}: {row}"
        );
    }
}

#[test]
fn the_table_of_kinds_is_that_of_the_code() {
    const HEAD: &str = "| kind | takes | settings that suit it |\n|---|---|---|\n";
    let chapter = chapter("values.md");
    let text = chapter.text();
    let (before, table) = text.split_once(HEAD).expect("the table of kinds");
    let (_, after) = table.split_once("\n\n").expect("text behind the table");
    let rows = FieldKind::NAMED.iter().map(|kind| {
        let name = kind.name().unwrap_or_default();
        let settings = kind.settings().iter();
        let settings: Vec<String> = settings
            .map(|setting| format!("`{}`", setting.name()))
            .collect();
        format!(
            "| `{name}` | {} | {} |\n",
            kind.expected(),
            settings.join(", ")
        )
    });
    let rows: String = rows.collect();
    golden(&chapter.path(), &format!("{before}{HEAD}{rows}\n{after}"));
}
