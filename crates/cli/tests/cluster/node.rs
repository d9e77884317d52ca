//! Nodes: processes of the program that share a database.

use std::sync::{Arc, PoisonError, RwLock};

use rustix::process::Signal;

use crate::process::{ADMIN_PASSWORD, Server, stockroom};

/// A node, which may have been killed.
pub(crate) struct Node {
    arguments: Vec<String>,
    server: Option<Server>,
    address: Address,
    /// The logs of its earlier processes.
    log: String,
}

/// The URL of a node; the port changes with each start.
#[derive(Clone, Default)]
pub(crate) struct Address(Arc<RwLock<String>>);

impl Node {
    /// Starts a node on the database with this URL, and waits until it serves.
    pub(crate) fn start(database: &str, options: &[&str]) -> Self {
        let fixed = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log",
            "warn",
            "--database",
            database,
        ];
        let mut node = Self {
            arguments: fixed
                .iter()
                .chain(options)
                .map(ToString::to_string)
                .collect(),
            server: None,
            address: Address::default(),
            log: String::new(),
        };
        node.start_again();
        node
    }

    /// Starts the node again after [`Node::kill`].
    pub(crate) fn start_again(&mut self) {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut command = stockroom(&arguments);
        command.env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
        let server = Server::start(command);
        self.address.set(server.url());
        self.server = Some(server);
    }

    /// Kills the node at an arbitrary moment.
    pub(crate) fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    /// Stops the node as an operator does, and returns all that it logged.
    pub(crate) fn stop(mut self) -> String {
        self.end(Signal::TERM);
        self.log
    }

    pub(crate) fn address(&self) -> Address {
        self.address.clone()
    }

    fn end(&mut self, signal: Signal) {
        let server = self.server.take().expect("a running node");
        server.signal(signal);
        self.log += &server.ended().err;
    }
}

impl Address {
    pub(crate) fn get(&self) -> String {
        let url = self.0.read().unwrap_or_else(PoisonError::into_inner);
        url.clone()
    }

    fn set(&self, url: &str) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        url.clone_into(&mut known);
    }
}
