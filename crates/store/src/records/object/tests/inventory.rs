//! Inventories: types that change, and documents that are as regular or irregular as old data can
//! be.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stockroom_model::body::Report;
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{Object, RecordLimits, Timestamp, Type, TypeId};

use super::test_database::TestDatabase;
use super::values::{NAMES, date, scalar, short_text};
use crate::{Error, ReserveUse, Resource, Store, Via, WriteContext, WriteTx};

/// The ids of types start at 1, and so do those of objects.
#[derive(Debug, Clone)]
pub(super) struct Inventory {
    /// The fields of each type before and after its change.
    pub(super) types: Vec<[Vec<Field>; 2]>,
    /// In the order of their ids; the first half is stored before the types change.
    pub(super) documents: Vec<Value>,
}

/// A field of a type.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

impl Field {
    pub(super) const fn text(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Text,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Textarea,
    Reference,
    Unindexed,
}

pub(super) fn inventory() -> impl Strategy<Value = Inventory> {
    let types = prop::collection::vec([fields(), fields()], 1..5);
    let oddities = prop::sample::select(vec![false, false, true]);
    let inactive = prop::sample::select(vec![0_u32, 0, 30]);
    let plans = prop::collection::vec(plan(), 20..70);
    (types, plans, oddities, inactive).prop_map(|(types, plans, oddities, inactive)| {
        let plans = plans.into_iter().zip(1..);
        let documents = plans.map(|(plan, id)| plan.document(id, &types, oddities, inactive));
        Inventory {
            documents: documents.collect(),
            types,
        }
    })
}

pub(super) fn fields() -> BoxedStrategy<Vec<Field>> {
    let kind = prop_oneof![
        5 => Just(Kind::Text),
        2 => Just(Kind::Textarea),
        1 => Just(Kind::Unindexed),
    ];
    prop::collection::vec((any::<bool>(), kind), NAMES.len())
        .prop_map(|chosen| {
            let named = NAMES.into_iter().zip(chosen);
            named
                .filter(|(_, (is_there, _))| *is_there)
                .map(|(name, (_, kind))| Field {
                    name,
                    kind: if name == "ref" { Kind::Reference } else { kind },
                })
                .collect()
        })
        .boxed()
}

/// A document without an id, not yet adapted to its type.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    type_index: usize,
    values: Vec<Option<Value>>,
    members: Map<String, Value>,
    activity: u32,
    oddity: Option<Oddity>,
    odd: Value,
}

