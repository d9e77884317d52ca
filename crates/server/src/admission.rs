//! Limits the number of connections, in all and per peer, and decides which one makes room for a
//! new one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::Limits;
use crate::connection_state::{ConnectionState, Usage};

/// How long a connection may wait for its client before idle ones are worth more.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether an address connects for many clients.
pub(crate) type IsProxy = Box<dyn Fn(IpAddr) -> bool + Send + Sync>;

/// Knows all open connections.
pub(crate) struct Admission {
    limits: Arc<Limits>,
    is_proxy: IsProxy,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    peers: HashMap<Peer, HashMap<u64, Arc<ConnectionState>>>,
    next: u64,
}

/// Whose connections count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Peer {
    /// A client: an IPv4 address, or an IPv6 /64.
    Network(IpAddr),
    Proxy(IpAddr),
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

/// The slot of one connection. Dropping it frees the slot.
pub(crate) struct Ticket {
    admission: Arc<Admission>,
    peer: Peer,
    number: u64,
}

impl Admission {
    pub(crate) fn new(limits: &Arc<Limits>, is_proxy: IsProxy) -> Arc<Self> {
        Arc::new(Self {
            limits: Arc::clone(limits),
            is_proxy,
            open: Mutex::default(),
        })
    }

    /// Admits another connection from this address. If all slots are taken, another connection
    /// makes room for it: nobody can hold all slots against new peers.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn admit(
        self: &Arc<Self>,
        address: IpAddr,
        state: &Arc<ConnectionState>,
    ) -> Result<Ticket, Refused> {
        let peer = self.peer(address);
        let mut open = self.open();
        if open.share(peer) >= self.limits.connections_per_peer {
            return Err(Refused::Peer);
        }
        if open.all >= self.limits.connections && !open.make_room(peer) {
            return Err(Refused::Total);
        }
        let number = open.add(peer, Arc::clone(state));
        Ok(Ticket {
            admission: Arc::clone(self),
            peer,
            number,
        })
    }

    fn peer(&self, address: IpAddr) -> Peer {
        let address = address.to_canonical();
        if (self.is_proxy)(address) {
            Peer::Proxy(address)
        } else {
            Peer::Network(network(address))
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a connection may be closed for a new one. The first is closed first, and of equal ones the
/// one that has been so for the longest time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    IdleOfLargest,
    WaitingOfLargest,
    /// It has waited for its client for a while. Others are worth more, as many addresses can hold
    /// such connections.
    Slow,
    Idle,
    /// It waits for its client, which has more connections than the new one.
    Waiting,
    WorkingOfLargest,
}

/// A new connection that needs a slot.
struct Claim {
    now: Instant,
    /// How many connections its peer has.
    share: usize,
    /// How many the peer with the most has.
    most: usize,
}

impl Claim {
    /// Why a connection of a peer with `share` connections may be closed, and since when. Proxies
    /// give up only idle ones.
    fn reason(
        &self,
        peer: Peer,
        share: usize,
        (usage, since): (Usage, Instant),
    ) -> Option<(Reason, Instant)> {
        let is_largest = share == self.most && share > self.share + 1;
        let is_proxy = matches!(peer, Peer::Proxy(_));
        let reason = match usage {
            _ if share < self.share => return None,
            Usage::Idle if is_largest => Reason::IdleOfLargest,
            Usage::Waiting if is_largest => Reason::WaitingOfLargest,
            Usage::Working if is_largest => Reason::WorkingOfLargest,
            Usage::Idle => Reason::Idle,
            Usage::Waiting if !is_proxy && since + PATIENCE < self.now => Reason::Slow,
            Usage::Waiting if share > self.share => Reason::Waiting,
            Usage::Waiting | Usage::Working => return None,
        };
        Some((reason, since))
    }
}

impl Open {
    /// Closes a connection for a new one of this peer, the one with the smallest [`Reason`].
    fn make_room(&mut self, newcomer: Peer) -> bool {
        let Some((peer, number)) = self.first_to_close(self.share(newcomer)) else {
            return false;
        };
        if let Some(state) = self.remove(peer, number) {
            metrics::counter!("stockroom_connections_dropped_total", "reason" => "evicted")
                .increment(1);
            tracing::debug!(?peer, "a connection made room for another");
            state.evict();
        }
        true
    }

    /// The connection to close for a peer with this share.
    fn first_to_close(&self, share: usize) -> Option<(Peer, u64)> {
        let claim = Claim {
            now: Instant::now(),
            share,
            most: self.peers.keys().map(|peer| self.share(*peer)).max()?,
        };
        let all = self.peers.iter().flat_map(|(peer, states)| {
            let share = self.share(*peer);
            states.iter().map(move |state| (*peer, share, state))
        });
        let reasons = all.filter_map(|(peer, share, (number, state))| {
            Some((claim.reason(peer, share, state.usage())?, (peer, *number)))
        });
        let (_, first) = reasons.min_by_key(|(reason, _)| *reason)?;
        Some(first)
    }

    /// How many connections count for a peer. Those of a proxy belong to many clients.
    fn share(&self, peer: Peer) -> usize {
        match peer {
            Peer::Network(_) => self.peers.get(&peer).map_or(0, HashMap::len),
            Peer::Proxy(_) => 0,
        }
    }

    fn add(&mut self, peer: Peer, state: Arc<ConnectionState>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.peers.entry(peer).or_default().insert(number, state);
        self.all += 1;
        self.report();
        number
    }

    /// `None` if the connection was evicted before.
    fn remove(&mut self, peer: Peer, number: u64) -> Option<Arc<ConnectionState>> {
        let states = self.peers.get_mut(&peer)?;
        let state = states.remove(&number)?;
        if states.is_empty() {
            self.peers.remove(&peer);
        }
        self.all -= 1;
        self.report();
        Some(state)
    }

    fn report(&self) {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
        metrics::gauge!("stockroom_connections").set(self.all as f64);
    }
}

impl Ticket {
    /// Whether the connection is for many clients.
    pub(crate) const fn is_for_proxy(&self) -> bool {
        matches!(self.peer, Peer::Proxy(_))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.admission.open().remove(self.peer, self.number);
    }
}

/// Counts an IPv6 client by its /64 network, as it can use any address in it.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "10.0.0.1";

    struct Connection {
        state: Arc<ConnectionState>,
        _ticket: Ticket,
    }

    impl Connection {
        /// A connection with a request that the server works on.
        fn working(self) -> Self {
            self.state.progress().exchanges = 1;
            self
        }

        /// A connection with a request whose body does not come.
        fn waiting(self) -> Self {
            self.state.progress().awaited_bodies = 1;
            self.working()
        }

        /// A connection whose head does not come.
        fn beginning(self) -> Self {
            self.state.progress().head_since = Some(Instant::now());
            self
        }

        /// The connection after this time.
        fn after(self, seconds: u64) -> Self {
            let time = Duration::from_secs(seconds);
            let mut progress = self.state.progress();
            progress.idle_since -= time;
            progress.slow.since -= time;
            progress.head_since = progress.head_since.map(|since| since - time);
            drop(progress);
            self
        }

        fn is_evicted(&self) -> bool {
            let evicted = std::pin::pin!(self.state.evicted());
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            evicted.poll(&mut context).is_ready()
        }
    }

    fn admission(connections: usize, connections_per_peer: usize) -> Arc<Admission> {
        let limits = Limits {
            connections,
            connections_per_peer,
            ..Limits::default()
        };
        let proxy: IpAddr = PROXY.parse().unwrap();
        Admission::new(&Arc::new(limits), Box::new(move |address| address == proxy))
    }

    fn admit(admission: &Arc<Admission>, address: &str) -> Result<Connection, Refused> {
        let state = Arc::new(ConnectionState::new());
        let ticket = admission.admit(address.parse().unwrap(), &state)?;
        Ok(Connection {
            state,
            _ticket: ticket,
        })
    }

    /// Which of these connections were evicted.
    fn evicted<const N: usize>(connections: [&Connection; N]) -> [bool; N] {
        connections.map(Connection::is_evicted)
    }

    #[test]
    fn a_closed_connection_makes_room() {
        let admission = admission(2, 1);
        let first = admit(&admission, "192.0.2.1").unwrap().working();
        assert_eq!(admit(&admission, "192.0.2.1").err(), Some(Refused::Peer));
        let _second = admit(&admission, "192.0.2.2").unwrap().working();
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
        let _first = admit(&admission, PROXY).unwrap().working();
        let _second = admit(&admission, PROXY).unwrap().working();
        assert_eq!(admit(&admission, PROXY).err(), Some(Refused::Total));
    }

    #[test]
    fn the_longest_idle_connection_of_the_peer_with_the_most_makes_room() {
        let admission = admission(6, 3);
        let lone = admit(&admission, "192.0.2.1").unwrap();
        let [first, second] = [(); 2].map(|()| admit(&admission, "192.0.2.2").unwrap());
        let busy = admit(&admission, "192.0.2.3").unwrap().working();
        let [idle, last] = [(); 2].map(|()| admit(&admission, "192.0.2.3").unwrap());
        let new = admit(&admission, "192.0.2.4").unwrap();
        let all = [&lone, &first, &second, &busy, &idle, &last, &new];
        assert_eq!(
            evicted(all),
            [false, false, false, false, true, false, false]
        );
        // Its slot was taken: it is free only once.
        drop(idle);
        let another = admit(&admission, "192.0.2.5").unwrap();
        let all = [&lone, &busy, &last, &new, &another];
        assert_eq!(evicted(all), [false; 5]);
        assert!(first.is_evicted());
    }

    #[test]
    fn a_peer_that_waits_with_heads_or_bodies_makes_room_too() {
        let admission = admission(3, 3);
        let head = admit(&admission, "192.0.2.1").unwrap().beginning();
        let body = admit(&admission, "192.0.2.1").unwrap().waiting();
        let lone = admit(&admission, "192.0.2.2").unwrap();
        let second = admit(&admission, "192.0.2.3").unwrap();
        assert_eq!(evicted([&head, &body, &lone]), [true, false, false]);
        let third = admit(&admission, "192.0.2.1").unwrap().waiting();
        assert_eq!(evicted([&lone, &second, &third]), [true, false, false]);
        let newest = admit(&admission, "192.0.2.4").unwrap();
        assert_eq!(evicted([&body, &third, &newest]), [true, false, false]);
    }

    #[test]
    fn many_peers_that_wait_make_room_for_a_new_one() {
        let admission = admission(6, 3);
        let idle = admit(&admission, "192.0.2.1").unwrap().after(8);
        let idle_longer = admit(&admission, "192.0.2.2").unwrap().after(9);
        let head = admit(&admission, "192.0.2.3").unwrap().beginning().after(2);
        let body = admit(&admission, "192.0.2.4").unwrap().waiting().after(3);
        let fresh = admit(&admission, "192.0.2.5").unwrap().waiting();
        let busy = admit(&admission, "192.0.2.6").unwrap().working().after(9);
        let mut new = Vec::new();
        for (last, next) in [&body, &head, &idle_longer, &idle, &fresh]
            .iter()
            .enumerate()
        {
            assert!(!next.is_evicted());
            let address = format!("198.51.100.{last}");
            new.push(admit(&admission, &address).unwrap().working());
            assert!(next.is_evicted(), "{last}");
        }
        assert_eq!(admit(&admission, "192.0.2.9").err(), Some(Refused::Total));
        assert!(!busy.is_evicted());
    }

    #[test]
    fn a_client_that_transfers_bytes_is_not_slow() {
        let admission = admission(2, 1);
        let upload = admit(&admission, "192.0.2.1").unwrap().waiting().after(9);
        upload.state.progress().slow.transferred(9, 9);
        let idle = admit(&admission, "192.0.2.2").unwrap();
        let _new = admit(&admission, "192.0.2.3").unwrap();
        assert_eq!(evicted([&upload, &idle]), [false, true]);
    }

    #[test]
    fn a_short_wait_is_given_up_only_for_a_peer_with_a_smaller_share() {
        let admission = admission(1, 2);
        let first = admit(&admission, "192.0.2.1").unwrap().waiting();
        assert_eq!(admit(&admission, "192.0.2.1").err(), Some(Refused::Total));
        let second = admit(&admission, "192.0.2.2").unwrap().waiting().after(2);
        let _third = admit(&admission, "192.0.2.2").unwrap();
        assert_eq!(evicted([&first, &second]), [true, true]);
    }

    #[test]
    fn a_proxy_gives_up_only_idle_connections() {
        let admission = admission(2, 2);
        let waiting = admit(&admission, PROXY).unwrap().waiting().after(9);
        let idle = admit(&admission, PROXY).unwrap();
        let _new = admit(&admission, "192.0.2.1").unwrap().working();
        assert_eq!(evicted([&waiting, &idle]), [false, true]);
        assert_eq!(admit(&admission, "192.0.2.2").err(), Some(Refused::Total));
    }

    #[test]
    fn a_request_is_given_up_only_for_a_peer_with_a_smaller_share() {
        let admission = admission(3, 3);
        let proxied = admit(&admission, PROXY).unwrap().working();
        let [first, second] = [(); 2].map(|()| admit(&admission, "192.0.2.1").unwrap().working());
        assert_eq!(admit(&admission, "192.0.2.1").err(), Some(Refused::Total));
        let new = admit(&admission, "192.0.2.2").unwrap().working();
        assert_eq!(
            evicted([&proxied, &first, &second, &new]),
            [false, true, false, false]
        );
        assert_eq!(admit(&admission, "192.0.2.3").err(), Some(Refused::Total));
    }
}
