//! After any writes, however they are grouped, index and counters match the documents, and failed
//! writes leave nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::task::{Context, Waker};

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError, TestRunner};
use stockroom_access::Scope;
use stockroom_model::object::rename::{Renamed, rename_items};
use stockroom_model::r#type::Rename;
use stockroom_model::{Object, ObjectId, TypeId};

use super::config;
use super::inventory::{Field, Plan, context, fields, plan, record, runtime};
use super::test_database::{TestDatabase, both};
use super::values::NAMES;
use crate::engine::counters::Counts;
use crate::records::object::index::{IndexRow, Shape};
use crate::records::object::read::ObjectsOfType;
use crate::records::object::{ObjectRow, object_row};
use crate::transaction::ReadTx;
use crate::{
    Action, Error, NewObject, ObjectInsert, PreparedObject, Resource, Store, Visibility, WriteTx,
};

const HISTORIES: u32 = 32;
const TYPES: usize = 2;
/// Few, so that ids are reused after a delete.
const OBJECTS: i64 = 8;

const SELECT_OBJECTS: &str = "SELECT public_id, type_id, revision, views, secrets, doc, active, CAST(COALESCE((SELECT 2 - targets_indexed FROM object_irregular WHERE object_id = public_id), 0) AS BIGINT) FROM object ORDER BY public_id";
const SELECT_INDEX: &str =
    "SELECT field_id, key, object_id FROM object_field ORDER BY field_id, key, object_id";
const SELECT_COUNTS: &str = "SELECT type_id, CAST(SUM(total) AS BIGINT), CAST(SUM(active) AS BIGINT), CAST(SUM(irregular) AS BIGINT) FROM object_count GROUP BY type_id";

type Answer<'w> = Pin<Box<dyn Future<Output = Result<(), Error>> + 'w>>;

/// Writes that are committed together.
pub(super) type Group = Vec<(Write, Outcome)>;

#[derive(Debug, Clone)]
pub(super) enum Write {
    /// Inserts or replaces an object.
    Put(i64, Box<Plan>),
    /// Inserts an object without index rows, if there is none.
    Load(i64, Box<Plan>),
    /// Indexes the objects of a type that were loaded.
    Index(usize),
    /// Edits several objects, which are written together.
    Edit(BTreeMap<i64, Plan>),
    /// Toggles the activity of an object.
    Turn(i64),
    Delete(i64),
    /// Changes the fields of a type.
    Retype(usize, Vec<Field>),
    /// Gives fields of a type other names: those that it has, and names that it has not.
    Rename(usize, Vec<(&'static str, &'static str)>),
    /// Deletes a type without objects and creates another one with its id.
    Remake(usize, Vec<Field>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Kept,
    /// Succeeds after a query for referrers, which needs an up-to-date index within the commit.
    Looked,
    /// Fails after its writes.
    Failed,
    /// Fails after its writes and the query.
    LookedAndFailed,
}

impl Outcome {
    const fn fails(self) -> bool {
        matches!(self, Self::Failed | Self::LookedAndFailed)
    }

