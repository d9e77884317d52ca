//! Results of work outside of a transaction. Slow work would hold the transaction open, and a
//! failed comparison of a password must count even if the transaction is rolled back.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::RequestTransaction;
use crate::Error;
use crate::core::caller::Authorization;

/// Results by the name of their work. They outlast an attempt.
#[derive(Default)]
pub(super) struct RememberedResults(Mutex<HashMap<String, Box<dyn Any + Send>>>);

impl RememberedResults {
    /// A result of work that was done. An error is given once.
    fn get<T: Clone + Send + 'static>(&self, name: &str) -> Option<Result<T, Error>> {
        let mut results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let result = results.remove(name)?.downcast::<Result<T, Error>>().ok()?;
        if let Ok(result) = &*result {
            let kept: Result<T, Error> = Ok(result.clone());
            results.insert(name.to_owned(), Box::new(kept));
        }
        Some(*result)
    }

    fn set<T: Send + 'static>(&self, name: String, result: Result<T, Error>) {
        let mut results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        results.insert(name, Box::new(result));
    }
}

impl std::fmt::Debug for RememberedResults {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Known")
    }
}

impl Authorization {
    /// Does `work` outside of the open transaction, if there is one: the transaction is rolled
    /// back, and the request begins again with the result. `name` must tell it from other work of
    /// the request.
    pub(crate) async fn outside<T: Clone + Send + 'static>(
        &self,
        name: impl FnOnce() -> String,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let Some(RequestTransaction { open, known, .. }) = self.transaction() else {
            return work.await;
        };
        let name = name();
        if let Some(result) = known.get(&name) {
            return result;
        }
        let known = Arc::clone(known);
        open.outside(async move { known.set(name, work.await) })
            .await;
        Err(Error::Unavailable)
    }
}
