//! The names of columns, by the first row of a table.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::{Cell, Error};

/// A unique name for each column. A cell without a name gives `column 3`; the second of two equal
/// names gets ` (2)`.
pub(crate) fn names(cells: &[Cell], columns: usize) -> Result<Vec<String>, Error> {
    let mut taken = HashSet::with_capacity(columns);
    let mut numbers = HashMap::new();
    let mut names = Vec::with_capacity(columns);
    for index in 0..columns {
        let text = title(cells.get(index), index)?;
        let name = unique(text.unwrap_or_else(|| unnamed(index)), &taken, &mut numbers);
        taken.insert(name.clone());
        names.push(name);
    }
    Ok(names)
}

/// The name of a column without one.
pub(crate) fn unnamed(index: usize) -> String {
    format!("column {}", index + 1)
}

/// The name in a cell.
pub(crate) fn title(cell: Option<&Cell>, index: usize) -> Result<Option<String>, Error> {
    let text = match cell {
        None | Some(Cell::Missing | Cell::Nothing) => String::new(),
        Some(Cell::Value(Value::String(text))) => text.trim().to_owned(),
        Some(Cell::Value(value)) => value.to_string(),
        Some(Cell::Broken(problem)) => {
            let message = format!("the header of column {} {problem}", index + 1);
            return Err(Error::Unreadable(message));
        }
    };
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn unique(name: String, taken: &HashSet<String>, numbers: &mut HashMap<String, u64>) -> String {
    if !taken.contains(&name) {
        return name;
    }
    // Remembered, or else a thousand equal names would take a million attempts.
    let number = numbers.entry(name.clone()).or_insert(1);
    loop {
        *number += 1;
        let numbered = format!("{name} ({number})");
        if !taken.contains(&numbered) {
            return numbered;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_unique() {
        let cells = ["a", " a ", "", "a (2)", "a", "column 3", "b"];
        let cells = cells.map(|text| Cell::Value(json!(text)));
        let expected = [
            "a",
            "a (2)",
            "column 3",
            "a (2) (2)",
            "a (3)",
            "column 3 (2)",
            "b",
            "column 8",
        ];
        assert_eq!(names(&cells, 8).unwrap(), expected);
    }

    #[test]
    fn headers_may_be_numbers_but_not_broken() {
        let cells = [
            Cell::Value(json!(2024)),
            Cell::Nothing,
            Cell::Value(json!(true)),
        ];
        assert_eq!(names(&cells, 3).unwrap(), ["2024", "column 2", "true"]);
        let cells = [Cell::Nothing, Cell::Broken("is too long".to_owned())];
        let error = names(&cells, 2).unwrap_err().to_string();
        assert_eq!(error, "the header of column 2 is too long");
    }
}
