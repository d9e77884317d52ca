use utoipa::IntoParams;

/// The parameters of targets for Prometheus.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TargetParameters {
    /// JSON object in the MongoDB query language, as for lists
    #[param(required = false, example = "{\"type_id\": 1}")]
    filter: String,
    /// Only active objects, which is the default
    #[param(required = false)]
    active: bool,
    /// Name of the field that holds the host name or the address, or that references the object
    /// with it
    #[param(required = true, example = "hostname")]
    address: String,
    /// The port of all targets, or the name of the field that holds it
    #[param(required = false, example = "9100")]
    port: String,
    /// Names of fields and of members of objects that become labels, between commas or as a JSON
    /// list
    #[param(required = false, example = "site,active")]
    labels: String,
}
