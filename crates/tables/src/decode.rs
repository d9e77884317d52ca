//! Bytes of a file as UTF-8.

use std::io;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::{Error, foreign};

/// Bytes that are read at once, and by which the encoding is detected.
const PROBE: usize = 64 * 1_024;

/// A text is UTF-8 if it has so many times as many letters of it as other bytes beyond ASCII. In
/// other encodings, few letters are UTF-8 by chance.
const LETTERS_OF_UTF8: usize = 4;

/// The text of a reader, in pieces.
pub(crate) struct Decoded<R> {
    input: R,
    decoder: Decoder,
    encoding: &'static Encoding,
    /// Whether the encoding is a guess by bytes that mean the same in all of them.
    is_open: bool,
    bytes: Vec<u8>,
    /// The bytes that are read, and those of them that are decoded.
    filled: usize,
    used: usize,
    /// The bytes of the file before `bytes`.
    offset: u64,
    is_at_end: bool,
    is_done: bool,
}

impl<R: io::Read> Decoded<R> {
    /// Reads the beginning, to detect the encoding unless it is given.
    pub(crate) fn new(mut input: R, encoding: Option<&'static Encoding>) -> Result<Self, Error> {
        let mut bytes = vec![0; PROBE];
        let (filled, is_at_end) = fill(&mut input, &mut bytes)?;
        let beginning = bytes.get(..filled).unwrap_or_default();
        if let Some(message) = foreign::refusal(beginning) {
            return Err(Error::Unreadable(message.to_owned()));
        }
        let marked = Encoding::for_bom(beginning).map(|(encoding, _)| encoding);
        let told = marked.or(encoding);
        let encoding = told.unwrap_or_else(|| detect(beginning, is_at_end));
        Ok(Self {
            input,
            decoder: encoding.new_decoder_with_bom_removal(),
            encoding,
            is_open: told.is_none() && encoding == UTF_8 && beginning.is_ascii(),
            bytes,
            filled,
            used: 0,
            offset: 0,
            is_at_end,
            is_done: false,
        })
    }

    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Appends the next piece to `text`; false at the end.
    pub(crate) fn next(&mut self, text: &mut String) -> Result<bool, Error> {
        if self.is_done {
            return Ok(false);
        }
        if self.used == self.filled && !self.is_at_end {
            self.offset += self.filled as u64;
            (self.filled, self.is_at_end) = fill(&mut self.input, &mut self.bytes)?;
            self.used = 0;
            self.guess_again();
        }
        let bytes = self.bytes.get(self.used..self.filled).unwrap_or_default();
        let most = self
            .decoder
            .max_utf8_buffer_length_without_replacement(bytes.len());
        text.reserve(most.unwrap_or(bytes.len()));
        let (result, read) =
            self.decoder
                .decode_to_string_without_replacement(bytes, text, self.is_at_end);
        self.used += read;
        match result {
            DecoderResult::InputEmpty => self.is_done = self.is_at_end,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => {
                return Err(Error::Encoding {
                    encoding: self.encoding.name(),
                    byte: self.offset + self.used as u64,
                });
            }
        }
        Ok(true)
    }
}

impl<R> Decoded<R> {
    /// The first letters that are no ASCII tell the encoding, wherever they come.
    fn guess_again(&mut self) {
        let bytes = self.bytes.get(..self.filled).unwrap_or_default();
        if !self.is_open || bytes.is_ascii() {
            return;
        }
        self.is_open = false;
        self.encoding = detect(bytes, self.is_at_end);
        self.decoder = self.encoding.new_decoder_without_bom_handling();
    }
}

/// Fills the buffer, or reaches the end.
fn fill(input: &mut impl io::Read, bytes: &mut [u8]) -> Result<(usize, bool), Error> {
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match input.read(rest) {
            Ok(0) => return Ok((filled, true)),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Input(error)),
        }
    }
    Ok((filled, false))
}

/// The encoding of a file without a byte order mark.
fn detect(beginning: &[u8], is_whole: bool) -> &'static Encoding {
    let zeros = |first: usize| {
        let pairs = beginning.iter().skip(first).step_by(2).take(1_000);
        pairs.clone().filter(|byte| **byte == 0).count() * 2 > pairs.count()
    };
    if beginning.len() >= 4 && zeros(1) {
        return UTF_16LE;
    }
    if beginning.len() >= 4 && zeros(0) {
        return UTF_16BE;
    }
    if is_utf8(beginning, is_whole) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(beginning, is_whole);
    detector.guess(None, Utf8Detection::Deny)
}

/// Whether bytes are UTF-8, but for a few. Those are refused with their place: in another encoding,
/// they would change all other letters.
fn is_utf8(beginning: &[u8], is_whole: bool) -> bool {
    let (mut letters, mut others) = (0, 0);
    let mut chunks = beginning.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        letters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        let is_cut = chunks.peek().is_none() && !is_whole;
        others += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    letters >= others * LETTERS_OF_UTF8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Slow<'b>(&'b [u8]);

    impl io::Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            out[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn decode(bytes: &[u8]) -> Result<(String, &'static str), Error> {
        let mut decoded = Decoded::new(Slow(bytes), None)?;
        let mut text = String::new();
        while decoded.next(&mut text)? {}
        Ok((text, decoded.encoding().name()))
    }

    fn utf16(text: &str, of: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn encodings_are_detected() {
        let text = "name;größe\nweb;日本\n".repeat(10_000);
        let latin = "name;gr\u{f6}\u{df}e";
        for (bytes, expected, encoding) in [
            (text.as_bytes().to_vec(), &*text, "UTF-8"),
            ([b"\xef\xbb\xbf", text.as_bytes()].concat(), &*text, "UTF-8"),
            (
                utf16(&format!("\u{feff}{text}"), u16::to_le_bytes),
                &*text,
                "UTF-16LE",
            ),
            (
                utf16(&format!("\u{feff}{text}"), u16::to_be_bytes),
                &*text,
                "UTF-16BE",
            ),
            (utf16(latin, u16::to_le_bytes), latin, "UTF-16LE"),
            (utf16(latin, u16::to_be_bytes), latin, "UTF-16BE"),
            (b"name;gr\xf6\xdfe".to_vec(), latin, "windows-1252"),
            (Vec::new(), "", "UTF-8"),
        ] {
            assert_eq!(decode(&bytes).unwrap(), (expected.to_owned(), encoding));
        }
    }

    #[test]
    fn the_first_letters_beyond_ascii_tell_the_encoding_wherever_they_come() {
        let latin = "Müller;Größe;3 €\n";
        let japanese = "名前,東京,大阪,日本語の表\n";
        let ascii = "web-01;Vienna\n".repeat(PROBE / 4);
        for (text, name) in [
            (latin, "windows-1252"),
            (japanese, "Shift_JIS"),
            (latin, "UTF-8"),
        ] {
            let encoding = Encoding::for_label(name.as_bytes()).unwrap();
            for whole in [text.to_owned(), format!("{ascii}{text}")] {
                let bytes = encoding.encode(&whole).0;
                assert_eq!(decode(&bytes).unwrap(), (whole, name));
            }
        }
    }

    #[test]
    fn a_file_in_two_encodings_is_refused_with_the_place() {
        for letters in [PROBE, 8, 4] {
            let mut bytes = "ä".as_bytes().repeat(letters);
            bytes.push(0xf6);
            bytes.push(b'\n');
            let error = decode(&bytes).unwrap_err();
            assert!(
                matches!(error, Error::Encoding { encoding: "UTF-8", byte } if byte >= 2 * letters as u64),
                "{error}"
            );
        }
    }
}
