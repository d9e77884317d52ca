//! Prints the OpenAPI document.
#![expect(clippy::print_stdout, reason = "printing is its purpose")]

fn main() {
    println!("{:#}", stockroom_http::document());
}
