//! `stockroom config`

use crate::config::Flags;
use crate::logging::say;

pub(crate) fn run(flags: Flags) -> anyhow::Result<()> {
    say(flags.resolve()?.to_string().trim_end());
    Ok(())
}
