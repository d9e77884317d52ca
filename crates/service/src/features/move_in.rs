//! Moving an inventory in from another system, offline and in the name of user 1
//! (`docs/design/moving-in.md`).

use std::net::Ipv4Addr;
use std::sync::Arc;

use stockroom_model::json::Value;
use stockroom_model::{Group, GroupId, UserId};
use stockroom_store::{ReadTx, Resource, Via, WriteTx};

use crate::auth::Client;
use crate::core::change::Change;
use crate::core::identity::Identity;
use crate::core::own_context::own_context;
pub use crate::records::object::insert::old::RefusedObject;
use crate::{
    Caller, Error, Precondition, RequestContext, Service, category, group, object, setting, r#type,
    user,
};

/// Fills an empty inventory with records that keep their ids, times and authors.
pub struct MoveIn {
    admin: Caller,
}

impl Service {
    /// Begins to move an inventory in; `comment` is the reason in the history.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`]: there are records that the first start did not make.
    pub async fn move_in(self: &Arc<Self>, comment: &str) -> Result<MoveIn, Error> {
        let found = self.store.read(records_of_users).await?;
        if let Some(found) = found {
            return Err(Error::Forbidden(format!(
                "the inventory {found} already, and only an empty one takes another"
            )));
        }
        let admin = UserId::new(1).ok_or_else(|| Error::not_found("user", 1))?;
        let request = RequestContext {
            request_id: "move-in".into(),
            via: Via::CommandLine,
            comment: Some(comment.into()),
            moves_in: true,
            ..RequestContext::default()
        };
        let identity = Identity::of_absent(&self.store.catalog(), admin, request.via)?;
        Ok(MoveIn {
            admin: Caller::new(self, &Arc::new(identity), request),
        })
    }
}

/// What an inventory holds beyond the first start.
fn records_of_users(tx: &mut ReadTx<'_>) -> Result<Option<&'static str>, Error> {
    let is_new_group = |id: GroupId| !Group::is_protected(id);
    Ok(if tx.catalog().types().next().is_some() {
        Some("has types")
    } else if !tx.categories()?.is_empty() {
        Some("has categories")
    } else if tx.accounts()?.len() > 1 {
        Some("has users")
    } else if tx
        .groups()?
        .iter()
        .any(|group| is_new_group(group.record.public_id))
    {
        Some("has groups")
    } else {
        had_records(tx)?
    })
}

/// What an inventory held beyond the first start, even if it is deleted: a record that is moved in
/// must not get the id of another one.
fn had_records(tx: &mut ReadTx<'_>) -> Result<Option<&'static str>, Error> {
    for (resource, first_ids, name) in [
        (Resource::Type, 0, "had types"),
        (Resource::Category, 0, "had categories"),
        (Resource::User, 1, "had other users"),
        (Resource::Group, 2, "had other groups"),
    ] {
        if tx.were_given_above(resource, first_ids)? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

impl MoveIn {
    /// Inserts a group, or changes one of the two that exist from the first start.
    pub async fn group(&self, body: &Value) -> Result<(), Error> {
        let existing = id_of(body)
            .and_then(GroupId::new)
            .filter(|id| Group::is_protected(*id));
        let Some(id) = existing else {
            let permit = self.admin.clone().permit().await?;
            return group::insert(&permit, body).await.map(drop);
        };
        let permit = self.admin.clone().permit().await?;
        let change = Change::Replace(body.clone());
        group::update(&permit, id, change, Precondition::None)
            .await
            .map(drop)
    }

    /// Inserts a user without a password, or changes user 1, who keeps the own one.
    pub async fn user(&self, body: &Value) -> Result<(), Error> {
        if id_of(body) == Some(self.admin.user_id().get()) {
            let permit = self.admin.clone().permit().await?;
            let change = Change::Merge(body.clone());
            let id = self.admin.user_id();
            let client = self.client();
            return user::update(&permit, id, change, Precondition::None, &client)
                .await
                .map(drop);
        }
        let mut body = body.clone();
        if let Some(members) = body.as_object_mut() {
            members.insert("password".to_owned(), user::placeholder());
        }
        let permit = self.admin.clone().permit().await?;
        user::insert(&permit, &body).await.map(drop)
    }

    /// The program itself.
    fn client(&self) -> Client {
        Client {
            address: Ipv4Addr::LOCALHOST.into(),
            user_agent: String::new(),
            request_id: Arc::clone(&self.admin.request.request_id),
        }
    }

    /// Inserts a setting of a user.
    pub async fn setting(&self, user: UserId, body: Value) -> Result<(), Error> {
        let permit = self.admin.clone().permit().await?;
        setting::insert(&permit, user, body).await.map(drop)
    }

    /// Inserts a type.
    pub async fn r#type(&self, body: &Value) -> Result<(), Error> {
        let permit = self.admin.clone().permit().await?;
        r#type::insert(&permit, body).await.map(drop)
    }

    /// Inserts a category.
    pub async fn category(&self, body: &Value) -> Result<(), Error> {
        let permit = self.admin.clone().permit().await?;
        category::insert(&permit, body).await.map(drop)
    }

    /// Inserts objects in one transaction, even if their values break rules of their types: a later
    /// change of a type leaves such objects, too. Returns those that cannot be stored at all.
    pub async fn objects(&self, bodies: Vec<Value>) -> Result<Vec<RefusedObject>, Error> {
        let permit = self.admin.clone().permit().await?;
        let limits = permit.service().records();
        let objects = bodies
            .iter()
            .map(|body| object::insert::Old::new(body, limits));
        object::insert::insert_old(&permit, objects.collect()).await
    }

    /// Lets new records get ids after these, and indexes the objects.
    pub async fn finish(&self, last_ids: Vec<(Resource, i64)>) -> Result<(), Error> {
        let service = &self.admin.service;
        let context = own_context("move-in", service.clock.now());
        let claim = move |tx: &mut WriteTx<'_>| {
            for (resource, id) in &last_ids {
                tx.claim_id(*resource, *id)?;
            }
            Ok::<(), Error>(())
        };
        service.store.write(context, claim).await?;
        tokio::try_join!(service.index_objects(), service.index_searches(1))?;
        Ok(())
    }
}

fn id_of(body: &Value) -> Option<i64> {
    body.get("public_id")
        .and_then(stockroom_model::body::integer)
}
