//! Views.

use stockroom_model::view::Visibility;
use stockroom_model::{GroupId, Revision, TypeId, UserId, View, ViewId};

use crate::Error;
use crate::engine::driver::Param;
use crate::records::record::{Record, Statements};
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteContext, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM saved_view WHERE public_id = ?1";
const SELECT_ONE_SEEN: &str = "SELECT revision, doc FROM saved_view WHERE public_id = ?4 \
     AND (owner_id = ?1 OR visibility = 'all' OR visibility = 'group' AND group_id = ?2) \
     AND (type_id IS NULL OR type_id NOT IN (SELECT value FROM rarray(?3)))";
const SELECT_ALL_SEEN: &str = "SELECT revision, doc FROM saved_view \
     WHERE (owner_id = ?1 OR visibility = 'all' OR visibility = 'group' AND group_id = ?2) \
     AND (type_id IS NULL OR type_id NOT IN (SELECT value FROM rarray(?3))) ORDER BY public_id";
const SELECT_OF_OWNER: &str =
    "SELECT revision, doc FROM saved_view WHERE owner_id = ?1 ORDER BY public_id";
const SELECT_OF_GROUP: &str =
    "SELECT revision, doc FROM saved_view WHERE group_id = ?1 ORDER BY public_id";
const SELECT_OF_TYPE: &str =
    "SELECT revision, doc FROM saved_view WHERE type_id = ?1 ORDER BY public_id";
const SELECT_DEFAULT: &str = "SELECT public_id FROM saved_view WHERE default_of = ?1";
const SELECT_USAGE: &str =
    "SELECT COUNT(*), COALESCE(SUM(OCTET_LENGTH(doc)), 0) FROM saved_view WHERE owner_id = ?1";
const STATEMENTS: Statements = Statements {
    resource: Resource::View,
    document: "SELECT doc FROM saved_view WHERE public_id = ?1",
    insert: "INSERT INTO saved_view (public_id, revision, doc, visibility, owner_id, group_id, type_id, default_of) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    update: "UPDATE saved_view SET revision = ?2, doc = ?3, visibility = ?4, owner_id = ?5, group_id = ?6, type_id = ?7, default_of = ?8 WHERE public_id = ?1",
    delete: "DELETE FROM saved_view WHERE public_id = ?1",
};

/// A user who reads views, with the types whose objects it must not see.
#[derive(Debug, Clone)]
pub struct ViewReader {
    user: i64,
    group: i64,
    hidden: Vec<i64>,
}

impl ViewReader {
    /// A user of a group.
    #[must_use]
    pub fn new(user: UserId, group: GroupId, hidden: &[TypeId]) -> Self {
        Self {
            user: user.get(),
            group: group.get(),
            hidden: hidden.iter().map(|id| id.get()).collect(),
        }
    }

    fn params(&self) -> [Param<'_>; 3] {
        [
            self.user.into(),
            self.group.into(),
            Param::Ints(&self.hidden),
        ]
    }
}

/// The number and size of a user's views.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ViewUsage {
    /// The number of views.
    pub count: usize,
    /// The bytes of all their documents.
    pub bytes: usize,
}

/// The columns that repeat members of the document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) visibility: String,
    pub(crate) owner_id: Option<i64>,
    pub(crate) group_id: Option<i64>,
    pub(crate) type_id: Option<i64>,
    pub(crate) default_of: Option<String>,
}

impl Columns {
    pub(crate) fn of(view: &View) -> Self {
        Self {
            visibility: view.visibility.as_str().to_owned(),
            owner_id: view.owner_id.map(UserId::get),
            group_id: view.group_id.map(GroupId::get),
            type_id: view.type_id.map(TypeId::get),
            default_of: view.is_default.then(|| default_of(view)),
        }
    }

    fn params(&self) -> [Param<'_>; 5] {
        [
            self.visibility.as_str().into(),
            self.owner_id.into(),
            self.group_id.into(),
            self.type_id.into(),
            self.default_of.as_deref().into(),
        ]
    }
}

