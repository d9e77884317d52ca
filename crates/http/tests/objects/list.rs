//! `GET /objects/`

mod cursors;
mod explain;
mod filter;
mod names;
mod pages;
mod selection;
mod sort;
mod visibility;