    const fn looks(self) -> bool {
        matches!(self, Self::Looked | Self::LookedAndFailed)
    }
}

pub(super) fn history() -> impl Strategy<Value = Vec<Group>> {
    let type_index = || 0..TYPES;
    let name = || prop::sample::select(NAMES.to_vec());
    let write = prop_oneof![
        6 => (1..=OBJECTS, plan()).prop_map(|(id, plan)| Write::Put(id, Box::new(plan))),
        2 => (1..=OBJECTS, plan()).prop_map(|(id, plan)| Write::Load(id, Box::new(plan))),
        2 => type_index().prop_map(Write::Index),
        2 => prop::collection::btree_map(1..=OBJECTS, plan(), 2..4).prop_map(Write::Edit),
        1 => (1..=OBJECTS).prop_map(Write::Turn),
        2 => (1..=OBJECTS).prop_map(Write::Delete),
        3 => (type_index(), fields()).prop_map(|(index, fields)| Write::Retype(index, fields)),
        3 => (type_index(), prop::collection::vec((name(), name()), 1..3))
            .prop_map(|(index, names)| Write::Rename(index, names)),
        1 => (type_index(), fields()).prop_map(|(index, fields)| Write::Remake(index, fields)),
    ];
    let outcome = prop_oneof![
        5 => Just(Outcome::Kept),
        1 => Just(Outcome::Looked),
        1 => Just(Outcome::Failed),
        1 => Just(Outcome::LookedAndFailed),
    ];
    prop::collection::vec(prop::collection::vec((write, outcome), 1..8), 1..8)
}

both!(
    the_index_is_what_the_documents_say_and_failed_writes_leave_nothing,
    check_histories
);

fn check_histories(database: fn() -> TestDatabase) {
    let result = TestRunner::new(config(HISTORIES)).run(&history(), |history| {
        let after_all = state_after(&database(), &history)?;
        let kept = history.iter().map(|group| {
            let kept = group.iter().filter(|(_, outcome)| !outcome.fails());
            kept.cloned().collect()
        });
        let after_kept = state_after(&database(), &kept.collect::<Vec<Group>>())?;
        prop_assert_eq!(after_all, after_kept);
        Ok(())
    });
    match result {
        Err(TestError::Fail(reason, history)) => panic!("{reason}\n{history:#?}"),
        other => other.unwrap(),
    }
}

/// The final content of the tables; checks them after every commit.
fn state_after(database: &TestDatabase, history: &[Group]) -> Result<State, TestCaseError> {
    let store = database.open();
    let mut reader = database.connection();
    write_together(&store, &first_types());
    let mut state = State::default();
    for group in history {
        write_together(&store, group);
        let catalog = store.catalog();
        let mut tx = ReadTx::new(reader.as_mut(), &catalog);
        state = State::read(&mut tx).unwrap();
        state.check(&mut tx)?;
    }
    store.close();
    let report = crate::maintenance::check::check(&database.location()).unwrap();
    prop_assert_eq!(report.problems(), 0, "{:#?}", report);
    Ok(state)
}

/// Types without fields, in which every history begins.
pub(super) fn first_types() -> Group {
    let first = (0..TYPES).map(|type_index| (Write::Remake(type_index, Vec::new()), Outcome::Kept));
    first.collect()
}

/// Blocks the writer until all writes are queued, so that they share a commit.
pub(super) fn write_together(store: &Store, group: &Group) {
    let (gate, closed) = crossbeam_channel::bounded::<()>(0);
    let holding = store.write(context(), move |_| {
        let _ = closed.recv();
        Ok::<_, Error>(())
    });
    let mut writes: Vec<Answer<'_>> = vec![Box::pin(holding)];
    for (write, outcome) in group.clone() {
        writes.push(Box::pin(store.write(context(), move |tx| {
            write.run(tx)?;
            if outcome.looks() {
                tx.referrers(&BTreeSet::from([ObjectId::new(1).unwrap()]), 10)?;
            }
            if outcome.fails() {
                return Err(Error::Damaged("so it is meant".to_owned()));
            }
            Ok(())
        })));
    }
    let mut nobody = Context::from_waker(Waker::noop());
    for write in &mut writes {
        assert!(write.as_mut().poll(&mut nobody).is_pending());
    }
    drop(gate);
    let outcomes = std::iter::once(Outcome::Kept).chain(group.iter().map(|(_, outcome)| *outcome));
    for (write, outcome) in writes.into_iter().zip(outcomes) {
        let answer = runtime().block_on(write);
        assert_eq!(answer.is_err(), outcome.fails(), "{answer:?}");
    }
}

impl Write {
    fn run(&self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        match self {
            Self::Put(id, plan) => put(tx, *id, plan),
            Self::Load(id, plan) => load(tx, *id, plan),
            Self::Index(type_index) => {
                let id = TypeId::new(i64::try_from(*type_index).unwrap() + 1).unwrap();
                let batch = tx.index_batch(id, None)?;
                tx.write_index_batch(&batch)
            }
            Self::Edit(plans) => edit(tx, plans),
            Self::Turn(id) => {
                let Some(stored) = stored(tx, *id)? else {
                    return Ok(());
                };
                let mut object = stored.object()?;
                object.set("active", (!object.active()).into());
                tx.update_object(&stored, &new(object), Action::Update)
                    .map(drop)
            }
            Self::Delete(id) => match stored(tx, *id)? {
                Some(stored) => tx.delete_objects(&[stored]),
                None => Ok(()),
            },
            Self::Retype(type_index, fields) => {
                let definition = record(*type_index, fields);
                let stored = tx.r#type(definition.public_id)?.unwrap();
                tx.update_type(stored, definition).map(drop)
            }
            Self::Rename(type_index, names) => rename(tx, *type_index, names),
            Self::Remake(type_index, fields) => remake(tx, *type_index, fields),
        }
    }
}

fn put(tx: &mut WriteTx<'_>, id: i64, plan: &Plan) -> Result<(), Error> {
    let stored = stored(tx, id)?;
    let mut object = planned(tx, id, plan, stored.as_ref())?;
    match stored {
        Some(stored) => {
            object.take_integer("views");
            tx.update_object(&stored, &new(object), Action::Update)
                .map(drop)
        }
        None => tx.insert_old_document(object).map(drop),
    }
}

fn load(tx: &mut WriteTx<'_>, id: i64, plan: &Plan) -> Result<(), Error> {
    if stored(tx, id)?.is_some() {
        return Ok(());
    }
    let mut object = planned(tx, id, plan, None)?;
    let views = object.take_integer("views");
    let revision = tx.claim_id(Resource::Object, id)?;
    tx.insert_object(ObjectInsert {
        id: ObjectId::new(id).unwrap(),
        revision,
        views,
        secrets: None,
        object: PreparedObject::without_type(&object.into())?,
    })
    .map(drop)
}

/// Edits those of the objects that are there, and writes the edits together.
fn edit(tx: &mut WriteTx<'_>, plans: &BTreeMap<i64, Plan>) -> Result<(), Error> {
    let mut edits = Vec::new();
    for (id, plan) in plans {
        let Some(stored) = stored(tx, *id)? else {
            continue;
        };
        let mut object = planned(tx, *id, plan, Some(&stored))?;
        object.take_integer("views");
        edits.extend(tx.object_edit(&stored, new(object))?);
    }
    tx.write_object_edits(edits)
}

/// The object of a plan, of the type that the stored one has.
fn planned(
    tx: &mut WriteTx<'_>,
    id: i64,
    plan: &Plan,
    stored: Option<&ObjectRow>,
) -> Result<Object, Error> {
    let mut types = Vec::new();
    for type_index in 0..TYPES {
        types.push([known(tx, type_index)?, Vec::new()]);
    }
    let type_index = stored.map(|stored| usize::try_from(stored.type_id.get()).unwrap() - 1);
    let plan = plan.clone().of_type(type_index);
    Ok(Object::from_document(plan.document(id, &types, true, 30)))
}

fn rename(
    tx: &mut WriteTx<'_>,
    type_index: usize,
    names: &[(&'static str, &'static str)],
) -> Result<(), Error> {
    let id = TypeId::new(i64::try_from(type_index).unwrap() + 1).unwrap();
    let stored = tx.r#type(id)?.unwrap();
    let has = |name: &str| stored.record.field(name).is_some();
    let mut taken = BTreeSet::new();
    let names = names.iter().filter(|(from, to)| has(from) && !has(to));
    let names: BTreeMap<&str, &str> = names.copied().filter(|(_, to)| taken.insert(*to)).collect();
    if names.is_empty() {
        return Ok(());
    }
    let mut objects = ObjectsOfType::new(id);
    let mut rows = Vec::new();
    loop {
        let next = objects.next(tx, &Scope::for_maintenance())?;
        if next.is_empty() {
            break;
        }
        rows.extend(next);
    }
    let renames: Vec<Rename> = names
        .iter()
        .map(|(from, to)| Rename {
            pointer: String::new(),
            from: (*from).to_owned(),
            to: (*to).to_owned(),
        })
        .collect();
    let columns = tx.rename_columns(id, &renames)?;
    for row in rows {
        let mut object = row.object()?;
        // A value under the new name stays, so some objects hold two.
        let items = match rename_items(object.items(), &names, |_| false) {
            Renamed::Unchanged => continue,
            Renamed::Changed(items) => items,
            Renamed::Taken(_) => object.items().to_vec(),
        };
        object.set_items(items);
        tx.rename_object_fields(&row, &new(object), &columns)?;
    }
    let definition = stored.record.with_renamed_fields(&renames);
    tx.update_type(stored, definition).map(drop)
}

fn remake(tx: &mut WriteTx<'_>, type_index: usize, fields: &[Field]) -> Result<(), Error> {
    let definition = record(type_index, fields);
    let id = definition.public_id;
    if tx.count_objects_of_type(&Scope::for_maintenance(), id)? > 0 {
        return Ok(());
    }
    if let Some(stored) = tx.r#type(id)? {
        tx.delete_type(id, stored.revision)?;
    }
    let revision = tx.claim_id(Resource::Type, id.get())?;
    tx.insert_type(revision, definition).map(drop)
}

