//! Workers on several nodes, and their progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::inventory::{object_body, type_body};
use crate::log::{Log, Progress, Shared};
use crate::node::Node;
use crate::waiting::PATIENCE;
use crate::worker::Worker;

const TYPES: usize = 2;
const CONTENDED: usize = 3;
const WORKERS_PER_NODE: usize = 2;

/// Workers that run until [`Load::stop`].
pub(crate) struct Load {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<Log>>,
    progress: Receiver<Progress>,
    nodes: usize,
}

impl Load {
    /// Creates types and the contended objects, and starts workers for each node.
    pub(crate) fn start(nodes: &[Node]) -> Self {
        let admin = Client::admin(&nodes[0]);
        let types: Vec<i64> = (0..TYPES)
            .map(|number| admin.insert("/rest/types", &type_body(&format!("machine-{number}"), 0)))
            .collect();
        let contended = (0..CONTENDED).map(|number| {
            let body = object_body(types[0], &format!("shared {number}"), "everybody", 0);
            admin.insert("/rest/objects", &body)
        });
        let shared = Arc::new(Shared {
            contended: contended.collect(),
            types,
            highest: AtomicI64::new(0),
            is_over: AtomicBool::new(false),
        });
        let (tell, progress) = channel();
        let workers = (0..nodes.len() * WORKERS_PER_NODE).map(|number| {
            let node = number % nodes.len();
            let worker = Worker::new(
                u32::try_from(number).expect("a few"),
                node,
                admin.at(&nodes[node]),
                Arc::clone(&shared),
                tell.clone(),
            );
            std::thread::spawn(move || worker.run())
        });
        Self {
            workers: workers.collect(),
            shared,
            progress,
            nodes: nodes.len(),
        }
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// Waits until each node has answered this many more requests. Returns the time until the first
    /// answer of each.
    pub(crate) fn go_on(&self, answers: usize) -> Vec<Duration> {
        // Skip earlier progress.
        while self.progress.try_recv().is_ok() {}
        let began = Instant::now();
        let mut seen = vec![0; self.nodes];
        let mut first = vec![PATIENCE; self.nodes];
        while seen.iter().any(|seen| *seen < answers) {
            let left = PATIENCE.saturating_sub(began.elapsed());
            match self.progress.recv_timeout(left) {
                Ok(told) if told.is_answered => {
                    seen[told.node] += 1;
                    first[told.node] = first[told.node].min(began.elapsed());
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    panic!("after {PATIENCE:?} the nodes have answered {seen:?} requests")
                }
                Err(RecvTimeoutError::Disconnected) => panic!("the workers are gone"),
            }
        }
        first
    }

    /// Waits until a request gets no answer, or for this many answers.
    pub(crate) fn until_doubt(&self, answers: usize) {
        while self.progress.try_recv().is_ok() {}
        let mut seen = 0;
        while seen < answers {
            match self.progress.recv_timeout(PATIENCE) {
                Ok(told) if told.is_answered => seen += 1,
                Ok(_) => return,
                Err(error) => panic!("nobody works any more: {error}"),
            }
        }
    }

    /// Lets the workers finish their current request, and returns their logs.
    pub(crate) fn stop(self) -> Vec<Log> {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker that does not panic"))
            .collect()
    }
}
