//! Finds where values start and end in the bytes of JSON text.
//!
//! The position of a text or key is the position of its opening quote. The JSON must be without
//! white space and needless escapes.

/// The bytes are not valid JSON.
pub(super) struct Broken;

/// The first bytes of nearly every item of `fields`.
const FIELD: &[u8; 9] = b"{\"name\":\"";

/// The position of the value of a key in the object at `at`.
pub(super) fn entry(bytes: &[u8], at: usize, wanted: &str) -> Result<Option<usize>, Broken> {
    let mut key = at + 1;
    if bytes.get(key) == Some(&b'}') {
        return Ok(None);
    }
    loop {
        let found = spells(bytes, key, wanted)?;
        let colon = match found {
            Some(behind) => behind,
            None => string_end(bytes, key + 1)?.0 + 1,
        };
        if bytes.get(colon) != Some(&b':') {
            return Err(Broken);
        }
        if found.is_some() {
            return Ok(Some(colon + 1));
        }
        let end = value_end(bytes, colon + 1)?;
        match bytes.get(end) {
            Some(b',') => key = end + 1,
            Some(b'}') => return Ok(None),
            _ => return Err(Broken),
        }
    }
}

/// The position after the text, if it equals `wanted`. Does not search for the end first, since
/// most texts differ in their first bytes.
pub(super) fn spells(bytes: &[u8], at: usize, wanted: &str) -> Result<Option<usize>, Broken> {
    let own = bytes.get(at..).and_then(|own| own.strip_prefix(b"\""));
    let own = own.ok_or(Broken)?;
    let same = same(own, wanted);
    match own.get(same) {
        Some(b'"') => Ok((same == wanted.len()).then_some(at + same + 2)),
        Some(b'\\') => unescapes_to(bytes, at, wanted),
        Some(_) => Ok(None),
        None => Err(Broken),
    }
}

/// The length of the common prefix, up to the first quote or backslash.
fn same(own: &[u8], wanted: &str) -> usize {
    own.iter()
        .zip(wanted.as_bytes())
        .take_while(|(own, wanted)| own == wanted && !matches!(own, b'"' | b'\\'))
        .count()
}

#[cold]
fn unescapes_to(bytes: &[u8], at: usize, wanted: &str) -> Result<Option<usize>, Broken> {
    let behind = string_end(bytes, at + 1)?.0 + 1;
    let quoted = bytes.get(at..behind).ok_or(Broken)?;
    let own: String = serde_json::from_slice(quoted).map_err(|_| Broken)?;
    Ok((own == wanted).then_some(behind))
}

/// The position after the value at `at`.
pub(super) fn value_end(bytes: &[u8], at: usize) -> Result<usize, Broken> {
    match bytes.get(at) {
        Some(b'"') => Ok(string_end(bytes, at + 1)?.0 + 1),
        Some(b'{') => field_end(bytes, at).map_or_else(|| container_end(bytes, at), Ok),
        Some(b'[') => container_end(bytes, at),
        _ => plain_end(bytes, at),
    }
}

/// The position after the item at `at` if it has the usual form `{"name":"…","value":…}`.
fn field_end(bytes: &[u8], at: usize) -> Option<usize> {
    rest_of_field(bytes, behind(bytes, at, FIELD)?)
}

/// Like [`field_end`], but only if the name is certain to differ from `wanted`.
pub(super) fn other_field_end(bytes: &[u8], at: usize, wanted: &str) -> Option<usize> {
    let name = behind(bytes, at, FIELD)?;
    let own = bytes.get(name..)?;
    let same = same(own, wanted);
    let is_other = match own.get(same)? {
        b'\\' => false,
        b'"' => same < wanted.len(),
        _ => true,
    };
    if is_other {
        rest_of_field(bytes, name + same)
    } else {
        None
    }
}

/// Like [`field_end`], from a position inside the name.
fn rest_of_field(bytes: &[u8], at: usize) -> Option<usize> {
    end_behind(bytes, value_behind(bytes, at)?)
}

/// The position of the value in the item at `at` if the item begins `{"name":"…","value":`.
pub(super) fn field_value(bytes: &[u8], at: usize) -> Option<usize> {
    value_behind(bytes, behind(bytes, at, FIELD)?)
}

fn value_behind(bytes: &[u8], at: usize) -> Option<usize> {
    let (name_end, _) = string_end(bytes, at).ok()?;
    behind(bytes, name_end, b"\",\"value\":")
}

/// The position after the item whose last value starts at `at`.
pub(super) fn end_behind(bytes: &[u8], at: usize) -> Option<usize> {
    let end = match bytes.get(at)? {
        b'"' => string_end(bytes, at + 1).ok()?.0 + 1,
        b'{' | b'[' => container_end(bytes, at).ok()?,
        _ => plain_end(bytes, at).ok()?,
    };
    (bytes.get(end) == Some(&b'}')).then_some(end + 1)
}

/// The position after `expected`, if it is at `at`.
pub(super) fn behind<const LENGTH: usize>(
    bytes: &[u8],
    at: usize,
    expected: &[u8; LENGTH],
) -> Option<usize> {
    let stands_there = bytes.get(at..)?.first_chunk() == Some(expected);
    stands_there.then_some(at + LENGTH)
}

/// The position of the closing quote of the text whose content starts at `at`, and whether the text
/// has escapes.
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Broken> {
    let mut escaped = false;
    loop {
        at = quote_or_backslash(bytes, at).ok_or(Broken)?;
        if bytes.get(at) == Some(&b'"') {
            return Ok((at, escaped));
        }
        escaped = true;
        at += 2;
    }
}

/// Scans eight bytes at a time: most texts are too short for a call of `memchr` to pay off.
fn quote_or_backslash(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut rest = bytes.get(at..)?;
    while let Some((chunk, behind)) = rest.split_first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let found = places(word, b'"') | places(word, b'\\');
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
        rest = behind;
    }
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
    found.map(|offset| at + offset)
}

/// Sets the high bit of the first byte equal to `wanted`, and perhaps of later bytes.
const fn places(word: u64, wanted: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let zero = word ^ u64::from_le_bytes([wanted; 8]);
    zero.wrapping_sub(ONES) & !zero & (ONES << 7)
}

fn container_end(bytes: &[u8], mut at: usize) -> Result<usize, Broken> {
    let mut depth = 0_usize;
    loop {
        match bytes.get(at) {
            Some(b'"') => at = string_end(bytes, at + 1)?.0,
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
            }
            Some(_) => {}
            None => return Err(Broken),
        }
        at += 1;
    }
}

fn plain_end(bytes: &[u8], at: usize) -> Result<usize, Broken> {
    let rest = bytes.get(at..).ok_or(Broken)?;
    let length = rest
        .iter()
        .position(|byte| matches!(byte, b',' | b']' | b'}'))
        .unwrap_or(rest.len());
    if length == 0 {
        return Err(Broken);
    }
    Ok(at + length)
}
