//! The search index of the pages, with an entry per section.

use std::fmt::Write as _;

use crate::chapter::Chapter;

/// The index as JSON.
pub(crate) fn index(chapters: &[Chapter]) -> String {
    let entries = chapters.iter().flat_map(|chapter| {
        chapter.sections.iter().map(|section| {
            let words: Vec<&str> = section.words.split_whitespace().collect();
            let members = [
                ("page", chapter.page.as_str()),
                ("anchor", &section.anchor),
                ("title", &chapter.title),
                ("heading", &section.heading),
                ("text", &words.join(" ")),
            ];
            let members = members.map(|(name, value)| format!("\"{name}\":{}", quoted(value)));
            format!("{{{}}}", members.join(","))
        })
    });
    let entries: Vec<String> = entries.collect();
    format!("[\n{}\n]\n", entries.join(",\n"))
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
