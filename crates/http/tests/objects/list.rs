//! `GET /objects/`

mod filter;
mod pages;
mod selection;
mod sort;
mod visibility;
