//! A task, and the loop that runs it.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use metrics::{counter, gauge};
use tokio::sync::Notify;

use crate::{Error, Service};

/// Work that no client waits for.
pub trait Task: Send + 'static {
    /// What logs and metrics call it.
    const NAME: &'static str;
    /// How long it rests when nothing is due, unless it is woken.
    const INTERVAL: Duration;
    /// What a failure means, for the log.
    const ON_FAILURE: &'static str;

    /// Does a part of what is due. Returns whether more may be due at once.
    fn step(&mut self, service: &Arc<Service>) -> impl Future<Output = Result<bool, Error>> + Send;
}

/// Does what is due for as long as it is polled.
pub(crate) async fn repeat<T: Task>(service: Arc<Service>, mut task: T) {
    let (wake, running) = (
        service.wake_of::<T>(),
        gauge!("stockroom_task_running", "task" => T::NAME),
    );
    loop {
        running.set(1);
        let done = until_done(&service, &mut task).await;
        running.set(0);
        if let Err(error) = done {
            counter!("stockroom_task_failures_total", "task" => T::NAME).increment(1);
            tracing::warn!(task = T::NAME, %error, "{}", T::ON_FAILURE);
        }
        let _ = tokio::time::timeout(T::INTERVAL, wake.notify.notified()).await;
    }
}

async fn until_done<T: Task>(service: &Arc<Service>, task: &mut T) -> Result<(), Error> {
    while task.step(service).await? {
        counter!("stockroom_task_steps_total", "task" => T::NAME).increment(1);
    }
    Ok(())
}

impl Service {
    /// Works until nothing is due.
    ///
    /// # Errors
    ///
    /// Those of a step. What is left is done later.
    pub async fn finish<T: Task>(self: &Arc<Self>, mut task: T) -> Result<(), Error> {
        until_done(self, &mut task).await
    }

    /// Does one step of a task; see [`Task::step`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn step<T: Task>(self: &Arc<Self>, mut task: T) -> Result<bool, Error> {
        task.step(self).await
    }

    /// Tells a task that something is due.
    pub(crate) fn wake<T: Task>(&self) {
        self.wake_of::<T>().notify.notify_one();
    }

    fn wake_of<T: Task>(&self) -> Arc<Wake<T>> {
        self.features.get()
    }
}

/// Wakes a task.
struct Wake<T> {
    notify: Notify,
    task: PhantomData<fn() -> T>,
}

impl<T> Default for Wake<T> {
    fn default() -> Self {
        Self {
            notify: Notify::new(),
            task: PhantomData,
        }
    }
}
