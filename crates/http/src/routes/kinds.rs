//! `/kinds` (`docs/guide/src/values.md`)

use serde::Serialize;
use stockroom_access::permission::Authenticated;
use stockroom_model::FieldKind;
use stockroom_model::kind::Setting;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::answer::{Answer, to_text};
use crate::request::Permit;
use crate::routing::{Routes, routes};

pub(crate) fn router() -> Routes {
    Routes::new().routes(routes!(handle))
}

/// The kinds of fields
#[derive(Serialize, ToSchema)]
pub(crate) struct KindList {
    kinds: Vec<KindFacts>,
}

/// What fields of a kind take and offer
#[derive(Serialize, ToSchema)]
struct KindFacts {
    /// The `type` of their definitions
    #[schema(schema_with = names)]
    name: FieldKind,
    /// What their values are
    #[schema(example = "a text or null")]
    takes: &'static str,
    /// The members of definitions that suit them, besides those that all have
    #[schema(schema_with = settings)]
    settings: &'static [Setting],
    /// The operators of filters that suit their values, the likeliest first
    #[schema(example = json!(["$eq", "$ne"]))]
    operators: &'static [&'static str],
}

/// List the kinds of fields
///
/// Those with rules of their own. Fields of another kind take every text, number, boolean and date.
#[utoipa::path(get, path = "/rest/kinds", tag = "Types", operation_id = "list_kinds",
    responses((status = 200, description = "The kinds", body = KindList)))]
async fn handle(_: Permit<Authenticated>) -> Answer {
    let kinds = FieldKind::NAMED.iter().map(|kind| KindFacts {
        name: *kind,
        takes: kind.expected(),
        settings: kind.settings(),
        operators: kind.operators(),
    });
    Answer::bare(to_text(&KindList {
        kinds: kinds.collect(),
    }))
}

fn names() -> Object {
    one_of(FieldKind::NAMED.iter().filter_map(|kind| kind.name()))
}

fn settings() -> Array {
    let names = Setting::ALL.iter().map(|setting| setting.name());
    ArrayBuilder::new().items(one_of(names)).build()
}

fn one_of(words: impl Iterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words))
        .build()
}
