//! The layout around the text of every page.

use pulldown_cmark::HeadingLevel;

use crate::chapter::Chapter;
use crate::html::escape;
use crate::summary::Entry;

/// The page of a chapter. The list of chapters follows the text, so that the text comes first for
/// users of keyboards and narrow screens; on wide screens the style sheet puts the list beside it.
pub(crate) fn page(entries: &[Entry], chapters: &[Chapter], index: usize) -> String {
    let Some(chapter) = chapters.get(index) else {
        return String::new();
    };
    let Neighbours { head, foot } = neighbours(entries, index);
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} - Stockroom guide</title>
<link rel="stylesheet" href="guide.css">
{head}<script src="search.js" defer></script>
</head>
<body>
<header>
<a class="home" href="./">Stockroom <span>guide</span></a>
<a class="to-chapters" href="#chapters">Chapters</a>
<a href="../">API reference</a>
<search hidden>
<input id="query" type="search" placeholder="Search" aria-label="Search the guide" aria-controls="found" autocomplete="off">
<div id="found" role="region" aria-label="Search results" aria-live="polite" hidden></div>
</search>
</header>
<main>
{text}<nav class="neighbours" aria-label="Previous and next chapter">
{foot}</nav>
</main>
<nav id="chapters" aria-label="Chapters">
{list}</nav>
</body>
</html>
"##,
        title = escape(&chapter.title),
        text = chapter.html,
        list = list(entries, chapters, index),
    )
}

struct Neighbours {
    /// In the head of the page.
    head: String,
    /// In the foot of the page.
    foot: String,
}

fn neighbours(entries: &[Entry], index: usize) -> Neighbours {
    let before = index.checked_sub(1).and_then(|index| entries.get(index));
    let sides = [
        ("prev", "Previous", before),
        ("next", "Next", entries.get(index + 1)),
    ];
    let sides = sides.map(|(kind, label, entry)| Some(neighbour(kind, label, entry?)));
    let (head, foot): (Vec<String>, Vec<String>) = sides.into_iter().flatten().unzip();
    Neighbours {
        head: head.concat(),
        foot: foot.concat(),
    }
}

/// The links to a neighbour in head and foot of the page.
fn neighbour(kind: &str, label: &str, entry: &Entry) -> (String, String) {
    let target = target(&entry.page);
    let title = escape(&entry.title);
    (
        format!("<link rel=\"{kind}\" href=\"{target}\">\n"),
        format!("<a class=\"{kind}\" href=\"{target}\"><small>{label}</small> {title}</a>\n"),
    )
}

/// The list of all chapters, with the sections of this one.
fn list(entries: &[Entry], chapters: &[Chapter], index: usize) -> String {
    let both = entries.iter().zip(chapters).enumerate();
    let mut part = None;
    let items = both.map(|(at, (entry, chapter))| {
        let heading = match &entry.part {
            Some(own) if part != Some(own) => format!("</ol>\n<h2>{}</h2>\n<ol>\n", escape(own)),
            _ => String::new(),
        };
        part = entry.part.as_ref();
        let (current, sections) = if at == index {
            (" aria-current=\"page\"", sections(chapter))
        } else {
            ("", String::new())
        };
        let (title, target) = (escape(&entry.title), target(&entry.page));
        format!("{heading}<li><a href=\"{target}\"{current}>{title}</a>{sections}</li>\n")
    });
    format!("<ol>\n{}</ol>\n", items.collect::<Vec<_>>().concat())
}

fn sections(chapter: &Chapter) -> String {
    let sections = chapter.sections.iter();
    let items = sections
        .filter(|section| section.level == HeadingLevel::H2)
        .map(|section| {
            let heading = escape(&section.heading);
            format!("<li><a href=\"#{}\">{heading}</a></li>\n", section.anchor)
        });
    let items = items.collect::<Vec<_>>();
    if items.is_empty() {
        return String::new();
    }
    format!("\n<ol>\n{}</ol>\n", items.concat())
}

/// The URL of a page; the first page has the URL of the folder.
fn target(page: &str) -> &str {
    match page {
        "index.html" => "./",
        page => page,
    }
}
