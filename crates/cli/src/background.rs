//! The work of a server that no client waits for, on threads of the lowest priority: an import and
//! short reads may need the same core.

use std::future::Future;

use anyhow::Context as _;
use stockroom_store::Priority;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::command::IDLE_THREAD;

/// Tasks with threads of their own.
pub(crate) struct Background {
    runtime: Runtime,
    tasks: Vec<JoinHandle<()>>,
}

impl Background {
    /// Starts the threads.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .worker_threads(1)
            .thread_name("background")
            .thread_keep_alive(IDLE_THREAD)
            .on_thread_start(|| Priority::Background.apply())
            .build();
        Ok(Self {
            runtime: runtime.context("threads cannot be started")?,
            tasks: Vec::new(),
        })
    }

    /// Starts a task.
    pub(crate) fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.push(self.runtime.spawn(task));
    }

    /// Ends the tasks at their next pause.
    pub(crate) fn abort(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }

    /// Waits until all tasks have ended.
    pub(crate) async fn ended(&mut self) {
        for task in self.tasks.drain(..) {
            let _ = task.await;
        }
    }
}
