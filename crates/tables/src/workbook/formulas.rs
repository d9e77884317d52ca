//! Formulas without a stored result: programs that write workbooks leave the result to the one that
//! opens them. Their cells look empty.

use std::collections::HashSet;
use std::io::{Read, Seek};

use calamine::{DataRef, Xlsx};

use super::catch;
use crate::{Cell, Error};

/// How many of them a sheet may have.
const MOST: usize = 100_000;

/// The cells of a sheet, by row and column, that have a formula without a result.
pub(super) fn without_results(
    book: &mut Xlsx<impl Read + Seek>,
    sheet: &str,
) -> Result<HashSet<(u32, u32)>, Error> {
    let mut found = HashSet::new();
    let mut cells = catch(|| book.worksheet_cells_reader(sheet))?;
    while let Some(cell) = catch(|| cells.next_cell_with_formula_metadata())? {
        if cell.formula.is_some() && cell.value == DataRef::Empty {
            found.insert(cell.pos);
        }
        if found.len() > MOST {
            let limit = MOST as u64;
            return Err(Error::Limit {
                what: "formulas without results",
                limit,
            });
        }
    }
    Ok(found)
}

/// What the cell of such a formula is read as.
pub(super) fn problem() -> Cell {
    let problem =
        "is a formula without a stored result: open the file in a spreadsheet, and save it";
    Cell::Broken(problem.to_owned())
}
