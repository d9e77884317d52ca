//! Which threads come first where cores are scarce: those that answer requests. Work that can wait
//! runs on threads of its own, with a higher niceness. There is no other mechanism.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a thread stands back. Only Linux applies it to a single thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Niceness 5: reads that are too long for the answering threads.
    Low,
    /// Niceness 10: writes, which wait for the disk anyway, checkpoints, reads of whole lists.
    Lower,
    /// Niceness 19: work that nobody waits for.
    Background,
}

/// Whether the system lets the process ask for priorities.
static IS_POSSIBLE: AtomicBool = AtomicBool::new(true);

thread_local! {
    static IS_BACKGROUND: Cell<bool> = const { Cell::new(false) };
}

impl Priority {
    const fn niceness(self) -> i32 {
        match self {
            Self::Low => 5,
            Self::Lower => 10,
            Self::Background => 19,
        }
    }

    /// Gives this thread, and the threads that it starts later, this priority. If the system
    /// refuses that, requests are only slower.
    pub fn apply(self) {
        IS_BACKGROUND.set(self == Self::Background);
        #[cfg(target_os = "linux")]
        if IS_POSSIBLE.load(Ordering::Relaxed) {
            let _ = rustix::process::setpriority_process(None, self.niceness());
        }
    }

    /// Asks the system for no priorities from now on, as it would kill the process for that.
    pub fn give_up() {
        IS_POSSIBLE.store(false, Ordering::Relaxed);
    }
}

/// Whether nobody waits for this thread.
pub(crate) fn is_background() -> bool {
    IS_BACKGROUND.get()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    const NICENESS: usize = 18;

    /// A field of the statistics of this thread, numbered from 0; see `proc_pid_stat(5)`.
    fn field(index: usize) -> i32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The name in parentheses may hold anything.
        let (_, rest) = line.rsplit_once(") ").unwrap();
        rest.split(' ').nth(index - 2).unwrap().parse().unwrap()
    }

    fn in_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| scope.spawn(work).join().unwrap())
    }

    #[test]
    fn a_priority_replaces_the_inherited_one() {
        let niceness = in_thread(|| {
            Priority::Low.apply();
            in_thread(|| {
                Priority::Lower.apply();
                field(NICENESS)
            })
        });
        assert_eq!(niceness, 10);
    }

    #[test]
    fn a_background_thread_is_known_and_comes_last() {
        let (niceness, is_known) = in_thread(|| {
            Priority::Background.apply();
            (field(NICENESS), is_background())
        });
        assert_eq!((niceness, is_known), (19, true));
        assert!(!is_background());
    }
}
