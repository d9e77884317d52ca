//! Deterministic random choices.

use fastrand::Rng;

/// A seeded source of random choices.
pub(crate) struct Dice(Rng);

impl Dice {
    /// Equal seeds give equal choices.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// A whole number from `low` to `high`, inclusive; `low` if the range is empty.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        if low < high {
            self.0.i64(low..=high)
        } else {
            low
        }
    }

    /// True with a probability of `percent`.
    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of `items`; the default if there are none.
    pub(crate) fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        self.0.choice(items).copied().unwrap_or_default()
    }

    /// One of `items`, chosen by weight.
    pub(crate) fn weighted<T: Copy + Default>(&mut self, items: &[(T, i64)]) -> T {
        let mut rest = self.between(1, items.iter().map(|(_, weight)| weight).sum());
        for (item, weight) in items {
            rest -= weight;
            if rest <= 0 {
                return *item;
            }
        }
        T::default()
    }

    /// Shuffles `items`.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }

    /// A serial number of `length` characters, none of which looks like another.
    pub(crate) fn serial(&mut self, length: usize) -> String {
        (0..length)
            .map(|_| char::from(self.pick(b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ")))
            .collect()
    }

    /// A locally administered MAC address, which belongs to no manufacturer.
    pub(crate) fn mac_address(&mut self) -> String {
        let bytes: [String; 5] = std::array::from_fn(|_| format!("{:02x}", self.0.u8(..)));
        format!("02:{}", bytes.join(":"))
    }
}