/// The objects and the people for whom only one view opens first.
fn default_of(view: &View) -> String {
    let of_type = view.type_id.map_or(0, TypeId::get);
    let of = match view.visibility {
        Visibility::All => 0,
        Visibility::Group => view.group_id.map_or(0, GroupId::get),
        Visibility::Private => view.owner_id.map_or(0, UserId::get),
    };
    format!("{of_type} {} {of}", view.visibility.as_str())
}

impl Record for View {
    fn record_edit(&mut self, context: &WriteContext) {
        self.last_edit_time = Some(context.now.to_iso());
    }
}

impl ReadTx<'_> {
    /// Whether a view has that id, also one that the caller must not see.
    pub fn has_view(&mut self, id: ViewId) -> Result<bool, Error> {
        let found = self.one_record::<View>(SELECT_ONE, &[id.get().into()])?;
        Ok(found.is_some())
    }

    /// The view of that id, if the reader sees it.
    pub fn view_seen_by(
        &mut self,
        reader: &ViewReader,
        id: ViewId,
    ) -> Result<Option<Stored<View>>, Error> {
        let [user, group, hidden] = reader.params();
        self.one_record(SELECT_ONE_SEEN, &[user, group, hidden, id.get().into()])
    }

    /// The views that the reader sees, by id.
    pub fn views_seen_by(&mut self, reader: &ViewReader) -> Result<Vec<Stored<View>>, Error> {
        self.all_records(SELECT_ALL_SEEN, &reader.params())
    }

    /// The views of an owner.
    pub fn views_of_owner(&mut self, owner: UserId) -> Result<Vec<Stored<View>>, Error> {
        self.all_records(SELECT_OF_OWNER, &[owner.get().into()])
    }

    /// The views for a group.
    pub fn views_of_group(&mut self, group: GroupId) -> Result<Vec<Stored<View>>, Error> {
        self.all_records(SELECT_OF_GROUP, &[group.get().into()])
    }

    /// The views of a type.
    pub fn views_of_type(&mut self, type_id: TypeId) -> Result<Vec<Stored<View>>, Error> {
        self.all_records(SELECT_OF_TYPE, &[type_id.into()])
    }

    /// The id of the view that opens first where this one would, perhaps its own.
    pub fn default_view(&mut self, view: &View) -> Result<Option<i64>, Error> {
        let key = default_of(view);
        self.first(SELECT_DEFAULT, &[key.as_str().into()], |row| row.int(0))
    }

    /// The number and size of a user's views, without reading them.
    pub fn view_usage(&mut self, owner: UserId) -> Result<ViewUsage, Error> {
        let number = |number: i64| usize::try_from(number).unwrap_or_default();
        let usage = self.first(SELECT_USAGE, &[owner.get().into()], |row| {
            Ok(ViewUsage {
                count: number(row.int(0)?),
                bytes: number(row.int(1)?),
            })
        })?;
        Ok(usage.unwrap_or_default())
    }
}

impl WriteTx<'_> {
    /// Inserts a view under a free id.
    pub fn insert_view(&mut self, revision: Revision, view: View) -> Result<Stored<View>, Error> {
        let columns = Columns::of(&view);
        let id = view.public_id.get();
        self.insert_record(&STATEMENTS, id, revision, view, &columns.params())
    }

    /// Replaces a view; writes nothing if it is unchanged.
    pub fn update_view(&mut self, stored: Stored<View>, view: View) -> Result<Stored<View>, Error> {
        let columns = Columns::of(&view);
        let id = view.public_id.get();
        self.update_record(&STATEMENTS, id, stored, view, &columns.params())
    }

    /// Removes a view.
    pub fn delete_view(&mut self, id: ViewId, stored: Revision) -> Result<(), Error> {
        self.delete_record(&STATEMENTS, id.get(), stored)
    }
}
