//! Sources, and the links of their objects.

use std::collections::HashSet;

use stockroom_model::Source;

use super::Record;
use crate::Error;
use crate::maintenance::check::Checker;
use crate::maintenance::check::report::Kind;
use crate::records::source::Columns;
use crate::resource::Resource;

const SELECT_SOURCES: &str =
    "SELECT public_id, revision, doc, name, type_id FROM source ORDER BY public_id";
// Deleted objects may have links until the next import of the source.
const SELECT_LINKED: &str = "SELECT DISTINCT source_id FROM source_object ORDER BY source_id";

impl Checker<'_> {
    pub(super) fn check_sources(&mut self, types: &HashSet<i64>) -> Result<(), Error> {
        let mut columns = Vec::new();
        let rows: Vec<Record<Source>> = self.records(Resource::Source, SELECT_SOURCES, |row| {
            columns.push(Columns {
                name: row.text(3)?.to_owned(),
                type_id: row.int(4)?,
            });
            Ok((row.int(0)?, row.int(1)?, 2, Vec::new(), 0))
        })?;
        let ids: HashSet<i64> = rows.iter().map(|row| row.id).collect();
        for (row, columns) in rows.into_iter().zip(columns) {
            if !types.contains(&columns.type_id) {
                let line = format!(
                    "source {}: its type {} does not exist",
                    row.id, columns.type_id
                );
                self.report.add(Kind::Link, line);
            }
            let Some(record) = row.document else { continue };
            self.expect_id(Resource::Source, row.id, record.public_id.get());
            if Columns::of(&record) != columns {
                let line = format!("source {}: its columns differ from the document", row.id);
                self.report.add(Kind::Column, line);
            }
        }
        self.check_linked(&ids)
    }

    fn check_linked(&mut self, sources: &HashSet<i64>) -> Result<(), Error> {
        let mut unknown = Vec::new();
        self.driver.query(SELECT_LINKED, &[], &mut |row| {
            unknown.extend(Some(row.int(0)?).filter(|id| !sources.contains(id)));
            Ok(())
        })?;
        for id in unknown {
            let line = format!("source {id}: it does not exist, but has objects");
            self.report.add(Kind::Link, line);
        }
        Ok(())
    }
}
