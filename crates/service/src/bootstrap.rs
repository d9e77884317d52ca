//! The first start, and offline commands of an operator (`docs/guide/src/authentication.md`).

use std::sync::Arc;

use stockroom_auth::{Clock, Entropy, Keys, token};
use stockroom_model::id::RecordId;
use stockroom_model::user::LOCAL_AUTHENTICATOR;
use stockroom_model::{Group, User, UserId};
use stockroom_store::{Credentials, Location, ReadTx, Resource, Store, Via, WriteContext, WriteTx};

use crate::core::certain_time;
use crate::core::master_key::{MASTER_KEY, refuse_other_key, refuse_rotated, stored_key_id};
use crate::core::own_context::{own_context, vital_context};
use crate::{Config, Error, Service};

/// The rights of group 2 after the first start.
const USER_RIGHTS: [&str; 7] = [
    "base.framework.object.*",
    "base.framework.type.view",
    "base.framework.category.view",
    "base.framework.log.view",
    "base.user-management.user.view",
    "base.user-management.group.view",
    "base.docapi.template.view",
];

/// Secrets that the operator may supply.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The password of the user `admin` on the first start; random if missing.
    pub admin_password: Option<String>,
    /// 32 bytes from which all keys derive. If missing, a random key is kept in the database.
    pub master_key: Option<[u8; 32]>,
}

/// A running service.
pub struct Started {
    /// The service.
    pub service: Arc<Service>,
    /// The generated password of the user `admin`, to be shown once.
    pub generated_password: Option<String>,
    /// Whether this was the first start.
    pub first: bool,
}

