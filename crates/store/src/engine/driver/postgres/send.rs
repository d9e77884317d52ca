//! Sends a statement and waits for its rows.

use std::time::Duration;

use futures_util::{TryStreamExt as _, pin_mut};
use tokio_postgres::{Client, Statement};

use crate::Error;
use crate::engine::driver::stop::StopFlag;
use crate::engine::driver::{Param, Row};

/// Runs a statement and passes each row to `each`, until `stop` is set.
pub(super) async fn rows(
    client: &Client,
    stop: &StopFlag,
    answer_timeout: Duration,
    send_mode: &SendMode,
    params: &[Param<'_>],
    each: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
) -> Result<(), Failure> {
    let mut each = |row: &dyn Row| {
        if stop.is_set() {
            return Err(Failure::Stopped);
        }
        each(row).map_err(Failure::Ours)
    };
    let all = all_rows(client, answer_timeout, send_mode, params, &mut each);
    tokio::select! {
        biased;
        done = all => done,
        () = stop.until_set() => Err(Failure::Stopped),
    }
}

async fn all_rows(
    client: &Client,
    answer_timeout: Duration,
    send_mode: &SendMode,
    params: &[Param<'_>],
    each: &mut dyn FnMut(&dyn Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let rows = match send_mode {
        SendMode::Prepared(statement) => {
            within(answer_timeout, client.query_raw(statement, params)).await?
        }
        SendMode::Unprepared(text) => {
            let params = params.iter().map(|param| (*param, param.kind()));
            within(answer_timeout, client.query_typed_raw(text, params)).await?
        }
    };
    pin_mut!(rows);
    while let Some(row) = within(answer_timeout, rows.try_next()).await? {
        each(&row)?;
    }
    Ok(())
}

/// Waits for an answer, at most for `answer_timeout`.
pub(super) async fn within<T>(
    answer_timeout: Duration,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Failure> {
    let answer = tokio::time::timeout(answer_timeout, answer).await;
    Ok(answer.map_err(|_| Failure::Silence)??)
}

/// How a statement is sent.
pub(super) enum SendMode {
    /// As a prepared statement, which the server may plan for all values.
    Prepared(Statement),
    /// As text, which the server plans for these values.
    Unprepared(String),
}

/// Why a statement failed.
pub(super) enum Failure {
    Engine(tokio_postgres::Error),
    Silence,
    /// Nobody waits for it.
    Stopped,
    Ours(Error),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Engine(error)
    }
}
