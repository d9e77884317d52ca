//! Writes with a key are sent again after the crash: each happens once.

use crate::client::Client;
use crate::model::Log;
use crate::verify::Tally;

/// Sends the newest write again if its answer was lost.
pub(crate) fn send_lost_again(client: &Client, log: &mut Log) -> Tally {
    let mut tally = Tally::default();
    let Some(write) = log.writes.last() else {
        return tally;
    };
    if write.is_acknowledged || !write.request.has_key || write.effects.is_empty() {
        return tally;
    }
    let answer = client.send(&write.request).expect("an answer");
    if !answer.is_success() {
        log.violations.push(format!("{write:?}, again: {answer:?}"));
        return tally;
    }
    tally.repeated += 1;
    tally.replayed += usize::from(answer.is_replayed);
    log.acknowledge(answer);
    tally
}

/// Sends a write again whose answer was received: the answer is the same.
pub(crate) fn send_known_again(client: &Client, log: &mut Log) {
    let mut known = log.writes.iter().rev();
    let known = known
        .find(|write| write.is_acknowledged && write.request.has_key && !write.effects.is_empty());
    let Some(write) = known else {
        return;
    };
    let answer = client.send(&write.request).expect("an answer");
    if !answer.is_success() || !answer.is_replayed || answer.body != write.answer {
        log.violations.push(format!("{write:?}, again: {answer:?}"));
    }
}
