//! Numbers of seven bits a byte, the lowest first.

use crate::bits::Damaged;

/// A number of more bits is damaged.
const MAX_BITS: u32 = 42;

/// Appends a number.
pub(crate) fn push(mut number: u64, bytes: &mut Vec<u8>) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            bytes.push(low & 0x7f);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// Passes each number to `visit`.
pub(crate) fn each(
    bytes: &[u8],
    mut visit: impl FnMut(u64) -> Result<(), Damaged>,
) -> Result<(), Damaged> {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        if shift >= MAX_BITS {
            return Err(Damaged);
        }
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            visit(number)?;
            (number, shift) = (0, 0);
        }
    }
    if shift == 0 { Ok(()) } else { Err(Damaged) }
}
