//! Prints the schema in PostgreSQL's dialect.
#![expect(clippy::print_stdout, reason = "printing is its purpose")]

fn main() {
    println!(
        "{}",
        stockroom_store::schema(stockroom_store::Dialect::Postgres)
    );
}
