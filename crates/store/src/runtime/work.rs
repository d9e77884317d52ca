//! The closures that the store runs as transactions.
//!
//! They cannot await, so that no lock is held across IO. They may run twice: a read if its catalog
//! turns out to be old, a write if it conflicts with one of another node.

use crate::{Catalog, Error, ReadTx, Statement, WriteTx};

/// An error of a closure.
pub trait WorkError: From<Error> + Send + 'static {}

/// Reads in one consistent view.
pub trait ReadWork<T, E>: Fn(&mut ReadTx<'_>) -> Result<T, E> {}

/// Writes all or nothing.
pub trait WriteWork<T, E>: Fn(&mut WriteTx<'_>) -> Result<T, E> {}

/// Makes the statement of a read, if a single one suffices.
pub trait Ask<Q, E>: Fn(&Catalog) -> Result<Option<Statement<Q>>, E> {}

/// Makes the answer from the result of the statement, with the same catalog.
pub trait Answer<Q, T, E>: Fn(&Catalog, Q) -> Result<T, E> {}

impl<E: From<Error> + Send + 'static> WorkError for E {}
impl<T, E, W: Fn(&mut ReadTx<'_>) -> Result<T, E>> ReadWork<T, E> for W {}
impl<T, E, W: Fn(&mut WriteTx<'_>) -> Result<T, E>> WriteWork<T, E> for W {}
impl<Q, E, W: Fn(&Catalog) -> Result<Option<Statement<Q>>, E>> Ask<Q, E> for W {}
impl<Q, T, E, W: Fn(&Catalog, Q) -> Result<T, E>> Answer<Q, T, E> for W {}
