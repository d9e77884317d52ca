//! Which threads come first when cores are scarce: those that answer requests.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How far a thread stands back. Only Linux applies it to a single thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Niceness 5, for reads that are too long for the answering threads.
    Low,
    /// Niceness 10, for writes, which wait for the disk anyway, and reads of whole lists.
    Lower,
    /// For work that nobody waits for. Every other thread that wakes interrupts it at once.
    Background,
    /// Niceness 19, for writes that nobody waits for, but whose locks requests to other nodes may.
    BackgroundWrite,
}

/// Whether the system lets the process ask for priorities.
static IS_POSSIBLE: AtomicBool = AtomicBool::new(true);

thread_local! {
    static IS_BACKGROUND: Cell<bool> = const { Cell::new(false) };
    static KEEPS_CORE_UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Priority {
    /// Gives this thread, and the threads that it starts later, this priority. If the system
    /// refuses that, requests are only slower.
    pub fn apply(self) {
        IS_BACKGROUND.set(matches!(self, Self::Background | Self::BackgroundWrite));
        #[cfg(target_os = "linux")]
        if IS_POSSIBLE.load(Ordering::Relaxed) {
            self.tell_system();
        }
    }

    /// Asks the system for no priorities from now on, as it would kill the process for that.
    pub fn give_up() {
        IS_POSSIBLE.store(false, Ordering::Relaxed);
    }

    /// Gives this thread one priority after the other, by all system calls for that.
    pub fn try_all() {
        for priority in [
            Self::Low,
            Self::Lower,
            Self::BackgroundWrite,
            Self::Background,
        ] {
            priority.apply();
        }
    }

    #[cfg(target_os = "linux")]
    fn tell_system(self) {
        use rustix::process::setpriority_process;
        use thread_priority::unix::{
            NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
            thread_native_id,
        };

        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let lowest = thread_priority::ThreadPriority::Min;
        match self {
            Self::Low => drop(setpriority_process(None, 5)),
            Self::Lower => drop(setpriority_process(None, 10)),
            Self::BackgroundWrite => drop(setpriority_process(None, 19)),
            Self::Background => drop(set_thread_priority_and_policy(
                thread_native_id(),
                lowest,
                idle,
            )),
        }
    }
}

/// Whether nobody waits for this thread.
pub(crate) fn is_background() -> bool {
    IS_BACKGROUND.get()
}

/// Lets threads run that wait for this core. Otherwise a thread may keep it for a time slice of some
/// milliseconds, whatever its priority.
///
/// A thread gives away at most half of its time: where others fill all cores, the core may come
/// back only after tens of milliseconds.
pub(crate) fn let_others_go_first() {
    let now = Instant::now();
    if KEEPS_CORE_UNTIL.get().is_some_and(|until| now < until) {
        return;
    }
    std::thread::yield_now();
    let back = Instant::now();
    KEEPS_CORE_UNTIL.set(Some(back + (back - now)));
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    const NICENESS: usize = 18;
    const POLICY: usize = 40;
    const SCHED_OTHER: i32 = 0;
    const SCHED_IDLE: i32 = 5;

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
        assert_eq!(field(POLICY), SCHED_OTHER);
    }

    #[test]
    fn others_interrupt_background_threads() {
        let (policy, is_known) = in_thread(|| {
            Priority::Background.apply();
            (field(POLICY), is_background())
        });
        assert_eq!(policy, SCHED_IDLE);
        assert!(is_known);
        assert!(!is_background());
    }

    #[test]
    fn background_writes_go_on_where_requests_fill_all_cores() {
        let (policy, niceness, is_known) = in_thread(|| {
            Priority::BackgroundWrite.apply();
            (field(POLICY), field(NICENESS), is_background())
        });
        assert_eq!((policy, niceness), (SCHED_OTHER, 19));
        assert!(is_known);
    }
}