/// The fields that a type has in this commit.
fn known(tx: &mut WriteTx<'_>, type_index: usize) -> Result<Vec<Field>, Error> {
    let id = TypeId::new(i64::try_from(type_index).unwrap() + 1).unwrap();
    let entry = tx.type_entry(id)?.unwrap();
    let names = NAMES
        .into_iter()
        .filter(|name| entry.record.field(name).is_some());
    Ok(names.map(Field::text).collect())
}

fn stored(tx: &mut WriteTx<'_>, id: i64) -> Result<Option<ObjectRow>, Error> {
    let everything = Scope::for_maintenance();
    Ok(match tx.object(&everything, ObjectId::new(id).unwrap())? {
        Visibility::Visible(row) => Some(row),
        Visibility::Hidden | Visibility::Missing => None,
    })
}

fn new(object: Object) -> NewObject {
    NewObject {
        object,
        secrets: None,
    }
}

#[derive(Debug, Default, PartialEq)]
struct State {
    objects: Vec<Stored>,
    index: Vec<IndexRow>,
    counts: BTreeMap<TypeId, Counts>,
}

#[derive(Debug, PartialEq)]
struct Stored {
    id: ObjectId,
    type_id: TypeId,
    revision: i64,
    document: String,
    active: bool,
    shape: Shape,
}

