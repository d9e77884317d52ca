//! Which threads come first when cores are scarce: those that answer requests.

/// How far a thread stands back, by its niceness.
#[derive(Clone, Copy)]
pub(crate) enum Priority {
    /// For reads that are too long for the answering threads.
    Low = 5,
    /// For writes, which wait for the disk anyway, and reads of whole lists.
    Lowest = 10,
}

impl Priority {
    /// Lowers the priority of this thread.
    pub(crate) fn apply(self) {
        // Only Linux applies it to a single thread. If it is refused, reads are only slower.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(self as i32);
    }
}

/// Lets threads run that wait for this core. Otherwise a thread may keep it for a time slice of some
/// milliseconds, whatever its priority.
pub(crate) fn let_others_go_first() {
    std::thread::yield_now();
}
