//! Makes static pages of `docs/guide`, which has the layout of an mdBook.

mod chapter;
mod html;
mod layout;
mod search;
mod summary;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use chapter::Chapter;
use summary::Entry;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Pages outside of the guide, below `docs`, that it links to: the part of each, its title and its
/// file.
const APPENDIX: [(&str, &str, &str); 1] = [("Administer", "Deployment", "deployment.md")];

fn main() -> Result<()> {
    let crate_root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let docs = crate_root.join("../../docs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    watch(&["build", "assets", "../../docs/guide"])?;
    let entries = entries(&docs)?;
    let chapters = chapters(&entries)?;
    let mut files = Vec::new();
    for (index, chapter) in chapters.iter().enumerate() {
        let page = layout::page(&entries, &chapters, index);
        files.push((chapter.page.clone(), "text/html; charset=utf-8", page));
    }
    let index = search::index(&chapters);
    files.push(("search.json".to_owned(), "application/json", index));
    for (name, kind) in [("guide.css", "text/css"), ("search.js", "text/javascript")] {
        let text = read(&crate_root.join("assets").join(name))?;
        files.push((name.to_owned(), kind, text));
    }
    files.sort();
    write(&out, &files)
}

/// Tells cargo to rebuild when these files change.
fn watch(paths: &[&str]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in paths {
        writeln!(out, "cargo::rerun-if-changed={path}")?;
    }
    for (_, _, file) in APPENDIX {
        writeln!(out, "cargo::rerun-if-changed=../../docs/{file}")?;
    }
    Ok(())
}

/// The chapters in order, with those of the appendix at the end of their parts.
fn entries(docs: &Path) -> Result<Vec<Entry>> {
    let source = docs.join("guide/src");
    let mut entries = summary::entries(&read(&source.join("SUMMARY.md"))?, &source);
    for (part, title, file) in APPENDIX {
        let is_before = |entry: &Entry| entry.part.as_deref() == Some(part);
        let place = entries
            .iter()
            .rposition(is_before)
            .map_or(entries.len(), |last| last + 1);
        entries.insert(place, Entry::new(title, file, docs, Some(part)));
    }
    Ok(entries)
}

fn chapters(entries: &[Entry]) -> Result<Vec<Chapter>> {
    let read = |entry: &Entry| Ok(Chapter::read(&entry.page, &read(&entry.source)?));
    entries.iter().map(read).collect()
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Writes the files, and the Rust expression that includes them.
fn write(out: &Path, files: &[(String, &str, String)]) -> Result<()> {
    let mut list = "&[\n".to_owned();
    for (name, kind, text) in files {
        fs::write(out.join(name), text)?;
        writeln!(
            list,
            "File {{ name: {name:?}, content_type: {kind:?}, digest: \"{:016x}\", \
             text: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}\")) }},",
            digest(text)
        )?;
    }
    list.push(']');
    fs::write(out.join("files.rs"), list)?;
    Ok(())
}

/// FNV-1a. It is stable across compilers, unlike the hasher of the standard library.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
