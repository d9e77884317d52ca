//! Runs a request beside its transaction, and starts it again for every new attempt.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::Sender;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::jobs::{Ended, Message, serve};
use super::{End, OpenLimits, OpenTransaction, Order, State};
use crate::transaction::{WriteContext, WriteTx};
use crate::{Error, Store};

/// How often a request may work outside of its transaction: each time it starts again.
const MAX_TIMES_OUTSIDE: usize = 32;

pub(super) struct Executor<'s> {
    store: &'s Store,
    context: WriteContext,
    limits: OpenLimits,
    state: Arc<State>,
}

/// How a transaction came to its end.
enum Finish<T> {
    /// With a result.
    Done(T),
    /// Rolled back for work outside, after which the request begins again.
    Outside(BoxFuture<'static, ()>),
}

/// The running transaction, if it has begun.
struct Transaction<'s> {
    write: Pin<Box<dyn Future<Output = Result<(), Ended>> + Send + 's>>,
    /// Gets the channel to each run of the closure.
    runs: UnboundedReceiver<Sender<Message>>,
}

impl<'s> Executor<'s> {
    pub(super) fn new(store: &'s Store, context: WriteContext, limits: OpenLimits) -> Self {
        Self {
            store,
            context,
            limits,
            state: Arc::default(),
        }
    }

    pub(super) async fn run<T, R: Future<Output = (T, End)>>(
        self,
        request: impl Fn(OpenTransaction) -> R,
    ) -> Result<T, Error> {
        for _ in 0..MAX_TIMES_OUTSIDE {
            match self.transact(&request).await? {
                Finish::Done(result) => return Ok(result),
                Finish::Outside(work) => work.await,
            }
        }
        Err(Error::OpenTooLong)
    }

    async fn transact<T, R: Future<Output = (T, End)>>(
        &self,
        request: &impl Fn(OpenTransaction) -> R,
    ) -> Result<Finish<T>, Error> {
        self.state.catalog.store(None);
        self.state.written.store(0, Ordering::Relaxed);
        let mut transaction: Option<Transaction<'_>> = None;
        let mut link: Option<Sender<Message>> = None;
        let mut waiting: Vec<Message> = Vec::new();
        let (open, mut orders) = self.attempt();
        let mut running = Box::pin(request(open));
        let mut result = None;
        loop {
            tokio::select! {
                biased;
                event = next(&mut transaction) => match event {
                    Event::Run(run) => {
                        if link.is_some() {
                            let (open, new_orders) = self.attempt();
                            orders = new_orders;
                            running = Box::pin(request(open));
                            result = None;
                        }
                        waiting.drain(..).for_each(|message| send(&run, message));
                        link = Some(run);
                    }
                    Event::Ended(Ok(()) | Err(Ended::RolledBack)) => {
                        return result.map(Finish::Done).ok_or(Error::Closed);
                    }
                    Event::Ended(Err(Ended::Failed(error))) => return Err(error),
                },
                Some(order) = orders.recv(), if result.is_none() => match order {
                    Order::Outside(work) => return Ok(Finish::Outside(work)),
                    Order::Run(job) => {
                        transaction.get_or_insert_with(|| self.begin());
                        pass(link.as_ref(), &mut waiting, Message::Run(job));
                    }
                },
                (value, end) = &mut running, if result.is_none() => {
                    if transaction.is_none() {
                        return Ok(Finish::Done(value));
                    }
                    result = Some(value);
                    let message = match end {
                        End::Commit => Message::Commit,
                        End::RollBack => Message::RollBack,
                    };
                    pass(link.as_ref(), &mut waiting, message);
                }
            }
        }
    }

    fn attempt(&self) -> (OpenTransaction, UnboundedReceiver<Order>) {
        let (orders, receiver) = unbounded_channel();
        let open = OpenTransaction {
            orders,
            state: Arc::clone(&self.state),
        };
        (open, receiver)
    }

    /// Begins the write whose closure is the transaction.
    fn begin(&self) -> Transaction<'s> {
        let (started, runs) = unbounded_channel();
        let (state, limits) = (Arc::clone(&self.state), self.limits);
        let work = move |tx: &mut WriteTx<'_>| run_once(tx, &started, &state, limits);
        let write = self
            .store
            .write_open(self.context.clone(), limits.in_turns, work);
        Transaction {
            write: Box::pin(write),
            runs,
        }
    }
}

fn run_once(
    tx: &mut WriteTx<'_>,
    started: &UnboundedSender<Sender<Message>>,
    state: &State,
    limits: OpenLimits,
) -> Result<(), Ended> {
    let (link, messages) = crossbeam_channel::unbounded();
    state.catalog.store(Some(Arc::new(tx.catalog().clone())));
    started.send(link).map_err(|_| Ended::RolledBack)?;
    serve(tx, &messages, state, limits)
}

enum Event {
    /// The closure runs, and takes jobs here.
    Run(Sender<Message>),
    /// The transaction is over.
    Ended(Result<(), Ended>),
}

/// The next event of the transaction; none comes before it has begun.
async fn next(transaction: &mut Option<Transaction<'_>>) -> Event {
    let Some(Transaction { write, runs }) = transaction else {
        return std::future::pending().await;
    };
    tokio::select! {
        biased;
        Some(run) = runs.recv() => Event::Run(run),
        ended = write => Event::Ended(ended),
    }
}

/// Passes a message on, or keeps it until the transaction has begun.
fn pass(link: Option<&Sender<Message>>, waiting: &mut Vec<Message>, message: Message) {
    match link {
        Some(link) => send(link, message),
        None => waiting.push(message),
    }
}

/// If the transaction is over, its end or its next run comes next, so the message is not needed.
fn send(link: &Sender<Message>, message: Message) {
    let _ = link.send(message);
}