impl Service {
    /// Starts the service on an open store. The first start creates keys, groups and the user
    /// `admin`.
    ///
    /// # Errors
    ///
    /// The store or the source of randomness failed.
    pub async fn start(
        store: Store,
        config: Config,
        secrets: Secrets,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Started, Error> {
        let master = match secrets.master_key {
            Some(master) => master,
            None => own_master_key(&store, clock.as_ref(), entropy.as_ref()).await?,
        };
        let keys = Keys::derive(&master);
        let in_use = store.read(stored_key_id).await?;
        refuse_other_key(in_use.as_deref(), &keys)?;
        let passed = store.read(certain_time::passed).await?;
        let service = Self::new(store, keys, clock, passed, entropy, config)?;
        let first = service.store.catalog().user_by_name("admin").is_none()
            && service.store.read(is_empty).await?;
        let mut generated_password = None;
        if first {
            let password = match secrets.admin_password {
                Some(password) => password,
                None => generated_password
                    .insert(
                        stockroom_auth::password::generate(service.entropy.as_ref())
                            .map_err(Error::internal)?,
                    )
                    .clone(),
            };
            if !service.first_start(password).await? {
                // Another node was first.
                generated_password = None;
            }
        }
        Ok(Started {
            service: Arc::new(service),
            generated_password,
            first,
        })
    }

    /// Creates the groups and the user `admin`; false if they already exist.
    async fn first_start(&self, password: String) -> Result<bool, Error> {
        let password_hash = self.hashing.hash(password).await?;
        let now = self.clock.now();
        self.store
            .write(own_context("first-start", now), move |tx| {
                if !is_empty(tx)? {
                    return Ok(false);
                }
                insert_group(
                    tx,
                    Group::ADMINISTRATORS,
                    "admin",
                    "Administrator",
                    &["base.*"],
                )?;
                insert_group(tx, Group::USERS, "user", "User", &USER_RIGHTS)?;
                let admin = User {
                    public_id: id(1)?,
                    user_name: "admin".to_owned(),
                    active: true,
                    group_id: id(Group::ADMINISTRATORS)?,
                    registration_time: now.to_spaced(),
                    authenticator: LOCAL_AUTHENTICATOR.to_owned(),
                    email: None,
                    image: None,
                    first_name: None,
                    last_name: None,
                    is_service: false,
                };
                let revision = tx.claim_id(Resource::User, 1)?;
                tx.insert_user(
                    revision,
                    admin,
                    Credentials {
                        password_hash: password_hash.clone(),
                        token_generation: 1,
                    },
                )?;
                Ok(true)
            })
            .await
    }

    /// Sets a password without the old one and ends all tokens of the user; for the operator on the
    /// machine.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such user.
    pub async fn set_password(&self, user_name: &str, password: String) -> Result<(), Error> {
        let password_hash = self.hashing.hash(password).await?;
        let name = user_name.to_owned();
        let context = WriteContext {
            via: Via::CommandLine,
            ..vital_context("set-password", self.clock.now())
        };
        self.store
            .write(context, move |tx| {
                let account = account_by_name(tx, &name)?;
                if account.user.is_service {
                    let detail = format!("user {name} is a service account and has no password");
                    return Err(Error::Forbidden(detail));
                }
                let credentials = Credentials {
                    password_hash: password_hash.clone(),
                    token_generation: account.credentials.token_generation + 1,
                };
                let user = account.user.clone();
                tx.update_user(account, user, credentials)?;
                Ok(())
            })
            .await
    }
}

/// Makes a session token for a user without a running server.
///
/// # Errors
///
/// There is no database, or it has no such active user.
pub fn offline_token(
    location: &Location,
    user_name: &str,
    config: &Config,
    master_key: Option<[u8; 32]>,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<String, Error> {
    Store::peek(location, |tx| {
        let master = match master_key {
            Some(master) => master,
            None => stored_master_key(tx)?.ok_or_else(|| {
                Error::NotFound("the database has no key yet: start the server once".to_owned())
            })?,
        };
        let keys = Keys::derive(&master);
        refuse_rotated(tx, &keys)?;
        let account = account_by_name(tx, user_name)?;
        if !account.user.active {
            return Err(Error::Forbidden(format!("user {user_name} is not active")));
        }
        if account.user.is_service {
            let detail =
                format!("user {user_name} is a service account, which has API tokens only");
            return Err(Error::Forbidden(detail));
        }
        let issued = token::issue(
            account.user.public_id.get(),
            account.credentials.token_generation,
            clock.now(),
            config.token_lifetime_seconds,
            &keys,
            entropy,
        );
        Ok(issued.map_err(Error::internal)?.token)
    })
}

fn account_by_name(
    tx: &mut ReadTx<'_>,
    user_name: &str,
) -> Result<stockroom_store::Account, Error> {
    let account = match tx.user_id_by_name(user_name)?.and_then(UserId::new) {
        Some(id) => tx.account(id)?,
        None => None,
    };
    account.ok_or_else(|| Error::not_found("user", user_name))
}

fn is_empty(tx: &mut ReadTx<'_>) -> Result<bool, Error> {
    Ok(tx.groups()?.is_empty() && tx.accounts()?.is_empty())
}

fn insert_group(
    tx: &mut WriteTx<'_>,
    number: i64,
    name: &str,
    label: &str,
    rights: &[&str],
) -> Result<(), Error> {
    let rights = rights.iter().map(|right| (*right).to_owned()).collect();
    let group = Group {
        public_id: id(number)?,
        name: name.to_owned(),
        label: label.to_owned(),
        rights,
    };
    let revision = tx.claim_id(Resource::Group, number)?;
    tx.insert_group(revision, group)?;
    Ok(())
}

fn id<T: RecordId>(number: i64) -> Result<T, Error> {
    T::try_from(number).map_err(Error::internal)
}

async fn own_master_key(
    store: &Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<[u8; 32], Error> {
    if let Some(key) = store.read(stored_master_key).await? {
        return Ok(key);
    }
    if store.read(stored_key_id).await?.is_some() {
        return Err(Error::internal(
            "the secret key is not in the database since the last rotation: set STOCKROOM_SECRET_KEY",
        ));
    }
    let mut key = [0; 32];
    entropy.fill(&mut key).map_err(Error::internal)?;
    let text = stockroom_auth::keys::to_text(&key);
    store
        .write(own_context("first-start", clock.now()), move |tx| {
            // Another node may have stored one meanwhile.
            if let Some(stored) = stored_master_key(tx)? {
                return Ok(stored);
            }
            // With a new key, nobody could read the values of password fields again.
            if !is_empty(tx)? {
                return Err(Error::internal(
                    "the database has records, but not their secret key: set STOCKROOM_SECRET_KEY as before, or restore a backup",
                ));
            }
            tx.insert_instance_fact(MASTER_KEY, &text)?;
            Ok(key)
        })
        .await
}

fn stored_master_key(tx: &mut ReadTx<'_>) -> Result<Option<[u8; 32]>, Error> {
    let Some(text) = tx.instance_fact(MASTER_KEY)? else {
        return Ok(None);
    };
    stockroom_auth::keys::from_text(&text)
        .map(Some)
        .ok_or_else(|| Error::internal("the stored master key is damaged"))
}
