//! The networks that users logged in from.

use stockroom_model::UserId;

use crate::Error;
use crate::transaction::{ReadTx, WriteTx};

const SELECT: &str =
    "SELECT 1 FROM login_network WHERE user_id = ?1 AND network = ?2 AND last_at >= ?3";
const UPSERT: &str = "INSERT INTO login_network (user_id, network, last_at) VALUES (?1, ?2, ?3) \
     ON CONFLICT (user_id, network) DO UPDATE SET last_at = excluded.last_at";
const DELETE_OLD: &str = "DELETE FROM login_network WHERE user_id = ?1 AND (last_at < ?2 OR network NOT IN \
     (SELECT network FROM login_network WHERE user_id = ?1 ORDER BY last_at DESC, network LIMIT ?3))";
const DELETE_OF_USER: &str = "DELETE FROM login_network WHERE user_id = ?1";

/// Networks kept for each user.
const MAX_NETWORKS: i64 = 20;

impl ReadTx<'_> {
    /// Whether a user logged in from a network since `kept_from`, in epoch microseconds. Takes the
    /// same time if there is no such user.
    pub fn is_login_network(
        &mut self,
        user: Option<UserId>,
        network: &str,
        kept_from: i64,
    ) -> Result<bool, Error> {
        let user = user.map_or(0, UserId::get);
        let params = [user.into(), network.into(), kept_from.into()];
        Ok(self.first(SELECT, &params, |_| Ok(()))?.is_some())
    }
}

impl WriteTx<'_> {
    /// Records that a user logged in from a network now, and deletes networks that were last used
    /// before `kept_from`, in epoch microseconds.
    pub fn add_login_network(
        &mut self,
        user: UserId,
        network: &str,
        kept_from: i64,
    ) -> Result<(), Error> {
        let (user, now) = (user.get(), self.context().now.0);
        self.run_one(UPSERT, &[user.into(), network.into(), now.into()])?;
        self.run(
            DELETE_OLD,
            &[user.into(), kept_from.into(), MAX_NETWORKS.into()],
        )?;
        Ok(())
    }

    pub(crate) fn delete_login_networks(&mut self, user: UserId) -> Result<(), Error> {
        self.run(DELETE_OF_USER, &[user.get().into()]).map(drop)
    }
}
