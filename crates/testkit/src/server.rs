//! The service as tests see it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use stockroom_auth::{Clock as _, FixedClock, HashParams, Keys, SeededEntropy, token};
use stockroom_http::{App, AppState, HttpConfig, app};
use stockroom_model::Timestamp;
use stockroom_service::auth::{self, LoginRequest};
use stockroom_service::bootstrap::{Secrets, Started};
use stockroom_service::{Config, Service};
use stockroom_store::{PostgresConfig, Store, Transferred, transfer};
use tempfile::TempDir;

use crate::{Client, Engine, seed, statements};

/// The password of the user `admin`.
pub const ADMIN_PASSWORD: &str = "correct horse battery staple";

/// What the clock shows first: 2026-03-04 05:06:07.089012 UTC, no two parts of which are alike.
pub const START: Timestamp = Timestamp(1_772_600_767_089_012);

const MASTER_KEY: [u8; 32] = [7; 32];
const ADMIN_ID: i64 = 1;
/// The seed of the first of several nodes.
const FIRST_NODE: u64 = 100;

/// What may differ from the default server.
pub struct Setup {
    /// The HTTP side.
    pub http: HttpConfig,
    /// The service; passwords are hashed as cheaply as can be unless changed.
    pub config: Config,
    /// Native object documents that are there from the start, stored below validation as old data
    /// would be. They get simple types.
    pub documents: Vec<Value>,
}

impl Default for Setup {
    fn default() -> Self {
        let hashing = HashParams::new(8, 1, 1).expect("the least that Argon2 accepts");
        Self {
            http: HttpConfig::default(),
            config: Config {
                hashing,
                ..Config::default()
            },
            documents: Vec::new(),
        }
    }
}

impl Setup {
    /// Starts the server on an empty database.
    pub async fn start(self, engine: Engine) -> TestServer {
        let (store, directory) = engine.open(START);
        self.run(store, Ground::new(engine, directory), None).await
    }

    /// Starts a node on a database server, which others may be using. No two nodes draw the same
    /// random numbers.
    pub async fn connect(self, network: &PostgresConfig) -> TestServer {
        static NODES: AtomicU64 = AtomicU64::new(0);
        let store = Store::connect(network, START).expect("a database");
        let nothing = tempfile::tempdir().expect("a directory");
        let seed = FIRST_NODE + NODES.fetch_add(1, Ordering::Relaxed);
        let ground = Ground {
            entropy: Arc::new(SeededEntropy::new(seed)),
            ..Ground::new(Engine::Postgres, nothing)
        };
        self.run(store, ground, None).await
    }

    /// Runs on a database; without a token of the user `admin` it logs in.
    async fn run(self, store: Store, ground: Ground, admin_token: Option<String>) -> TestServer {
        statements::record();
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
            Arc::clone(&ground.clock) as _,
            Arc::clone(&ground.entropy) as _,
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
            ground,
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
    /// How many users were made, so that each gets a name of its own.
    pub(crate) people: AtomicU32,
    ground: Ground,
}

/// What outlives a server that is stopped.
struct Ground {
    engine: Engine,
    directory: TempDir,
    clock: Arc<FixedClock>,
    entropy: Arc<SeededEntropy>,
}

impl Ground {
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
    /// A client of the user `admin`, who holds every right.
    #[must_use]
    pub fn admin(&self) -> Client {
        self.with_token(&self.admin_token)
    }

    /// A client without a token.
    #[must_use]
    pub fn anonymous(&self) -> Client {
        Client::new(self.app.clone(), &self.base_path)
    }

    /// A client that shows `token`.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Client {
        self.anonymous()
            .with_header("authorization", &format!("Bearer {token}"))
    }

    /// A client of a user who logs in now.
    pub async fn login(&self, user_name: &str, password: &str) -> Client {
        self.with_token(&self.token(user_name, password).await)
    }

    /// A fresh token of a user. It does not come by way of the route, so that only the tests of
    /// that route depend on it.
    pub async fn token(&self, user_name: &str, password: &str) -> String {
        let client = auth::Client {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            user_agent: "testkit".to_owned(),
            request_id: "test".into(),
        };
        let request = LoginRequest {
            user_name: user_name.to_owned(),
            password: password.to_owned(),
        };
        let login = self.service.login(&request, &client).await;
        login
            .unwrap_or_else(|error| panic!("{user_name}: {error}"))
            .token
    }

    /// A client that shows a token of the user `admin` whose time is over; no other token grows
    /// older by it.
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

    /// Stops the server, moves everything that it keeps to a new database, and starts one there,
    /// with default settings. No client of this one may be left.
    pub async fn moved_to(self, engine: Engine) -> (Self, Transferred) {
        let Self {
            app,
            service,
            admin_token,
            mut ground,
            ..
        } = self;
        drop(app);
        service.close().await.expect("an orderly end");
        let from = ground.engine.place(ground.directory.path());
        let directory = tempfile::tempdir().expect("a directory of a name of its own");
        let to = engine.place(directory.path());
        let moved = transfer(&from, &to, START, &mut |_| {}).expect("a whole copy");
        let store = Store::open_at(&to, START).expect("the copy");
        (ground.engine, ground.directory) = (engine, directory);
        let server = Setup::default().run(store, ground, Some(admin_token));
        (server.await, moved)
    }

    /// What the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.ground.clock.now()
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        self.ground.clock.advance(by);
    }

    /// Whether a text stands anywhere in the database; on the embedded engine also in its free
    /// pages and its journal.
    #[must_use]
    pub fn is_stored(&self, text: &str) -> bool {
        let stored = self.ground.engine.stored(self.ground.directory.path());
        let mut places = stored.windows(text.len());
        places.any(|bytes| bytes == text.as_bytes())
    }

    /// The service itself, for what no route does.
    #[must_use]
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }
}
