//! The expected result of a list, computed from the documents alone.

use std::collections::BTreeSet;

use serde_json::Value;
use stockroom_access::{Acl, Scope};
use stockroom_filter::{Checked, Limits, Order, Parsed, Paths, Sort};
use stockroom_model::{GroupId, Object, ObjectId, Type, TypeId};

use super::inventory::Inventory;
use super::queries::{Asked, Narrowed};

use crate::{ObjectQuery, Restriction};

const PATHS: Paths = Paths {
    timestamps: &["creation_time", "last_edit_time"],
    secrets: &[],
};

impl Asked {
    /// The query for the store and the caller's scope; `None` if the filter is invalid.
    pub(super) fn query(&self, inventory: &Inventory) -> Option<(Scope, ObjectQuery)> {
        let order = if self.descending {
            Order::Descending
        } else {
            Order::Ascending
        };
        let restriction = match &self.narrowed {
            Narrowed::No => Restriction::None,
            Narrowed::References(id) => Restriction::References(ObjectId::new(*id)?),
            Narrowed::Unclean(index) => {
                let definition = inventory.record(index % inventory.types.len(), 1);
                Restriction::Unclean(definition.public_id, names(&definition))
            }
        };
        let query = ObjectQuery {
            filter: checked(&self.filter)?,
            sort: Sort::objects(&self.sort, order),
            active_only: self.active_only,
            restriction,
        };
        Some((scope(&self.hidden), query))
    }
}

/// `fields.<name>` is the value of a field, except for one name, which stays a path of the
/// document.
pub(super) fn checked(filter: &Value) -> Option<Checked> {
    let parsed = Parsed::from_value(filter, &Limits::default()).ok()?;
    let checked = parsed.check(&PATHS).ok()?;
    Some(checked.with_fields(|name| name != "label"))
}

fn scope(hidden: &[usize]) -> Scope {
    let closed = Acl::from_value(&serde_json::json!({ "activated": true }));
    let id = |index: &usize| TypeId::new(i64::try_from(index + 1).unwrap()).unwrap();
    let hidden = hidden.iter().map(|index| (id(index), &closed));
    Scope::new(GroupId::new(1).unwrap(), hidden)
}

/// The ids of the objects that match, in order.
pub(super) fn expected(inventory: &Inventory, scope: &Scope, query: &ObjectQuery) -> Vec<ObjectId> {
    let native = matches(inventory, scope, query);
    let mut found: Vec<_> = native
        .into_iter()
        .map(|native| {
            let key = query.sort.key(&native);
            (key, Object::from_document(native).public_id().unwrap())
        })
        .collect();
    found.sort_by(|(left, one), (right, other)| {
        query.sort.compare(left, right).then(one.cmp(other))
    });
    found.into_iter().map(|(_, id)| id).collect()
}

/// The native documents of the objects that match.
pub(super) fn matches(inventory: &Inventory, scope: &Scope, query: &ObjectQuery) -> Vec<Value> {
    let mut found = Vec::new();
    for document in &inventory.documents {
        let object = Object::from_document(document.clone());
        let type_id = object.type_id().unwrap();
        let visible = scope.sees(type_id) && (object.active() || !query.active_only);
        if !visible || !is_within(inventory, &object, type_id, &query.restriction) {
            continue;
        }
        let native = native(&object);
        if query.filter.matches(&native).unwrap() {
            found.push(native);
        }
    }
    found
}

/// `views` that are a whole number are stored outside the document.
fn native(object: &Object) -> Value {
    let mut object = object.clone();
    if let Some(views) = object.take_integer("views") {
        object.set("views", Value::from(views));
    }
    object.into_document()
}

fn is_within(
    inventory: &Inventory,
    object: &Object,
    type_id: TypeId,
    restriction: &Restriction,
) -> bool {
    let index = usize::try_from(type_id.get()).unwrap() - 1;
    let definition = inventory.record(index, 1);
    match restriction {
        Restriction::None => true,
        Restriction::References(target) => object
            .fields()
            .any(|(name, value)| definition.target(name, value).as_ref() == Some(target)),
        Restriction::Unclean(of, names) => {
            let own: Vec<&str> = object.field_names().collect();
            let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut sorted = own;
            sorted.sort_unstable();
            wanted.sort_unstable();
            type_id == *of && sorted != wanted
        }
        Restriction::Ids(ids) => object.public_id().is_some_and(|id| ids.contains(&id)),
    }
}

fn names(definition: &Type) -> BTreeSet<String> {
    let fields = definition.fields().iter();
    fields.map(|field| field.name.clone()).collect()
}
