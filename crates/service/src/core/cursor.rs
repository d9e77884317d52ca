//! Cursors of lists: where a page ended, so that the next one starts there despite writes in
//! between. Opaque to clients.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use stockroom_filter::{Key, Order};

use crate::Error;
use crate::core::list::request::{ListRequest, Paging};

/// Where a page ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The sort key of the last record.
    pub(crate) key: Key,
    /// Orders records with equal keys.
    pub(crate) tie: Vec<u8>,
}

impl Cursor {
    /// Encodes the cursor for clients.
    #[must_use]
    pub fn write(&self, list: &ListRequest) -> String {
        let mut bytes = order(list);
        bytes.extend(length(&self.tie));
        bytes.extend(&self.tie);
        bytes.extend(self.key.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Decodes a cursor of a list with the same order.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for any other text.
    pub fn read(text: &str, list: &ListRequest) -> Result<Self, Error> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| refused())?;
        Self::split(&bytes, list).ok_or_else(refused)
    }

    fn split(bytes: &[u8], list: &ListRequest) -> Option<Self> {
        let rest = bytes.strip_prefix(order(list).as_slice())?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (tie, key) = rest.split_at_checked(length)?;
        Some(Self {
            key: Key::from(key.to_vec()),
            tie: tie.to_vec(),
        })
    }
}

impl ListRequest {
    /// The cursor after which the page begins.
    pub(crate) fn cursor(&self) -> Result<Option<Cursor>, Error> {
        match &self.paging {
            Paging::After(text) => Cursor::read(text, self).map(Some),
            Paging::Number(_) | Paging::FirstByCursor => Ok(None),
        }
    }
}

/// The refusal of a text that is not a cursor of this list.
pub(crate) fn refused() -> Error {
    Error::invalid(
        "after",
        "is no cursor that a list with this sort and order gave",
    )
}

/// The order of a list as bytes. No other order begins with the same bytes.
fn order(list: &ListRequest) -> Vec<u8> {
    let direction = match list.order {
        Order::Ascending => 0,
        Order::Descending => 1,
    };
    let mut bytes = vec![direction];
    bytes.extend(length(list.sort.as_bytes()));
    bytes.extend(list.sort.as_bytes());
    bytes
}

/// Sorts and identifiers come from bodies and URLs, which are far shorter than 4 GiB.
fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes()
}
