//! Views, whose columns decide who sees them.

use std::collections::HashSet;

use stockroom_model::View;

use super::Record;
use crate::Error;
use crate::maintenance::check::Checker;
use crate::maintenance::check::report::Kind;
use crate::records::view::Columns;
use crate::resource::Resource;

const SELECT_VIEWS: &str = "SELECT public_id, revision, doc, visibility, owner_id, group_id, type_id, default_of FROM saved_view ORDER BY public_id";

/// The ids of the records that a view may name.
pub(super) struct ReferencedIds {
    pub(super) users: HashSet<i64>,
    pub(super) groups: HashSet<i64>,
    pub(super) types: HashSet<i64>,
}

impl Checker<'_> {
    pub(super) fn check_views(&mut self, named: &ReferencedIds) -> Result<(), Error> {
        let mut columns = Vec::new();
        let rows: Vec<Record<View>> = self.records(Resource::View, SELECT_VIEWS, |row| {
            columns.push(Columns {
                visibility: row.text(3)?.to_owned(),
                owner_id: row.opt_int(4)?,
                group_id: row.opt_int(5)?,
                type_id: row.opt_int(6)?,
                default_of: row.opt_text(7)?.map(str::to_owned),
            });
            Ok((row.int(0)?, row.int(1)?, 2, Vec::new(), 0))
        })?;
        for (row, columns) in rows.into_iter().zip(columns) {
            self.check_links(row.id, &columns, named);
            let Some(record) = row.document else { continue };
            self.expect_id(Resource::View, row.id, record.public_id.get());
            if Columns::of(&record) != columns {
                let line = format!("view {}: its columns differ from the document", row.id);
                self.report.add(Kind::Column, line);
            }
        }
        Ok(())
    }

    fn check_links(&mut self, id: i64, columns: &Columns, named: &ReferencedIds) {
        for (what, of, known) in [
            ("user", columns.owner_id, &named.users),
            ("group", columns.group_id, &named.groups),
            ("type", columns.type_id, &named.types),
        ] {
            if let Some(missing) = of.filter(|of| !known.contains(of)) {
                let line = format!("view {id}: its {what} {missing} does not exist");
                self.report.add(Kind::Link, line);
            }
        }
    }
}
