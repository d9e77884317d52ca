//! Limits the number of connections, in all and per peer.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Limits;

/// Counts open connections.
pub(crate) struct Admission {
    limits: Arc<Limits>,
    /// Peers that connect for many clients.
    proxies: Vec<IpAddr>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_peer: HashMap<IpAddr, usize>,
}

/// The limit that a connection exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Total,
    Peer,
}

impl Refused {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Peer => "peer",
        }
    }
}

/// The permission for one connection. Dropping it frees the place.
pub(crate) struct Ticket {
    admission: Arc<Admission>,
    peer: Option<IpAddr>,
}

impl Admission {
    pub(crate) fn new(limits: &Arc<Limits>, proxies: Vec<IpAddr>) -> Arc<Self> {
        Arc::new(Self {
            limits: Arc::clone(limits),
            proxies,
            open: Mutex::default(),
        })
    }

    /// Admits another connection from this address.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Ticket, Refused> {
        let address = address.to_canonical();
        let peer = (!self.proxies.contains(&address)).then(|| network(address));
        let mut open = self.open();
        if open.all >= self.limits.connections {
            return Err(Refused::Total);
        }
        if let Some(peer) = peer {
            let count = open.by_peer.entry(peer).or_default();
            if *count >= self.limits.connections_per_peer {
                return Err(Refused::Peer);
            }
            *count += 1;
        }
        open.all += 1;
        report(&open);
        Ok(Ticket {
            admission: Arc::clone(self),
            peer,
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut open = self.admission.open();
        open.all -= 1;
        if let Some(peer) = self.peer
            && let Some(count) = open.by_peer.get_mut(&peer)
        {
            *count -= 1;
            if *count == 0 {
                open.by_peer.remove(&peer);
            }
        }
        report(&open);
    }
}

/// Counts an IPv6 client by its /64 network, as it can use any address in it.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

fn report(open: &Open) {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
    metrics::gauge!("stockroom_connections").set(open.all as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(connections: usize, connections_per_peer: usize) -> Arc<Admission> {
        let limits = Limits {
            connections,
            connections_per_peer,
            ..Limits::default()
        };
        Admission::new(&Arc::new(limits), vec!["10.0.0.1".parse().unwrap()])
    }

    fn admit(admission: &Arc<Admission>, address: &str) -> Result<Ticket, Refused> {
        admission.admit(address.parse().unwrap())
    }

    #[test]
    fn a_closed_connection_makes_room() {
        let admission = admission(2, 1);
        let first = admit(&admission, "192.0.2.1").unwrap();
        assert_eq!(admit(&admission, "192.0.2.1").err(), Some(Refused::Peer));
        let _second = admit(&admission, "192.0.2.2").unwrap();
        assert_eq!(admit(&admission, "192.0.2.3").err(), Some(Refused::Total));
        drop(first);
        assert!(admit(&admission, "192.0.2.1").is_ok());
    }

    #[test]
    fn an_ipv6_network_is_one_peer_and_a_mapped_address_is_ipv4() {
        let admission = admission(9, 1);
        let _first = admit(&admission, "2001:db8::1").unwrap();
        assert_eq!(admit(&admission, "2001:db8::2").err(), Some(Refused::Peer));
        let _second = admit(&admission, "192.0.2.1").unwrap();
        let mapped = admit(&admission, "::ffff:192.0.2.1");
        assert_eq!(mapped.err(), Some(Refused::Peer));
    }

    #[test]
    fn a_proxy_is_bound_by_the_total_only() {
        let admission = admission(2, 1);
        let _first = admit(&admission, "10.0.0.1").unwrap();
        let _second = admit(&admission, "10.0.0.1").unwrap();
        assert_eq!(admit(&admission, "10.0.0.1").err(), Some(Refused::Total));
    }
}
