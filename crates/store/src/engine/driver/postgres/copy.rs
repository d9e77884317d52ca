//! Rows as a stream, which the server takes faster than arrays: it writes many rows of a page at once,
//! and begins before the last one is sent.

use futures_util::pin_mut;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::{Postgres, within};
use crate::Error;
use crate::engine::driver::Param;

/// From so many rows on, a stream takes less time than arrays, although it needs a round trip more.
const MIN_ROWS: usize = 256;

/// Whether so many rows of that width should be streamed.
pub(super) const fn is_worthwhile(params: usize, width: usize) -> bool {
    params >= MIN_ROWS * width
}

impl Postgres {
    /// Streams rows, which `params` holds one after another.
    pub(super) fn copy(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        width: usize,
    ) -> Result<u64, Error> {
        let statement = self.prepare(sql)?;
        let client = &self.client;
        let copied = async {
            let sink = client.copy_in(&statement).await?;
            let writer = BinaryCopyInWriter::new(sink, &kinds(params, width));
            pin_mut!(writer);
            for row in params.chunks(width) {
                writer.as_mut().write_raw(row.iter().copied()).await?;
            }
            writer.finish().await
        };
        let copied = self.runtime.block_on(within(self.answer_timeout, copied));
        copied.map_err(|failure| self.failed(failure))
    }
}

/// The types of the columns. A column of NULLs may have any.
fn kinds(params: &[Param<'_>], width: usize) -> Vec<Type> {
    let kind = |index: usize| {
        let mut kinds = params.iter().skip(index).step_by(width).map(Param::kind);
        kinds.find(|kind| *kind != Type::UNKNOWN)
    };
    (0..width)
        .map(|index| kind(index).unwrap_or(Type::UNKNOWN))
        .collect()
}