impl State {
    fn read(tx: &mut ReadTx<'_>) -> Result<Self, Error> {
        let objects = tx.all(SELECT_OBJECTS, &[], |row| {
            let object = object_row(row)?;
            Ok(Stored {
                id: object.public_id,
                type_id: object.type_id,
                revision: object.revision.0,
                document: object.document,
                active: row.int(6)? == 1,
                shape: [Shape::Regular, Shape::Irregular, Shape::Unindexed]
                    [usize::try_from(row.int(7)?).unwrap()],
            })
        })?;
        let index = tx.all(SELECT_INDEX, &[], |row| {
            Ok(IndexRow {
                field_id: row.int(0)?,
                key: row.bytes(1)?.to_vec(),
                object_id: row.id(2)?,
            })
        })?;
        let counts = tx.all(SELECT_COUNTS, &[], |row| {
            let counts = Counts {
                total: row.int(1)?,
                active: row.int(2)?,
                irregular: row.int(3)?,
            };
            Ok((row.id(0)?, counts))
        })?;
        let has_any = |(_, counts): &(TypeId, Counts)| *counts != Counts::default();
        Ok(Self {
            objects,
            index,
            counts: counts.into_iter().filter(has_any).collect(),
        })
    }

    /// Compares the index, the irregular marks and the counters with those rebuilt from the
    /// documents.
    fn check(&self, tx: &mut ReadTx<'_>) -> TestCaseResult {
        let layouts = tx.layouts().unwrap();
        let mut index = Vec::new();
        let mut counts: BTreeMap<TypeId, Counts> = BTreeMap::new();
        for stored in &self.objects {
            let object = Object::from_document(serde_json::from_str(&stored.document).unwrap());
            if stored.shape != Shape::Unindexed {
                let indexed = layouts[&stored.type_id].index(stored.id, &object);
                prop_assert_eq!(stored.shape, indexed.shape, "shape of {:?}", stored);
                index.extend(indexed.rows);
            }
            prop_assert_eq!(stored.active, object.active(), "activity of {:?}", stored);
            let counts = counts.entry(stored.type_id).or_default();
            counts.total += 1;
            counts.active += i64::from(stored.active);
            counts.irregular += i64::from(stored.shape.is_irregular());
        }
        index.sort_unstable();
        prop_assert_eq!(&self.index, &index);
        prop_assert_eq!(&self.counts, &counts);
        Ok(())
    }
}
