//! A future in a task that is woken often: it is polled only if it was woken itself.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use pin_project_lite::pin_project;

pin_project! {
    /// Polls `inner` only if it was woken. Without this, a task that is woken for every request
    /// would each time also check the timer and the stop signal.
    pub(crate) struct PollWhenWoken<F> {
        #[pin]
        inner: F,
        flag: Arc<WakeFlag>,
        // The same flag, as a waker.
        waker: Waker,
        task: Option<Waker>,
    }
}

/// Remembers whether the future was woken since its last poll.
struct WakeFlag {
    is_raised: AtomicBool,
    /// The task to wake in turn.
    task: Mutex<Option<Waker>>,
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_raised.store(true, Ordering::Release);
        if let Some(task) = &*self.task.lock().unwrap_or_else(PoisonError::into_inner) {
            task.wake_by_ref();
        }
    }
}

impl<F> PollWhenWoken<F> {
    pub(crate) fn new(inner: F) -> Self {
        let flag = Arc::new(WakeFlag {
            is_raised: AtomicBool::new(true),
            task: Mutex::default(),
        });
        Self {
            inner,
            waker: Arc::clone(&flag).into(),
            flag,
            task: None,
        }
    }
}

impl<F: Future> Future for PollWhenWoken<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let is_known = |task: &Waker| task.will_wake(cx.waker());
        if !this.task.as_ref().is_some_and(is_known) {
            let task = Some(cx.waker().clone());
            this.task.clone_from(&task);
            // A wake-up before this is noticed below.
            let mut registered = this
                .flag
                .task
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *registered = task;
        }
        if !this.flag.is_raised.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        this.flag.is_raised.store(false, Ordering::Release);
        this.inner.poll(&mut Context::from_waker(this.waker))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::pin::pin;

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn it_is_polled_when_it_was_woken() {
        let (notify, polls) = (Notify::new(), Cell::new(0));
        let mut notified = pin!(notify.notified());
        let counted = std::future::poll_fn(|cx| {
            polls.set(polls.get() + 1);
            notified.as_mut().poll(cx)
        });
        let mut future = pin!(PollWhenWoken::new(counted));
        for _ in 0..3 {
            let look =
                std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_pending()));
            assert!(look.await);
        }
        assert_eq!(polls.get(), 1);
        notify.notify_one();
        future.await;
        assert_eq!(polls.get(), 2);
    }

    #[tokio::test]
    async fn it_is_woken_again_and_again() {
        let mut ticks = tokio::time::interval(std::time::Duration::from_millis(1));
        let several = async {
            for _ in 0..5 {
                ticks.tick().await;
            }
        };
        PollWhenWoken::new(several).await;
    }
}
