//! `stockroom search`

use clap::Args;
use serde_json::Value;

use crate::connection::{ConnectionFlags, Cursors, Request};
use crate::failure::Failure;
use crate::output::{ListOutputFlags, Printer, complain};

const COLUMNS: [&str; 5] = ["kind", "public_id", "title", "field.label", "value"];
/// The server gives no more at once.
const PAGE: u64 = 100;

/// What to search for.
#[derive(Args)]
pub struct Flags {
    /// What to search for; all words must be found
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Results at most
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    limit: u64,
    #[command(flatten)]
    output: ListOutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Prints the results, the best ones first.
pub(crate) fn run_search(flags: &Flags) -> Result<(), Failure> {
    let connection = flags.connection.connect()?;
    let words = flags.words.join(" ");
    let mut printer = Printer::new(&flags.output, &COLUMNS);
    let mut after: Option<String> = None;
    let mut cursors = Cursors::default();
    loop {
        let left = flags.limit - printer.printed();
        let mut request = Request::get("/search");
        request.parameters.push(("q", words.clone()));
        let limit = left.clamp(1, PAGE);
        request.parameters.push(("limit", limit.to_string()));
        if let Some(after) = &after {
            request.parameters.push(("after", after.clone()));
        }
        let mut answer = connection.send(&request)?;
        let mut results = answer.take_results();
        after = cursors.next(&answer, results.len())?;
        results.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        printer.page(&results)?;
        if after.is_none() || printer.printed() >= flags.limit {
            printer.finish()?;
            let total = answer.document.get("total").and_then(Value::as_u64);
            let total = total.filter(|total| *total > printer.printed());
            if let Some(total) = total.filter(|_| printer.is_table()) {
                complain(&format!(
                    "{} of {total}; --limit shows more",
                    printer.printed()
                ));
            }
            return Ok(());
        }
    }
}
