//! How much work rendering may take. A few placeholders can name a large value again and again, so
//! that the length of the document says little about the work.

use std::cell::Cell;

/// What a value costs besides its bytes: it is looked up by its name.
const LOOKUP: usize = 16;
/// The bytes after which the context is asked again.
const STEP: usize = 4_096;

/// The work on one document, in bytes that were read or written.
pub(crate) struct Work<'c> {
    done: Cell<usize>,
    /// Part of `done` that the context knows of.
    told: Cell<usize>,
    most: usize,
    may_go_on: &'c dyn Fn(usize) -> bool,
}

impl<'c> Work<'c> {
    /// Work of at most so many bytes, for as long as `may_go_on`, which is told of more bytes.
    pub(crate) const fn new(most: usize, may_go_on: &'c dyn Fn(usize) -> bool) -> Self {
        Self {
            done: Cell::new(0),
            told: Cell::new(0),
            most,
            may_go_on,
        }
    }

    /// Counts bytes that were read or written.
    pub(crate) fn pay(&self, bytes: usize) {
        let done = self.done.get().saturating_add(bytes);
        self.done.set(done);
        let untold = done - self.told.get();
        if untold >= STEP {
            self.told.set(done);
            if !(self.may_go_on)(untold) {
                self.done.set(usize::MAX);
                self.told.set(usize::MAX);
            }
        }
    }

    /// Counts a value that is looked up.
    pub(crate) fn pay_value(&self, value: &str) {
        self.pay(value.len() + LOOKUP);
    }

    /// Whether no more may be done.
    pub(crate) const fn is_over(&self) -> bool {
        self.done.get() > self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_at_its_limit_or_when_the_context_says_so() {
        let work = Work::new(10_000, &|_| true);
        work.pay(10_000);
        assert!(!work.is_over());
        work.pay(1);
        assert!(work.is_over());
        let told = Cell::new(0);
        let may_go_on = |bytes| {
            told.set(told.get() + bytes);
            told.get() < 8_000
        };
        let work = Work::new(usize::MAX - 1, &may_go_on);
        (0..7).for_each(|_| work.pay(1_024));
        assert!(!work.is_over());
        (0..1_000).for_each(|_| work.pay(1_024));
        assert!(work.is_over());
        assert_eq!(told.get(), 8 * 1_024, "asked once a step, and never again");
    }
}
