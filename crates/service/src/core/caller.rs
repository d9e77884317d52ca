//! The caller of a request, and its rights in each view of the store.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use stockroom_access::Permission;
use stockroom_auth::Claims;
use stockroom_fair::Requester;
use stockroom_model::{Timestamp, TokenId, UserId};
use stockroom_store::{
    Catalog, CommitToken, ReadContext, ReadTx, ReadWork, ReserveUse, Statement, Via, WriteContext,
    WriteTx, WriteWork,
};

use crate::core::access::Access;
use crate::core::client_writes::WaitingClient;
use crate::core::identity::Identity;
use crate::core::open_transaction::RequestTransaction;
use crate::{Error, Permit, Service, own_changes};

/// A user with a valid token.
#[derive(Clone)]
pub struct Caller {
    pub(crate) service: Arc<Service>,
    identity: Arc<Identity>,
    /// Whether no client waits for it.
    is_absent: bool,
    /// The request without its body.
    pub request: RequestContext,
}

/// A request without its body.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    /// The request id, for logs and problems.
    pub request_id: Arc<str>,
    /// How the request reached the service.
    pub via: Via,
    /// Whether its writes restore earlier states.
    pub restores: bool,
    /// How much its writes may use of the room that is kept for when the disk is full.
    pub reserve: ReserveUse,
    /// Whether its writes move records in from another system: they keep their times, and users
    /// have no passwords.
    pub moves_in: bool,
    /// The reason for a write that the client gave (`X-Comment`).
    pub comment: Option<Arc<str>>,
    /// `Prefer: handling=strict`: warnings are errors.
    pub strict: bool,
    /// The client's commit token, if reads may go to replicas: its writes advance it, and its reads
    /// show at least that commit.
    pub commit_token: Option<Arc<CommitToken>>,
    /// Released when no work for the request is left.
    pub resource: RequestResource,
    /// The transaction that all reads and writes of the request belong to.
    pub transaction: Option<Arc<RequestTransaction>>,
}

/// A resource that lives as long as the work for a request, which may outlast the client's
/// connection.
#[derive(Clone, Default)]
pub struct RequestResource(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl RequestResource {
    /// Attaches `resource`. Only the first call has an effect.
    pub fn attach(&self, resource: impl Any + Send + Sync) {
        let _ = self.0.set(Box::new(resource));
    }
}

impl fmt::Debug for RequestResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RequestResource")
    }
}

impl Caller {
    pub(crate) fn new(
        service: &Arc<Service>,
        identity: &Arc<Identity>,
        request: RequestContext,
    ) -> Self {
        Self {
            service: Arc::clone(service),
            identity: Arc::clone(identity),
            is_absent: false,
            request,
        }
    }

    /// A user in whose name the service goes on with a request that was answered. With an API
    /// token, that still limits it.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`]: the user or the API token is gone, or the user is inactive.
    pub(crate) async fn absent(
        service: &Arc<Service>,
        user: UserId,
        request: RequestContext,
    ) -> Result<Self, Error> {
        let via = request.via;
        let identity = service.decide(|catalog| Identity::of_absent(catalog, user, via));
        Ok(Self {
            is_absent: true,
            ..Self::new(service, &Arc::new(identity.await?), request)
        })
    }

    /// The id of the user.
    #[must_use]
    pub fn user_id(&self) -> UserId {
        self.identity.user_id()
    }

    /// Whose work the request is, for queues that users share.
    #[must_use]
    pub fn requester(&self) -> Requester {
        Requester::of(self.user_id().get(), self.token_id().is_some())
    }

    /// The claims of the session token that the request carried.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`] if it carried none.
    pub(crate) fn claims(&self) -> Result<Arc<Claims>, Error> {
        let claims = self.identity.claims();
        claims.map(Arc::clone).ok_or(Error::Unauthenticated)
    }

