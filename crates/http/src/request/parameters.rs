//! The parameters of a request, decoded once: from the query string and, on query routes, from the
//! members of the body.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::mem;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;
use stockroom_model::Timestamp;
use stockroom_model::json::{self, Value};
use stockroom_service::{Caller, Error};

use super::RequestInfo;
use crate::answer::Problem;
use crate::state::AppState;

/// Bounds the number of unknown parameters that an answer lists.
const MAX_WARNINGS: usize = 16;

/// The former name of the parameter `active`.
const OLD_NAME_OF_ACTIVE: &str = "onlyActiveObjCookie";

/// Parameters in the order they were sent.
pub(crate) struct Parameters {
    sent: Vec<(String, Sent)>,
    /// The names that the route accepts.
    known: &'static [String],
    /// Whether warnings are errors.
    is_strict: bool,
    warnings: Vec<stockroom_model::Problem>,
}

/// The value of a parameter.
enum Sent {
    /// From a query string, or a scalar in a body.
    Text(String),
    /// An object or a list in a body.
    Json(Value),
}

impl Parameters {
    /// The value of a parameter. An empty one means the default, so it counts as absent. A repeated
    /// parameter is refused, because one of its values would be lost silently.
    pub(crate) fn get(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.sent(name)? {
            Some(Sent::Text(text)) if text.is_empty() => Ok(None),
            Some(Sent::Text(text)) => Ok(Some(text)),
            Some(Sent::Json(_)) => Err(Problem::invalid(name, "must be a single value")),
            None => Ok(None),
        }
    }

    /// The value of a JSON parameter.
    pub(crate) fn json(&self, name: &str) -> Result<Option<Cow<'_, Value>>, Problem> {
        if let Some(Sent::Json(value)) = self.sent(name)? {
            return Ok(Some(Cow::Borrowed(value)));
        }
        let parsed = self.get(name)?.map(|text| json::parse(text.as_bytes()));
        let parsed = parsed
            .transpose()
            .map_err(|error| Problem::invalid(name, format!("is not acceptable JSON: {error}")))?;
        Ok(parsed.map(Cow::Owned))
    }

    fn sent(&self, name: &str) -> Result<Option<&Sent>, Problem> {
        let mut values = self.sent.iter().filter(|(key, _)| key == name);
        let first = values.next();
        if values.next().is_some() {
            return Err(Problem::invalid(name, "stands twice in the query"));
        }
        Ok(first.map(|(_, value)| value))
    }

    /// Whether a parameter is present, even if empty.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.sent.iter().any(|(key, _)| key == name)
    }

    /// Whether the route accepts a parameter.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|known| known == name)
    }

    /// A boolean: true, 1 or empty; false or 0; case-insensitive.
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

    /// A whole number from `min` to 2^53-1.
    pub(crate) fn number(&self, name: &str, default: usize, min: usize) -> Result<usize, Problem> {
        const MAX: usize = (1 << 53) - 1;
        let Some(text) = self.get(name)? else {
            return Ok(default);
        };
        let number: Option<usize> = text
            .parse()
            .ok()
            .filter(|number| (min..=MAX).contains(number));
        number.ok_or_else(|| {
            Problem::invalid(
                name,
                format!("must be a whole number from {min} on, not {text:?}"),
            )
        })
    }

    /// A time: ISO 8601, without a zone in UTC.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>, Problem> {
        let Some(text) = self.get(name)? else {
            return Ok(None);
        };
        let time = Timestamp::from_text(text).ok_or_else(|| {
            Problem::invalid(
                name,
                format!("must be a time such as 2026-01-31T12:00:00.000000, not {text:?}"),
            )
        });
        time.map(Some)
    }

    /// One of some words, or `default` if absent.
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

    /// Warns of a value that is legal, but looks like a mistake.
    pub(crate) fn doubt(&mut self, name: &str, detail: impl Into<String>) -> Result<(), Problem> {
        let warning = stockroom_model::Problem::new(name, detail);
        if self.is_strict {
            return Err(Error::strict(vec![warning]).into());
        }
        self.warnings.push(warning);
        Ok(())
    }

    /// Warnings about the parameters.
    pub(crate) fn warnings(&self) -> &[stockroom_model::Problem] {
        &self.warnings
    }
}

/// For a route that writes something else than records, and takes no parameters.
pub(crate) struct NoParameters;

impl FromRequestParts<AppState> for NoParameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        Parameters::read(parts, None, state)?.refuse_unknown()?;
        Ok(Self)
    }
}

