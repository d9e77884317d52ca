//! Permission as a type: a [`Permit`] is a request's only way to the store, and each use case names
//! the permit it needs.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use stockroom_access::Permission;
use stockroom_access::permission::Authenticated;
use stockroom_model::{Problem, UserId};
use stockroom_store::{ReadTx, ReserveUse};

use crate::Error;
use crate::core::caller::{Authorization, Caller};

/// Proof that the caller holds the right of `P`. Every view of the store checks it again.
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

impl<P: Permission> Permit<P> {
    /// The permit of a caller in a transaction that has begun, for one write of several.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub(crate) fn within(caller: &Arc<Caller>, tx: &ReadTx<'_>) -> Result<Self, Error> {
        let authorization = Authorization::new::<P>(caller);
        authorization.access(tx)?;
        Ok(Self {
            authorization,
            permission: PhantomData,
        })
    }
}

impl<P> Permit<P> {
    /// The caller.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.authorization.caller
    }

    /// The authorization, for work that outlives the permit.
    pub(crate) fn authorization(&self) -> Authorization {
        self.authorization.clone()
    }

    /// The permit for `Q`, for writes that restore earlier states.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub(crate) async fn restoring<Q: Permission>(&self) -> Result<Permit<Q>, Error> {
        let mut caller = self.caller().clone();
        caller.request.restores = true;
        caller.permit().await
    }

    /// The same permit for writes that must go on when the disk is full.
    pub(crate) fn vital(&self) -> Self
    where
        P: Clone,
    {
        let mut vital = self.clone();
        Arc::make_mut(&mut vital.authorization.caller)
            .request
            .reserve = ReserveUse::All;
        vital
    }

    /// Passes warnings on, or turns them into an error if the caller asked for strict handling.
    pub(crate) fn warn(&self, warnings: Vec<Problem>) -> Result<Vec<Problem>, Error> {
        if self.caller().request.strict && !warnings.is_empty() {
            return Err(Error::strict(warnings));
        }
        Ok(warnings)
    }
}

/// Gives access to the reads and writes of the authorization.
impl<P> Deref for Permit<P> {
    type Target = Authorization;

    fn deref(&self) -> &Authorization {
        &self.authorization
    }
}

impl Permit<Authenticated> {
    /// The permit for the user itself, or for a caller with the right of `P`.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub(crate) async fn own_or<P: Permission>(&self, user: UserId) -> Result<Self, Error> {
        let is_own = self.caller().user_id() == user;
        if is_own && self.decide(|_, access| Ok(access.owns_itself())).await? {
            return Ok(self.clone());
        }
        let permit = Permit::<P>::new(&self.authorization.caller).await?;
        Ok(Self {
            authorization: permit.authorization,
            permission: PhantomData,
        })
    }
}