    /// The id of the API token that the request carried.
    #[must_use]
    pub fn token_id(&self) -> Option<TokenId> {
        self.identity.token_id()
    }

    /// The rights of the caller in a view of the store with `catalog`.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`] if its token has ended.
    pub(crate) fn access_in(&self, catalog: &Catalog) -> Result<Access, Error> {
        if self.identity.is_expired(self.service.clock.now()) {
            return Err(Error::Unauthenticated);
        }
        self.identity.access_in(catalog)
    }

    /// The context of the writes of the request.
    pub(crate) fn write_context(&self) -> WriteContext {
        WriteContext {
            actor: self.user_id().get(),
            request_id: self.request.request_id.to_string(),
            via: self.request.via,
            restores: self.request.restores,
            reserve: self.request.reserve,
            comment: self.request.comment.as_deref().map(str::to_owned),
            now: self.service.clock.now(),
            work_limit: (!self.is_absent).then(|| self.service.work_limit()),
            commit_token: self.request.commit_token.clone(),
        }
    }

    /// Runs work of some milliseconds on a blocking thread; see [`Service::run_blocking`].
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (service, requester) = (&self.service, self.requester());
        match &self.request.transaction {
            None => service.run_blocking(requester, work).await,
            Some(transaction) => {
                let work = Arc::clone(transaction).timed(work);
                service.run_blocking(requester, work).await
            }
        }
    }

    /// Whether its writes belong to one open transaction, so that they cannot be done in parts.
    pub(crate) const fn is_in_transaction(&self) -> bool {
        self.request.transaction.is_some()
    }

    /// Whether this is work in the name of a user who does not wait for it.
    pub(crate) const fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// The client, if there is one, waits for a write until this is dropped.
    pub(crate) fn wait_for_write(&self) -> Option<WaitingClient<'_>> {
        let now = self.service.clock.now();
        let writes = &self.service.client_writes;
        (!self.is_absent).then(|| writes.wait(now))
    }

    /// The error as the caller may see it.
    pub(crate) fn shown(&self, error: Error) -> Error {
        if !matches!(error, Error::NotUnique(_)) {
            return error;
        }
        match self.access_in(&self.service.store.catalog()) {
            Ok(access) => error.shown_in(&access.scope),
            Err(_) => error,
        }
    }

    /// The permit for `P`; see [`Permit::new`].
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] names the right that is missing.
    pub async fn permit<P: Permission>(self) -> Result<Permit<P>, Error> {
        Permit::new(&Arc::new(self)).await
    }
}

/// A caller with the right that its request needs; a request's only way to the store. Every view
/// checks token and right first, because either may have been revoked since the request began.
#[derive(Clone)]
pub struct Authorization {
    pub(crate) caller: Arc<Caller>,
    check: fn(&Access) -> Result<(), Error>,
    check_writes: fn(&Access) -> Result<(), Error>,
}

impl Authorization {
    pub(crate) fn new<P: Permission>(caller: &Arc<Caller>) -> Self {
        Self {
            caller: Arc::clone(caller),
            check: Access::check::<P>,
            check_writes: Access::check_writes::<P>,
        }
    }

    /// The rights of the caller in a view of the store.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthenticated`] or [`Error::Forbidden`]: token or right was revoked.
    pub(crate) fn access(&self, tx: &ReadTx<'_>) -> Result<Access, Error> {
        self.access_in(tx.catalog())
    }

    /// Like [`Authorization::access`], for the catalog of a view.
    ///
    /// # Errors
    ///
    /// As [`Authorization::access`].
    pub(crate) fn access_in(&self, catalog: &Catalog) -> Result<Access, Error> {
        let access = self.caller.access_in(catalog)?;
        (self.check)(&access)?;
        Ok(access)
    }

    pub(crate) fn service(&self) -> &Service {
        &self.caller.service
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.service().clock.now()
    }

