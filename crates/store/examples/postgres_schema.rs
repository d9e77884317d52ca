//! Prints the schema as PostgreSQL gets it.
#![expect(clippy::print_stdout, reason = "printing is its purpose")]

fn main() {
    println!(
        "{}",
        stockroom_store::schema(stockroom_store::Dialect::Postgres)
    );
}
