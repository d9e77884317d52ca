//! Tables in aligned columns.

use rustix::termios::tcgetwinsize;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::column::cell;
use super::text::printable;

const GAP: &str = "  ";
/// A column is not cut below this width.
const NARROWEST: usize = 6;
const CUT: char = '…';

/// The widths of columns, which rows keep.
#[derive(Debug)]
pub(super) struct Layout {
    widths: Vec<usize>,
    /// Columns of numbers end at the right.
    right: Vec<bool>,
    is_cut: bool,
}

impl Layout {
    /// A layout for these rows, no wider than a terminal of this width.
    pub(super) fn new(rows: &[Vec<String>], right: Vec<bool>, terminal: Option<usize>) -> Self {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(width).collect();
        if let Some(terminal) = terminal {
            shrink(&mut widths, terminal);
        }
        Self {
            widths,
            right,
            is_cut: terminal.is_some(),
        }
    }

    /// A row as a line.
    pub(super) fn line(&self, row: &[String]) -> String {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = self.widths.get(column).copied().unwrap_or(0);
            let text = if self.is_cut {
                cut(cell, width)
            } else {
                cell.clone()
            };
            let padding = " ".repeat(width.saturating_sub(text.width()));
            if column > 0 {
                line.push_str(GAP);
            }
            if self.right.get(column).copied().unwrap_or(false) {
                line.extend([padding, text]);
            } else {
                line.extend([text, padding]);
            }
        }
        let mut line = line.trim_end().to_owned();
        line.push('\n');
        line
    }
}

/// A record as a table of members and values.
pub(super) fn record(record: &Value) -> String {
    let mut rows = Vec::new();
    for (name, value) in record.as_object().into_iter().flatten() {
        match value {
            Value::Array(items) if items.iter().any(is_field) => {
                let field = |item: &Value| {
                    let name = cell(item.get("name"));
                    let value = item.get("value");
                    vec![format!("fields.{name}"), cell(value)]
                };
                rows.extend(items.iter().map(field));
            }
            _ => rows.push(vec![name.clone(), cell(Some(value))]),
        }
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(printable_row).collect();
    let layout = Layout::new(&rows, Vec::new(), terminal_width());
    rows.iter().map(|row| layout.line(row)).collect()
}

pub(super) fn printable_row(row: Vec<String>) -> Vec<String> {
    row.into_iter()
        .map(|cell| printable(&cell).into_owned())
        .collect()
}

/// The width of the terminal that standard output is.
pub(super) fn terminal_width() -> Option<usize> {
    let size = tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width > 0)
}

fn is_field(item: &Value) -> bool {
    item.as_object().is_some_and(|members| {
        members.len() == 2 && members.contains_key("name") && members.contains_key("value")
    })
}

/// Takes from the widest columns first.
fn shrink(widths: &mut [usize], terminal: usize) {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(terminal);
    while excess > 0 {
        let widest = widths.iter_mut().max().filter(|width| **width > NARROWEST);
        let Some(widest) = widest else {
            return;
        };
        *widest -= 1;
        excess -= 1;
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(character);
    }
    cut.push(CUT);
    cut
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn columns_are_aligned_by_the_width_that_a_terminal_shows() {
        let rows = [row(&["ID", "NAME", "X"]), row(&["12", "東京", "a"])];
        let layout = Layout::new(&rows, vec![true], None);
        assert_eq!(layout.line(&rows[0]), "ID  NAME  X\n");
        assert_eq!(layout.line(&rows[1]), "12  東京  a\n");
        assert_eq!(layout.line(&row(&["1", "b", ""])), " 1  b\n");
        assert_eq!(layout.line(&row(&["1", "longer", "x"])), " 1  longer  x\n");
    }

    #[test]
    fn the_widest_columns_are_cut_to_the_terminal() {
        let rows = [row(&["12", "a very long description of it", "web-01"])];
        let layout = Layout::new(&rows, Vec::new(), Some(24));
        assert_eq!(layout.line(&rows[0]), "12  a very long…  web-01\n");
        let rows = [row(&["東京東京東京東京"])];
        assert_eq!(
            Layout::new(&rows, Vec::new(), Some(8)).line(&rows[0]),
            "東京東…\n"
        );
    }

    #[test]
    fn a_record_shows_its_fields_in_lines_of_their_own() {
        let object = json!({"public_id": 3, "fields": [{"name": "a", "value": "\u{1b}[1m"}]});
        assert_eq!(record(&object), "public_id  3\nfields.a   \\u001b[1m\n");
    }
}
