//! Types, categories, users and groups that match. They are few, so that their texts are read.

use stockroom_access::permission::{CategoryView, GroupView, TypeView, UserView};
use stockroom_search::{Folded, Pattern};
use stockroom_store::{Rank, ReadTx};

use super::{Field, Hit, Kind, cut, name_of};
use crate::Error;
use crate::core::access::Access;

/// A record with its texts by name. The first two are the names that people know it by.
struct Record<'t> {
    kind: Kind,
    public_id: i64,
    title: String,
    texts: Vec<(&'static str, &'t str)>,
}

/// Of how many of its texts the title is made.
const NAMES: usize = 2;

/// Those that all patterns match, of each kind that the caller may view.
pub(super) fn matches(
    tx: &mut ReadTx<'_>,
    access: &Access,
    patterns: &[&Pattern],
) -> Result<Vec<(Rank, Hit)>, Error> {
    let mut found = Vec::new();
    let mut add = |record: Record<'_>| found.extend(record.matched(patterns));
    if access.holds::<TypeView>() {
        for entry in tx.catalog().types() {
            let known = &entry.record;
            let description = known.description.as_deref().unwrap_or_default();
            add(Record {
                kind: Kind::Type,
                public_id: known.public_id.get(),
                title: name_of(known).to_owned(),
                texts: vec![
                    ("label", &known.label),
                    ("name", &known.name),
                    ("description", description),
                ],
            });
        }
    }
    if access.holds::<UserView>() {
        for user in tx.catalog().users() {
            add(Record {
                kind: Kind::User,
                public_id: user.id.get(),
                title: user.display_name.clone(),
                texts: vec![
                    ("display_name", &user.display_name),
                    ("user_name", &user.user_name),
                    ("email", user.email.as_deref().unwrap_or_default()),
                ],
            });
        }
    }
    if access.holds::<CategoryView>() {
        for category in tx.categories()? {
            let category = category.record;
            add(Record {
                kind: Kind::Category,
                public_id: category.public_id.get(),
                title: category.label.clone(),
                texts: vec![("label", &category.label), ("name", &category.name)],
            });
        }
    }
    if access.holds::<GroupView>() {
        for group in tx.groups()? {
            let group = group.record;
            add(Record {
                kind: Kind::Group,
                public_id: group.public_id.get(),
                title: group.label.clone(),
                texts: vec![("label", &group.label), ("name", &group.name)],
            });
        }
    }
    Ok(found)
}

impl Record<'_> {
    /// Its rank and what people see of it; `None` if a pattern is not found.
    fn matched(self, patterns: &[&Pattern]) -> Option<(Rank, Hit)> {
        let folded: Vec<Folded> = self
            .texts
            .iter()
            .map(|(_, text)| Folded::new(text))
            .collect();
        let best = |pattern: &&Pattern| {
            let found = folded.iter().enumerate().filter_map(|(index, folded)| {
                let found = pattern.find(folded)?;
                let rank = Rank {
                    class: found.class,
                    is_beside_summary: index >= NAMES,
                };
                Some((rank, index, found.at))
            });
            found.min()
        };
        let best: Option<Vec<_>> = patterns.iter().map(best).collect();
        let best = best?;
        let (_, index, at) = *best.first()?;
        let (name, text) = *self.texts.get(index)?;
        let rank = best.iter().map(|(rank, ..)| *rank).max()?;
        let hit = Hit {
            kind: self.kind,
            public_id: self.public_id,
            type_id: None,
            title: self.title,
            field: Some(Field {
                name: name.to_owned(),
                label: name.to_owned(),
            }),
            value: Some(cut(text, at)),
        };
        Some((rank, hit))
    }
}
