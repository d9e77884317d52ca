//! Opens connections, and retries.

use std::time::Instant;

use tokio::runtime::Runtime;

use super::{Address, FIRST_PAUSE, LONGEST_PAUSE, Postgres, PostgresConfig, sessions, wait};
use crate::Error;

impl Postgres {
    /// Opens a connection, and retries until the deadline.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if the last attempt failed, too.
    pub(crate) fn connect_by(address: &Address, deadline: Instant) -> Result<Self, Error> {
        retry(deadline, || Self::connect(address))
    }

    /// Opens a connection, if connections keep their sessions, and runs `work` with it on a thread
    /// of its own, because the thread of a connection must wait for nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Address`], [`Error::Unavailable`] if no server answered in time, and
    /// the errors of `work`.
    pub(crate) fn on_own_thread<T: Send, E: From<Error> + Send>(
        config: &PostgresConfig,
        work: impl FnOnce(Self) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        let address = Address::new(config)?;
        let deadline = Instant::now() + config.unavailable_timeout;
        let connect = || {
            runtime()?.block_on(sessions::check(&address))?;
            Self::connect(&address)
        };
        std::thread::scope(|threads| {
            let working = threads.spawn(|| work(retry(deadline, connect)?));
            working.join().unwrap_or_else(|_| Err(Error::Closed.into()))
        })
    }
}

/// A runtime for one connection.
pub(super) fn runtime() -> Result<Runtime, Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|cause| Error::File {
            path: "runtime".to_owned(),
            cause,
        })
}

/// Tries until the deadline, except for what does not change by waiting.
fn retry<T>(deadline: Instant, mut attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let mut pause = FIRST_PAUSE;
    loop {
        let error = match attempt() {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if matches!(error, Error::Address(_)) || Instant::now() + pause >= deadline {
            return Err(error);
        }
        wait(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
