//! Categories.

mod restore;

use std::collections::HashMap;

use serde::Serialize;
use stockroom_access::permission::{
    CategoryAdd, CategoryDelete, CategoryEdit, CategoryView, TypeView,
};
use stockroom_filter::Paths;
use stockroom_model::body::Report;
use stockroom_model::category::{Category, CategoryDraft};
use stockroom_model::json::{Value, pointer};
use stockroom_model::{CategoryId, Problem, TypeId};
use stockroom_store::{ReadTx, Resource, Stored, WriteTx};
use utoipa::ToSchema;

use crate::core::answer;
use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::core::tree::{self, Node, Siblings};
use crate::core::warnings::added;
use crate::{Error, Permit, r#type};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &[],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

pub use restore::restore;

/// All categories.
pub(crate) fn documents(tx: &mut ReadTx<'_>) -> Result<Vec<Value>, Error> {
    let categories = tx.categories()?;
    let documents = categories.iter().map(|stored| document(stored).value);
    Ok(documents.collect())
}

/// A page of the list.
pub async fn list(permit: &Permit<CategoryView>, request: ListRequest) -> Result<Page, Error> {
    let documents = permit.read(documents).await?;
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// The tree: root nodes `{category, node_order, children, types}`, siblings by `node_order` or by
/// the sort of the request. For callers who may not see types, `types` is empty.
pub async fn tree(permit: &Permit<CategoryView>, request: ListRequest) -> Result<Page, Error> {
    let reader = permit.authorization();
    // Read types and the right to see them in the same view as the categories.
    let (categories, known) = permit
        .read(move |tx| {
            let sees_types = reader.access(tx)?.holds::<TypeView>();
            let known: Vec<_> = tx
                .catalog()
                .types()
                .filter(|_| sees_types)
                .cloned()
                .collect();
            Ok((tx.categories()?, known))
        })
        .await?;
    let known: HashMap<TypeId, _> = known
        .into_iter()
        .map(|entry| (entry.record.public_id, entry))
        .collect();
    let answer = |id: &Value| {
        let entry = known.get(&TypeId::new(id.as_i64()?)?)?;
        Some(r#type::answer(&entry.record))
    };
    let own_order = !request.is_sorted;
    let roots = Forest::new(&categories, own_order).nodes(None);
    let show = |category: Option<Value>, children: Vec<Value>| {
        let category = category.unwrap_or_default();
        let ids = category["types"].as_array().into_iter().flatten();
        let types: Vec<Value> = ids.filter_map(answer).collect();
        let order = category["meta"]["order"].clone();
        let category = match &request.projection {
            Some(projection) => projection.apply(&category),
            None => category,
        };
        answer::document(&CategoryNode {
            category,
            node_order: order,
            children,
            types,
        })
    };
    tree::page(permit.caller(), roots, &request, Siblings::Sorted, &show).await
}

/// A category in the tree, with its descendants
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryNode {
    #[schema(value_type = Category)]
    category: Value,
    #[schema(value_type = Option<i64>, required)]
    node_order: Value,
    #[schema(value_type = Vec<CategoryNode>, no_recursion)]
    children: Vec<Value>,
    types: Vec<Value>,
}

/// One category.
pub async fn read_category(
    permit: &Permit<CategoryView>,
    id: CategoryId,
) -> Result<Document, Error> {
    permit.read(move |tx| Ok(document(&stored(tx, id)?))).await
}

/// Inserts a category.
pub async fn insert(permit: &Permit<CategoryAdd>, body: &Value) -> Result<Written, Error> {
    let report = Report::default();
    let draft = report.finish(CategoryDraft::read(body, None, &report))?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let (draft, report) = (draft.clone(), report.clone());
            insert_draft(&writer, tx, draft, report, check_parent)
        })
        .await
}

/// Inserts a category in a transaction, whose caller knows that its parent is right.
pub(crate) fn insert_in(
    permit: &Permit<CategoryAdd>,
    tx: &mut WriteTx<'_>,
    body: &Value,
) -> Result<Written, Error> {
    let report = Report::default();
    let draft = report.finish(CategoryDraft::read(body, None, &report))?;
    insert_draft(permit, tx, draft, report, |_, _| Ok(()))
}

fn insert_draft(
    permit: &Permit<CategoryAdd>,
    tx: &mut WriteTx<'_>,
    draft: CategoryDraft,
    report: Report,
    check_parent: impl FnOnce(&mut ReadTx<'_>, &Category) -> Result<(), Error>,
) -> Result<Written, Error> {
    let (id, revision) =
        crate::core::id::allocate(tx, Resource::Category, draft.public_id, |tx, id| {
            Ok(tx.category(id)?.is_some())
        })?;
    let category = draft.with_id(id);
    check_parent(tx, &category)?;
    check_types(tx, &category, &report)?;
    let warnings = permit.warn(report.into_warnings())?;
    Ok(Written {
        document: document(&tx.insert_category(revision, category)?),
        warnings,
    })
}

/// Replaces or patches a category.
pub async fn update(
    permit: &Permit<CategoryEdit>,
    id: CategoryId,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let stored = stored(tx, id)?;
            precondition.check(tx, Subject::of(Resource::Category, id), stored.revision)?;
            let body = change.target(|| document(&stored).value);
            replace_in(&writer, tx, stored, &body)
        })
        .await
}

