//! `GET /objects/`

mod cursors;
mod filter;
mod pages;
mod selection;
mod sort;
mod visibility;
