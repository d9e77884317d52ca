//! The closures that callers hand to the store, by what they are given.
//!
//! They cannot await, so that no lock is held over IO, and they may run twice: a read whose catalog
//! turns out to be old, a write that conflicts with another node's.

use crate::{Catalog, Error, ReadTx, Statement, WriteTx};

/// What a closure may fail with.
pub trait WorkError: From<Error> + Send + 'static {}

/// Reads one consistent view.
pub trait ReadWork<T, E>: Fn(&mut ReadTx<'_>) -> Result<T, E> {}

/// Writes all or nothing.
pub trait WriteWork<T, E>: Fn(&mut WriteTx<'_>) -> Result<T, E> {}

/// Makes the statement of a read, if one will do.
pub trait Ask<Q, E>: Fn(&Catalog) -> Result<Option<Statement<Q>>, E> {}

/// Makes the answer from what the statement found, with the same catalog.
pub trait Answer<Q, T, E>: Fn(&Catalog, Q) -> Result<T, E> {}

impl<E: From<Error> + Send + 'static> WorkError for E {}
impl<T, E, W: Fn(&mut ReadTx<'_>) -> Result<T, E>> ReadWork<T, E> for W {}
impl<T, E, W: Fn(&mut WriteTx<'_>) -> Result<T, E>> WriteWork<T, E> for W {}
impl<Q, E, W: Fn(&Catalog) -> Result<Option<Statement<Q>>, E>> Ask<Q, E> for W {}
impl<Q, T, E, W: Fn(&Catalog, Q) -> Result<T, E>> Answer<Q, T, E> for W {}
