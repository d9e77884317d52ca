//! Loading many records at once, through the same use cases as any client, in the name of the user `admin`.

use std::sync::Arc;

use futures_util::future::try_join_all;
use stockroom_auth::Claims;
use stockroom_model::UserId;
use stockroom_model::json::Value;

use crate::permit::{Caller, RequestContext};
use crate::{Error, Service, category, group, object, r#type, user};

/// Objects under way at the same time: they share commits, and fewer than the store's queue takes.
const CHUNK: usize = 256;

/// Bodies of records, each list in the order in which it is inserted.
#[derive(Debug, Default)]
pub struct Records {
    /// Bodies of groups.
    pub groups: Vec<Value>,
    /// Bodies of users.
    pub users: Vec<Value>,
    /// Bodies of types.
    pub types: Vec<Value>,
    /// Bodies of categories.
    pub categories: Vec<Value>,
    /// Bodies of objects; references may name objects before them.
    pub objects: Vec<Value>,
}

impl Service {
    /// Inserts the records into a store without types; gives how many. Where the store is in use already, they are not even made.
    ///
    /// # Errors
    ///
    /// A record is refused; those before it stay.
    pub async fn load(
        self: &Arc<Self>,
        make_records: impl FnOnce() -> Records,
    ) -> Result<usize, Error> {
        if self.store.catalog().types().next().is_some() {
            return Ok(0);
        }
        let records = make_records();
        let admin = self.administrator()?;
        let (groups, users, types) = (
            admin.clone().permit()?,
            admin.clone().permit()?,
            admin.clone().permit()?,
        );
        for body in &records.groups {
            group::insert(&groups, body).await?;
        }
        try_join_all(records.users.iter().map(|body| user::insert(&users, body))).await?;
        for body in &records.types {
            r#type::insert(&types, body).await?;
        }
        let (categories, objects) = (admin.clone().permit()?, admin.permit()?);
        for body in &records.categories {
            category::insert(&categories, body).await?;
        }
        for chunk in records.objects.chunks(CHUNK) {
            // The futures enqueue in order, and one writer runs them in that order.
            try_join_all(
                chunk
                    .iter()
                    .map(|body| object::insert::insert(&objects, body)),
            )
            .await?;
        }
        Ok(records.groups.len()
            + records.users.len()
            + records.types.len()
            + records.categories.len()
            + records.objects.len())
    }

    /// The user `admin` without a token: nobody logged in.
    fn administrator(self: &Arc<Self>) -> Result<Caller, Error> {
        let catalog = self.store.catalog();
        let user = UserId::new(1)
            .and_then(|id| catalog.user(id))
            .ok_or_else(|| Error::not_found("user", 1))?;
        let claims = Claims {
            user_id: 1,
            generation: user.credentials.token_generation,
            jti: String::new(),
            issued_at: 0,
            expires_at: 0,
        };
        let request = RequestContext {
            request_id: "load".into(),
            strict: false,
        };
        Ok(Caller::new(self, &catalog, user, claims, request))
    }
}
