//! The service: the store and the other dependencies of use cases.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics::Counter;
use stockroom_auth::throttle::Limits as ThrottleLimits;
use stockroom_auth::{Clock, Entropy, HashParams, Keys, TokenCache};
use stockroom_fair::FairSlots;
use stockroom_filter::Limits;
use stockroom_model::{RecordLimits, Timestamp};
use stockroom_store::Store;

use crate::core::certain_time::CertainTime;
use crate::core::client_writes::{ClientWrites, TransactionTime};
use crate::core::failed_tokens::FailedTokens;
use crate::core::feature_states::FeatureStates;
use crate::core::hash_pool::HashPool;
use crate::core::identity::Identity;
use crate::core::lifecycle::Lifecycle;
use crate::core::request_id::RequestIds;
use crate::core::token_uses::TokenUses;
use crate::core::r#type_templates::TypeTemplateCache;
use crate::core::views::Views;

/// While closing, how often to check whether the last request has released the service, and how
/// many times at most: 10 s in all.
const CLOSING_INTERVAL: Duration = Duration::from_millis(5);
const MAX_CLOSING_INTERVALS: u32 = 2_000;

/// How many threads may run work that would block requests, half of them for one user. Further work
/// waits without occupying a thread.
const BLOCKING_THREADS: usize = 4;
/// How much of it may wait.
const MAX_BLOCKING_WAITING: usize = 1_024;

const GIB: u64 = 1 << 30;

/// API tokens whose users are cached.
const MAX_CACHED_TOKENS: NonZeroUsize = NonZeroUsize::new(1_000).unwrap();

/// Settings of the operator.
#[derive(Debug, Clone)]
pub struct Config {
    /// How long a token is valid, in seconds.
    pub token_lifetime_seconds: i64,
    /// How long a session lasts at most, in seconds, however often its token is refreshed.
    pub session_lifetime_seconds: i64,
    /// How many sessions a user may have. Beyond it, the least recently refreshed ones end.
    pub max_sessions_per_user: usize,
    /// How long login events are kept, in days.
    pub login_event_days: u32,
    /// The maximum number of login events.
    pub max_login_events: u32,
    /// After how many days changes are removed from the history; `None` for never.
    pub history_days: Option<u32>,
    /// How long a read of the database may wait and run for a request, in seconds.
    pub read_seconds: u32,
    /// How long the transaction of a request may work, in seconds; `None` for
    /// [`Store::usual_work_limit`].
    pub write_seconds: Option<u32>,
    /// How long the preview of a type may take, in seconds.
    pub preview_seconds: u32,
    /// How long an export may take, in seconds.
    pub export_seconds: u32,
    /// How many exports run at once, half of them of one user.
    pub exports: usize,
    /// How many bytes the rows of imports may take as they are stored.
    pub stored_import_bytes: u64,
    /// How many of them those of a user may take.
    pub stored_import_bytes_per_user: u64,
    /// The minimum length of passwords, in bytes.
    pub minimum_password_bytes: usize,
    /// Limits of filters.
    pub limits: Limits,
    /// Limits of failed logins.
    pub throttle: ThrottleLimits,
    /// Limits of records.
    pub records: RecordLimits,
    /// The cost of password hashes.
    pub hashing: HashParams,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            token_lifetime_seconds: 12 * 3_600,
            session_lifetime_seconds: 7 * 24 * 3_600,
            max_sessions_per_user: 100,
            login_event_days: 90,
            max_login_events: 100_000,
            history_days: None,
            read_seconds: 10,
            write_seconds: None,
            preview_seconds: 30,
            export_seconds: 600,
            exports: 8,
            stored_import_bytes: 8 * GIB,
            stored_import_bytes_per_user: 2 * GIB,
            minimum_password_bytes: 1,
            limits: Limits::default(),
            throttle: ThrottleLimits::default(),
            records: RecordLimits::default(),
            hashing: HashParams::default(),
        }
    }
}

