//! The checksum of a collection in an archive: CRC-64 with the polynomial of ECMA-182, reflected.

const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

const TABLE: [u64; 256] = table();

/// A checksum that grows with the bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crc64(u64);

impl Crc64 {
    pub(crate) const EMPTY: Self = Self(!0);

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let [low, ..] = self.0.to_le_bytes();
            self.0 = TABLE[usize::from(low ^ byte)] ^ (self.0 >> 8);
        }
    }

    /// As archives hold it.
    pub(crate) const fn sum(self) -> i64 {
        (!self.0).cast_signed()
    }
}

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < table.len() {
        let mut sum = index as u64;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 {
                (sum >> 1) ^ POLYNOMIAL
            } else {
                sum >> 1
            };
            bit += 1;
        }
        table[index] = sum;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::Crc64;

    #[test]
    fn the_published_check_value() {
        let mut sum = Crc64::EMPTY;
        sum.add(b"1234");
        sum.add(b"56789");
        assert_eq!(sum.sum().cast_unsigned(), 0x995D_C9BB_DF19_39FA);
    }
}
