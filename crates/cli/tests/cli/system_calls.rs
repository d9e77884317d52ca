//! Filters of system calls, as systemd makes them.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use serde_json::json;
use tempfile::tempdir;

use crate::client::Client;
use crate::process::{Server, serve};

/// `~@privileged @resources`, without those that other architectures lack, and without `fchown`: as
/// root, SQLite changes the owner of its files.
const REFUSED: [libc::c_long; 24] = [
    libc::SYS_ioprio_set,
    libc::SYS_mbind,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_set_mempolicy,
    libc::SYS_setpriority,
    libc::SYS_setrlimit,
    libc::SYS_acct,
    libc::SYS_bpf,
    libc::SYS_capset,
    libc::SYS_chroot,
    libc::SYS_clock_settime,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_setgroups,
    libc::SYS_setresuid,
    libc::SYS_setreuid,
    libc::SYS_setuid,
    libc::SYS_swapon,
    libc::SYS_vhangup,
];

/// A filter that does this on each refused call.
fn filter(action: SeccompAction) -> BpfProgram {
    let rules = REFUSED.map(|call| (call, Vec::new()));
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    SeccompFilter::new(
        rules.into_iter().collect(),
        SeccompAction::Allow,
        action,
        architecture,
    )
    .unwrap()
    .try_into()
    .unwrap()
}

#[test]
fn a_filter_of_system_calls_does_not_end_it() {
    let refusals = [
        SeccompAction::KillProcess,
        SeccompAction::Errno(libc::EPERM.unsigned_abs()),
    ];
    for action in refusals {
        let data = tempdir().unwrap();
        let command = serve(data.path());
        // A thread's filter is that of the processes that it starts.
        let starting = std::thread::spawn(move || {
            apply_filter(&filter(action)).unwrap();
            Server::start(command)
        });
        let server = starting.join().unwrap();
        let admin = Client::admin(&server);
        admin.insert("/rest/categories", &json!({"name": "new"}));
        assert_eq!(admin.get("/readyz").0, 200);
        server.stopped();
    }
}
