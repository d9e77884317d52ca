//! Permission as a type: a [`Permit`] is the only way from a request to the store, and each use
//! case names the one it needs.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use stockroom_access::Permission;
use stockroom_access::permission::Authenticated;
use stockroom_model::{Problem, UserId};
use stockroom_store::Catalog;

use crate::Error;
use crate::caller::{Authorization, Caller};

/// Proof that the caller holds the right of `P`, which every view of the store checks once more.
#[derive(Clone)]
pub struct Permit<P> {
    authorization: Authorization,
    permission: PhantomData<P>,
}

impl<P: Permission> Permit<P> {
    /// The permit of a caller who holds the right of `P`.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub async fn new(caller: &Arc<Caller>) -> Result<Self, Error> {
        let authorization = Authorization::new::<P>(caller);
        authorization.decide(|_, _| Ok(())).await?;
        Ok(Self {
            authorization,
            permission: PhantomData,
        })
    }
}

impl<P> Permit<P> {
    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.authorization.caller
    }

    /// What the permit proves, for work that outlives it.
    pub(crate) fn authorization(&self) -> Authorization {
        self.authorization.clone()
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.service().store.catalog()
    }

    /// Passes warnings on, or refuses them when the caller asked for strict handling.
    pub(crate) fn warn(&self, warnings: Vec<Problem>) -> Result<Vec<Problem>, Error> {
        if self.caller().request.strict && !warnings.is_empty() {
            return Err(Error::strict(warnings));
        }
        Ok(warnings)
    }
}

/// Reads and writes go through the authorization, which no other path leads around.
impl<P> Deref for Permit<P> {
    type Target = Authorization;

    fn deref(&self) -> &Authorization {
        &self.authorization
    }
}

impl Permit<Authenticated> {
    /// The permit for what users may do to themselves, and to others with the right of `P`.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub(crate) async fn own_or<P: Permission>(&self, user: UserId) -> Result<Self, Error> {
        if self.caller().user_id() == user {
            return Ok(self.clone());
        }
        let permit = Permit::<P>::new(&self.authorization.caller).await?;
        Ok(Self {
            authorization: permit.authorization,
            permission: PhantomData,
        })
    }
}
