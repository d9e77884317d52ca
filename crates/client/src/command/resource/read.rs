//! `stockroom RESOURCE get`

use clap::Args;

use super::lookup::Lookup;
use crate::connection::{ConnectionFlags, Request};
use crate::failure::Failure;
use crate::output::OutputFlags;
use crate::resource::Resource;

/// Which record to read.
#[derive(Args)]
pub struct Flags {
    /// Id or name of the record; objects have ids only
    #[arg(value_name = "RECORD")]
    record: String,
    /// The record as it was at this revision
    #[arg(long, value_name = "NUMBER")]
    revision: Option<u64>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl Flags {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let lookup = Lookup {
            connection: &connection,
            resource,
        };
        let record = match self.revision {
            Some(revision) => {
                let id = lookup.id(&self.record)?;
                let path = format!("{}/history/{revision}", resource.record(id));
                connection.send(&Request::get(&path))?.into_record()
            }
            None => lookup.record(&self.record)?,
        };
        self.output.record(&record)
    }
}
