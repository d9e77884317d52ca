//! Which files of a crate take something from which others.
//!
//! A name counts for the file that defines it, not for the modules that pass it on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::Context as _;
use quote::ToTokens as _;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::sources::Source;
use crate::words::{Kind, words_of};

/// The parts of the path of a module below its crate.
type ModulePath = Vec<String>;

/// How many modules a name is followed through.
const MOST_PASSED_ON: usize = 16;

/// File → the other files of its crate that it takes something from.
pub(crate) type Imports<'s> = BTreeMap<&'s str, BTreeSet<&'s str>>;

/// Crate → the imports of its files, without tests.
pub(crate) fn of_crates(sources: &[Source]) -> anyhow::Result<BTreeMap<&str, Imports<'_>>> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        let parts = source
            .path
            .strip_prefix("crates/")
            .and_then(|path| path.split_once("/src/"));
        if let Some((crate_name, _)) = parts {
            crates.entry(crate_name).or_default().push(source);
        }
    }
    let read = |(crate_name, sources): (_, Vec<_>)| Ok((crate_name, imports(&sources)?));
    crates.into_iter().map(read).collect()
}

fn imports<'s>(sources: &[&'s Source]) -> anyhow::Result<Imports<'s>> {
    let mut files = Files::default();
    for source in sources {
        let read = Module::read(source).with_context(|| source.path.clone())?;
        files.0.insert(module_path(&source.path), read);
    }
    let taken =
        |(path, module): (&ModulePath, &Module<'s>)| (module.file, files.taken(path, module));
    Ok(files.0.iter().map(taken).collect())
}

/// The modules of a crate.
#[derive(Default)]
struct Files<'s>(HashMap<ModulePath, Module<'s>>);

/// What a file says of its names.
struct Module<'s> {
    file: &'s str,
    /// Name → path, from all `use` items.
    names: HashMap<String, Vec<String>>,
    /// The modules of which all names are taken.
    globs: Vec<Vec<String>>,
    defines: BTreeSet<String>,
    /// The paths that its code names, and those of `use` items that are not passed on.
    paths: Vec<Vec<String>>,
}

impl<'s> Files<'s> {
    fn taken(&self, path: &ModulePath, module: &Module<'s>) -> BTreeSet<&'s str> {
        let named = module.paths.iter();
        let found = named.filter_map(|named| self.find(path, named, MOST_PASSED_ON));
        found.filter(|file| *file != module.file).collect()
    }

    /// The file that defines what `named` means in the module `at`; `None` if that is a module, or
    /// outside of the crate.
    fn find(&self, at: &[String], named: &[String], most: usize) -> Option<&'s str> {
        let (first, rest) = named.split_first()?;
        let most = most.checked_sub(1)?;
        match first.as_str() {
            "crate" => self.find_below(&[], rest, most),
            "self" => self.find_below(at, rest, most),
            "super" => self.find_below(at.split_last()?.1, rest, most),
            _ => self.find_below(at, named, most),
        }
    }

    fn find_below(&self, at: &[String], named: &[String], most: usize) -> Option<&'s str> {
        let (first, rest) = named.split_first()?;
        if first == "super" || first == "self" {
            return self.find(at, named, most);
        }
        let below = child(at, first);
        if self.0.contains_key(&below) {
            return self.find_below(&below, rest, most);
        }
        let module = self.0.get(at)?;
        match module.names.get(first) {
            Some(path) if !module.defines.contains(first) => self.find(at, &join(path, rest), most),
            _ if module.defines.contains(first) => Some(module.file),
            _ => {
                let mut globs = module.globs.iter();
                globs.find_map(|glob| self.find(at, &join(glob, named), most))
            }
        }
    }
}

impl<'s> Module<'s> {
    fn read(source: &'s Source) -> anyhow::Result<Self> {
        let mut module = Self {
            file: &source.path,
            names: HashMap::new(),
            globs: Vec::new(),
            defines: BTreeSet::new(),
            paths: Vec::new(),
        };
        let file = syn::parse_file(&source.text)?;
        module.add_all(file.items);
        Ok(module)
    }

    fn add_all(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Use(item) if !is_test(&item.attrs) => {
                    let passed_on = !matches!(item.vis, Visibility::Inherited);
                    self.add_use(&mut Vec::new(), &item.tree, passed_on);
                }
                Item::Mod(item) if !is_test(&item.attrs) => {
                    // A module in a file counts as the file.
                    self.add_all(item.content.map(|(_, items)| items).unwrap_or_default());
                }
                Item::Use(_) | Item::Mod(_) => {}
                item => self.add_item(&item),
            }
        }
    }

    fn add_item(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        self.defines.extend(name.map(ToString::to_string));
        let words = words_of(item.to_token_stream()).into_iter();
        let paths = words
            .filter(|word| !word.in_test)
            .filter_map(|word| match word.kind {
                Kind::Path(path) => Some(path.split("::").map(str::to_owned).collect()),
                Kind::Text(_) => None,
            });
        self.paths.extend(paths);
    }

    fn add_use(&mut self, before: &mut Vec<String>, tree: &UseTree, passed_on: bool) {
        let (name, ends_with) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_use(before, &path.tree, passed_on);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use(before, tree, passed_on);
                }
                return;
            }
            UseTree::Glob(_) => return self.globs.push(before.clone()),
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.rename.to_string(), rename.ident.to_string()),
        };
        let mut path = before.clone();
        let name = if ends_with == "self" {
            path.last().cloned().unwrap_or_default()
        } else {
            path.push(ends_with);
            name
        };
        if !passed_on {
            self.paths.push(path.clone());
        }
        // What is passed on under its own name is defined here.
        if path != [name.as_str()] {
            self.names.insert(name, path);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let mut texts = attributes
        .iter()
        .map(|attribute| attribute.to_token_stream().to_string());
    texts.any(|text| text.replace(' ', "") == "#[cfg(test)]")
}

/// `crates/x/src/a/b.rs` is the module `a::b`.
fn module_path(file: &str) -> ModulePath {
    let (_, below) = file.split_once("/src/").unwrap_or(("", file));
    let path = below.trim_end_matches(".rs");
    if matches!(path, "lib" | "main") {
        return Vec::new();
    }
    path.split('/').map(str::to_owned).collect()
}

fn child(at: &[String], name: &str) -> ModulePath {
    join(at, &[name.to_owned()])
}

fn join(path: &[String], rest: &[String]) -> Vec<String> {
    path.iter().chain(rest).cloned().collect()
}
