//! Replicas of a cluster, and what a failover needs.

use anyhow::ensure;

use crate::Cluster;
use crate::cluster::SUPERUSER;
use crate::programs::finish;
use crate::waiting::until;

impl Cluster {
    /// A new cluster that streams from this one: a hot standby, with its own port and folder.
    /// Returns when it streams.
    ///
    /// # Errors
    ///
    /// The copy cannot be made, or does not start.
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

    /// How a replica is called in `synchronous_standby_names` and `pg_stat_replication` of its
    /// primary.
    #[must_use]
    pub fn name(&self) -> String {
        let folder = self.folder().file_name().unwrap_or_default();
        folder.to_string_lossy().replace('-', "_")
    }

    /// Sets `synchronous_standby_names`: `*` for any replica, names, or nothing. When this returns,
    /// every commit that follows waits for them, or none does. Commits wait only where
    /// `synchronous_commit` is on, as it is with [`crate::Settings::durable`].
    ///
    /// # Errors
    ///
    /// The server does not answer, or does not understand the names.
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
        // New sessions know it now, but it is the checkpointer that tells the others. It does so
        // between two checkpoints.
        self.query_all(&["CHECKPOINT", "CHECKPOINT"])?;
        Ok(())
    }

    /// Waits until this replica shows everything that the primary has committed so far.
    ///
    /// # Errors
    ///
    /// One of them does not answer, or a minute was not enough.
    pub fn catch_up_with(&self, primary: &Self) -> anyhow::Result<()> {
        // A position that is sure to be passed: a commit that goes to disk, and so takes along
        // those that did not wait for it.
        let position = primary.query_all(&[
            "SET synchronous_commit = local",
            "SELECT pg_logical_emit_message(true, 'position', '')",
        ])?;
        let passed = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
        until("the replica to catch up", || {
            Ok((self.query(&passed)? == "t").then_some(()))
        })
    }

    /// Makes this replica a primary. Returns when it takes writes.
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
