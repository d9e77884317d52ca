//! The keys by which names of users and groups are compared.

use stockroom_model::name;

use crate::Error;
use crate::engine::migrate::name_keys::second_key;
use crate::transaction::WriteTx;

impl WriteTx<'_> {
    /// The key to store for a name; `select` returns the id of the record with a key.
    pub(crate) fn free_key(
        &mut self,
        select: &'static str,
        name: &str,
        id: i64,
    ) -> Result<String, Error> {
        let key = name::key(name);
        let holder = self.first(select, &[key.as_str().into()], |row| row.int(0))?;
        let is_free = holder.is_none_or(|holder| holder == id);
        Ok(if is_free { key } else { second_key(&key, id) })
    }
}
