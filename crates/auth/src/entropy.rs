//! The interface through which randomness is passed in.

/// A source of unpredictable bytes.
pub trait Entropy: Send + Sync {
    /// Fills `buffer`.
    ///
    /// # Errors
    ///
    /// [`EntropyError`] if the source fails; the content of the buffer is then undefined.
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError>;
}

/// `N` random bytes.
///
/// # Errors
///
/// As for [`Entropy::fill`].
pub fn bytes<const N: usize>(entropy: &dyn Entropy) -> Result<[u8; N], EntropyError> {
    let mut bytes = [0; N];
    entropy.fill(&mut bytes)?;
    Ok(bytes)
}

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("no randomness available")]
pub struct EntropyError(#[from] getrandom::Error);

/// The randomness of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the Entropy that everybody else asks"
    )]
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError> {
        Ok(getrandom::fill(buffer)?)
    }
}

#[cfg(any(test, feature = "test-seams"))]
pub use seeded::SeededEntropy;

#[cfg(any(test, feature = "test-seams"))]
mod seeded {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Entropy, EntropyError};

    /// Pseudorandom bytes that are the same in every run (`SplitMix64`). For tests only: the seed
    /// determines all bytes.
    #[derive(Debug)]
    pub struct SeededEntropy(AtomicU64);

    impl SeededEntropy {
        /// The sequence of `seed`.
        #[must_use]
        pub const fn new(seed: u64) -> Self {
            Self(AtomicU64::new(seed))
        }

        fn next(&self) -> u64 {
            const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
            let state = self.0.fetch_add(STEP, Ordering::SeqCst).wrapping_add(STEP);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }
    }

    impl Entropy for SeededEntropy {
        fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError> {
            for chunk in buffer.chunks_mut(8) {
                for (slot, byte) in chunk.iter_mut().zip(self.next().to_le_bytes()) {
                    *slot = byte;
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_draw_differs() {
        let (system, seeded) = (SystemEntropy, SeededEntropy::new(1));
        for entropy in [&system as &dyn Entropy, &seeded] {
            let first: [u8; 20] = bytes(entropy).unwrap();
            let second: [u8; 20] = bytes(entropy).unwrap();
            assert_ne!(first, second);
        }
    }

    #[test]
    fn a_seed_repeats_its_sequence() {
        // The first outputs of SplitMix64 for this seed, as its author published them.
        let drawn: [u8; 16] = bytes(&SeededEntropy::new(1_234_567)).unwrap();
        let expected = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973]
            .map(u64::to_le_bytes)
            .concat();
        assert_eq!(drawn.as_slice(), expected);
    }
}
