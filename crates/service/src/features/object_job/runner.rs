//! Works on jobs, in the name of their users.

use std::sync::Arc;

use stockroom_model::ObjectJobId;
use stockroom_model::json::Value;
use stockroom_store::{JobState, ObjectJob, ReadTx};

use super::chunk::Chunk;
use super::request::JobRequest;
use super::task::Permitted;
use crate::core::leased::{Due, Leased, NextDue};
use crate::core::own_context::vital_context;
use crate::core::worker::Worker;
use crate::{Caller, Error, RequestContext, Service};

/// Changes the next chunk of the job that waits longest.
#[derive(Debug, Clone, Copy)]
pub struct ObjectJobs;

impl Leased for ObjectJobs {
    const NAME: &'static str = "object_jobs";
    const ON_FAILURE: &'static str = "a job is interrupted and is continued later";
    type Work = ObjectJob;
    type Id = ObjectJobId;

    fn due(tx: &mut ReadTx<'_>, worker: &Worker) -> NextDue<Self> {
        let job = tx.due_object_job(&worker.node, worker.now)?;
        Ok(job.map(|job| Due {
            id: job.id,
            holder: job.order.node.clone(),
            via: job.order.via,
            work: job,
        }))
    }

    async fn advance(
        &self,
        service: &Arc<Service>,
        job: ObjectJob,
        worker: Worker,
    ) -> Result<(), Error> {
        let stored: Value = serde_json::from_str(&job.order.request).map_err(Error::internal)?;
        let context = RequestContext {
            request_id: job.order.request_id.as_str().into(),
            via: job.order.via,
            comment: job.order.comment.as_deref().map(Arc::from),
            strict: stored["strict"] == true,
            ..RequestContext::default()
        };
        let caller = Caller::absent(service, job.order.user, context).await?;
        let body = stored["body"].clone();
        let request = JobRequest::read(service, caller.requester(), body).await?;
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

    async fn fail(service: &Service, id: ObjectJobId, reason: String) -> Result<(), Error> {
        let context = vital_context("object-job", service.clock.now());
        let end = service.store.write(context, move |tx| {
            let ended = tx.end_object_job(id, JobState::Failed, Some(&reason));
            ended.map_err(Error::from)
        });
        end.await
    }
}
