//! The fuzzing engine: mutates earlier inputs, and keeps those with a new outcome for further
//! mutation.
//!
//! It does not measure coverage, which needs an unstable compiler. The value that a target returns
//! is used instead: the kind of the outcome, such as an error text without numbers.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a helper of tests fails as a test does"
)]

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::Value;

/// Runs of a target if no time is set.
const RUNS: u64 = 3_000;
const MAX_BYTES: usize = 4_096;
/// The maximum number of kept inputs; beyond it, a new one replaces another.
const KEPT: usize = 20_000;

/// Runs `target` on the inputs in `corpus/<name>`, then on mutations of them with the `words`.
///
/// # Panics
///
/// The target panicked; the message has the input.
pub(crate) fn fuzz(name: &str, words: &[&str], target: impl Fn(&[u8]) -> u64) {
    fuzz_times(RUNS, name, words, target);
}

/// The same for a slow target: its number of runs if no time is set.
///
/// # Panics
///
/// The target panicked; the message has the input.
pub(crate) fn fuzz_times(most: u64, name: &str, words: &[&str], target: impl Fn(&[u8]) -> u64) {
    let seed = variable("STOCKROOM_FUZZ_SEED").unwrap_or(1);
    let time = variable("STOCKROOM_FUZZ_SECONDS").map(Duration::from_secs);
    let mut rng = Rng::with_seed(seed);
    let mut inputs = corpus(name);
    inputs.push(Vec::new());
    let mut outcomes = HashSet::new();
    for input in &inputs {
        outcomes.insert(run(name, &target, input));
    }
    let began = Instant::now();
    let mut runs = 0;
    while time.map_or(runs < most, |time| began.elapsed() < time) {
        let input = next(&inputs, words, &mut rng);
        runs += 1;
        if outcomes.insert(run(name, &target, &input)) {
            if inputs.len() < KEPT {
                inputs.push(input);
            } else {
                let place = rng.usize(..inputs.len());
                inputs[place] = input;
            }
        }
    }
    eprintln!("{name}: {runs} runs, {} kinds of outcomes", outcomes.len());
}

/// The kind of an outcome: the hash of its text without numbers.
pub(crate) fn kind(outcome: &impl std::fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    let text = format!("{outcome:?}");
    for letter in text
        .chars()
        .filter(|letter| !letter.is_ascii_digit())
        .take(400)
    {
        letter.hash(&mut hasher);
    }
    hasher.finish()
}

/// The first words of a text of an answer, before what it quotes.
pub(crate) fn first_words(text: &Value) -> String {
    let text = text.as_str().unwrap_or_default();
    let text = text.split(['"', ':', '\'']).next().unwrap_or_default();
    let words: Vec<&str> = text.split(' ').take(3).collect();
    words.join(" ")
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let entries = std::fs::read_dir(&folder).expect("a corpus");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    // One input per line, or the whole file.
    paths
        .iter()
        .flat_map(|path| {
            let bytes = std::fs::read(path).expect("an input");
            if path.extension().is_some_and(|kind| kind == "lines") {
                bytes
                    .split(|byte| *byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect()
            } else {
                vec![bytes]
            }
        })
        .collect()
}

fn run(name: &str, target: &impl Fn(&[u8]) -> u64, input: &[u8]) -> u64 {
    catch_unwind(AssertUnwindSafe(|| target(input))).unwrap_or_else(|_| {
        let shown = String::from_utf8_lossy(input);
        panic!(
            "{name} fails on {} bytes: {shown:?}\nas bytes: {input:?}",
            input.len()
        )
    })
}

/// Mutates one input, or combines two.
fn next(inputs: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut input = inputs[rng.usize(..inputs.len())].clone();
    for _ in 0..=rng.usize(..4) {
        let at = rng.usize(..=input.len());
        let end = rng.usize(at..=input.len().min(at + 16));
        match rng.u8(..8) {
            0 => drop(input.splice(at..at, [rng.u8(..)])),
            1 => drop(input.drain(at..end)),
            2 => {
                let part = input[at..end].to_vec();
                let times = 1 + rng.usize(..8);
                drop(input.splice(at..at, part.repeat(times)));
            }
            3 if at < input.len() => input[at] ^= 1 << rng.u8(..8),
            4 => {
                let other = &inputs[rng.usize(..inputs.len())];
                let from = rng.usize(..=other.len());
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            5 => {
                let number = [0, 1, -1, 9_999, 253_402_300_799_999, i64::MAX, i64::MIN];
                let number = number[rng.usize(..number.len())].to_string();
                drop(input.splice(at..end, number.into_bytes()));
            }
            _ if !words.is_empty() => {
                let word = words[rng.usize(..words.len())];
                drop(input.splice(at..end, word.bytes()));
            }
            _ => {}
        }
    }
    input.truncate(MAX_BYTES);
    input
}
