//! Writes: how they reach a thread, and when the user of one rests after it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::worker::ExclusiveLock;
use super::{BACKGROUND_WRITES, Job, Networked, WRITES};
use crate::Error;
use crate::engine::priority::is_background;
use crate::runtime::open_turns::{OpenRest, OpenTurn};
use crate::runtime::work::{WorkError, WriteWork};
use crate::runtime::{WriteKind, enqueue, within};
use crate::transaction::{WriteContext, WriteTx};

/// When the user of a transaction rests after it.
enum Rests {
    Never,
    /// If it was undone, such as a dry run: others may have waited for its rows in vain.
    IfUndone(OpenRest),
    /// In any case: all others have waited.
    After(OpenTurn),
}

impl Rests {
    fn after(self, held: Duration, is_undone: bool) {
        match self {
            Self::IfUndone(rest) if is_undone => rest.add(held),
            Self::After(mut turn) => turn.rest(held),
            Self::Never | Self::IfUndone(_) => {}
        }
    }
}

impl Networked {
    pub(crate) async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        kind: WriteKind,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        if kind != (WriteKind::Open { in_turns: true }) {
            let written = self.send_write(context, ExclusiveLock::IfNeeded, Rests::Never, work);
            return written
                .await?
                .unwrap_or_else(|_| Err(Error::Conflict.into()));
        }
        let actor = context.actor;
        // Boxed to keep the future of other writes small.
        let rest = Box::pin(self.open_turns.rest_of(actor)).await;
        let undone = Rests::IfUndone(rest);
        let written = self.send_write(context.clone(), ExclusiveLock::NotYet, undone, work);
        match written.await? {
            Ok(done) => done,
            Err(work) => {
                let turn = Rests::After(Box::pin(self.open_turns.next(actor)).await);
                let written = self.send_write(context, ExclusiveLock::Yes, turn, work);
                written
                    .await?
                    .unwrap_or_else(|_| Err(Error::Conflict.into()))
            }
        }
    }

    /// Sends a write to a thread. The inner `Err` has `work` if it must run alone, and may not yet.
    async fn send_write<T, E, W>(
        &self,
        context: WriteContext,
        lock: ExclusiveLock,
        rests: Rests,
        work: W,
    ) -> Result<Result<Result<T, E>, W>, E>
    where
        T: Send + 'static,
        E: WorkError,
        W: WriteWork<T, E> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let deadline = Instant::now() + self.unavailable_timeout;
        let has_replicas = self.has_replicas();
        let requester = context.requester();
        let job: Job = Box::new(move |worker| {
            if reply.is_closed() {
                return;
            }
            let held = Cell::new(Duration::ZERO);
            let timed = |tx: &mut WriteTx<'_>| {
                let began = Instant::now();
                let done = work(tx);
                held.set(began.elapsed());
                done
            };
            let written = worker.write(&context, deadline, has_replicas, lock, &timed);
            rests.after(held.get(), written.is_err());
            let _ = match written.transpose() {
                Some(result) => {
                    drop(work);
                    reply.send(Ok::<_, E>(Ok(result)))
                }
                None => reply.send(Ok(Err(work))),
            };
        });
        let (queue, name) = if is_background() {
            (&self.background_writes, BACKGROUND_WRITES)
        } else {
            (&self.writes, WRITES)
        };
        enqueue(queue, name, requester, job)?;
        within(None, answer).await
    }
}
