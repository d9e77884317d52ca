//! How much memory this process may use.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, getrlimit};

/// The addresses that the program, its threads and the first reserves of the allocator take.
const BASE: u64 = 96 << 20;

/// The least of what the system has, and of the limits on the process and on its control groups;
/// without any of them, no limit.
pub(crate) fn available() -> u64 {
    let limits = [Resource::As, Resource::Data];
    let limits = limits
        .into_iter()
        .filter_map(|kind| getrlimit(kind).current)
        // They are on addresses, of which the allocator keeps more than it uses.
        .map(|limit| limit.saturating_sub(BASE) / 10 * 6);
    let read = |path: &Path| fs::read_to_string(path).ok();
    limits
        .chain(of_system(&read))
        .chain(of_groups(&read))
        .min()
        .unwrap_or(u64::MAX)
}

type Read<'r> = &'r dyn Fn(&Path) -> Option<String>;

/// What programs can get without swapping.
fn of_system(read: Read<'_>) -> Option<u64> {
    let text = read(Path::new("/proc/meminfo"))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1_024))
}

/// The least limit of the control groups that the process is in.
fn of_groups(read: Read<'_>) -> Option<u64> {
    let text = read(Path::new("/proc/self/cgroup"))?;
    let files = text.lines().flat_map(limit_files);
    // A word, as `max`, is no limit.
    files
        .filter_map(|file| read(&file)?.trim().parse().ok())
        .min()
}

/// The files with the limits of a group and all that it is in; `line` is `number:controllers:path`.
fn limit_files(line: &str) -> Vec<PathBuf> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
        return Vec::new();
    };
    let (root, file) = if controllers.is_empty() {
        ("/sys/fs/cgroup", "memory.max")
    } else if controllers.split(',').any(|name| name == "memory") {
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
    } else {
        return Vec::new();
    };
    let groups = Path::new(path.trim_start_matches('/')).ancestors();
    groups
        .map(|group| Path::new(root).join(group).join(file))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(files: &[(&str, &str)]) -> Option<u64> {
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, text)| (*text).to_owned())
        };
        of_groups(&read)
    }

    #[test]
    fn the_least_limit_of_nested_groups_counts() {
        let files = [
            ("/proc/self/cgroup", "0::/system.slice/stockroom.service\n"),
            (
                "/sys/fs/cgroup/system.slice/stockroom.service/memory.max",
                "max\n",
            ),
            ("/sys/fs/cgroup/system.slice/memory.max", "268435456\n"),
            ("/sys/fs/cgroup/memory.max", "536870912\n"),
        ];
        assert_eq!(limit(&files), Some(268_435_456));
        assert_eq!(limit(&files[..2]), None);
    }

    #[test]
    fn groups_of_the_first_version_count() {
        let files = [
            (
                "/proc/self/cgroup",
                "4:cpu,cpuacct:/a\n3:memory:/a\n1:name=systemd:/b\n",
            ),
            (
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n"),
        ];
        assert_eq!(limit(&files), Some(1_000_000));
    }

    #[test]
    fn what_is_available_is_read() {
        let read = |_: &Path| Some("MemTotal: 9 kB\nMemAvailable:    2000 kB\n".to_owned());
        assert_eq!(of_system(&read), Some(2_048_000));
    }
}
