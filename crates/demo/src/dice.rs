//! Chance that falls the same way every time.

use fastrand::Rng;

/// A seeded source of random choices.
pub(crate) struct Dice(Rng);

impl Dice {
    /// Equal seeds make equal choices.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// A whole number from `low` to `high`, both included; `low` if there is none between.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        if low < high {
            self.0.i64(low..=high)
        } else {
            low
        }
    }

    /// True in `percent` of all cases.
    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of `items`; the default if there is none.
    pub(crate) fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        self.0.choice(items).copied().unwrap_or_default()
    }

    /// One of `items`, each as likely as its weight.
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

    /// Brings `items` into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }

    /// `length` characters of those that manufacturers use: none that is mistaken for another.
    pub(crate) fn serial(&mut self, length: usize) -> String {
        (0..length)
            .map(|_| char::from(self.pick(b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ")))
            .collect()
    }

    /// A locally administered hardware address, so that it belongs to no manufacturer.
    pub(crate) fn mac_address(&mut self) -> String {
        let bytes: [String; 5] = std::array::from_fn(|_| format!("{:02x}", self.0.u8(..)));
        format!("02:{}", bytes.join(":"))
    }
}
