//! Failed logins, counted per network.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

const SELECT: &str = "SELECT doc FROM failed_login WHERE network = ?1";
const UPSERT: &str = "INSERT INTO failed_login (network, last_at, doc) VALUES (?1, ?2, ?3) \
     ON CONFLICT (network) DO UPDATE SET last_at = excluded.last_at, doc = excluded.doc";
const DELETE: &str = "DELETE FROM failed_login WHERE network = ?1";
const DELETE_OLD: &str = "DELETE FROM failed_login WHERE last_at < ?1";

impl ReadTx<'_> {
    /// The failures counted for a network.
    pub fn failed_logins<T: DeserializeOwned>(
        &mut self,
        network: &str,
    ) -> Result<Option<T>, Error> {
        self.first(SELECT, &[network.into()], |row| {
            Ok(serde_json::from_str(row.text(0)?)?)
        })
    }
}

impl WriteTx<'_> {
    /// Replaces the failures counted for a network; `None` deletes them. If the network is new,
    /// also deletes networks whose last failure was before `kept_from`, in epoch microseconds.
    pub fn set_failed_logins<T: Serialize>(
        &mut self,
        network: &str,
        failures: Option<&T>,
        is_new: bool,
        kept_from: i64,
    ) -> Result<(), Error> {
        if is_new {
            self.run(DELETE_OLD, &[kept_from.into()])?;
        }
        let Some(failures) = failures else {
            return self.run(DELETE, &[network.into()]).map(drop);
        };
        let document = serde_json::to_string(failures)?;
        let now = self.context().now.0;
        self.run_one(
            UPSERT,
            &[network.into(), now.into(), document.as_str().into()],
        )
    }
}
