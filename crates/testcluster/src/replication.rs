//! Replicas and failover of clusters.

use anyhow::ensure;

use crate::Cluster;
use crate::cluster::SUPERUSER;
use crate::programs::finish;
use crate::waiting::until;

impl Cluster {
    /// A hot standby of this cluster, with its own port and folder. Returns when it streams.
    ///
    /// # Errors
    ///
    /// The base backup fails, or the replica does not start.
    pub fn replica(&self) -> anyhow::Result<Self> {
        let mut replica = Self::in_new_folder(self.programs.clone(), self.password.clone(), None)?;
        let source = format!(
            "host='{}' port={} user={SUPERUSER} application_name={}",
            self.folder().display(),
            self.address().port(),
            replica.name()
        );
        let mut copy = self.programs.server("pg_basebackup", replica.folder());
        copy.args(["--checkpoint=fast", "--no-sync", "--wal-method=stream"])
            .args(["--write-recovery-conf", "--dbname", &source, "--pgdata"])
            .arg(replica.data());
        finish(&mut copy)?;
        replica.start_on_free_port()?;
        let streaming = format!(
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name = '{}'",
            replica.name()
        );
        until("the replica to stream", || {
            Ok((self.query(&streaming)? == "1").then_some(()))
        })?;
        Ok(replica)
    }

    /// The name of a replica in `synchronous_standby_names` and `pg_stat_replication` of its
    /// primary.
    #[must_use]
    pub fn name(&self) -> String {
        let folder = self.folder().file_name().unwrap_or_default();
        folder.to_string_lossy().replace('-', "_")
    }

    /// Sets `synchronous_standby_names`: `*` for any replica, names, or nothing. It holds for every
    /// commit after this returns. Commits wait only with `synchronous_commit` on, as with
    /// [`crate::Settings::durable`].
    ///
    /// # Errors
    ///
    /// The server does not answer or refuses the names.
    pub fn set_synchronous_standbys(&self, names: &str) -> anyhow::Result<()> {
        let quoted = names.replace('\'', "''");
        self.query_all(&[
            &format!("ALTER SYSTEM SET synchronous_standby_names = '{quoted}'"),
            "SELECT pg_reload_conf()",
        ])?;
        until("the server to read its settings", || {
            let now = self.query("SHOW synchronous_standby_names")?;
            Ok((now == names).then_some(()))
        })?;
        // New sessions see the setting already, but the checkpointer publishes it to the others. It
        // does so between two checkpoints.
        self.query_all(&["CHECKPOINT", "CHECKPOINT"])?;
        Ok(())
    }

    /// Waits until this replica has applied everything that the primary has committed so far.
    ///
    /// # Errors
    ///
    /// One of them does not answer, or it takes more than a minute.
    pub fn catch_up_with(&self, primary: &Self) -> anyhow::Result<()> {
        // A commit that is flushed to disk, together with earlier commits that did not wait for
        // their flush.
        let position = primary.query_all(&[
            "SET synchronous_commit = local",
            "SELECT pg_logical_emit_message(true, 'position', '')",
        ])?;
        let passed = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
        until("the replica to catch up", || {
            Ok((self.query(&passed)? == "t").then_some(()))
        })
    }

    /// Promotes this replica to a primary. Returns when it accepts writes.
    ///
    /// # Errors
    ///
    /// It is not a replica, or was not promoted within a minute.
    pub fn promote(&self) -> anyhow::Result<()> {
        let promoted = self.query("SELECT pg_promote()")?;
        ensure!(
            promoted == "t",
            "the replica was not promoted within a minute"
        );
        Ok(())
    }
}
