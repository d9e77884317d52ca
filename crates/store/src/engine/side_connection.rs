//! A connection beside those of the transactions, for statements that are transactions of their own:
//! they see what others have committed by now, and what they write is committed at once.

use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::engine::driver::postgres::{Address, Fault, Postgres};

/// A connection that is opened on first use; see the module.
pub(crate) struct SideConnection {
    address: Address,
    open: Mutex<Option<Postgres>>,
}

impl SideConnection {
    pub(crate) const fn new(address: Address) -> Self {
        Self {
            address,
            open: Mutex::new(None),
        }
    }

    /// Runs a statement; if the connection is broken, runs it once more on a new one.
    pub(crate) fn ask<T>(
        &self,
        mut statement: impl FnMut(&mut Postgres) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut postgres) = open.take() {
            let answer = statement(&mut postgres);
            let fault = postgres.take_fault();
            if fault != Some(Fault::Lost) {
                return keep(&mut open, postgres, fault, answer);
            }
        }
        let mut postgres = Postgres::connect(&self.address)?;
        let answer = statement(&mut postgres);
        let fault = postgres.take_fault();
        keep(&mut open, postgres, fault, answer)
    }
}

/// Keeps the connection after a success. A fault of server or network becomes
/// [`Error::Unavailable`] or [`Error::DiskFull`].
fn keep<T>(
    open: &mut Option<Postgres>,
    postgres: Postgres,
    fault: Option<Fault>,
    answer: Result<T, Error>,
) -> Result<T, Error> {
    match (answer, fault) {
        (Ok(answer), _) => {
            *open = Some(postgres);
            Ok(answer)
        }
        (Err(_), Some(Fault::Full)) => Err(Error::DiskFull("that of the server".to_owned())),
        (Err(error), Some(_)) => Err(Error::Unavailable(error.to_string())),
        (Err(error), None) => Err(error),
    }
}
