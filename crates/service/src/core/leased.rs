//! Tasks whose work is shared by the nodes of a database: one of them takes the lease on a piece of
//! work before it begins. After a node has died, others go on once its leases end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use stockroom_store::{LeasedWork, ReadTx, Via};

use super::task::Task;
use super::worker::Worker;
use crate::{Error, Service};

/// How often a node looks for work that another node has left.
const INTERVAL: Duration = Duration::from_secs(3);

/// A piece of work that this node may begin or go on with.
pub(crate) struct Due<W, I> {
    pub(crate) work: W,
    pub(crate) id: I,
    /// The node that has the lease.
    pub(crate) holder: String,
    /// How the request came that ordered the work.
    pub(crate) via: Via,
}

/// A task whose work is done in the name of users, by one node at a time.
pub(crate) trait Leased: Send + 'static {
    const NAME: &'static str;
    /// What a failure means, for the log.
    const ON_FAILURE: &'static str;
    type Work: Send + 'static;
    type Id: Copy + Into<LeasedWork> + Send + 'static;

    /// The work that waits longest, if there is some.
    fn due(tx: &mut ReadTx<'_>, worker: &Worker) -> NextDue<Self>;

    /// Does a part of it, which is committed with its progress.
    fn advance(
        &self,
        service: &Arc<Service>,
        work: Self::Work,
        worker: Worker,
    ) -> impl Future<Output = Result<(), Error>> + Send;

    /// Ends it with the reason that its user is told.
    fn fail(
        service: &Service,
        id: Self::Id,
        reason: String,
    ) -> impl Future<Output = Result<(), Error>> + Send;
}

/// What a task may go on with.
pub(crate) type NextDue<L> = Result<Option<Due<<L as Leased>::Work, <L as Leased>::Id>>, Error>;

impl<L: Leased + Sync> Task for L {
    const NAME: &'static str = L::NAME;
    const INTERVAL: Duration = INTERVAL;
    const ON_FAILURE: &'static str = L::ON_FAILURE;

    async fn step(&mut self, service: &Arc<Service>) -> Result<bool, Error> {
        let worker = service.worker();
        let seeker = worker.clone();
        let found = service.store.read(move |tx| L::due(tx, &seeker));
        let Some(due) = found.await? else {
            return Ok(false);
        };
        if !service
            .take_lease(&worker, due.id.into(), &due.holder)
            .await?
        {
            return Ok(true);
        }
        match self.advance(service, due.work, worker).await {
            Err(error) if error.is_passing() => Err(error),
            Err(error) => {
                let reason = reason(&error, due.via);
                L::fail(service, due.id, reason).await?;
                Ok(true)
            }
            Ok(()) => Ok(true),
        }
    }
}

/// What users learn of the error that ended work in their name.
fn reason(error: &Error, via: Via) -> String {
    match error {
        Error::Unauthenticated if via.token().is_some() => {
            "the API token that started it has ended, or its user is not active".to_owned()
        }
        Error::Unauthenticated => "the user is not active or does not exist any more".to_owned(),
        Error::Internal(cause) => {
            tracing::error!(%cause, "work in the background failed");
            error.to_string()
        }
        other => other.to_string(),
    }
}
