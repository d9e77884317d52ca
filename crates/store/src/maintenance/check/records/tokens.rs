//! API tokens, whose columns repeat members of their documents.

use std::collections::HashSet;

use stockroom_model::{ApiToken, name};

use super::Record;
use crate::Error;
use crate::maintenance::check::Checker;
use crate::maintenance::check::report::Kind;
use crate::resource::Resource;

const SELECT_TOKENS: &str =
    "SELECT public_id, revision, doc, name_key, user_id FROM api_token ORDER BY public_id";

impl Checker<'_> {
    pub(super) fn check_tokens(&mut self, users: &HashSet<i64>) -> Result<(), Error> {
        let mut owners = Vec::new();
        let rows: Vec<Record<ApiToken>> = self.records(Resource::Token, SELECT_TOKENS, |row| {
            owners.push(row.int(4)?);
            let texts = vec![row.text(3)?.to_owned()];
            Ok((row.int(0)?, row.int(1)?, 2, texts, 0))
        })?;
        for (row, owner) in rows.into_iter().zip(owners) {
            if !users.contains(&owner) {
                let line = format!("token {}: its user {owner} does not exist", row.id);
                self.report.add(Kind::Link, line);
            }
            let Some(record) = row.document else { continue };
            self.expect_id(Resource::Token, row.id, record.public_id.get());
            let key = name::key(&record.name);
            if record.user_id.get() != owner || row.texts.first() != Some(&key) {
                let line = format!("token {}: its columns differ from the document", row.id);
                self.report.add(Kind::Column, line);
            }
        }
        Ok(())
    }
}
