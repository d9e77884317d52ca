//! A service for tests.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use stockroom_auth::{Clock as _, FixedClock, HashParams, Keys, SeededEntropy, token};
use stockroom_http::{App, AppState, BackupRequests, HttpConfig, app};
use stockroom_model::Timestamp;
use stockroom_service::auth::{self, LoginRequest};
use stockroom_service::bootstrap::{Secrets, Started};
use stockroom_service::{Config, Service};
use stockroom_store::{PostgresConfig, Store, Transferred, transfer};
use tempfile::TempDir;

use crate::{Client, Engine, seed, statements};

/// The password of the user `admin`.
pub const ADMIN_PASSWORD: &str = "correct horse battery staple";

/// The initial time: 2026-03-04 05:06:07.089012 UTC. No two parts of it are equal.
pub const START: Timestamp = Timestamp(1_772_600_767_089_012);

const MASTER_KEY: [u8; 32] = [7; 32];
const ADMIN_ID: i64 = 1;
/// The seed of the first node.
const FIRST_NODE: u64 = 100;

/// Settings in which a server may differ from the default.
pub struct Setup {
    /// The settings of the HTTP crate.
    pub http: HttpConfig,
    /// The settings of the service. By default, password hashes are as cheap as possible.
    pub config: Config,
    /// Native documents to store before the start, without validation, as old data. They get types
    /// without rules.
    pub documents: Vec<Value>,
    /// What the clock says at the start.
    pub time: Timestamp,
}

impl Default for Setup {
    fn default() -> Self {
        let hashing = HashParams::new(8, 1, 1).expect("the least that Argon2 accepts");
        Self {
            http: HttpConfig {
                // Nobody makes them.
                backups: Some(BackupRequests::channel().0),
                ..HttpConfig::default()
            },
            config: Config {
                hashing,
                // Nothing is optimised, and tests run beside each other.
                write_seconds: Some(600),
                ..Config::default()
            },
            documents: Vec::new(),
            time: START,
        }
    }
}

impl Setup {
    /// Starts the server on an empty database.
    pub async fn start(self, engine: Engine) -> TestServer {
        let (store, directory) = engine.open(START);
        self.run(store, TestEnvironment::new(engine, directory), None)
            .await
    }

    /// Starts a node on a database server that may have other nodes. Each node has different random
    /// numbers.
    pub async fn connect(self, config: &PostgresConfig) -> TestServer {
        static NODES: AtomicU64 = AtomicU64::new(0);
        let store = Store::connect(config, START).expect("a database");
        let directory = tempfile::tempdir().expect("a directory");
        let seed = FIRST_NODE + NODES.fetch_add(1, Ordering::Relaxed);
        let environment = TestEnvironment {
            entropy: Arc::new(SeededEntropy::new(seed)),
            ..TestEnvironment::new(Engine::Postgres, directory)
        };
        self.run(store, environment, None).await
    }

    /// Runs the service on a store; logs in as `admin` unless a token is given.
    async fn run(
        self,
        store: Store,
        environment: TestEnvironment,
        admin_token: Option<String>,
    ) -> TestServer {
        statements::record();
        environment.clock.set(self.time);
        if !self.documents.is_empty() {
            seed::documents(&store, self.documents).await;
        }
        let secrets = Secrets {
            admin_password: Some(ADMIN_PASSWORD.to_owned()),
            master_key: Some(MASTER_KEY),
        };
        let token_lifetime_seconds = self.config.token_lifetime_seconds;
        let Started { service, .. } = Service::start(
            store,
            self.config,
            secrets,
            Arc::clone(&environment.clock) as _,
            Arc::clone(&environment.entropy) as _,
        )
        .await
        .expect("a running service");
        let state = AppState::new(Arc::clone(&service), self.http.clone(), None);
        let mut server = TestServer {
            app: app(state),
            service,
            base_path: self.http.base_path,
            token_lifetime_seconds,
            admin_token: String::new(),
            people: AtomicU32::new(0),
            environment,
        };
        server.admin_token = match admin_token {
            Some(token) => token,
            None => server.token("admin", ADMIN_PASSWORD).await,
        };
        server
    }
}

