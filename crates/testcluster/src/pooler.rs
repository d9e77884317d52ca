//! `PgBouncer` in front of a cluster.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context as _, bail};

use crate::Cluster;
use crate::cluster::free_port;
use crate::waiting::until;

const PROGRAM: &str = "pgbouncer";
/// Where Debian installs it, which is not in everybody's search path.
const DEBIAN: &str = "/usr/sbin";

/// A `PgBouncer` that ignores startup parameters, as its documentation advises for many clients. It
/// is stopped when the value is dropped, and removed with the cluster.
#[derive(Debug)]
pub struct Pooler {
    address: SocketAddr,
    process: Child,
}

impl Pooler {
    /// Starts it with this `pool_mode`.
    ///
    /// # Errors
    ///
    /// It is not installed or does not start.
    pub fn start(cluster: &Cluster, pool_mode: &str) -> anyhow::Result<Self> {
        let program = find().context(
            "PgBouncer was not found: install Debian's package `pgbouncer`, or run `make test`",
        )?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let configuration = cluster.folder().join(format!("{pool_mode}.ini"));
        let text = format!(
            "[databases]\n\
             * = host=127.0.0.1 port={} user=postgres\n\
             [pgbouncer]\n\
             listen_addr = 127.0.0.1\n\
             listen_port = {}\n\
             unix_socket_dir =\n\
             auth_type = any\n\
             pool_mode = {pool_mode}\n\
             default_pool_size = 100\n\
             ignore_startup_parameters = extra_float_digits,options\n",
            cluster.address().port(),
            address.port()
        );
        fs::write(&configuration, text)?;
        cluster.programs.hand_over(&configuration)?;
        let mut command = cluster.programs.server(&program, cluster.folder());
        let process = command
            .arg(&configuration)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("PgBouncer did not start")?;
        let mut pooler = Self { address, process };
        pooler.wait_until_ready()?;
        Ok(pooler)
    }

    /// Its TCP address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        until("PgBouncer to take connections", || {
            if let Some(status) = self.process.try_wait()? {
                bail!("PgBouncer ended: {status}");
            }
            Ok(TcpStream::connect(self.address).ok().map(drop))
        })
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn find() -> Option<PathBuf> {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search_path)
        .chain([Path::new(DEBIAN).to_owned()])
        .map(|folder| folder.join(PROGRAM))
        .find(|program| program.is_file())
}
