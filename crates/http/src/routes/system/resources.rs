use std::collections::BTreeMap;

use serde::Serialize;
use stockroom_access::permission::Authenticated;
use utoipa::ToSchema;

use crate::answer::{Answer, to_text};
use crate::request::{Origin, Permit};

/// The resources of the API and where they are.
const RESOURCES: [(&str, &str); 12] = [
    ("objects", "/rest/objects"),
    ("types", "/rest/types"),
    ("kinds", "/rest/kinds"),
    ("categories", "/rest/categories"),
    ("views", "/rest/views"),
    ("sources", "/rest/sources"),
    ("users", "/rest/users"),
    ("tokens", "/rest/tokens"),
    ("groups", "/rest/groups"),
    ("rights", "/rest/rights"),
    ("me", "/rest/auth/me"),
    ("openapi", "/rest/openapi.json"),
];

/// The resources of the API
#[derive(Serialize, ToSchema)]
pub(crate) struct ResourceList {
    /// The release of the server
    #[schema(example = "0.1.0")]
    version: &'static str,
    /// URLs by name of resource
    #[schema(example = json!({"objects": "https://cmdb.example/rest/objects"}))]
    resources: BTreeMap<&'static str, String>,
}

/// List the resources of the API
#[utoipa::path(get, path = "/rest", tag = "System", operation_id = "list_resources",
    responses((status = 200, description = "The resources and their URLs", body = ResourceList)))]
pub(super) async fn handle(_: Permit<Authenticated>, origin: Origin) -> Answer {
    let urls = RESOURCES.map(|(name, path)| (name, origin.url(path)));
    Answer::bare(to_text(&ResourceList {
        version: env!("CARGO_PKG_VERSION"),
        resources: urls.into(),
    }))
}
