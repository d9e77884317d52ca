//! An open database.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use stockroom_model::Timestamp;

use crate::engine::counters::Counters;
use crate::engine::directory::Directory;
use crate::engine::disk::{Disk, Space};
use crate::engine::driver::Driver as _;
use crate::engine::driver::postgres::{Address, Postgres};
use crate::engine::driver::sqlite::Sqlite;
use crate::engine::migrate;
use crate::engine::pinned_snapshot::PinnedSnapshot;
use crate::engine::unfinished_copy;
use crate::records::catalog::Catalog;
use crate::records::counter_slots;
use crate::records::history::foreign_order;
use crate::runtime::embedded::{self, Embedded};
use crate::runtime::erasure::Erasure;
use crate::runtime::inline_reads::{self, InlineReads};
use crate::runtime::long_reads::LongRead;
use crate::runtime::networked::Networked;
use crate::runtime::work::{Answer, Ask, ReadWork, WorkError, WriteWork};
use crate::runtime::{Runtime, WriteKind, checkpoint};
use crate::transaction::writers::Writers;
use crate::transaction::{ReadContext, WriteContext};
use crate::{Error, PostgresConfig, transaction};

/// Threads for reads that nobody waits for. With one of them, an import would wait for the search
/// index, which reads thousands of documents at once.
const BACKGROUND_READERS: usize = 2;

/// An open database.
pub struct Store {
    runtime: Runtime,
    catalog: Arc<ArcSwap<Catalog>>,
    /// Held while an embedded store is open, so that no other process writes to its directory.
    _directory: Option<Directory>,
    disk: Arc<Disk>,
    /// The disk of an embedded store.
    space: Option<Arc<Space>>,
}

impl Store {
    /// Opens the embedded database in `directory`, creates it if missing, and migrates it.
    ///
    /// # Errors
    ///
    /// The directory cannot be used, or the database does not belong to this release.
    pub fn open(directory: &Path, now: Timestamp) -> Result<Self, Error> {
        let directory = Directory::take(directory)?;
        let path = directory.database();
        let space = Arc::new(Space::open(&directory)?);
        let mut writer = Sqlite::writer(&path)?;
        unfinished_copy::refuse(&mut writer)?;
        migrate::save_before_rewrite(&mut writer, &directory)?;
        migrate::migrate(&mut writer, now.0)?;
        let high_water = directory.high_water(transaction::newest_change(&mut writer)?)?;
        let disk = writer.disk();
        if !space.has_room(&mut writer) {
            disk.record_full();
        }
        let catalog = Catalog::load(&mut writer)?;
        let counters = Counters::load(&mut writer)?;
        let writers = Arc::new(Writers::sole(counters));
        let count = inline_reads::connections();
        let readers = (0..2 * count).map(|_| Sqlite::reader(&path));
        let readers = readers.collect::<Result<Vec<_>, Error>>()?;
        let checkpoints = checkpoint::start(&path, &space)?;
        let background_readers = (0..BACKGROUND_READERS)
            .map(|_| Sqlite::background_reader(&path, checkpoints.attempts()));
        let background_readers = background_readers.collect::<Result<Vec<_>, Error>>()?;
        // After migrations, which sort whole tables.
        writer.keep_temporary_data_in_memory()?;
        writer.signal_commits(checkpoints.signal())?;
        let catalog = Arc::new(ArcSwap::from_pointee(catalog));
        let inline_reads =
            InlineReads::open(count, |budget| Sqlite::inline_reader(&path, count, budget))?;
        let erasure = Erasure::of(&mut writer)?;
        let pinned = PinnedSnapshot::new(Box::new(Sqlite::reader(&path)?));
        let writer = embedded::Writer {
            driver: Box::new(writer),
            pinned,
            checkpoints,
            erasure,
            path: path.as_path().into(),
            high_water,
            room: embedded::Room::new(&disk, &space),
            writers: Arc::clone(&writers),
        };
        let runtime = Embedded::start(
            &path,
            writer,
            (readers, background_readers),
            inline_reads,
            &catalog,
            &writers,
        )?;
        Ok(Self {
            runtime: Runtime::Embedded(runtime),
            catalog,
            _directory: Some(directory),
            disk,
            space: Some(space),
        })
    }

    /// Opens a database on a server, which other nodes may share, and migrates it. Blocks until
    /// that is done.
    ///
    /// # Errors
    ///
    /// [`Error::Address`], [`Error::Unavailable`], or the database does not belong to this release.
    pub fn connect(config: &PostgresConfig, now: Timestamp) -> Result<Self, Error> {
        let address = Address::new(config)?;
        let catalog = Postgres::on_own_thread(config, |mut postgres| {
            if let Some(script) = address.create_schema() {
                postgres.script(&script)?;
            }
            unfinished_copy::refuse(&mut postgres)?;
            migrate::warn_before_rewrite(&mut postgres)?;
            migrate::migrate(&mut postgres, now.0)?;
            foreign_order::adopt(&mut postgres, now.0)?;
            counter_slots::merge_slots(&mut postgres)?;
            Catalog::load(&mut postgres)
        })?;
        let catalog = Arc::new(ArcSwap::from_pointee(catalog));
        let replica = Address::of_replica(config)?;
        let disk = Arc::default();
        let replica = replica.as_ref();
        let runtime = Networked::start(&address, replica, config, &catalog, &disk)?;
        Ok(Self {
            runtime: Runtime::Networked(runtime),
            catalog,
            _directory: None,
            disk,
            space: None,
        })
    }

