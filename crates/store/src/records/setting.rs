//! Settings of users.

use stockroom_model::{Revision, Setting, UserId};

use crate::Error;
use crate::records::image::Before;
use crate::records::record::Record;
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::{Action, Change, ReadTx, WriteTx};

pub(crate) const SELECT_ONE: &str =
    "SELECT revision, doc FROM user_setting WHERE user_id = ?1 AND identifier = ?2";
const SELECT_DOCUMENT: &str = "SELECT doc FROM user_setting WHERE user_id = ?1 AND identifier = ?2";
const SELECT_ALL: &str =
    "SELECT revision, doc FROM user_setting WHERE user_id = ?1 ORDER BY identifier";
const SELECT_USAGE: &str =
    "SELECT COUNT(*), COALESCE(SUM(OCTET_LENGTH(doc)), 0) FROM user_setting WHERE user_id = ?1";
const UPSERT: &str = "INSERT INTO user_setting (user_id, identifier, revision, doc) VALUES (?1, ?2, ?3, ?4) \
     ON CONFLICT (user_id, identifier) DO UPDATE SET revision = excluded.revision, doc = excluded.doc";
const DELETE: &str = "DELETE FROM user_setting WHERE user_id = ?1 AND identifier = ?2";
const SELECT_LAST_REVISION: &str =
    "SELECT MAX(revision) FROM change WHERE record_id = ?1 AND resource = 'setting' AND name = ?2";

impl Record for Setting {}

impl ReadTx<'_> {
    /// One setting of a user.
    pub fn setting(
        &mut self,
        user: UserId,
        identifier: &str,
    ) -> Result<Option<Stored<Setting>>, Error> {
        self.one_record(SELECT_ONE, &[user.get().into(), identifier.into()])
    }

    /// All settings of a user by identifier.
    pub fn settings(&mut self, user: UserId) -> Result<Vec<Stored<Setting>>, Error> {
        self.all_records(SELECT_ALL, &[user.get().into()])
    }
}

/// The number and size of a user's settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SettingUsage {
    /// The number of settings.
    pub count: usize,
    /// The bytes of all their documents.
    pub bytes: usize,
}

impl ReadTx<'_> {
    /// The number and size of a user's settings, without reading them.
    pub fn setting_usage(&mut self, user: UserId) -> Result<SettingUsage, Error> {
        let number = |number: i64| usize::try_from(number).unwrap_or_default();
        let usage = self.first(SELECT_USAGE, &[user.get().into()], |row| {
            Ok(SettingUsage {
                count: number(row.int(0)?),
                bytes: number(row.int(1)?),
            })
        })?;
        Ok(usage.unwrap_or_default())
    }
}

impl WriteTx<'_> {
    /// Inserts a setting; revisions continue after those of a deleted setting with the same
    /// identifier.
    pub fn insert_setting(&mut self, setting: Setting) -> Result<Stored<Setting>, Error> {
        self.put_setting(setting)
    }

    /// Replaces a setting; writes nothing if it is unchanged.
    pub fn update_setting(
        &mut self,
        stored: Stored<Setting>,
        setting: Setting,
    ) -> Result<Stored<Setting>, Error> {
        if setting.is_same(&stored.record)? {
            return Ok(stored);
        }
        self.put_setting(setting)
    }

    fn put_setting(&mut self, setting: Setting) -> Result<Stored<Setting>, Error> {
        let (user, identifier) = (setting.user_id.get(), setting.identifier.as_str());
        let key = [user.into(), identifier.into()];
        let last = self.first(SELECT_LAST_REVISION, &key, |row| row.opt_int(0))?;
        let revision = last
            .flatten()
            .map_or(Revision::FIRST, |last| Revision(last).next());
        let before = self.setting_document(user, identifier)?;
        let after = serde_json::to_string(&setting)?;
        self.record_document(&after);
        let params = [
            user.into(),
            identifier.into(),
            revision.0.into(),
            after.as_str().into(),
        ];
        self.run_one(UPSERT, &params)?;
        let (action, before) = match &before {
            None => (Action::Insert, Before::Nothing),
            Some(before) => {
                let after = &after;
                (Action::Update, Before::Document { before, after })
            }
        };
        self.add_setting_change(&setting, revision, action, before)?;
        Ok(Stored {
            record: setting,
            revision,
        })
    }

    /// Removes a setting.
    pub fn delete_setting(&mut self, stored: &Stored<Setting>) -> Result<(), Error> {
        let (user, identifier) = (
            stored.record.user_id.get(),
            stored.record.identifier.as_str(),
        );
        let before = self.setting_document(user, identifier)?.unwrap_or_default();
        self.run_one(DELETE, &[user.into(), identifier.into()])?;
        self.add_setting_change(
            &stored.record,
            stored.revision.next(),
            Action::Delete,
            Before::Removed(&before),
        )
    }

    fn setting_document(&mut self, user: i64, identifier: &str) -> Result<Option<String>, Error> {
        let key = [user.into(), identifier.into()];
        self.first(SELECT_DOCUMENT, &key, |row| Ok(row.text(0)?.to_owned()))
    }

    fn add_setting_change(
        &mut self,
        setting: &Setting,
        revision: Revision,
        action: Action,
        before: Before<'_>,
    ) -> Result<(), Error> {
        self.add_change(&Change {
            resource: Resource::Setting,
            id: setting.user_id.get(),
            name: &setting.identifier,
            type_id: None,
            revision,
            action,
            before,
        })
    }
}