/// The service. Requests reach it only through a [`Caller`](crate::Caller) and its permits.
pub struct Service {
    pub(crate) store: Store,
    pub(crate) keys: Keys,
    pub(crate) clock: Arc<dyn Clock>,
    certain_time: CertainTime,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) config: Config,
    /// By the whole session token.
    pub(crate) tokens: TokenCache<Identity>,
    /// By the digest of the API token. Apart from the others, as a digest must open nothing.
    pub(crate) api_tokens: TokenCache<Identity>,
    pub(crate) failed_tokens: FailedTokens,
    pub(crate) token_uses: TokenUses,
    pub(crate) hashing: HashPool,
    pub(crate) views: Views,
    pub(crate) client_writes: ClientWrites,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) templates: TypeTemplateCache,
    pub(crate) token_lookups: OnceLock<[Counter; 2]>,
    /// Login events since the start, as old ones are pruned only now and then.
    pub(crate) login_events: AtomicU32,
    pub(crate) blocking_slots: FairSlots,
    /// How this node calls itself, among those that share a database.
    pub(crate) node: OnceLock<Arc<str>>,
    pub(crate) features: FeatureStates,
    pub(crate) exports: FairSlots,
    request_ids: RequestIds,
}

impl Service {
    pub(crate) fn new(
        store: Store,
        keys: Keys,
        clock: Arc<dyn Clock>,
        passed: Option<Timestamp>,
        entropy: Arc<dyn Entropy>,
        config: Config,
    ) -> Result<Self, crate::Error> {
        let request_ids = RequestIds::new(entropy.as_ref());
        let exports = FairSlots::new(config.exports, 0);
        let hashing = HashPool::start(config.hashing.clone(), Arc::clone(&entropy))?;
        Ok(Self {
            store,
            keys,
            certain_time: CertainTime::begin(clock.as_ref(), passed),
            clock,
            entropy,
            config,
            tokens: TokenCache::default(),
            api_tokens: TokenCache::new(MAX_CACHED_TOKENS),
            failed_tokens: FailedTokens::default(),
            token_uses: TokenUses::default(),
            hashing,
            views: Views::default(),
            client_writes: ClientWrites::default(),
            lifecycle: Lifecycle::default(),
            templates: TypeTemplateCache::default(),
            token_lookups: OnceLock::new(),
            login_events: AtomicU32::new(0),
            blocking_slots: FairSlots::new(BLOCKING_THREADS, MAX_BLOCKING_WAITING),
            node: OnceLock::new(),
            features: FeatureStates::default(),
            exports,
            request_ids,
        })
    }

    /// The latest time that has certainly passed, for deletions by age.
    pub(crate) fn certain_now(&self) -> Timestamp {
        self.certain_time.now(self.clock())
    }

    /// How long the transaction of a request may work while others wait.
    pub(crate) fn work_limit(&self) -> Duration {
        let usual = self.store.usual_work_limit();
        let seconds = self.config.write_seconds.map(u64::from);
        seconds.map_or(usual, Duration::from_secs)
    }

    /// The time of a transaction that begins now.
    pub(crate) fn transaction_time(&self) -> TransactionTime<'_> {
        TransactionTime::begin(&self.client_writes, self.clock())
    }

    /// Limits of filters.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// Limits of records.
    #[must_use]
    pub const fn records(&self) -> &RecordLimits {
        &self.config.records
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// How far the process is on its way to its end.
    #[must_use]
    pub const fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// Identifies the master key of the installation without revealing it.
    #[must_use]
    pub fn key_id(&self) -> &str {
        self.keys.id()
    }

    /// Whether reads may go to replicas, so that clients must send their commit token.
    #[must_use]
    pub fn has_replicas(&self) -> bool {
        self.store.has_replicas()
    }

    /// A new id for a request that has none.
    #[must_use]
    pub fn new_request_id(&self) -> Arc<str> {
        self.request_ids.next()
    }

    /// Sets the gauges of the store to what they are now.
    pub async fn record_metrics(&self) {
        self.store.record_metrics().await;
    }

    /// Whether the store is ready.
    pub async fn ready(&self) -> Result<(), crate::Error> {
        if self.store.is_disk_full() {
            return Err(crate::Error::DiskFull);
        }
        self.store.check_release()?;
        self.store.read(|_| Ok::<(), crate::Error>(())).await
    }

    /// Writes the counted views and the last uses of tokens, waits for the remaining work of
    /// abandoned requests, and closes the store.
    ///
    /// # Errors
    ///
    /// The views could not be written, or something still uses the service.
    pub async fn close(mut self: Arc<Self>) -> Result<(), crate::Error> {
        self.flush_views().await?;
        self.flush_token_uses(true).await?;
        let mut waiting = tokio::time::interval(CLOSING_INTERVAL);
        for _ in 0..MAX_CLOSING_INTERVALS {
            match Arc::try_unwrap(self) {
                Ok(service) => {
                    service.store.close();
                    return Ok(());
                }
                Err(shared) => self = shared,
            }
            waiting.tick().await;
        }
        Err(crate::Error::internal("requests are still worked on"))
    }
}
