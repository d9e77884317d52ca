//! Work that can wait.

/// Other threads of the machine come first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of this thread, and of the threads that it starts later.
pub(crate) fn lower() {
    // Only Linux applies it to a single thread. If it is refused, requests are only slower.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}
