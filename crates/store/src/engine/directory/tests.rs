use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use stockroom_model::Timestamp;
use tempfile::{TempDir, tempdir};

use super::*;
use crate::Store;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn refusal(directory: &TempDir) -> String {
    Directory::take(directory.path()).unwrap_err().to_string()
}

#[test]
fn a_directory_that_others_can_use_is_refused_with_what_to_do() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("notes"), "of others").unwrap();
    for exposed in [0o755, 0o710, 0o701] {
        set_mode(directory.path(), exposed);
        let path = directory.path().display();
        let refusal = refusal(&directory);
        assert!(refusal.contains(&format!("chmod 700 {path}")), "{refusal}");
        assert_eq!(mode(directory.path()), exposed);
    }
}

#[test]
fn an_empty_directory_is_closed_to_others() {
    let directory = tempdir().unwrap();
    set_mode(directory.path(), 0o755);
    drop(Directory::take(directory.path()).unwrap());
    assert_eq!(mode(directory.path()), 0o700);
}

#[test]
fn all_files_are_private_and_those_of_older_releases_become_so() {
    let parent = tempdir().unwrap();
    let directory = parent.path().join("made/here");
    for _ in 0..2 {
        let store = Store::open(&directory, Timestamp(0)).unwrap();
        assert_eq!(mode(&directory), 0o700);
        let files: Vec<PathBuf> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(files.len() >= 4, "{files:?}");
        for file in &files {
            assert_eq!(mode(file), 0o600, "{}", file.display());
        }
        store.close();
        set_mode(&directory.join(DATABASE_FILE), 0o644);
    }
}

#[test]
fn remains_of_a_database_are_no_fresh_start() {
    for (remains, others) in [
        (WRITE_AHEAD_LOG, &[][..]),
        (STATE_FILE, &[]),
        (STATE_FILE, &[DATABASE_FILE]),
    ] {
        let directory = tempdir().unwrap();
        set_mode(directory.path(), 0o700);
        fs::write(directory.path().join(remains), "1").unwrap();
        for other in others {
            fs::write(directory.path().join(other), "").unwrap();
        }
        let refusal = refusal(&directory);
        assert!(
            refusal.contains(&format!("has {remains}, but stockroom.db is")),
            "{refusal}"
        );
        assert!(!directory.path().join(DATABASE_FILE).exists() || !others.is_empty());
    }
}

#[test]
fn a_database_that_lacks_acknowledged_changes_is_refused() {
    let place = tempdir().unwrap();
    let directory = Directory::take(place.path()).unwrap();
    let water = directory.high_water(7).unwrap();
    water.record(9).unwrap();
    let refusal = directory.high_water(8).unwrap_err().to_string();
    assert!(refusal.contains("change 9 was acknowledged"), "{refusal}");
    assert!(refusal.contains("remove stockroom.state"), "{refusal}");
    assert!(directory.high_water(9).is_ok());

    fs::write(place.path().join(STATE_FILE), [0xff, 0]).unwrap();
    assert!(
        directory.high_water(3).is_ok(),
        "what is unreadable says nothing"
    );
}
