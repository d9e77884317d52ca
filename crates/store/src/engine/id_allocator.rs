//! Ids of objects for several nodes. Each node takes blocks of ids in transactions of their own, so
//! that no write waits for the id of another. Ids that a node did not use are skipped.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;
use crate::engine::driver::Driver as _;
use crate::engine::driver::postgres::Address;
use crate::engine::side_connection::SideConnection;
use crate::resource::Resource;

/// The size of a node's first block; later ones are larger.
const FIRST_BLOCK: i64 = 16;
const LARGEST_BLOCK: i64 = 1_024;

const TAKE: &str = "INSERT INTO sequence (resource, next_id) VALUES (?1, 1 + CAST(?2 AS BIGINT)) \
     ON CONFLICT (resource) DO UPDATE SET next_id = sequence.next_id + CAST(?2 AS BIGINT) RETURNING next_id";
const RAISE: &str = "INSERT INTO sequence (resource, next_id) VALUES (?1, ?2) \
     ON CONFLICT (resource) DO UPDATE SET next_id = GREATEST(sequence.next_id, excluded.next_id)";
const GIVE_BACK: &str = "UPDATE sequence SET next_id = ?2 WHERE resource = ?1 AND next_id = ?3";

/// Allocates object ids in blocks; see the module.
pub(crate) struct IdAllocator {
    connection: SideConnection,
    state: Mutex<State>,
}

/// The ids that one transaction takes.
pub(crate) struct IdLease {
    ids: Arc<IdAllocator>,
    /// Whether clients of other nodes may have claimed the ids, so that each must be looked up.
    pub(crate) may_be_claimed: bool,
    /// The latest contiguous range of taken ids.
    taken: Option<Range<i64>>,
    /// The highest id that a client named.
    claimed: Option<i64>,
}

impl IdLease {
    /// Takes an id that no other node will allocate.
    pub(crate) fn take(&mut self) -> Result<i64, Error> {
        self.apply_claims()?;
        let id = self.ids.take()?;
        let first = match &self.taken {
            Some(taken) if taken.end == id => taken.start,
            _ => id,
        };
        self.taken = Some(first..id + 1);
        Ok(id)
    }

    /// Notes an id that a client named.
    pub(crate) fn claim(&mut self, id: i64) {
        self.claimed = self.claimed.max(Some(id));
    }

    /// Moves the next id past the claimed ones.
    pub(crate) fn apply_claims(&mut self) -> Result<(), Error> {
        match self.claimed.take() {
            Some(claimed) => self.ids.pass(claimed),
            None => Ok(()),
        }
    }

    /// Returns the ids of a failed transaction, unless later ones were taken in the meantime.
    pub(crate) fn give_back(&self) {
        if let Some(taken) = &self.taken {
            self.ids.untake(taken);
        }
    }
}

#[derive(Default)]
struct State {
    /// The next id of the block.
    next: i64,
    /// The first id after the block.
    end: i64,
    size: i64,
}

impl IdAllocator {
    pub(crate) fn new(address: Address) -> Self {
        Self {
            connection: SideConnection::new(address),
            state: Mutex::default(),
        }
    }

    /// Takes an id that no other node will allocate; a client may have claimed it.
    fn take(&self) -> Result<i64, Error> {
        self.with(|state, connection| {
            if state.next >= state.end {
                let size = (state.size * 2).clamp(FIRST_BLOCK, LARGEST_BLOCK);
                let params = [Resource::Object.as_str().into(), size.into()];
                let end = connection.ask(|postgres| {
                    let mut end = 0;
                    postgres.query(TAKE, &params, &mut |row| {
                        end = row.int(0)?;
                        Ok(())
                    })?;
                    Ok(end)
                })?;
                (state.next, state.end, state.size) = (end - size, end, size);
            }
            state.next += 1;
            Ok(state.next - 1)
        })
    }

    /// Moves the next id past `id`, which a client named.
    fn pass(&self, id: i64) -> Result<(), Error> {
        self.with(|state, connection| {
            if id < state.end {
                state.next = state.next.max(id + 1);
                return Ok(());
            }
            let params = [Resource::Object.as_str().into(), (id + 1).into()];
            connection.ask(|postgres| postgres.execute(RAISE, &params))?;
            // The rest of the block is lower than `id`, so it is skipped.
            state.next = state.end;
            Ok(())
        })
    }

    /// A lease for one transaction, which takes ids one by one.
    pub(crate) fn lease(self: &Arc<Self>, may_be_claimed: bool) -> IdLease {
        IdLease {
            ids: Arc::clone(self),
            may_be_claimed,
            taken: None,
            claimed: None,
        }
    }

    /// Takes back ids, unless later ones were taken in the meantime.
    fn untake(&self, taken: &Range<i64>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.next == taken.end {
            state.next = taken.start;
        }
    }

    /// Returns the rest of the block, unless another block was taken in the meantime, so that a
    /// restart leaves no gap.
    pub(crate) fn give_back(&self) {
        let _ = self.with(|state, connection| {
            if state.next < state.end {
                let params = [
                    Resource::Object.as_str().into(),
                    state.next.into(),
                    state.end.into(),
                ];
                connection.ask(|postgres| postgres.execute(GIVE_BACK, &params))?;
            }
            Ok(())
        });
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&mut State, &SideConnection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut state, &self.connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::object::tests::test_database::TestDatabase;

    /// Makes each new block fail with `code`.
    fn failing(code: &str) -> String {
        format!(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             RAISE EXCEPTION 'failed' USING ERRCODE = '{code}'; END $$; \
             CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON sequence EXECUTE FUNCTION fail()"
        )
    }

    #[test]
    fn a_server_that_gives_no_ids_is_told_on_postgres() {
        let database = TestDatabase::postgres();
        database.open().close();
        let TestDatabase::Postgres(config) = &database else {
            unreachable!("it is a server")
        };
        let ids = IdAllocator::new(Address::new(config).unwrap());
        // Conflict, lost connection, cancelled statement, full disk.
        for code in ["40001", "57P01", "57014", "53100"] {
            // From now on it has a connection.
            ids.take().unwrap();
            database.writer().script(&failing(code)).unwrap();
            let refused = std::iter::repeat_with(|| ids.take()).find_map(Result::err);
            let refused = refused.unwrap();
            let is_told = match code {
                "53100" => matches!(refused, Error::DiskFull(_)),
                _ => matches!(refused, Error::Unavailable(_)),
            };
            assert!(is_told, "{code}: {refused:?}");
            let mend = "DROP FUNCTION fail CASCADE";
            database.writer().script(mend).unwrap();
        }
        ids.take().unwrap();
    }
}
