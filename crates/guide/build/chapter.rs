//! Converts a chapter from Markdown to HTML, and collects its headings and words.

use std::collections::HashMap;
use std::path::Path;

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

use crate::html::{anchor, escape};
use crate::summary::page;

/// A chapter as HTML.
pub(crate) struct Chapter {
    /// The name of its page.
    pub(crate) page: String,
    /// The text of its first heading.
    pub(crate) title: String,
    /// The text.
    pub(crate) html: String,
    /// The sections in order; the first one is below the title.
    pub(crate) sections: Vec<Section>,
}

/// A heading and the words below it, for tables of contents and for search.
pub(crate) struct Section {
    pub(crate) level: HeadingLevel,
    pub(crate) anchor: String,
    pub(crate) heading: String,
    pub(crate) words: String,
}

impl Chapter {
    /// Converts Markdown, including tables.
    pub(crate) fn read(page: &str, markdown: &str) -> Self {
        let mut writer = Writer::default();
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            writer.take(event);
        }
        let mut text = String::new();
        html::push_html(&mut text, writer.events.into_iter());
        let title = writer.sections.first();
        Self {
            page: page.to_owned(),
            title: title.map_or_else(String::new, |section| section.heading.clone()),
            html: text,
            sections: writer.sections,
        }
    }
}

/// Converts events of Markdown to events of HTML.
#[derive(Default)]
struct Writer<'m> {
    events: Vec<Event<'m>>,
    sections: Vec<Section>,
    anchors: HashMap<String, u32>,
    /// The start of the current heading in `events`.
    heading: Option<usize>,
    /// The language of the current code block, and its text so far.
    code: Option<(String, String)>,
    /// Whether the current link is omitted, because its target has no page.
    is_unlinked: bool,
}

impl<'m> Writer<'m> {
    fn take(&mut self, event: Event<'m>) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.heading = Some(self.events.len()),
            Event::End(TagEnd::Heading(level)) => self.end_heading(level),
            Event::Start(Tag::CodeBlock(kind)) => {
                let kind = match kind {
                    CodeBlockKind::Fenced(kind) => kind.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((kind, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => self.end_code(),
            Event::Start(Tag::Link { dest_url, .. }) => self.start_link(&dest_url),
            Event::End(TagEnd::Link) if self.is_unlinked => self.is_unlinked = false,
            // Tables that are too wide scroll on their own.
            Event::Start(Tag::Table(_)) => {
                self.raw("<div class=\"table\" tabindex=\"0\">".to_owned());
                self.events.push(event);
            }
            Event::End(TagEnd::Table) => {
                self.events.push(event);
                self.raw("</div>\n".to_owned());
            }
            Event::Text(ref text) | Event::Code(ref text) => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(text);
                } else {
                    self.note(text);
                    self.events.push(event);
                }
            }
            Event::SoftBreak | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                self.note(" ");
                self.events.push(event);
            }
            _ => self.events.push(event),
        }
    }

    fn raw(&mut self, html: String) {
        self.events.push(Event::Html(CowStr::from(html)));
    }

    /// Adds words to the current section.
    fn note(&mut self, words: &str) {
        if let (None, Some(section)) = (self.heading, self.sections.last_mut()) {
            section.words.push_str(words);
        }
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        let Some(start) = self.heading.take() else {
            return;
        };
        let inner = self.events.split_off(start);
        let words = inner.iter().filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        });
        let heading: String = words.collect();
        let anchor = self.new_anchor(&heading);
        self.raw(format!("<{level} id=\"{anchor}\"><a href=\"#{anchor}\">"));
        self.events.extend(inner);
        self.raw(format!("</a></{level}>\n"));
        self.sections.push(Section {
            level,
            anchor,
            heading,
            words: String::new(),
        });
    }

    /// The anchor of a heading; repeated ones get a number.
    fn new_anchor(&mut self, heading: &str) -> String {
        let anchor = anchor(heading);
        let count = self.anchors.entry(anchor.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => anchor,
            count => format!("{anchor}-{}", count - 1),
        }
    }

    fn end_code(&mut self) {
        let Some((kind, code)) = self.code.take() else {
            return;
        };
        let label = match kind.as_str() {
            "http" if code.starts_with("HTTP/") => "Answer",
            "http" => "Request",
            "json" => "Answer",
            "sh" => "Shell",
            _ => "",
        };
        self.raw(format!(
            "<pre tabindex=\"0\" data-label=\"{label}\"><code>{}</code></pre>\n",
            escape(&code)
        ));
    }

    fn start_link(&mut self, target: &str) {
        match link(target) {
            Some(target) => self.raw_inline(format!("<a href=\"{}\">", escape(&target))),
            None => self.is_unlinked = true,
        }
    }

    fn raw_inline(&mut self, html: String) {
        self.events.push(Event::InlineHtml(CowStr::from(html)));
    }
}

/// The target of a link on a page: the page of a chapter, or the original target. `None` for a
/// Markdown file of the repository that has no page.
fn link(target: &str) -> Option<String> {
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (target, String::new()),
    };
    let is_local = !file.contains("://");
    match file.rsplit('/').next() {
        Some(name) if is_local && Path::new(name).extension() == Some("md".as_ref()) => {
            let is_appendix = crate::APPENDIX.iter().any(|(_, _, file)| *file == name);
            let is_chapter = !file.contains('/');
            (is_appendix || is_chapter).then(|| match page(name).as_str() {
                "index.html" => format!("./{anchor}"),
                page => format!("{page}{anchor}"),
            })
        }
        _ => Some(target.to_owned()),
    }
}
