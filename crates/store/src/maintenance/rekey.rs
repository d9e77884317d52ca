//! Replaces the encrypted values of all objects, for a new master key, while nobody else writes.

use crate::engine::driver::Driver;
use crate::engine::migrate;
use crate::maintenance::offline;
use crate::records::idempotency_key::FORGET_DIGESTS;
use crate::records::instance::{INSERT as INSERT_FACT, SELECT as SELECT_FACT};
use crate::{Error, Location};

/// Objects read at a time.
const PAGE: i64 = if cfg!(test) { 2 } else { 1_000 };

const SELECT_SECRETS: &str = "SELECT public_id, secrets FROM object \
     WHERE public_id > ?1 AND secrets IS NOT NULL ORDER BY public_id LIMIT ?2";
const SET_SECRETS: &str = "UPDATE object SET secrets = ?2 WHERE public_id = ?1";
const DELETE_FACT: &str = "DELETE FROM instance WHERE name = ?1";
const DELETE_SESSIONS: &str = "DELETE FROM login_session";

/// The transaction of a new master key.
pub struct RekeyTx<'t> {
    driver: &'t mut dyn Driver,
}

/// Runs `work` in one transaction, and commits it. Servers must be stopped; nodes of a server wait.
///
/// # Errors
///
/// The errors of `work`, and [`Error::Locked`] or [`Error::Missing`]; nothing is then changed.
pub fn rekey<T: Send, E: From<Error> + Send>(
    location: &Location,
    work: impl FnOnce(&mut RekeyTx<'_>) -> Result<T, E> + Send,
) -> Result<T, E> {
    std::thread::scope(|threads| {
        // A connection to a server cannot be used on a thread of asynchronous code.
        let working = threads.spawn(|| {
            // The writer would create what is missing.
            drop(offline::lock(location)?);
            let mut reader = offline::reader(location)?;
            if !migrate::has_journal(reader.as_mut())? {
                return Err(Error::Missing(location.to_string()).into());
            }
            drop(reader);
            let (mut driver, _lock) = offline::writer(location)?;
            let driver = driver.as_mut();
            migrate::check(driver)?;
            driver.script(offline::begin_exclusive(driver.dialect()))?;
            // An error closes the connection, which rolls back.
            let done = work(&mut RekeyTx { driver })?;
            driver.script("COMMIT")?;
            Ok(done)
        });
        working.join().unwrap_or_else(|_| Err(Error::Closed.into()))
    })
}

impl RekeyTx<'_> {
    /// A fact about the installation.
    pub fn fact(&mut self, name: &str) -> Result<Option<String>, Error> {
        let mut found = None;
        self.driver.query(SELECT_FACT, &[name.into()], &mut |row| {
            found = Some(row.text(0)?.to_owned());
            Ok(())
        })?;
        Ok(found)
    }

    /// Replaces a fact, or removes it.
    pub fn set_fact(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        self.driver.execute(DELETE_FACT, &[name.into()])?;
        if let Some(value) = value {
            self.driver
                .execute(INSERT_FACT, &[name.into(), value.into()])?;
        }
        Ok(())
    }

    /// Replaces the secrets of every object that has some, without a new revision, as their plain
    /// values stay. Returns the number of objects.
    pub fn rewrite_secrets<E: From<Error>>(
        &mut self,
        mut rewrite: impl FnMut(i64, &str) -> Result<String, E>,
    ) -> Result<u64, E> {
        let (mut last, mut count) = (i64::MIN, 0);
        loop {
            let mut page = Vec::new();
            let params = [last.into(), PAGE.into()];
            self.driver.query(SELECT_SECRETS, &params, &mut |row| {
                page.push((row.int(0)?, row.text(1)?.to_owned()));
                Ok(())
            })?;
            let Some((highest, _)) = page.last() else {
                return Ok(count);
            };
            last = *highest;
            for (id, secrets) in page {
                let secrets = rewrite(id, &secrets)?;
                self.driver
                    .execute(SET_SECRETS, &[id.into(), secrets.as_str().into()])?;
                count += 1;
            }
        }
    }

    /// Forgets the digests of requests, which were made with the old key. The keys stay taken.
    pub fn forget_request_digests(&mut self) -> Result<(), Error> {
        self.driver.execute(FORGET_DIGESTS, &[]).map(drop)
    }

    /// Removes all sessions: tokens of the old key are not valid any more.
    pub fn delete_login_sessions(&mut self) -> Result<(), Error> {
        self.driver.execute(DELETE_SESSIONS, &[]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::object::tests::test_database::{TestDatabase, both};

    const OBJECTS: i64 = 7;
    const INSERT: &str = "INSERT INTO object (public_id, type_id, active, revision, secrets, doc) VALUES (?1, 1, 1, 1, ?2, '{}')";
    const INSERT_SESSION: &str = "INSERT INTO login_session (id, user_id, generation, jti, started_at, refreshed_at, expires_at, address, user_agent) VALUES ('a', 1, 1, 'b', 1, 1, 1, '', '')";
    const SELECT: &str = "SELECT secrets FROM object ORDER BY public_id";
    const SELECT_SESSION: &str = "SELECT id FROM login_session";

    /// Every second object has secrets.
    fn filled(database: TestDatabase) -> TestDatabase {
        database.open().close();
        let mut driver = database.writer();
        for id in 1..=OBJECTS {
            let secrets = (id % 2 == 1).then_some("old");
            driver
                .execute(INSERT, &[id.into(), secrets.into()])
                .unwrap();
        }
        driver.execute(INSERT_SESSION, &[]).unwrap();
        database
    }

    fn texts(database: &TestDatabase, sql: &str) -> Vec<Option<String>> {
        let mut texts = Vec::new();
        let read = database.connection().query(sql, &[], &mut |row| {
            texts.push(row.opt_text(0)?.map(str::to_owned));
            Ok(())
        });
        read.unwrap();
        texts
    }

    both!(all_secrets_are_rewritten_once, check_all);

    fn check_all(database: fn() -> TestDatabase) {
        let database = filled(database());
        let count = rekey::<_, Error>(&database.location(), |tx| {
            tx.delete_login_sessions()?;
            tx.set_fact("a", Some("1"))?;
            tx.set_fact("a", Some("2"))?;
            assert_eq!(tx.fact("a")?.as_deref(), Some("2"));
            tx.set_fact("a", None)?;
            assert_eq!(tx.fact("a")?, None);
            tx.rewrite_secrets(|id, old| Ok::<_, Error>(format!("{old} {id}")))
        });
        assert_eq!(count.unwrap(), 4);
        let secrets = texts(&database, SELECT);
        let expected = [
            Some("old 1"),
            None,
            Some("old 3"),
            None,
            Some("old 5"),
            None,
            Some("old 7"),
        ];
        assert_eq!(secrets, expected.map(|text| text.map(str::to_owned)));
        assert!(texts(&database, SELECT_SESSION).is_empty());
    }

    both!(
        a_rewrite_that_ends_in_the_middle_changes_nothing,
        check_undone
    );

    fn check_undone(database: fn() -> TestDatabase) {
        let database = filled(database());
        let before = texts(&database, SELECT);
        for is_panic in [false, true] {
            let ended = rekey::<_, Error>(&database.location(), |tx| {
                tx.delete_login_sessions()?;
                tx.rewrite_secrets(|id, _| {
                    assert!(id < 5 || !is_panic, "so it is meant");
                    if id < 5 {
                        Ok("new".to_owned())
                    } else {
                        Err(Error::Closed)
                    }
                })
            });
            assert!(matches!(ended, Err(Error::Closed)));
            assert_eq!(texts(&database, SELECT), before);
            assert_eq!(texts(&database, SELECT_SESSION).len(), 1);
        }
    }
}