    /// The context of reads that show at least the client's commit token. Work that goes on without
    /// a client has all the time it needs.
    fn read_context(&self) -> ReadContext<'_> {
        let seconds = self.service().config.read_seconds.into();
        ReadContext {
            requester: self.caller.requester(),
            time_limit: (!self.caller.is_absent).then(|| Duration::from_secs(seconds)),
            commit_token: self.caller.request.commit_token.as_deref(),
        }
    }

    /// Decides by the catalog in memory; see [`Service::decide`].
    ///
    /// # Errors
    ///
    /// As [`Authorization::access`], and the errors of `work`.
    pub(crate) async fn decide<T>(
        &self,
        work: impl Fn(&Catalog, &Access) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let decide = |catalog: &Arc<Catalog>| {
            let access = self.access_in(catalog)?;
            work(catalog, &access)
        };
        match self.transaction().and_then(RequestTransaction::catalog) {
            Some(catalog) => decide(&catalog),
            None => self.service().decide(decide).await,
        }
    }

    /// The open transaction of the request.
    pub(crate) fn transaction(&self) -> Option<&RequestTransaction> {
        self.caller.request.transaction.as_deref()
    }

    /// The catalog in memory, or that of the open transaction.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        let catalog = self.transaction().and_then(RequestTransaction::catalog);
        catalog.unwrap_or_else(|| self.service().store.catalog())
    }

    /// Wraps `work` so that it runs only if the view passes the checks of token and right.
    fn guarded<T>(
        &self,
        work: impl ReadWork<T, Error> + Send + 'static,
    ) -> impl ReadWork<T, Error> + Send + 'static {
        let authorization = self.clone();
        move |tx| {
            authorization.access(tx)?;
            work(tx)
        }
    }

    /// Reads one consistent view that includes at least the client's commit token.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl ReadWork<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let work = self.guarded(work);
        if let Some(transaction) = self.transaction() {
            return transaction.read(work).await;
        }
        let store = &self.service().store;
        store.read_for(&self.read_context(), work).await
    }

    /// Reads the newest consistent view.
    pub(crate) async fn read_newest<T: Send + 'static>(
        &self,
        work: impl ReadWork<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if let Some(transaction) = self.transaction() {
            return transaction.read(self.guarded(work)).await;
        }
        let newest = ReadContext {
            commit_token: None,
            ..self.read_context()
        };
        let store = &self.service().store;
        store.read_for(&newest, self.guarded(work)).await
    }

    /// Reads with a single statement if one suffices: see [`stockroom_store::Store::fetch`]. `ask`
    /// and `answer` get the caller's rights by their catalog.
    pub(crate) async fn fetch<Q: 'static, T: Send + 'static>(
        &self,
        ask: impl Fn(&Catalog, Access) -> Result<Option<Statement<Q>>, Error> + Send + 'static,
        answer: impl Fn(&Catalog, Access, Q) -> Result<T, Error> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        let (asker, answerer) = (self.clone(), self.clone());
        let ask = move |catalog: &Catalog| ask(catalog, asker.access_in(catalog)?);
        let answer =
            move |catalog: &Catalog, found| answer(catalog, answerer.access_in(catalog)?, found);
        if let Some(transaction) = self.transaction() {
            return transaction.fetch(ask, answer).await;
        }
        let store = &self.service().store;
        store.fetch(&self.read_context(), ask, answer).await
    }

    /// Runs a write transaction in the name of the caller, whose token must allow writes.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl WriteWork<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let _waiting = self.caller.wait_for_write();
        let context = self.caller.write_context();
        let authorization = self.clone();
        let work = move |tx: &mut WriteTx<'_>| {
            let access = authorization.access(tx)?;
            (authorization.check_writes)(&access)?;
            own_changes::limited(&authorization.caller, &access, tx, |tx| work(tx))
        };
        let written = match self.transaction() {
            Some(transaction) => transaction.write(context, work).await,
            None => self.service().store.write(context, work).await,
        };
        written.map_err(|error| self.caller.shown(error))
    }
}
