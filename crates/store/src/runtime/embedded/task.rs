//! A queued write and its caller.

use std::time::Duration;

use tokio::sync::oneshot;

use crate::Error;
use crate::engine::disk::ReserveUse;
use crate::engine::driver::Driver;
use crate::engine::driver::work_limit::WorkLimited;
use crate::records::catalog::Catalog;
use crate::runtime::open_turns::OpenTurn;
use crate::runtime::work::WriteWork;
use crate::transaction::writers::Writers;
use crate::transaction::{Commit, WriteContext, WriteTx};

/// A queued write: runs inside the group's transaction, and answers after the commit.
pub(super) trait WriteTask: Send {
    /// Runs the write; returns whether to keep it.
    fn run(
        &mut self,
        driver: &mut dyn Driver,
        catalog: &Catalog,
        writers: &Writers,
        commit: &mut Commit,
    ) -> bool;
    /// Refuses the write for lack of space, without running it.
    fn refuse(&mut self);
    /// Whether it needs a commit of its own.
    fn is_open(&self) -> bool;
    /// How much it may use of the room that is kept for when the disk is full.
    fn reserve(&self) -> ReserveUse;
    /// Whether the caller still waits for the answer.
    fn is_wanted(&self) -> bool;
    /// Lets the user of a long transaction, which held the writer for so long, rest.
    fn rest(&mut self, held: Duration);
    /// Answers the caller; `undone` says why the commit failed.
    fn finish(self: Box<Self>, undone: Option<&Undone>);
}

pub(super) struct Task<T, E, F> {
    context: WriteContext,
    /// Of an open transaction.
    turn: Option<OpenTurn>,
    work: F,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Task<T, E, F> {
    pub(super) const fn new(
        context: WriteContext,
        turn: Option<OpenTurn>,
        work: F,
        reply: oneshot::Sender<Result<T, E>>,
    ) -> Self {
        Self {
            context,
            turn,
            work,
            result: None,
            reply,
        }
    }
}

impl<T, E, F> WriteTask for Task<T, E, F>
where
    T: Send,
    E: From<Error> + Send,
    F: WriteWork<T, E> + Send,
{
    fn run(
        &mut self,
        driver: &mut dyn Driver,
        catalog: &Catalog,
        writers: &Writers,
        commit: &mut Commit,
    ) -> bool {
        let context = &self.context;
        let mut driver = WorkLimited::new(driver, context.work_limit);
        let mut tx = WriteTx::new(&mut driver, catalog, writers, context, commit);
        let mut result = (self.work)(&mut tx);
        if result.is_ok()
            && let Err(error) = tx.write_unique_values()
        {
            result = Err(error.into());
        }
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn refuse(&mut self) {
        let reason = "what is left is kept for writes that make room".to_owned();
        self.result = Some(Err(Error::DiskFull(reason).into()));
    }

    fn is_open(&self) -> bool {
        self.turn.is_some()
    }

    fn reserve(&self) -> ReserveUse {
        self.context.reserve
    }

    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn rest(&mut self, held: Duration) {
        if let Some(turn) = &mut self.turn {
            turn.rest(held);
        }
    }

    fn finish(self: Box<Self>, undone: Option<&Undone>) {
        let Self {
            work,
            result,
            reply,
            ..
        } = *self;
        // Dropped first, so that a caller with its answer holds nothing of it.
        drop(work);
        let result = match (result, undone) {
            (Some(Ok(_)), Some(undone)) => Err(undone.error().into()),
            (Some(result), _) => result,
            (None, _) => Err(Error::Undone("the write panicked".to_owned()).into()),
        };
        let _ = reply.send(result);
    }
}

/// Why a commit failed.
pub(super) struct Undone {
    pub(super) reason: String,
    pub(super) is_disk_full: bool,
}

impl Undone {
    fn error(&self) -> Error {
        let reason = self.reason.clone();
        if self.is_disk_full {
            Error::DiskFull(reason)
        } else {
            Error::Undone(reason)
        }
    }
}
