//! Works on jobs, in the name of their users.

use std::sync::Arc;
use std::time::Duration;

use stockroom_model::json::Value;
use stockroom_store::{JobState, LeasedWork, ObjectJob, Via};
use tokio::sync::Notify;

use super::super::worker::Worker;
use super::chunk::Chunk;
use super::request::JobRequest;
use super::task::Permitted;
use crate::auth::vital_context;
use crate::{Caller, Error, RequestContext, Service};

/// How often a node looks for jobs that another node has left.
const INTERVAL: Duration = Duration::from_secs(3);

/// What a node knows of jobs.
#[derive(Default)]
pub(crate) struct Jobs {
    started: Notify,
}

impl Jobs {
    pub(super) fn wake(&self) {
        self.started.notify_one();
    }
}

impl Service {
    /// Works on jobs for as long as it is polled.
    pub async fn work_on_object_jobs(self: Arc<Self>) {
        self.announce();
        loop {
            if let Err(error) = self.run_object_jobs().await {
                tracing::warn!(%error, "a job is interrupted and is continued later");
            }
            let _ = tokio::time::timeout(INTERVAL, self.jobs.started.notified()).await;
        }
    }

    /// Works until no job is left that this node may work on.
    ///
    /// # Errors
    ///
    /// The store failed; the jobs can be continued.
    pub async fn run_object_jobs(self: &Arc<Self>) -> Result<(), Error> {
        while self.run_object_job_chunk().await? {}
        Ok(())
    }

    /// Changes one chunk of the job that waits longest. Returns false if there is none.
    ///
    /// # Errors
    ///
    /// The store failed; the job can be continued.
    pub async fn run_object_job_chunk(self: &Arc<Self>) -> Result<bool, Error> {
        let worker = self.worker();
        let seeker = worker.clone();
        let found = self.store.read(move |tx| {
            let due = tx.due_object_job(&seeker.node, seeker.now);
            due.map_err(Error::from)
        });
        let Some(job) = found.await? else {
            return Ok(false);
        };
        let work = LeasedWork::ObjectJob(job.id);
        if !self.take_lease(&worker, work, &job.order.node).await? {
            return Ok(true);
        }
        match self.advance(&job, worker).await {
            Ok(()) => Ok(true),
            Err(error) if error.is_passing() => Err(error),
            Err(error) => {
                self.fail(&job, &error).await?;
                Ok(true)
            }
        }
    }

    async fn advance(self: &Arc<Self>, job: &ObjectJob, worker: Worker) -> Result<(), Error> {
        let stored: Value = serde_json::from_str(&job.order.request).map_err(Error::internal)?;
        let context = RequestContext {
            request_id: job.order.request_id.as_str().into(),
            via: job.order.via,
            comment: job.order.comment.as_deref().map(Arc::from),
            strict: stored["strict"] == true,
            ..RequestContext::default()
        };
        let caller = Caller::absent(self, job.order.user, context).await?;
        let body = stored["body"].clone();
        let request = JobRequest::read(self, caller.requester(), body).await?;
        let chunk = Chunk {
            job: job.id,
            query: request.query,
            revisions: request.revisions,
            task: Permitted::new(&Arc::new(caller), request.task).await?,
            worker,
        };
        let authorization = chunk.task.authorization();
        authorization.write(move |tx| chunk.run(tx)).await.map(drop)
    }

    async fn fail(&self, job: &ObjectJob, error: &Error) -> Result<(), Error> {
        let id = job.id;
        let reason = reason(error, job.order.via);
        let context = vital_context("object-job", self.clock.now());
        let end = self.store.write(context, move |tx| {
            let ended = tx.end_object_job(id, JobState::Failed, Some(&reason));
            ended.map_err(Error::from)
        });
        end.await
    }
}

/// What users learn of the error that ended work in their name.
pub(in crate::object) fn reason(error: &Error, via: Via) -> String {
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
