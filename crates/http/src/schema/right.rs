use serde_json::Value;
use stockroom_access::rights::Right;
use utoipa::{IntoParams, ToSchema};

use super::List;

/// A right, or the rights below the preceding right
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum RightNode {
    Right(Right),
    /// Each a right or a list, as here: most generators of clients know no lists of themselves
    Below(Vec<Value>),
}

/// A page of rights; with `view=tree`, of the roots of their tree
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum RightResults {
    List(List<Right>),
    Tree(List<RightNode>),
}

/// The security levels by name
#[derive(ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) struct SecurityLevels {
    critical: i64,
    danger: i64,
    secure: i64,
    protected: i64,
    permission: i64,
    notset: i64,
}

/// The name of a right.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RightName {
    /// Name of the right
    #[param(example = "base.framework.object.view")]
    name: String,
}

/// The view of rights.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RightViewParameters {
    /// As a list, or as a tree, which has its own order
    #[param(required = false, inline)]
    view: RightView,
    /// The former name of `view`, which takes precedence
    #[param(required = false, inline)]
    optional: RightView,
}

#[derive(ToSchema)]
enum RightView {
    #[serde(rename = "list")]
    List,
    #[serde(rename = "tree")]
    Tree,
}
