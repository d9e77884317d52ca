//! What the guide and the OpenAPI document promise for all resources.

#[cfg(test)]
mod defaults;
#[cfg(test)]
mod endpoints;
#[cfg(test)]
mod envelopes;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod from_datagerry;
#[cfg(test)]
mod group_delete;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod members;
#[cfg(test)]
mod moved;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod unchanged;
#[cfg(test)]
mod unknown_members;