/// What makes an object irregular.
#[derive(Debug, Clone, Copy)]
enum Oddity {
    /// Irregular only if its type does not have the field and never gets it.
    UnknownField,
    Twice,
    ArrayValue,
    ObjectValue,
    NoValue,
    ThirdKey,
    TextItem,
    NumberAsName,
    FieldsOdd,
    FieldsMissing,
    MemberOdd(&'static str),
    MemberMissing(&'static str),
    DoubleId(&'static str),
}

fn oddity() -> impl Strategy<Value = Oddity> {
    use Oddity::{
        ArrayValue, DoubleId, FieldsMissing, FieldsOdd, MemberMissing, MemberOdd, NoValue,
        NumberAsName, ObjectValue, TextItem, ThirdKey, Twice, UnknownField,
    };
    let member = prop::sample::select(vec![
        "creation_time",
        "last_edit_time",
        "author_id",
        "active",
        "views",
        "version",
    ]);
    let id = prop::sample::select(vec!["public_id", "type_id"]);
    prop_oneof![
        8 => prop::sample::select(vec![UnknownField, Twice, ArrayValue, ObjectValue, NoValue, ThirdKey, TextItem, NumberAsName, FieldsOdd, FieldsMissing]),
        3 => Just(UnknownField),
        3 => member.clone().prop_map(MemberOdd),
        2 => member.prop_map(MemberMissing),
        1 => id.prop_map(DoubleId),
    ]
}

pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let values = prop::collection::vec(prop::option::weighted(0.8, scalar()), NAMES.len());
    let members = (
        date(),
        prop::option::of(date()),
        0..4_i64,
        0..5_i64,
        prop::sample::select(vec!["1.0.0", "1.0.1"]),
    )
        .prop_map(|(created, edited, author, views, version)| {
            let Value::Object(members) = json!({
                "version": version, "creation_time": created, "last_edit_time": edited, "author_id": author, "views": views,
            }) else {
                unreachable!("an object is one");
            };
            members
        });
    let odd = prop_oneof![
        3 => scalar(),
        1 => prop::collection::vec(scalar(), 0..3).prop_map(Value::from),
        1 => short_text().prop_map(|text| json!({ "k": text })),
    ];
    (
        any::<prop::sample::Index>(),
        values,
        members,
        0..100_u32,
        prop::option::weighted(0.25, oddity()),
        odd,
    )
        .prop_map(
            |(type_index, values, members, activity, oddity, odd)| Plan {
                type_index: type_index.index(60),
                values,
                members,
                activity,
                oddity,
                odd,
            },
        )
}

impl Plan {
    /// For the type at `type_index`, if one is given.
    pub(super) fn of_type(self, type_index: Option<usize>) -> Self {
        Self {
            type_index: type_index.unwrap_or(self.type_index),
            ..self
        }
    }

    pub(super) fn document(
        &self,
        id: i64,
        types: &[[Vec<Field>; 2]],
        oddities: bool,
        inactive_percent: u32,
    ) -> Value {
        let type_index = self.type_index % types.len();
        let known = |name: &str| {
            let mut both = types[type_index].iter().flatten();
            both.any(|field| field.name == name)
        };
        let oddity = self.oddity.filter(|_| oddities);
        let named = NAMES.into_iter().zip(&self.values);
        let items: Vec<Value> = named
            .filter(|(name, _)| {
                known(name) || *name == "a" && matches!(oddity, Some(Oddity::UnknownField))
            })
            .filter_map(|(name, value)| Some(json!({ "name": name, "value": value.as_ref()? })))
            .collect();
        let type_id = type_index + 1;
        let mut document = json!({ "public_id": id, "type_id": type_id, "active": self.activity >= inactive_percent });
        if let Value::Object(members) = &mut document {
            members.extend(self.members.clone());
            members.insert("fields".to_owned(), Value::from(items));
            if let Some(oddity) = oddity {
                oddity.apply(members, &self.odd);
            }
        }
        document
    }
}

impl Oddity {
    fn apply(self, members: &mut Map<String, Value>, odd: &Value) {
        let mut item = |item: Value| {
            if let Some(Value::Array(items)) = members.get_mut("fields") {
                items.push(item);
            }
        };
        match self {
            Self::UnknownField => {}
            Self::Twice => {
                item(json!({ "name": "a", "value": odd }));
                item(json!({ "name": "a", "value": null }));
            }
            Self::ArrayValue => item(json!({ "name": "b", "value": [odd, "a"] })),
            Self::ObjectValue => item(json!({ "name": "b", "value": { "k": odd } })),
            Self::NoValue => item(json!({ "name": "b" })),
            Self::ThirdKey => item(json!({ "name": "b", "value": odd, "label": "a" })),
            Self::TextItem => item(odd.clone()),
            Self::NumberAsName => item(json!({ "name": 1, "value": odd })),
            Self::FieldsOdd => drop(members.insert("fields".to_owned(), odd.clone())),
            Self::FieldsMissing => drop(members.shift_remove("fields")),
            Self::MemberOdd(name) => drop(members.insert(name.to_owned(), odd.clone())),
            Self::MemberMissing(name) => drop(members.shift_remove(name)),
            Self::DoubleId(name) => {
                let id = members.get(name).and_then(Value::as_f64);
                members.insert(name.to_owned(), json!(id));
            }
        }
    }
}

impl Inventory {
    /// The type at `type_index`, before (0) or after (1) its change.
    pub(super) fn record(&self, type_index: usize, change: usize) -> Type {
        record(type_index, &self.types[type_index][change])
    }

    /// Stores everything.
    pub(super) fn store(&self, database: &TestDatabase) -> Store {
        let store = database.open();
        let inventory = self.clone();
        let written = store.write(context(), move |tx| inventory.write(tx));
        runtime().block_on(written).unwrap();
        store
    }

    fn write(&self, tx: &mut WriteTx<'_>) -> Result<(), Error> {
        let (early, late) = self.documents.split_at(self.documents.len() / 2);
        for type_index in 0..self.types.len() {
            let definition = self.record(type_index, 0);
            let revision = tx.claim_id(Resource::Type, definition.public_id.get())?;
            tx.insert_type(revision, definition)?;
        }
        insert(tx, early)?;
        for type_index in 0..self.types.len() {
            let definition = self.record(type_index, 1);
            let stored = tx.r#type(definition.public_id)?.unwrap();
            tx.update_type(stored, definition)?;
        }
        insert(tx, late)
    }
}

fn insert(tx: &mut WriteTx<'_>, documents: &[Value]) -> Result<(), Error> {
    for document in documents {
        tx.insert_old_document(Object::from_document(document.clone()))?;
    }
    Ok(())
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.build().unwrap()
}

pub(super) fn record(type_index: usize, fields: &[Field]) -> Type {
    let fields: Vec<Value> = fields
        .iter()
        .map(|field| {
            let (kind, indexed) = match field.kind {
                Kind::Text => ("text", true),
                Kind::Textarea => ("textarea", true),
                Kind::Reference => ("ref", true),
                Kind::Unindexed => ("text", false),
            };
            json!({ "type": kind, "name": field.name, "label": field.name, "indexed": indexed })
        })
        .collect();
    let id = TypeId::try_from(i64::try_from(type_index + 1).unwrap()).unwrap();
    let body = json!({ "name": format!("type-{id}"), "author_id": 1, "fields": fields });
    let (limits, report) = (RecordLimits::default(), Report::default());
    let draft = TypeDraft::read(&body, None, &limits, &report).unwrap();
    draft.into_new(id, Timestamp(1).to_iso())
}

pub(super) fn context() -> WriteContext {
    WriteContext {
        actor: 1,
        request_id: "test".to_owned(),
        via: Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now: Timestamp(2),
        work_limit: None,
        commit_token: None,
    }
}