/// A running service without sockets.
pub struct TestServer {
    app: App,
    service: Arc<Service>,
    base_path: String,
    token_lifetime_seconds: i64,
    admin_token: String,
    /// How many users were made, for unique names.
    pub(crate) people: AtomicU32,
    environment: TestEnvironment,
}

/// The parts that survive stopping the server.
struct TestEnvironment {
    engine: Engine,
    directory: TempDir,
    clock: Arc<FixedClock>,
    entropy: Arc<SeededEntropy>,
}

impl TestEnvironment {
    fn new(engine: Engine, directory: TempDir) -> Self {
        Self {
            engine,
            directory,
            clock: Arc::new(FixedClock::at(START)),
            entropy: Arc::new(SeededEntropy::new(1)),
        }
    }
}

impl TestServer {
    /// A client of the user `admin`, with every right.
    #[must_use]
    pub fn admin(&self) -> Client {
        self.with_token(&self.admin_token)
    }

    /// A client without a token.
    #[must_use]
    pub fn anonymous(&self) -> Client {
        Client::new(self.app.clone(), &self.base_path)
    }

    /// A client with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Client {
        self.anonymous()
            .with_header("authorization", &format!("Bearer {token}"))
    }

    /// A client of a user after a new login.
    pub async fn login(&self, user_name: &str, password: &str) -> Client {
        self.with_token(&self.token(user_name, password).await)
    }

    /// A new token of a user. It does not use the login route, so that tests of other routes do not
    /// depend on it.
    pub async fn token(&self, user_name: &str, password: &str) -> String {
        let client = auth::Client {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            user_agent: "testkit".to_owned(),
            request_id: "test".into(),
        };
        let request = LoginRequest {
            user_name: user_name.to_owned(),
            password: password.to_owned(),
            cookie: false,
        };
        let login = self.service.login(&request, &client).await;
        login
            .unwrap_or_else(|error| panic!("{user_name}: {error}"))
            .token
    }

    /// A client with an expired token of the user `admin`, without advancing the clock.
    #[must_use]
    pub fn expired(&self) -> Client {
        let lifetime = self.token_lifetime_seconds;
        let long_ago = Timestamp(self.now().0 - (lifetime + 1) * 1_000_000);
        let keys = Keys::derive(&MASTER_KEY);
        let issued = token::issue(
            ADMIN_ID,
            1,
            long_ago,
            lifetime,
            &keys,
            &SeededEntropy::new(2),
        );
        self.with_token(&issued.expect("a token").token)
    }

    /// Stops the server, copies its database to a new one, and starts a server there with default
    /// settings. No client of this server may be left.
    pub async fn moved_to(self, engine: Engine) -> (Self, Transferred) {
        let Self {
            app,
            service,
            admin_token,
            mut environment,
            ..
        } = self;
        drop(app);
        service.close().await.expect("an orderly end");
        let from = environment.engine.location(environment.directory.path());
        let directory = tempfile::tempdir().expect("a directory of a name of its own");
        let to = engine.location(directory.path());
        let moved = transfer(&from, &to, START, &mut |_| {}).expect("a whole copy");
        let store = Store::open_at(&to, START).expect("the copy");
        (environment.engine, environment.directory) = (engine, directory);
        let server = Setup::default().run(store, environment, Some(admin_token));
        (server.await, moved)
    }

    /// The current time of the clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.environment.clock.advance(by);
    }

    /// Makes the clock go on by so much whenever the service looks at it.
    pub fn step_clock_by(&self, by: Duration) {
        self.environment.clock.step_by(by);
    }

    /// Turns the clock to another time, which may be earlier.
    pub fn set_clock(&self, time: Timestamp) {
        self.environment.clock.set(time);
    }

    /// Whether the database contains a text; on the embedded engine also in free pages and the
    /// journal.
    #[must_use]
    pub fn is_stored(&self, text: &str) -> bool {
        let stored = self
            .environment
            .engine
            .stored(self.environment.directory.path());
        let mut places = stored.windows(text.len());
        places.any(|bytes| bytes == text.as_bytes())
    }

    /// The service, for actions without a route.
    #[must_use]
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }
}
