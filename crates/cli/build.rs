//! Tells the linker which functions stand together in the program
//! (docs/design/memory-budgets.md).

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

const ORDER: &str = "function-order.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={ORDER}");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if !is("PROFILE", "release") || !is("TARGET", "x86_64-unknown-linux-gnu") {
        return Ok(());
    }
    let mut script = String::from("SECTIONS { .text.ordered : {\n");
    for name in fs::read_to_string(ORDER)?.lines() {
        // The compiler puts what it takes for cold into sections of another name.
        let _ = writeln!(script, "*(.text.{name} .text.unlikely.{name})");
    }
    script.push_str("} }\nINSERT BEFORE .text;\n");
    let folder = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    let path = folder.join("function-order.ld");
    fs::write(&path, script)?;
    println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", path.display());
    Ok(())
}
