use serde_json::{Map, Value};
use stockroom_model::setting::{Setting, SettingType};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{List, Results};

/// The settings of a user; with `after`, in the envelope of lists
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum SettingResults {
    Plain(Results<Setting>),
    Page(Box<List<Setting>>),
}

/// A setting to store. By default a user has at most 1,000 settings, of 4 MiB in total
#[derive(ToSchema)]
pub(crate) struct SettingBody {
    #[schema(min_length = 1)]
    identifier: String,
    /// The id in the path
    #[schema(required = false)]
    user_id: Option<i64>,
    /// Empty by default
    #[schema(required = false)]
    payload: Option<Map<String, Value>>,
    setting_type: SettingType,
}

/// A setting that replaces the stored one
#[derive(ToSchema)]
pub(crate) struct SettingReplacement {
    /// The identifier in the path
    #[schema(required = false)]
    identifier: Option<String>,
    /// The id in the path
    #[schema(required = false)]
    user_id: Option<i64>,
    /// Empty by default
    #[schema(required = false)]
    payload: Option<Map<String, Value>>,
    setting_type: SettingType,
}

/// The setting of the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct SettingId {
    /// Id of the user
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    public_id: i64,
    /// Name of the setting
    identifier: String,
}
