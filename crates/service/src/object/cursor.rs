//! The cursors of lists: where a page ended, so that the next one begins there whatever was written meanwhile. Opaque to clients.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use stockroom_filter::{Key, Order};
use stockroom_store::Position;

use crate::Error;
use crate::list::ListRequest;

const ID_BYTES: usize = 8;

/// The cursor of a position: what the list is ordered by, the id, the key.
pub(super) fn write(end: &Position, list: &ListRequest) -> String {
    let mut bytes = order(list);
    bytes.extend(end.id.to_be_bytes());
    bytes.extend(end.key.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The position of a cursor.
pub(super) fn read(cursor: &str, list: &ListRequest) -> Result<Position, Error> {
    let refused = || {
        Error::invalid(
            "after",
            "is no cursor that a list with this sort and order gave",
        )
    };
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
    let rest = bytes
        .strip_prefix(order(list).as_slice())
        .ok_or_else(refused)?;
    let (id, key) = rest.split_first_chunk::<ID_BYTES>().ok_or_else(refused)?;
    Ok(Position {
        key: Key::from(key.to_vec()),
        id: i64::from_be_bytes(*id),
    })
}

/// What a list is ordered by; no other order begins with these bytes.
fn order(list: &ListRequest) -> Vec<u8> {
    let direction = match list.order {
        Order::Ascending => 0,
        Order::Descending => 1,
    };
    let mut bytes = vec![direction];
    bytes.extend((list.sort.len() as u64).to_be_bytes());
    bytes.extend(list.sort.as_bytes());
    bytes
}
