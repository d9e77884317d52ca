//! Dumps that MongoDB's own driver wrote (`fixtures/make.py`), whole and broken.

mod broken;
mod folder;
mod golden;
