//! A small volume, in a mount namespace of its own, so that it needs no privileges and leaves nothing
//! behind.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::{TempDir, tempdir};

/// A file system in memory.
pub(crate) struct Volume {
    /// Keeps the namespace while it lives.
    keeper: Child,
    place: TempDir,
}

impl Volume {
    /// Makes a volume of so many MiB. The system must allow mounts in a namespace of users.
    pub(crate) fn of_mebibytes(size: u32) -> Self {
        let place = tempdir().expect("a directory");
        let script = format!(
            "mount -t tmpfs -o size={size}m,mode=700 none \"$0\" && echo mounted && exec cat"
        );
        let mut keeper = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", &script])
            .arg(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program unshare");
        let mut said = String::new();
        let out = keeper.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut said).expect("UTF-8");
        assert_eq!(said, "mounted\n", "no volume can be mounted");
        Self { keeper, place }
    }

    /// Where a process of [`Volume::within`] sees it.
    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// The command, run where it sees the volume.
    pub(crate) fn within(&self, command: &Command) -> Command {
        let mut inside = Command::new("nsenter");
        inside
            .args(["--preserve-credentials", "--user", "--mount"])
            .arg(format!("--target={}", self.keeper.id()))
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear();
        for (name, value) in command.get_envs() {
            inside.env(name, value.unwrap_or_default());
        }
        inside
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}
