//! `stockroom object`, `type`, `category`, `user`, `group`, `view` and `source`: the same actions
//! for all.

mod history;
mod list;
mod lookup;
mod read;
mod write;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::resource::Resource;

pub(crate) use self::list::equality;
pub(crate) use self::lookup::has_value;
pub(crate) use self::lookup::{Lookup, author, id};
pub(crate) use self::write::complete;

/// An action on the records of a resource. `L` and `C` are the flags that only some resources have
/// for lists and inserts.
#[derive(Subcommand)]
pub enum Action<L: ListScope, C: InsertScope> {
    /// List records
    List(list::Flags<L>),
    /// Print a record as it is stored
    Get(read::Flags),
    /// Insert a record
    Create(write::Create<C>),
    /// Change members of a record
    Update(write::Update),
    /// Delete records
    Delete(write::Delete),
    /// List the changes of a record, the newest first
    History(history::Flags),
    /// Bring a record back as it was, also after it was deleted
    Restore(history::Restore),
}

impl<L: ListScope, C: InsertScope> Action<L, C> {
    pub(crate) fn run(self, resource: &'static Resource) -> Result<(), Failure> {
        match self {
            Self::List(flags) => flags.run(resource),
            Self::Get(flags) => flags.run(resource),
            Self::Create(flags) => flags.run(resource),
            Self::Update(flags) => flags.run(resource),
            Self::Delete(flags) => flags.run(resource),
            Self::History(flags) => flags.run(resource),
            Self::Restore(flags) => flags.run(resource),
        }
    }
}

/// Flags that only some resources have for lists.
pub trait ListScope: Args {
    /// The type by name or id, what to search for, and whether only active records are listed.
    fn scope(&self) -> Scope<'_>;
}

/// Flags that only some resources have for inserts.
pub trait InsertScope: Args {
    /// The type by name or id.
    fn type_name(&self) -> Option<&str>;
}

/// What narrows a list down, besides its filter.
#[derive(Default)]
pub struct Scope<'a> {
    pub(crate) type_name: Option<&'a str>,
    pub(crate) words: Option<&'a str>,
    pub(crate) active: bool,
}

/// The flags of resources that have no others.
#[derive(Args)]
pub struct NoFlags {}

/// The flags of lists of objects.
#[derive(Args)]
pub struct ObjectList {
    /// Name or id of the type of the objects
    #[arg(long = "type", value_name = "TYPE")]
    type_name: Option<String>,
    /// What the objects must contain, as in a search
    #[arg(short = 'q', long = "query", value_name = "WORDS")]
    words: Option<String>,
    /// Only objects that are in use
    #[arg(long)]
    active: bool,
}

/// The flag of inserts of objects.
#[derive(Args)]
pub struct ObjectType {
    /// Name or id of the type of the object
    #[arg(long = "type", value_name = "TYPE")]
    type_name: Option<String>,
}

impl ListScope for NoFlags {
    fn scope(&self) -> Scope<'_> {
        Scope::default()
    }
}

impl InsertScope for NoFlags {
    fn type_name(&self) -> Option<&str> {
        None
    }
}

impl ListScope for ObjectList {
    fn scope(&self) -> Scope<'_> {
        Scope {
            type_name: self.type_name.as_deref(),
            words: self.words.as_deref(),
            active: self.active,
        }
    }
}

impl InsertScope for ObjectType {
    fn type_name(&self) -> Option<&str> {
        self.type_name.as_deref()
    }
}
