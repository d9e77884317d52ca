//! The list of tables matches the schema.

use crate::engine::driver::Driver;
use crate::engine::table::{Kind, TABLES};
use crate::records::object::tests::test_database::TestDatabase;

const TABLE_NAMES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migration' ORDER BY name";
const COLUMNS: &str =
    "SELECT name, type, \"notnull\" OR pk > 0, pk FROM pragma_table_info(?1) ORDER BY cid";

#[test]
fn every_table_of_the_schema_is_listed() {
    let mut listed: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    listed.sort_unstable();
    let mut found = Vec::new();
    let asked = new_store().query(TABLE_NAMES, &[], &mut |row| {
        found.push(row.text(0)?.to_owned());
        Ok(())
    });
    asked.unwrap();
    assert_eq!(found, listed);
}

#[test]
fn every_column_of_every_table_is_listed_as_what_it_is() {
    let mut connection = new_store();
    for table in TABLES {
        let mut found = Vec::new();
        let mut key = Vec::new();
        let asked = connection.query(COLUMNS, &[table.name.into()], &mut |row| {
            let name = row.text(0)?.to_owned();
            if row.int(3)? > 0 {
                key.push((row.int(3)?, name.clone()));
            }
            found.push((name, row.text(1)?.to_owned(), row.int(2)? == 1));
            Ok(())
        });
        asked.unwrap();
        let listed: Vec<_> = table
            .columns
            .iter()
            .map(|(name, kind)| ((*name).to_owned(), *kind))
            .collect();
        let fits = |((found, spelled, is_needed), (listed, kind)): (
            &(String, String, bool),
            &(String, Kind),
        )| {
            let expected = match kind {
                Kind::Text | Kind::OptText => spelled == "TEXT",
                Kind::Bytes | Kind::OptBytes => spelled == "BLOB",
                _ => ["BIGINT", "INTEGER"].contains(&spelled.as_str()),
            };
            let is_optional = matches!(kind, Kind::OptBytes | Kind::OptInt | Kind::OptText);
            found == listed && expected && *is_needed != is_optional
        };
        assert_eq!(found.len(), listed.len(), "{}", table.name);
        assert!(
            found.iter().zip(&listed).all(fits),
            "{found:?} is listed as {listed:?}"
        );
        key.sort_unstable();
        let is_part = |name: &str| listed.contains(&(name.to_owned(), Kind::Part));
        let key = key.into_iter().map(|(_, name)| name);
        let key: Vec<String> = key.filter(|name| !is_part(name)).collect();
        assert_eq!(key, table.key, "{}", table.name);
    }
}

fn new_store() -> Box<dyn Driver> {
    let database = TestDatabase::sqlite();
    database.open().close();
    database.connection()
}
