//! Files that commands write.

use std::fs::{self, File, OpenOptions};
use std::io::{Error, Read, Write, stdout};
use std::path::{Path, PathBuf};

use crate::failure::{Exit, Failure};
use crate::progress::Progress;

const CHUNK: usize = 64 * 1024;

/// Writes the file whole, or leaves the old one. A link stays a link, and a device or a pipe gets
/// the bytes as they come.
pub(crate) fn write_file(file: &Path, body: &mut impl Read) -> Result<(), Failure> {
    let failed = |error: Error| Failure::other(format!("cannot write {}: {error}", file.display()));
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut out = OpenOptions::new()
            .write(true)
            .open(&target)
            .map_err(failed)?;
        return copy(body, &mut out, failed);
    }
    let part = part_of(&target);
    let write = |mut out: File| {
        if let Some(old) = old {
            out.set_permissions(old.permissions()).map_err(failed)?;
        }
        copy(body, &mut out, failed)?;
        out.sync_all().map_err(failed)?;
        fs::rename(&part, &target).map_err(failed)
    };
    let written = File::create(&part).map_err(failed).and_then(write);
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// Writes to standard output.
pub(crate) fn write_stdout(body: &mut impl Read) -> Result<(), Failure> {
    copy(body, &mut stdout().lock(), Failure::from)
}

/// The file beside it that is written first.
fn part_of(file: &Path) -> PathBuf {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

fn copy(
    from: &mut impl Read,
    to: &mut impl Write,
    failed: impl Fn(Error) -> Failure,
) -> Result<(), Failure> {
    let mut progress = Progress::start("bytes", None);
    let mut chunk = vec![0; CHUNK];
    let mut done = 0;
    loop {
        let read = from.read(&mut chunk).map_err(|error| {
            let message = format!("the export broke off: {error}");
            Failure::new(Exit::Failed, message)
        })?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
            return to.flush().map_err(failed);
        };
        to.write_all(bytes).map_err(&failed)?;
        done += bytes.len() as u64;
        progress.show(done);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_file_keeps_its_mode_and_a_link_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.csv"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write_file(&link, &mut b"new".as_slice()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_no_file_is_written_to_instead_of_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let mode = Mode::from_raw_mode(0o600);
        mknodat(CWD, &pipe, FileType::Fifo, mode, 0).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_file(&pipe, &mut b"new".as_slice()).unwrap();
        assert_eq!(reader.join().unwrap(), "new");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        assert!(write_file(folder.path(), &mut b"new".as_slice()).is_err());
    }
}