/// Replaces a category in a transaction.
pub(crate) fn replace_in(
    permit: &Permit<CategoryEdit>,
    tx: &mut WriteTx<'_>,
    stored: Stored<Category>,
    body: &Value,
) -> Result<Written, Error> {
    let id = stored.record.public_id;
    let report = Report::default();
    let draft = report.finish(CategoryDraft::read(body, Some(id), &report))?;
    let category = draft.with_id(id);
    check_types(tx, &category, &report)?;
    let warnings = report.into_warnings();
    permit.warn(added(&warnings, &warnings_of_stored(tx, &stored.record)?))?;
    if category.parent != stored.record.parent {
        check_parent(tx, &category)?;
    }
    Ok(Written {
        document: document(&tx.update_category(stored, category)?),
        warnings,
    })
}

/// Removes a category; its children become roots.
pub async fn delete(
    permit: &Permit<CategoryDelete>,
    id: CategoryId,
    precondition: Precondition,
) -> Result<Written, Error> {
    permit
        .write(move |tx| {
            let stored = stored(tx, id)?;
            precondition.check(tx, Subject::of(Resource::Category, id), stored.revision)?;
            for child in tx
                .categories()?
                .into_iter()
                .filter(|category| category.record.parent == Some(id))
            {
                let root = Category {
                    parent: None,
                    ..child.record.clone()
                };
                tx.update_category(child, root)?;
            }
            tx.delete_category(id, stored.revision)?;
            Ok(Written {
                document: document(&stored),
                warnings: Vec::new(),
            })
        })
        .await
}

/// The warnings about a category as it is stored.
fn warnings_of_stored(tx: &mut WriteTx<'_>, stored: &Category) -> Result<Vec<Problem>, Error> {
    let report = Report::default();
    check_types(tx, stored, &report)?;
    Ok(report.into_warnings())
}

/// Warns about types that do not exist; the tree skips them.
fn check_types(tx: &mut WriteTx<'_>, category: &Category, report: &Report) -> Result<(), Error> {
    for (index, id) in category.types.iter().enumerate() {
        let exists = match TypeId::new(*id) {
            Some(id) => tx.type_entry(id)?.is_some(),
            None => false,
        };
        if !exists {
            report.warning(
                pointer("/types", index),
                format!("there is no type {id}; the tree skips it"),
            );
        }
    }
    Ok(())
}

