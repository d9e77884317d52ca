//! Golden files: expected output in the repository, so that reviews show every change of it.

use std::fs;
use std::path::Path;

/// If set to `1`, golden files are written instead of compared.
const UPDATE: &str = "STOCKROOM_UPDATE_GOLDEN";

/// Checks that the file at `path`, relative to the root of the repository, contains `text`.
#[track_caller]
pub fn golden(path: &str, text: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join(path);
    if std::env::var_os(UPDATE).is_some_and(|value| value == "1") {
        fs::write(&file, text).expect("a golden file that can be written");
        return;
    }
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let difference = text
        .lines()
        .zip(stored.lines().chain(std::iter::repeat("")))
        .zip(1..)
        .find(|((new, old), _)| new != old);
    if let Some(((new, old), line)) = difference {
        panic!(
            "{path}:{line} is out of date (if the change is meant: {UPDATE}=1)\n- {old}\n+ {new}"
        );
    }
    assert!(
        stored == text,
        "{path} has lines too many (if the change is meant: {UPDATE}=1)"
    );
}
