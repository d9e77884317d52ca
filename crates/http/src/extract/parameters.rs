//! The query string, decoded once.

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;

use crate::problem::Problem;
use crate::state::AppState;

/// Parameters in the order in which they were sent.
#[derive(Debug, Clone)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// The value of a parameter; an empty one means its default, so it counts as absent. A parameter that is read twice would
    /// silently lose one of its values, so that is refused.
    pub(crate) fn get(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self
            .0
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, value)| value.as_str());
        let first = values.next();
        if values.next().is_some() {
            return Err(Problem::invalid(name, "stands twice in the query"));
        }
        Ok(first.filter(|value| !value.is_empty()))
    }

    /// Whether a parameter is there, be it empty.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// A boolean: true, 1 or empty; false or 0; in any case.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        let Some(value) = self.get(name)? else {
            return Ok(self.has(name).then_some(true));
        };
        match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(Some(true)),
            "false" | "0" => Ok(Some(false)),
            _ => Err(Problem::invalid(
                name,
                format!("must be true, 1, false or 0, not {value:?}"),
            )),
        }
    }

    /// A whole number from `least` to 2^53-1.
    pub(crate) fn number(
        &self,
        name: &str,
        default: usize,
        least: usize,
    ) -> Result<usize, Problem> {
        const MOST: usize = (1 << 53) - 1;
        let Some(text) = self.get(name)? else {
            return Ok(default);
        };
        let number: Option<usize> = text
            .parse()
            .ok()
            .filter(|number| (least..=MOST).contains(number));
        number.ok_or_else(|| {
            Problem::invalid(
                name,
                format!("must be a whole number from {least} on, not {text:?}"),
            )
        })
    }

    /// One of some words, `default` when absent.
    pub(crate) fn one_of<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
        default: T,
    ) -> Result<T, Problem> {
        let Some(text) = self.get(name)? else {
            return Ok(default);
        };
        let found = words
            .iter()
            .find(|(word, _)| *word == text)
            .map(|(_, value)| *value);
        found.ok_or_else(|| {
            let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Problem::invalid(
                name,
                format!("must be {}, not {text:?}", allowed.join(" or ")),
            )
        })
    }
}

impl FromRequestParts<AppState> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((decode(name)?, decode(value)?))
            });
        pairs.collect::<Result<_, Problem>>().map(Self)
    }
}

fn decode(text: &str) -> Result<String, Problem> {
    if !text.contains(['+', '%']) {
        return Ok(text.to_owned());
    }
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8();
    decoded
        .map(Cow::into_owned)
        .map_err(|_| Problem::invalid("", "the query is not valid UTF-8"))
}