    /// The catalog as of the newest commit.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.load_full()
    }

    /// Bounds the write-ahead log of an embedded database. It is shorter where there is little room
    /// or data, and longer for a write that does not fit.
    pub fn limit_log(&self, bytes: u64) {
        if let Some(space) = &self.space {
            space.limit_log(bytes);
        }
    }

    /// Whether the last write failed because the database's disk is full. Until there is room, the
    /// store checks at least once a second.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        self.disk.is_full()
    }

    /// Gives signs of life from now on, so that other nodes leave jobs and imports to `node`.
    pub fn announce(&self, node: &str) {
        self.runtime.announce(node);
    }

    /// Checks that no node of another release has migrated the database since the start. If one
    /// has, writes fail in the same way.
    ///
    /// # Errors
    ///
    /// [`Error::Newer`] and [`Error::Older`].
    pub fn check_release(&self) -> Result<(), Error> {
        migrate::check_schema(&self.catalog.load().versions)
    }

    /// Loads the newest catalog if another node changed it, and returns whether it is newer than
    /// `known`. Call it before refusing something because of `known`. On a server it costs a small
    /// statement, which all waiting callers share, at most
    /// [`PostgresConfig::catalog_checks_per_second`] times a second.
    pub async fn refresh_if_behind(&self, known: &Arc<Catalog>) -> bool {
        self.runtime.is_behind(known).await
    }

    /// Whether reads may go to replicas, which can lag behind.
    #[must_use]
    pub fn has_replicas(&self) -> bool {
        self.runtime.has_replicas()
    }

    /// Runs `work` on the newest consistent view, for the service itself.
    ///
    /// # Errors
    ///
    /// The errors of `work`; [`Error::Overloaded`] if the queue is full.
    pub async fn read<T: Send + 'static, E: WorkError>(
        &self,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.runtime.read(&ReadContext::SERVICE, work).await
    }

    /// Runs `work` on a consistent view that shows at least the commit of the context. A replica
    /// may provide the view. The read ends when this future is dropped.
    ///
    /// # Errors
    ///
    /// As [`Store::read`]; [`Error::TimeLimit`] after the time of the context.
    pub async fn read_for<T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        work: impl ReadWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.runtime.read(context, work).await
    }

    /// Starts a read that may take long: it has a thread, a connection and a snapshot of its own,
    /// and may wait for its reader. It gets an error if there is no such snapshot. The caller
    /// bounds the number of such reads, and their pauses by `idle`.
    ///
    /// # Errors
    ///
    /// There is no thread for it.
    pub fn read_long(&self, idle: Duration, work: impl LongRead) -> Result<(), Error> {
        self.runtime.read_long(idle, work)
    }

    /// Runs a read of one statement. It is cheaper than [`Store::read_for`], because a single
    /// statement is a consistent view by itself. `ask` makes the statement for a catalog; `answer`
    /// makes the answer from its result and the same catalog. `None` if `ask` gives no statement.
    ///
    /// # Errors
    ///
    /// The errors of `ask` and `answer`, and those of [`Store::read_for`].
    pub async fn fetch<Q: 'static, T: Send + 'static, E: WorkError>(
        &self,
        context: &ReadContext<'_>,
        ask: impl Ask<Q, E> + Send + 'static,
        answer: impl Answer<Q, T, E> + Send + 'static,
    ) -> Result<Option<T>, E> {
        self.runtime.fetch(context, ask, answer).await
    }

    /// Whether statements go to a server, so that one is much cheaper than two.
    #[must_use]
    pub const fn is_remote(&self) -> bool {
        matches!(self.runtime, Runtime::Networked(_))
    }

    /// A [`WriteContext::work_limit`] that no sensible request needs. All writes wait for a
    /// transaction of SQLite; on PostgreSQL few do.
    #[must_use]
    pub const fn usual_work_limit(&self) -> Duration {
        Duration::from_secs(if self.is_remote() { 20 } else { 4 })
    }

    /// Runs `work` and commits its writes; an error undoes all of them.
    ///
    /// # Errors
    ///
    /// The errors of `work`; [`Error::Overloaded`] if the queue is full; [`Error::Undone`] if the
    /// commit failed.
    pub async fn write<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.runtime.write(context, WriteKind::Short, work).await
    }

    /// Like [`Store::write`], for a write that waits for others while it runs.
    pub(crate) async fn write_open<T: Send + 'static, E: WorkError>(
        &self,
        context: WriteContext,
        in_turns: bool,
        work: impl WriteWork<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let kind = WriteKind::Open { in_turns };
        self.runtime.write(context, kind, work).await
    }

    /// Sets the gauges of queues, threads and the database to what they are now.
    pub async fn record_metrics(&self) {
        self.runtime.record_metrics().await;
    }

    /// Finishes queued work and closes the database.
    pub fn close(self) {
        // On a separate thread, because connections to a server can be neither used nor dropped in
        // asynchronous code.
        let closed = std::thread::scope(|threads| threads.spawn(|| self.runtime.close()).join());
        if closed.is_err() {
            tracing::error!("the store panicked while it was closed");
        }
    }
}
