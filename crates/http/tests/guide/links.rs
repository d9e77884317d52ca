//! Links between the pages.

use std::collections::HashSet;

use stockroom_guide::File;

fn pages() -> impl Iterator<Item = &'static File> {
    let files = stockroom_guide::FILES.iter();
    files.filter(|file| file.content_type.starts_with("text/html"))
}

/// The values of an attribute, outside of code.
fn attributes<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let values = text.split(name).skip(1);
    values
        .map(|rest| rest.split('"').next().unwrap_or_default())
        .collect()
}

#[test]
fn every_link_leads_to_a_page_and_every_anchor_to_a_heading() {
    for page in pages() {
        for target in attributes(page.text, " href=\"") {
            if target.starts_with("https://") || target == "../" {
                continue;
            }
            let (name, anchor) = target.split_once('#').unwrap_or((target, ""));
            let name = match name {
                "" => page.name,
                "./" => stockroom_guide::INDEX,
                name => name,
            };
            let file = stockroom_guide::file(name);
            let file = file.unwrap_or_else(|| panic!("{}: {target} leads nowhere", page.name));
            let has_anchor = anchor.is_empty() || file.text.contains(&format!(" id=\"{anchor}\""));
            assert!(has_anchor, "{}: {target} has no heading", page.name);
        }
    }
}

#[test]
fn no_anchor_of_a_page_stands_twice() {
    for page in pages() {
        let anchors = attributes(page.text, " id=\"");
        let distinct: HashSet<&&str> = anchors.iter().collect();
        assert_eq!(distinct.len(), anchors.len(), "{}: {anchors:?}", page.name);
    }
}

#[test]
fn search_finds_every_section() {
    let index = stockroom_guide::file("search.json").expect("the index");
    let entries: serde_json::Value = serde_json::from_str(index.text).expect("JSON");
    let entries = entries.as_array().expect("a list");
    for page in pages() {
        let found = entries.iter().filter(|entry| entry["page"] == page.name);
        let found: Vec<_> = found.collect();
        let headings = ["<h1 ", "<h2 ", "<h3 "].map(|tag| page.text.matches(tag).count());
        assert_eq!(found.len(), headings.iter().sum::<usize>(), "{}", page.name);
        for entry in found {
            let anchor = entry["anchor"].as_str().unwrap_or_default();
            assert!(page.text.contains(&format!(" id=\"{anchor}\"")), "{entry}");
        }
    }
}
