//! The ids of a chunk as bytes: most are one or two bytes long.

use stockroom_model::ObjectId;

use crate::Error;

/// Objects in one chunk.
pub(super) const CHUNK: usize = 500;

/// The differences of ascending ids, seven bits in a byte; the eighth says that more follow.
pub(super) fn encode(ids: &[ObjectId]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ids.len() * 2);
    let mut last = 0;
    for id in ids {
        let mut left = id.get().saturating_sub(last).unsigned_abs();
        last = id.get();
        loop {
            let low = u8::try_from(left & 0x7f).unwrap_or_default();
            left >>= 7;
            if left == 0 {
                bytes.push(low);
                break;
            }
            bytes.push(low | 0x80);
        }
    }
    bytes
}

/// The ids that [`encode`] wrote.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<ObjectId>, Error> {
    let mut ids = Vec::new();
    let (mut last, mut difference, mut shift) = (0_i64, 0_i64, 0_u32);
    for byte in bytes {
        let part = i64::from(byte & 0x7f).checked_shl(shift);
        difference |= part.ok_or_else(damaged)?;
        shift += 7;
        if byte & 0x80 == 0 {
            last = last.checked_add(difference).ok_or_else(damaged)?;
            ids.push(ObjectId::new(last).ok_or_else(damaged)?);
            (difference, shift) = (0, 0);
        }
    }
    if shift == 0 { Ok(ids) } else { Err(damaged()) }
}

fn damaged() -> Error {
    Error::Damaged("the ids of a job are unreadable".to_owned())
}

#[cfg(test)]
mod tests {
    use stockroom_model::id::MAX_ID;

    use super::*;

    #[test]
    fn all_ids_come_back_and_cut_bytes_are_refused() {
        let ids = [1, 2, 129, 130, 16_514, 5_000_000_000, MAX_ID];
        let ids: Vec<ObjectId> = ids
            .into_iter()
            .map(|id| ObjectId::new(id).unwrap())
            .collect();
        let bytes = encode(&ids);
        assert_eq!(decode(&bytes).unwrap(), ids);
        assert!(decode(&bytes[..bytes.len() - 1]).is_err());
        assert!(decode(&[0xff; 20]).is_err());
        assert_eq!(decode(&[]).unwrap(), []);
    }
}
