//! A primary with a replica that every commit waits for, each behind a proxy that keeps its address
//! whatever happens behind it.

use stockroom_testcluster::{Cluster, Proxy, Settings};

pub(crate) struct Pair {
    primary: Side,
    replica: Side,
}

struct Side {
    cluster: Cluster,
    proxy: Proxy,
}

impl Pair {
    pub(crate) fn start() -> Self {
        let primary = Side::of(Cluster::create(&Settings::durable()).expect("a primary"));
        let replica = Side::of(primary.cluster.replica().expect("a replica"));
        let pair = Self { primary, replica };
        pair.wait_for_replica();
        pair
    }

    /// Both hosts in one URL.
    pub(crate) fn url(&self) -> String {
        let (primary, replica) = (self.primary.proxy.address(), self.replica.proxy.address());
        self.primary.cluster.url().replace(
            &self.primary.cluster.address().to_string(),
            &format!("{primary},{replica}"),
        )
    }

    pub(crate) fn primary(&self) -> &Cluster {
        &self.primary.cluster
    }

    pub(crate) fn primary_mut(&mut self) -> &mut Cluster {
        &mut self.primary.cluster
    }

    /// In front of the primary.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.primary.proxy
    }

    /// Kills the primary and makes the replica take its place; commits wait for nobody then.
    pub(crate) fn fail_over(&mut self) {
        self.primary.cluster.kill().expect("a running primary");
        self.replica.cluster.promote().expect("a replica");
        std::mem::swap(&mut self.primary, &mut self.replica);
    }

    /// Replaces the server that was killed by a new replica, which commits wait for from then on.
    pub(crate) fn rebuild(&mut self) {
        let cluster = self.primary.cluster.replica().expect("a replica");
        self.replica
            .proxy
            .point_at(cluster.address())
            .expect("a proxy");
        self.replica.cluster = cluster;
        self.wait_for_replica();
    }

    fn wait_for_replica(&self) {
        self.primary
            .cluster
            .set_synchronous_standbys("*")
            .expect("a primary");
    }
}

impl Side {
    fn of(cluster: Cluster) -> Self {
        let proxy = Proxy::start(cluster.address()).expect("a port");
        Self { cluster, proxy }
    }
}
