//! Detects floods of HTTP/2 frames that are no requests, such as PING, SETTINGS and frames of
//! unknown types. Each costs time, and no other limit counts them.

use tokio::time::Instant;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_LENGTH: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;

/// Bytes of such frames that a client may send at once, and more for each request, for each second,
/// and for so many bytes that were sent to it (it answers them with `WINDOW_UPDATE`).
const BURST: u64 = 64 * 1_024;
const PER_REQUEST: u64 = 256;
const PER_SECOND: u64 = 1_024;
const SENT_PER_BYTE: u64 = 8;

/// Finds the frames in the bytes that a client sends.
pub(crate) enum Frames {
    /// So many bytes are those of HTTP/2.
    Preface(usize),
    /// So many bytes of the head of a frame have arrived.
    Head([u8; HEAD_LENGTH], usize),
    /// So many bytes of a frame are to come.
    Payload(usize),
    Http1,
}

impl Frames {
    pub(crate) const fn new() -> Self {
        Self::Preface(0)
    }

    /// Reads the next bytes of the client. Returns how many bytes of frames begin in them that are
    /// no requests.
    pub(crate) fn read(&mut self, mut bytes: &[u8]) -> u64 {
        let mut cost = 0;
        while let [byte, rest @ ..] = bytes {
            bytes = rest;
            match self {
                Self::Preface(seen) if PREFACE.get(*seen) == Some(byte) => {
                    *seen += 1;
                    if *seen == PREFACE.len() {
                        *self = Self::next_head();
                    }
                }
                Self::Preface(_) | Self::Http1 => {
                    *self = Self::Http1;
                    return 0;
                }
                Self::Head(head, seen) => {
                    head[*seen] = *byte;
                    *seen += 1;
                    if *seen == HEAD_LENGTH {
                        let head = *head;
                        cost += cost_of(&head);
                        *self = Self::after(&head);
                    }
                }
                Self::Payload(missing) => {
                    let skipped = rest.len().min(*missing - 1);
                    bytes = &rest[skipped..];
                    *missing -= skipped + 1;
                    if *missing == 0 {
                        *self = Self::next_head();
                    }
                }
            }
        }
        cost
    }

    const fn next_head() -> Self {
        Self::Head([0; HEAD_LENGTH], 0)
    }

    const fn after(head: &[u8; HEAD_LENGTH]) -> Self {
        match payload_length(head) {
            0 => Self::next_head(),
            length => Self::Payload(length),
        }
    }
}

const fn payload_length(head: &[u8; HEAD_LENGTH]) -> usize {
    u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize
}

/// The bytes of a frame that no request explains. h2 bounds `DATA`, and the bytes of headers. Not
/// their number: it ignores headers of streams that it has reset.
const fn cost_of(head: &[u8; HEAD_LENGTH]) -> u64 {
    match head[3] {
        DATA => 0,
        HEADERS | CONTINUATION => HEAD_LENGTH as u64,
        _ => (HEAD_LENGTH + payload_length(head)) as u64,
    }
}

/// How much of its burst a connection has used.
pub(crate) struct Budget {
    opened: Instant,
    /// Bytes of frames beyond those that were explained.
    used: u64,
    /// Bytes that requests, answers and time had explained when it was last asked.
    explained: u64,
}

impl Budget {
    pub(crate) const fn new(opened: Instant) -> Self {
        Self {
            opened,
            used: 0,
            explained: 0,
        }
    }

    /// Notes these bytes of frames. Returns whether there are too many of them for the requests
    /// and the sent bytes of the connection so far.
    pub(crate) fn is_exceeded_by(&mut self, bytes: u64, requests: u64, sent: u64) -> bool {
        let seconds = self.opened.elapsed().as_secs();
        let explained = requests * PER_REQUEST + seconds * PER_SECOND + sent / SENT_PER_BYTE;
        let newly = explained - self.explained;
        self.explained = explained;
        self.used = self.used.saturating_sub(newly) + bytes;
        self.used > BURST
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const PING: u8 = 6;
    const UNKNOWN: u8 = 0xbb;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, 0, 0, 0, 0, 0];
        frame.extend(vec![kind; length.into()]);
        frame
    }

    #[test]
    fn frames_without_a_request_are_counted_however_they_arrive() {
        let frames = [
            frame(HEADERS, 30),
            frame(DATA, 200),
            frame(PING, 8),
            frame(UNKNOWN, 0),
            frame(CONTINUATION, 1),
            frame(UNKNOWN, 1),
        ];
        let bytes = [PREFACE, &frames.concat()].concat();
        for part in 1..bytes.len() {
            let mut frames = Frames::new();
            let cost: u64 = bytes.chunks(part).map(|part| frames.read(part)).sum();
            assert_eq!(cost, 9 + 17 + 9 + 9 + 10, "in parts of {part} bytes");
        }
    }

    #[test]
    fn http1_has_no_frames() {
        let mut frames = Frames::new();
        assert_eq!(frames.read(b"PRI /"), 0);
        assert_eq!(frames.read(&[PREFACE, &frame(PING, 8)].concat()), 0);
    }

    #[test]
    fn requests_answers_and_time_explain_frames() {
        let mut budget = Budget::new(Instant::now());
        assert!(!budget.is_exceeded_by(BURST, 0, 0));
        assert!(!budget.is_exceeded_by(PER_REQUEST, 1, 0));
        assert!(!budget.is_exceeded_by(1, 1, SENT_PER_BYTE));
        budget.opened -= Duration::from_secs(2);
        assert!(!budget.is_exceeded_by(2 * PER_SECOND, 1, SENT_PER_BYTE));
        assert!(budget.is_exceeded_by(1, 1, SENT_PER_BYTE));
    }

    #[test]
    fn a_long_time_explains_no_larger_burst() {
        let mut budget = Budget::new(Instant::now());
        budget.opened -= Duration::from_secs(3_600);
        assert!(!budget.is_exceeded_by(BURST, 9_000, 0));
        assert!(budget.is_exceeded_by(1, 9_000, 0));
    }
}
