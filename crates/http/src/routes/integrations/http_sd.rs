use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_service::http_sd::{self, Port, TargetsRequest};
use stockroom_service::object::list::{ObjectListRequest, View};

use crate::answer::Problem;
use crate::request::{ListQuery, Parameters, Permit};
use crate::routes::exports::{check_known, names};
use crate::schema::{TargetGroup, TargetParameters};

/// List objects as targets for Prometheus
///
/// The answer is the list that the HTTP service discovery of Prometheus reads. Objects without an
/// address, and inactive ones, are left out. It has no place for warnings, so they are errors, and
/// so are more than 10,000 matching objects.
#[utoipa::path(
    get, path = "/rest/integrations/http_sd", tag = "Integrations",
    operation_id = "list_targets",
    params(TargetParameters),
    responses((status = 200, description = "The targets", body = Vec<TargetGroup>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    query: ListQuery,
) -> Result<Response, Problem> {
    let request = read(&query)?;
    let targets = http_sd::targets(&permit, request).await?;
    let mut answer = Response::new(Body::from(targets));
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(answer)
}

fn read(query: &ListQuery) -> Result<TargetsRequest, Problem> {
    let parameters = &query.parameters;
    check_known(parameters)?;
    let mut list = query.request.clone();
    list.limit = None;
    list.active_only = parameters.flag("active")?.unwrap_or(true);
    let Some(address) = parameters.get("address")? else {
        let detail = "must be the name of the field that holds the host name or the address";
        return Err(Problem::invalid("address", detail));
    };
    Ok(TargetsRequest {
        list: ObjectListRequest {
            list,
            view: View::Native,
            with_revisions: false,
            with_labels: false,
            search: None,
            as_of: None,
            explain: false,
        },
        address: address.to_owned(),
        port: port(parameters)?,
        labels: names(parameters, "labels")?.unwrap_or_default(),
    })
}

/// A number, or else the name of a field.
fn port(parameters: &Parameters) -> Result<Option<Port>, Problem> {
    let Some(text) = parameters.get("port")? else {
        return Ok(None);
    };
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Some(Port::Field(text.to_owned())));
    }
    let number = text.parse().ok().filter(|number| *number > 0);
    let wrong = || {
        let detail = format!("must be from 1 to 65535, or the name of a field, not {text}");
        Problem::invalid("port", detail)
    };
    number
        .ok_or_else(wrong)
        .map(|number| Some(Port::Number(number)))
}