impl FromRequestParts<AppState> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        Self::read(parts, None, state)
    }
}

impl Parameters {
    /// The parameters of a query string, whatever the route takes.
    pub(crate) fn of_query(text: &str) -> Result<Self, Problem> {
        Ok(Self {
            sent: query(text)?,
            known: &[],
            is_strict: false,
            warnings: Vec::new(),
        })
    }

    /// Reads the query string, then the members of a body that are not in the query string.
    pub(super) fn read(
        parts: &Parts,
        body: Option<Value>,
        state: &AppState,
    ) -> Result<Self, Problem> {
        let mut sent = query(parts.uri.query().unwrap_or_default())?;
        if let Some(body) = body {
            let names: HashSet<String> = sent.iter().map(|(name, _)| name.clone()).collect();
            sent.extend(members(body)?.filter(|(name, _)| !names.contains(name)));
        }
        let caller = parts.extensions.get::<Arc<Caller>>();
        let mut parameters = Self {
            sent,
            known: &[],
            is_strict: caller.is_some_and(|caller| caller.request.strict),
            warnings: Vec::new(),
        };
        if !parameters.sent.is_empty() {
            parameters.known = known(parts, state);
            parameters.rename();
            parameters.warn(RequestInfo::is_write(parts))?;
        }
        Ok(parameters)
    }

    fn rename(&mut self) {
        if self.knows("active") {
            let old = self.sent.iter_mut().map(|(name, _)| name);
            for name in old.filter(|name| *name == OLD_NAME_OF_ACTIVE) {
                "active".clone_into(name);
            }
        }
    }

    /// Warns about parameters that the route does not accept. They are refused if the caller asks
    /// for strict handling, and on writes: a misspelt `dry_run` or `references` must not write.
    fn warn(&mut self, is_write: bool) -> Result<(), Problem> {
        self.warnings = self.unknown();
        if self.warnings.is_empty() {
            return Ok(());
        }
        if self.is_strict {
            return Err(Error::strict(mem::take(&mut self.warnings)).into());
        }
        if is_write {
            return self.refuse_unknown();
        }
        Ok(())
    }

    /// For a route that writes something else than records.
    pub(crate) fn refuse_unknown(&self) -> Result<(), Problem> {
        if self.warnings.is_empty() {
            return Ok(());
        }
        let detail = "a write takes no unknown parameters; nothing was changed".to_owned();
        let problems = self.warnings.clone();
        Err(Error::Invalid { detail, problems }.into())
    }

    fn unknown(&self) -> Vec<stockroom_model::Problem> {
        let names = self.sent.iter().map(|(name, _)| name);
        let unknown: BTreeSet<&String> = names.filter(|name| !self.knows(name)).collect();
        let takes = match self.known {
            [] => "takes none".to_owned(),
            known => format!("takes {}", known.join(", ")),
        };
        let first = unknown.into_iter().take(MAX_WARNINGS);
        let unknown = first.map(|name| stockroom_model::Problem {
            pointer: name.clone(),
            detail: format!("is not a known parameter; this route {takes}"),
        });
        unknown.collect()
    }
}

/// The query parameters that the route of a request takes.
fn known(parts: &Parts, state: &AppState) -> &'static [String] {
    let route = parts.extensions.get::<MatchedPath>();
    let path = route.map_or("", MatchedPath::as_str);
    let info = RequestInfo::of(&parts.extensions);
    info.map_or(&[], |info| {
        info.table.parameters(&parts.method, state.below_base(path))
    })
}

/// The pairs of a query string.
fn query(text: &str) -> Result<Vec<(String, Sent)>, Problem> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name)?, Sent::Text(decode(value)?)))
        })
        .collect()
}

/// The members of a body; null means the default.
fn members(body: Value) -> Result<impl Iterator<Item = (String, Sent)>, Problem> {
    let Value::Object(members) = body else {
        let detail = "must be a JSON object of parameters, such as {\"limit\": 10}";
        return Err(Problem::invalid("", detail));
    };
    Ok(members.into_iter().filter_map(|(name, value)| {
        let value = match value {
            Value::Null => return None,
            Value::String(text) => Sent::Text(text),
            Value::Bool(_) | Value::Number(_) => Sent::Text(value.to_string()),
            Value::Array(_) | Value::Object(_) => Sent::Json(value),
        };
        Some((name, value))
    }))
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
