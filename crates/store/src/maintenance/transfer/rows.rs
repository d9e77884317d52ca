//! Rows as bytes that are the same for every engine: the form in which threads exchange them and
//! checksums cover them.

use sha2::{Digest as _, Sha256};

use super::Transferred;
use crate::Error;
use crate::engine::driver::{Driver, Param, Row};
use crate::engine::migrate::hexadecimal;
use crate::engine::table::{Kind, Table};

/// Maximum number of rows in a batch.
const BATCH_ROWS: usize = 4_096;
/// A batch with this number of bytes takes no more rows.
const BATCH_BYTES: usize = 2 * 1_024 * 1_024;

const NULL: u8 = 0;
const INT: u8 = 1;
const TEXT: u8 = 2;
const BYTES: u8 = 3;

/// Rows one after another: for each value its kind, its length if it varies, and its bytes.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) bytes: Vec<u8>,
    pub(super) rows: usize,
}

/// The number of rows of a table, and their checksum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) rows: u64,
    pub(super) digest: [u8; 32],
}

/// Reads a whole table in the order of its key.
pub(super) fn scan(
    driver: &mut dyn Driver,
    table: &Table,
    each: &mut dyn FnMut(Batch) -> Result<(), Error>,
) -> Result<Sum, Error> {
    let (mut batch, mut rows, mut digest) = (Batch::default(), 0, Sha256::new());
    let mut pass = |batch: Batch| {
        rows += batch.len();
        digest.update(&batch.bytes);
        each(batch)
    };
    let sql = table.select(driver.dialect());
    driver.query(&sql, &[], &mut |row| {
        batch.push(row, table)?;
        if batch.is_full() {
            pass(std::mem::take(&mut batch))?;
        }
        Ok(())
    })?;
    if batch.rows > 0 {
        pass(batch)?;
    }
    Ok(Sum {
        rows,
        digest: digest.finalize().into(),
    })
}

/// Combines the sums of all tables.
pub(super) fn total(sums: &[(&'static Table, Sum)]) -> Transferred {
    let mut digest = Sha256::new();
    for (table, sum) in sums {
        digest.update(table.name);
        digest.update([0]);
        digest.update(sum.rows.to_be_bytes());
        digest.update(sum.digest);
    }
    let rows = sums.iter().map(|(table, sum)| (table.name, sum.rows));
    Transferred {
        tables: rows.collect(),
        checksum: hexadecimal(&digest.finalize()),
    }
}

impl Batch {
    pub(super) const fn len(&self) -> u64 {
        self.rows as u64
    }

    /// The values of all rows, which are `width` values long.
    ///
    /// # Errors
    ///
    /// The bytes are not a valid batch.
    pub(super) fn params(&self, width: usize) -> Result<Vec<Param<'_>>, Error> {
        let cut_off = || Error::Damaged("a batch of rows is cut off".to_owned());
        let mut rest = self.bytes.as_slice();
        let mut params = Vec::new();
        while !rest.is_empty() {
            let (param, after) = param(rest).ok_or_else(cut_off)?;
            params.push(param);
            rest = after;
        }
        if Some(params.len()) != width.checked_mul(self.rows) {
            return Err(cut_off());
        }
        Ok(params)
    }

    const fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes.len() >= BATCH_BYTES
    }

    fn push(&mut self, row: &dyn Row, table: &Table) -> Result<(), Error> {
        for (column, (_, kind)) in table.columns.iter().enumerate() {
            match kind {
                Kind::Int | Kind::Local | Kind::Part | Kind::Sum => self.push_int(row.int(column)?),
                Kind::Text => self.push_sized(TEXT, row.text(column)?.as_bytes()),
                Kind::Bytes => self.push_sized(BYTES, row.bytes(column)?),
                Kind::OptInt => match row.opt_int(column)? {
                    Some(value) => self.push_int(value),
                    None => self.bytes.push(NULL),
                },
                Kind::OptBytes => match row.opt_bytes(column)? {
                    Some(value) => self.push_sized(BYTES, value),
                    None => self.bytes.push(NULL),
                },
                Kind::OptText => match row.opt_text(column)? {
                    Some(value) => self.push_sized(TEXT, value.as_bytes()),
                    None => self.bytes.push(NULL),
                },
            }
        }
        self.rows += 1;
        Ok(())
    }

    fn push_int(&mut self, value: i64) {
        self.bytes.push(INT);
        self.bytes.extend(value.to_be_bytes());
    }

    fn push_sized(&mut self, kind: u8, value: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend((value.len() as u64).to_be_bytes());
        self.bytes.extend(value);
    }
}

/// Reads the first value; returns it and the bytes after it.
fn param(bytes: &[u8]) -> Option<(Param<'_>, &[u8])> {
    let (kind, rest) = bytes.split_first()?;
    if *kind == NULL {
        return Some((Param::Null, rest));
    }
    let (head, rest) = rest.split_first_chunk()?;
    if *kind == INT {
        return Some((Param::Int(i64::from_be_bytes(*head)), rest));
    }
    let length = usize::try_from(u64::from_be_bytes(*head)).ok()?;
    let (value, rest) = rest.split_at_checked(length)?;
    let param = match *kind {
        TEXT => Param::Text(std::str::from_utf8(value).ok()?),
        BYTES => Param::Bytes(value),
        _ => return None,
    };
    Some((param, rest))
}
