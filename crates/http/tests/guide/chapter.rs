//! The Markdown files of the guide.

use std::fs;
use std::path::{Path, PathBuf};

const SOURCE: &str = "docs/guide/src";

/// A chapter: alternating prose and code blocks.
pub(crate) struct Chapter {
    /// The file name.
    pub(crate) name: String,
    pub(crate) parts: Vec<Part>,
}

/// A part of a chapter.
pub(crate) enum Part {
    /// Whole lines.
    Prose(String),
    /// The text between two fences.
    Code(Block),
}

/// A fenced block of code.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
    /// The line number of its first fence.
    pub(crate) line: usize,
}

/// The chapters in the order of the summary.
pub(crate) fn chapters() -> Vec<Chapter> {
    let summary = read("SUMMARY.md");
    let links = summary.split("](").skip(1);
    let names = links.map(|rest| rest.split(')').next().unwrap_or_default());
    names
        .map(|name| Chapter::parse(name, &read(name)))
        .collect()
}

/// All Markdown files but the summary.
pub(crate) fn files() -> Vec<String> {
    let files = fs::read_dir(root().join(SOURCE)).expect("the guide");
    let names = files.map(|file| file.expect("a file").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    names.sort();
    names
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    let path = root().join(SOURCE).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Chapter {
    fn parse(name: &str, markdown: &str) -> Self {
        let mut parts = Vec::new();
        let mut prose = String::new();
        let mut lines = markdown.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            let Some(language) = line.strip_prefix("```") else {
                assert!(
                    !line.trim_start().starts_with("```") && !line.trim_start().starts_with("~~~"),
                    "{name}:{number}: a fence begins its line, with three backticks"
                );
                prose += line;
                prose.push('\n');
                continue;
            };
            parts.push(Part::Prose(std::mem::take(&mut prose)));
            let inner = lines.by_ref().map(|(line, _)| line);
            let text: Vec<&str> = inner.take_while(|line| *line != "```").collect();
            parts.push(Part::Code(Block {
                language: language.to_owned(),
                text: text.join("\n"),
                line: number,
            }));
        }
        parts.push(Part::Prose(prose));
        Self {
            name: name.to_owned(),
            parts,
        }
    }

    /// The path of its file, from the root of the repository.
    pub(crate) fn path(&self) -> String {
        format!("{SOURCE}/{}", self.name)
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.parts.iter().filter_map(|part| match part {
            Part::Code(block) => Some(block),
            Part::Prose(_) => None,
        })
    }

    pub(crate) fn has_requests(&self) -> bool {
        self.blocks().any(|block| block.language == "http")
    }

    /// The whole file.
    pub(crate) fn text(&self) -> String {
        self.parts.iter().map(Part::text).collect()
    }
}

impl Part {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Prose(lines) => lines.clone(),
            Self::Code(block) => block.with(&block.text),
        }
    }
}

impl Block {
    /// The block with other content.
    pub(crate) fn with(&self, text: &str) -> String {
        let end = if text.is_empty() { "" } else { "\n" };
        format!("```{}\n{text}{end}```\n", self.language)
    }
}
