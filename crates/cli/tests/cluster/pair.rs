//! A primary with a synchronous replica, each behind a proxy whose address never changes.

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

    /// A URL with both hosts.
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

    /// The proxy in front of the primary.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.primary.proxy
    }

    /// Kills the primary and promotes the replica, which then commits without a replica.
    pub(crate) fn fail_over(&mut self) {
        self.primary.cluster.kill().expect("a running primary");
        self.replica.cluster.promote().expect("a replica");
        std::mem::swap(&mut self.primary, &mut self.replica);
    }

    /// Replaces the killed server by a new synchronous replica.
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
