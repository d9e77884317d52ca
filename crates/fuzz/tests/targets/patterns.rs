//! A regular expression compiles within its limits or is refused, in filters and in types, and
//! matches without a panic.

use serde_json::json;
use stockroom_filter::{Limits, Parsed, Paths};
use stockroom_model::pattern::{Pattern, check};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?>",
    "(?<n>",
    "\\k<n>",
    "\\1",
    "\\g{-1}",
    "(?i)",
    "(?x)",
    "[^",
    "[[:alpha:]]",
    "]",
    "{2}",
    "{2,}",
    "{0,900}",
    "*",
    "+?",
    "++",
    "|",
    "^",
    "$",
    "\\b",
    "\\B",
    "\\d",
    "\\w",
    "\\pL",
    "\\p{Lu}",
    "\\R",
    "\\Q",
    "\\E",
    "\\x{41}",
    "\\z",
    "\\Z",
    "\\A",
    "\\K",
    "(?R)",
    "(?(1)a|b)",
    "é",
    "\u{10FFFF}",
    "#",
    " ",
];

const TEXTS: [&str; 6] = [
    "",
    "a",
    "aaaaaaaaaaaaaaaaaaaaaaaab",
    "ÄöÜ\r\n",
    "x1_y-2",
    "\u{10FFFF}\n",
];

#[test]
fn patterns_compile_or_are_refused() {
    let limits = Limits::default();
    fuzz("patterns", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let of_type = check(&text, 256 * 1_024);
        if of_type.is_ok() {
            let pattern = Pattern::new(&text);
            for text in TEXTS {
                let _ = pattern.matches(text);
            }
        }
        let asked = json!({"a": {"$regex": text, "$options": "i"}});
        let parsed = Parsed::from_value(&asked, &limits);
        let checked = parsed.and_then(|parsed| parsed.check(&Paths::default()));
        let answers =
            checked.map(|checked| TEXTS.map(|text| checked.matches(&json!({"a": text})).ok()));
        kind(&(of_type, answers.map_err(|invalid| invalid.detail)))
    });
}
