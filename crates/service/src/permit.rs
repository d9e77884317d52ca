//! Permission as a type: a [`Permit`] is the only way from a request to the store, and each use case names the one it needs.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use stockroom_access::permission::Authenticated;
use stockroom_access::{Permission, RightSet, Scope};
use stockroom_auth::Claims;
use stockroom_model::{GroupId, Problem, Timestamp, UserId};
use stockroom_store::{Catalog, Mark, ReadTx, WriteContext, WriteTx};

use crate::auth::Identity;
use crate::{Error, Service};

/// Who calls, with which rights.
#[derive(Clone)]
pub struct Caller {
    pub(crate) service: Arc<Service>,
    /// The user.
    pub user_id: UserId,
    /// Its group.
    pub group_id: GroupId,
    /// What the group may do.
    pub rights: RightSet,
    identity: Arc<Identity>,
    /// What the request says besides its body.
    pub request: RequestContext,
}

/// What a request says besides its body.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    /// Its id, for logs and problems.
    pub request_id: Arc<str>,
    /// `Prefer: handling=strict`: warnings are errors.
    pub strict: bool,
    /// What the client knows was written, where reads may go to replicas: its own writes are noted here, and its reads show them.
    pub mark: Option<Arc<Mark>>,
    /// What is freed when nothing works for the request any more.
    pub held: Held,
}

/// Something that lives as long as the work for a request, which may go on when the client has gone.
#[derive(Clone, Default)]
pub struct Held(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl Held {
    /// Keeps `resource`; only the first one.
    pub fn hold(&self, resource: impl Any + Send + Sync) {
        let _ = self.0.set(Box::new(resource));
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Held")
    }
}

/// Proof that the caller holds the right of `P`.
#[derive(Clone)]
pub struct Permit<P> {
    caller: Arc<Caller>,
    permission: PhantomData<P>,
}

impl Caller {
    /// Whoever was identified.
    pub(crate) fn new(
        service: &Arc<Service>,
        identity: &Arc<Identity>,
        request: RequestContext,
    ) -> Self {
        Self {
            service: Arc::clone(service),
            user_id: identity.user_id,
            group_id: identity.group_id,
            rights: identity.rights,
            identity: Arc::clone(identity),
            request,
        }
    }

    /// The token that was shown.
    pub(crate) fn claims(&self) -> Arc<Claims> {
        Arc::clone(&self.identity.claims)
    }

    /// The permit for `P`; see [`Permit::new`].
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub fn permit<P: Permission>(self) -> Result<Permit<P>, Error> {
        Permit::new(&Arc::new(self))
    }

    /// Whether the caller holds the right of `P`.
    #[must_use]
    pub fn holds<P: Permission>(&self) -> bool {
        self.rights.permits::<P>()
    }
}

impl<P: Permission> Permit<P> {
    /// The permit of a caller who holds the right of `P`.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub fn new(caller: &Arc<Caller>) -> Result<Self, Error> {
        if !caller.holds::<P>() {
            return Err(Error::missing_right(P::RIGHT));
        }
        Ok(Self {
            caller: Arc::clone(caller),
            permission: PhantomData,
        })
    }

    /// What the caller may see of this view of the store.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`], [`Error::Forbidden`]: this view no longer lets the caller in.
    pub(crate) fn scope(&self, tx: &ReadTx<'_>) -> Result<Arc<Scope>, Error> {
        self.caller.identity.scope_in::<P>(tx.catalog())
    }
}

impl<P> Permit<P> {
    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The caller, for work that outlives the permit.
    pub(crate) fn shared_caller(&self) -> Arc<Caller> {
        Arc::clone(&self.caller)
    }

    pub(crate) fn service(&self) -> &Service {
        &self.caller.service
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.service().store.catalog()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.service().clock.now()
    }

    fn mark(&self) -> Option<&Mark> {
        self.caller.request.mark.as_deref()
    }

    /// Reads one consistent view.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&mut ReadTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.service().store.read_since(self.mark(), work).await
    }

    /// Reads what one statement answers.
    pub(crate) async fn read_one<T: Send + 'static>(
        &self,
        work: impl Fn(&mut ReadTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.service().store.read_one(self.mark(), work).await
    }

    /// Reads what one statement may answer.
    pub(crate) async fn read_at_once<T: Send + 'static>(
        &self,
        work: impl Fn(&mut ReadTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.service().store.read_at_once(self.mark(), work).await
    }

    /// Writes all or nothing, in the name of the caller.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&mut WriteTx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let context = WriteContext {
            actor: self.caller.user_id.get(),
            request_id: self.caller.request.request_id.to_string(),
            comment: None,
            now: self.now(),
            mark: self.caller.request.mark.clone(),
        };
        self.service().store.write(context, work).await
    }

    /// Passes warnings on, or refuses them when the caller asked for strict handling.
    pub(crate) fn warn(&self, warnings: Vec<Problem>) -> Result<Vec<Problem>, Error> {
        if self.caller.request.strict && !warnings.is_empty() {
            return Err(Error::strict(warnings));
        }
        Ok(warnings)
    }
}

impl Permit<Authenticated> {
    /// What a user may do to itself, others need the right of `P` for.
    pub(crate) fn own_or<P: Permission>(&self, user: UserId) -> Result<(), Error> {
        if self.caller.user_id == user || self.caller.holds::<P>() {
            Ok(())
        } else {
            Err(Error::missing_right(P::RIGHT))
        }
    }
}
