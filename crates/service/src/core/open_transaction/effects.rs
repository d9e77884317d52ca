//! What a request has done in its transaction, to tell what it would do.

use std::collections::BTreeSet;

use serde::Serialize;
use stockroom_store::{Changes, WriteTx};
use utoipa::ToSchema;

use crate::{Caller, Error};

/// What a dry run would have changed
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Effects {
    /// The changes
    #[serde(flatten)]
    pub changes: Changes,
    /// Number of references to deleted objects that would be left in objects that the caller sees;
    /// of very many, at least so many
    #[schema(value_type = i64, minimum = 0)]
    pub dangling_references: usize,
}

/// The effects of the request so far.
pub async fn effects(caller: &Caller) -> Result<Effects, Error> {
    let Some(transaction) = &caller.request.transaction else {
        return Ok(Effects::default());
    };
    if transaction.catalog().is_none() {
        return Ok(Effects::default());
    }
    let reader = caller.clone();
    let context = caller.write_context();
    transaction
        .write(context, move |tx| effects_in(tx, &reader))
        .await
}

fn effects_in(tx: &mut WriteTx<'_>, caller: &Caller) -> Result<Effects, Error> {
    let changes = tx.changes().cloned().unwrap_or_default();
    let deleted: BTreeSet<_> = changes.deleted_objects.iter().copied().collect();
    // The request may have ended the token of its caller.
    let scope = caller.access_in(tx.catalog()).map(|access| access.scope);
    let dangling_references = match scope {
        Ok(scope) if !deleted.is_empty() => {
            let found = tx.referrers(&deleted, usize::MAX)?.found.into_iter();
            let visible = found.filter(|referrer| scope.sees(referrer.type_id));
            visible.map(|referrer| referrer.fields).sum()
        }
        _ => 0,
    };
    Ok(Effects {
        changes,
        dangling_references,
    })
}
