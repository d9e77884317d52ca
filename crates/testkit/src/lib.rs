//! Helpers for tests of the API: a server in process, users of every kind, a client that validates
//! each answer against the OpenAPI document, and a small inventory. Nothing here opens a socket,
//! waits, or uses the system's time or randomness.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

mod answer;
mod client;
mod engine;
mod golden;
pub mod inventory;
mod openapi;
mod people;
mod seed;
mod server;
mod statements;
mod upload;

pub use answer::Answer;
pub use client::{Client, HOST};
pub use engine::{DATABASE, Engine, FromEngine, run};
pub use golden::golden;
pub use macro_rules_attribute::apply;
pub use people::{Person, api_token};
pub use server::{ADMIN_PASSWORD, START, Setup, TestServer};
pub use statements::statements_run;
pub use stockroom_store::PostgresConfig;
pub use upload::Upload;
