//! Rendering, case by case: the document made of an object, its type and a context.

#[cfg(test)]
mod document;
#[cfg(test)]
mod external;
#[cfg(test)]
mod hops;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod section;
#[cfg(test)]
mod summary;
#[cfg(test)]
mod support;