/// Removes a type from every category.
pub(crate) fn forget_type(tx: &mut WriteTx<'_>, id: TypeId) -> Result<(), Error> {
    for stored in tx
        .categories()?
        .into_iter()
        .filter(|category| category.record.types.contains(&id.get()))
    {
        let mut category = stored.record.clone();
        category.types.retain(|member| *member != id.get());
        tx.update_category(stored, category)?;
    }
    Ok(())
}

pub(crate) fn stored(tx: &mut ReadTx<'_>, id: CategoryId) -> Result<Stored<Category>, Error> {
    tx.category(id)?
        .ok_or_else(|| Error::not_found("category", id))
}

pub(crate) fn document(stored: &Stored<Category>) -> Document {
    Document {
        value: serde_json::to_value(&stored.record).unwrap_or_default(),
        revision: stored.revision,
    }
}

/// The maximum depth of the tree. Many JSON parsers stop at 100 levels of nesting, and each
/// category takes two.
pub(crate) const MAX_LEVELS: usize = 50;

type Parents = HashMap<CategoryId, Option<CategoryId>>;

/// The parent must exist and must not be the category itself or one below it. The tree must not
/// become too deep.
fn check_parent(tx: &mut ReadTx<'_>, category: &Category) -> Result<(), Error> {
    let Some(parent) = category.parent else {
        return Ok(());
    };
    let refused = |detail: String| Err(Error::invalid("/parent", detail));
    let stored = tx.categories()?;
    let mut parents: Parents = stored
        .iter()
        .map(|stored| (stored.record.public_id, stored.record.parent))
        .collect();
    let title = category_title(&stored, parent);
    parents.insert(category.public_id, Some(parent));
    if !parents.contains_key(&parent) {
        return refused(format!("there is no category {parent}"));
    }
    if above(&parents, category.public_id).any(|id| id == category.public_id) {
        return refused(format!(
            "the category {title} is this category or below it; choose another one, or null for the top"
        ));
    }
    let is_too_deep = |id: &CategoryId| above(&parents, *id).count() >= MAX_LEVELS;
    if parents.keys().any(is_too_deep) {
        return refused(format!("the tree would have more than {MAX_LEVELS} levels"));
    }
    Ok(())
}

/// A category as messages name it: its label for people, its id for programs.
fn category_title(categories: &[Stored<Category>], id: CategoryId) -> String {
    let mut records = categories.iter().map(|stored| &stored.record);
    match records.find(|record| record.public_id == id) {
        Some(record) => format!("{:?} ({id})", record.label),
        None => id.to_string(),
    }
}

/// The ancestors of a category, from its parent up, at most as many as a tree may have levels.
fn above(parents: &Parents, id: CategoryId) -> impl Iterator<Item = CategoryId> {
    let parent = |id: &CategoryId| parents.get(id).copied().flatten();
    std::iter::successors(parent(&id), parent).take(MAX_LEVELS)
}

/// Categories by parent, siblings in order.
struct Forest<'a> {
    children: HashMap<Option<CategoryId>, Vec<&'a Category>>,
}

impl<'a> Forest<'a> {
    /// Expects categories in the order of their ids. Siblings stay in it, or are sorted by
    /// `node_order` if `own_order`.
    fn new(categories: &'a [Stored<Category>], own_order: bool) -> Self {
        let mut children: HashMap<Option<CategoryId>, Vec<&Category>> = HashMap::new();
        for stored in categories {
            children
                .entry(stored.record.parent)
                .or_default()
                .push(&stored.record);
        }
        if own_order {
            for siblings in children.values_mut() {
                siblings
                    .sort_by_key(|category| (category.meta.order.is_none(), category.meta.order));
            }
        }
        Self { children }
    }

    /// Parents cannot form a cycle, so this ends.
    fn nodes(&self, parent: Option<CategoryId>) -> Vec<Node> {
        let siblings = self.children.get(&parent).into_iter().flatten();
        siblings
            .map(|category| Node {
                record: Some(serde_json::to_value(category).unwrap_or_default()),
                below: self.nodes(Some(category.public_id)),
            })
            .collect()
    }
}
