//! When API tokens were used last, in memory until it is written.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use stockroom_model::{Timestamp, TokenId};

/// A token in constant use causes one write in this time.
const INTERVAL_MICROS: i64 = 60 * 1_000_000;

/// The last uses of tokens on this node.
#[derive(Default)]
pub(crate) struct TokenUses(Mutex<BTreeMap<TokenId, TokenUse>>);

struct TokenUse {
    at: Timestamp,
    from: IpAddr,
    /// The last use that is in the store.
    written: Option<Timestamp>,
}

impl TokenUse {
    fn is_due(&self, is_last: bool) -> bool {
        self.written.is_none_or(|written| {
            self.at > written && (is_last || self.at.0 - written.0 >= INTERVAL_MICROS)
        })
    }
}

impl TokenUses {
    pub(crate) fn note(&self, id: TokenId, at: Timestamp, from: IpAddr) {
        let mut uses = self.lock();
        let written = uses.get(&id).and_then(|known| known.written);
        uses.insert(id, TokenUse { at, from, written });
    }

    /// The uses to write, which then count as written.
    pub(crate) fn take_due(&self, is_last: bool) -> Vec<(TokenId, Timestamp, IpAddr)> {
        let mut uses = self.lock();
        let due = uses.iter_mut().filter(|(_, known)| known.is_due(is_last));
        let take = |(id, known): (&TokenId, &mut TokenUse)| {
            known.written = Some(known.at);
            (*id, known.at, known.from)
        };
        due.map(take).collect()
    }

    /// Forgets tokens that do not exist any more.
    pub(crate) fn retain(&self, exists: impl Fn(TokenId) -> bool) {
        self.lock().retain(|id, _| exists(*id));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<TokenId, TokenUse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_token_in_constant_use_is_due_once_in_a_minute() {
        let uses = TokenUses::default();
        let id = TokenId::new(7).unwrap();
        let mut due = Vec::new();
        for second in 0..150 {
            let at = Timestamp(second * 1_000_000);
            uses.note(id, at, Ipv4Addr::LOCALHOST.into());
            due.extend(uses.take_due(false).iter().map(|(_, at, _)| at.seconds()));
        }
        assert_eq!(due, [0, 60, 120]);
        assert_eq!(uses.take_due(true).len(), 1);
        assert!(uses.take_due(true).is_empty());
    }
}
