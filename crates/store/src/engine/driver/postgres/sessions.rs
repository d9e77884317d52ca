//! Whether a connection has a session of its own.

use std::time::Duration;

use tokio_postgres::{Client, SimpleQueryMessage};

use super::Address;
use crate::Error;
use crate::error::with_causes;

const SELECT_PROCESS: &str = "SELECT pg_backend_pid()";

/// The time to find out.
const LIMIT: Duration = Duration::from_secs(5);

/// How often to look. Once is enough, unless other clients of the pooler get in between.
const ROUNDS: u32 = 4;

/// Refuses a pooler that gives each transaction any session of the server: settings, prepared
/// statements and locks would be those of others: `PgBouncer` with `pool_mode = transaction`.
///
/// Both connections stay open, so no process of the server may ever serve both, and each must keep
/// its own while the other one holds a transaction.
///
/// # Errors
///
/// [`Error::Address`] if there is such a pooler, and [`Error::Unavailable`] if the server does not
/// answer in time.
pub(super) async fn check(address: &Address) -> Result<(), Error> {
    let looked = tokio::time::timeout(LIMIT, are_kept(address));
    let looked = looked.await.map_err(|_| {
        Error::Unavailable("the database does not answer two connections at once".to_owned())
    })?;
    if looked? {
        return Ok(());
    }
    Err(Error::Address(
        "it is that of a pooler which gives each transaction another session: let it keep sessions (in PgBouncer, pool_mode = session), or name the server itself"
            .to_owned(),
    ))
}

async fn are_kept(address: &Address) -> Result<bool, Error> {
    let ((first, _), (second, _)) = (address.open().await?, address.open().await?);
    for _ in 0..ROUNDS {
        let before = process(&first).await?;
        run(&second, "BEGIN").await?;
        if process(&second).await? == before {
            return Ok(false);
        }
        let after = process(&first).await?;
        run(&second, "COMMIT").await?;
        if after != before {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn run(client: &Client, sql: &str) -> Result<(), Error> {
    let done = client.batch_execute(sql).await;
    done.map_err(|error| unavailable(&error))
}

/// The process of the server that answers a connection.
async fn process(client: &Client) -> Result<Option<String>, Error> {
    let messages = client.simple_query(SELECT_PROCESS).await;
    let messages = messages.map_err(|error| unavailable(&error))?;
    Ok(messages.into_iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}

fn unavailable(error: &tokio_postgres::Error) -> Error {
    Error::Unavailable(with_causes(error))
}
