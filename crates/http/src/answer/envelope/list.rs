//! The envelope of a list.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use stockroom_model::json::Value;
use stockroom_model::{ObjectId, Problem, Timestamp};
use stockroom_service::object::labels::Label;

use super::{Answer, Model, TOTAL_COUNT_HEADER, to_text, warned};

/// `pager` in the envelope of a list.
#[derive(Debug)]
pub(crate) struct Pager {
    /// The number of the page, from 1.
    pub(crate) page: usize,
    /// Records per page; 0 means all.
    pub(crate) page_size: usize,
    /// How many pages there are, if known.
    pub(crate) total_pages: Option<usize>,
    /// How to get the next page.
    pub(crate) next: NextPage,
}

/// How to request the next page.
#[derive(Debug)]
pub(crate) enum NextPage {
    /// By its number.
    Number,
    /// By a cursor; the last page has none.
    Cursor(Option<Cursor>),
}

/// The start of the next page.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// The value for `after`.
    pub(crate) text: String,
    /// The URL of the page.
    pub(crate) url: String,
}

/// The URL of any page: the text before its number and after it.
#[derive(Debug)]
pub(crate) struct Pages {
    pub(crate) before: String,
    pub(crate) after: Option<String>,
}

/// The envelope of a list, around results that may still be streaming.
pub(crate) struct ListEnvelope {
    /// The kind of the listed records.
    pub(crate) model: Model,
    /// How many records match in all, if requested.
    pub(crate) total: Option<usize>,
    /// The parameters of the request, as JSON text.
    pub(crate) parameters: String,
    /// The current page.
    pub(crate) pager: Pager,
    /// The URL of this page.
    pub(crate) current: String,
    /// The URLs of other pages.
    pub(crate) pages: Pages,
    /// The URL of the first page of those that follow one another by cursors.
    pub(crate) first_by_cursor: String,
    /// The warnings of the request.
    pub(crate) warnings: Vec<Problem>,
    /// The labels of the objects that the results reference, if requested.
    pub(crate) labels: Option<Labels>,
    /// How the list was found, as JSON text.
    pub(crate) explain: Option<String>,
    /// The time of the answer.
    pub(crate) now: Timestamp,
}

/// The labels of objects by id, as JSON texts.
#[derive(Debug, Default)]
pub(crate) struct Labels(BTreeMap<ObjectId, String>);

/// Initial capacity of the text after the results, enough for most.
const TYPICAL_TAIL: usize = 2_048;

impl Labels {
    /// Adds labels; known ones stay.
    pub(crate) fn add(&mut self, labels: &[Label]) {
        for label in labels {
            let shown = self.0.entry(label.public_id);
            shown.or_insert_with(|| to_text(label));
        }
    }
}

impl Display for Labels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("{")?;
        for (index, (id, label)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(formatter, r#"{comma}"{id}":{label}"#)?;
        }
        formatter.write_str("}")
    }
}

impl ListEnvelope {
    /// The text before the results.
    pub(crate) const HEAD: &'static str = r#"{"results":["#;

    /// The text after the results; `count` is their number.
    pub(crate) fn tail(&self, count: usize) -> String {
        let Pager {
            page,
            page_size,
            total_pages,
            next,
        } = &self.pager;
        let after = match next {
            NextPage::Number => String::new(),
            NextPage::Cursor(None) => r#","after":null"#.to_owned(),
            NextPage::Cursor(Some(cursor)) => format!(r#","after":{}"#, to_text(&cursor.text)),
        };
        let mut tail = String::with_capacity(TYPICAL_TAIL);
        // Writing to a String cannot fail, here and below.
        let _ = write!(
            tail,
            r#"],"count":{count},"total":{},"parameters":{},"pager":{{"page":{page},"page_size":{page_size},"total_pages":{}{after}}},"#,
            or_null(self.total),
            self.parameters,
            or_null(*total_pages)
        );
        self.pagination(&mut tail);
        tail.push_str(&warned(&self.warnings));
        if let Some(labels) = &self.labels {
            let _ = write!(tail, r#""labels":{labels},"#);
        }
        if let Some(explain) = &self.explain {
            let _ = write!(tail, r#""explain":{explain},"#);
        }
        tail.push_str(&self.model.tail("GET", self.now));
        tail
    }

    /// `pagination` in the envelope of a list.
    fn pagination(&self, tail: &mut String) {
        // If the number of pages is unknown, any page may be the last.
        let last = self.pager.total_pages.map(|pages| pages.max(1));
        let up_to = last.unwrap_or(usize::MAX);
        let page = self.pager.page;
        let before = to_text(&self.pages.before);
        let before = before.strip_suffix('"').unwrap_or(&before);
        let after = self.pages.after.as_deref().map(to_text);
        let after = after.as_deref().and_then(|after| after.strip_prefix('"'));
        let after = after.unwrap_or("\"");
        // Writing to a String cannot fail.
        let _ = write!(
            tail,
            r#""pagination":{{"current":{}"#,
            to_text(&self.current)
        );
        let link = |number: usize| format!("{before}{number}{after}");
        let (previous, next) = match &self.pager.next {
            NextPage::Number => (
                link((page - 1).clamp(1, up_to)),
                link(page.saturating_add(1).clamp(1, up_to)),
            ),
            // Cursors lead forward only.
            NextPage::Cursor(next) => {
                let url = next.as_ref().map(|cursor| to_text(&cursor.url));
                ("null".to_owned(), url.unwrap_or_else(|| "null".to_owned()))
            }
        };
        let first = match &self.pager.next {
            NextPage::Number => link(1),
            NextPage::Cursor(_) => to_text(&self.first_by_cursor),
        };
        let _ = write!(tail, r#","first":{first},"prev":{previous},"next":{next}"#);
        let _ = match last {
            Some(last) => write!(tail, r#","last":{before}{last}{after}"#),
            None => write!(tail, r#","last":null"#),
        };
        tail.push_str("},");
    }

    /// The answer around complete results.
    pub(crate) fn answer(&self, results: &[Value]) -> Answer {
        let mut body = Self::HEAD.to_owned();
        for (index, result) in results.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(body, "{comma}{}", to_text(result));
        }
        body.push_str(&self.tail(results.len()));
        self.headed(Answer::new(StatusCode::OK, body))
    }

    /// The answer around a body that was written with [`Self::HEAD`] and [`Self::tail`].
    pub(crate) fn stream(&self, body: Body) -> Response {
        let answer = self.headed(Answer::new(StatusCode::OK, String::new()));
        let mut response = answer.into_response();
        *response.body_mut() = body;
        response
    }

    /// An answer without pages, for settings.
    pub(crate) fn plain_answer(&self, results: &[Value]) -> Answer {
        self.headed(Answer::results(
            self.model,
            results,
            &self.warnings,
            self.now,
        ))
    }

    fn headed(&self, mut answer: Answer) -> Answer {
        if let Some(total) = self.total {
            answer = answer.header(TOTAL_COUNT_HEADER, &total.to_string());
        }
        match &self.pager.next {
            NextPage::Cursor(Some(cursor)) => {
                answer.header(header::LINK, &format!("<{}>; rel=\"next\"", cursor.url))
            }
            NextPage::Cursor(None) | NextPage::Number => answer,
        }
    }
}

fn or_null(number: Option<usize>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| number.to_string())
}
