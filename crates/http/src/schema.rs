//! The schemas of the OpenAPI document. An answer that is a struct is its own schema; here are the
//! schemas of bodies and parameters, which are read by hand, and of envelopes and stored documents,
//! which are written as texts. The tests validate every answer against them.
#![expect(dead_code, reason = "fields are read by the document generator only")]
#![expect(clippy::struct_field_names, reason = "the API names them")]

mod aggregate;
mod auth;
mod batch;
mod category;
mod envelope;
mod export;
mod group;
mod history;
mod import;
mod integration;
mod job;
mod list;
mod object;
mod record_import;
mod right;
mod search;
mod setting;
mod source;
mod system;
mod token;
mod r#type;
mod user;
mod view;

pub(crate) use aggregate::AggregateBody;
pub(crate) use auth::{
    EndSessionsParameters, EndedSessions, LoggedOut, Login, LoginBody, Me, OwnSessions, SessionId,
};
pub(crate) use batch::{BatchBody, BatchResults};
pub(crate) use category::CategoryBody;
pub(crate) use envelope::{
    Aggregate, Deleted, Explain, Inserted, InsertedSetting, InsertedToken, List, MergePatch,
    ProblemDocument, Results, SearchResults, Single, Updated,
};
pub(crate) use export::ExportParameters;
pub(crate) use group::{GroupBody, GroupDeleteParameters};
pub(crate) use history::{
    FeedParameters, HistoryParameters, PastObject, RestoreBody, RevertBody, RevertResults,
    RevertedRecord, RevisionOfRecord, RevisionOfSetting, UndoAction,
};
pub(crate) use import::{
    ImportRepairBody, ImportRowsParameters, ImportRunBody, ImportTypeParameter,
    ImportUploadParameters, PageParameters, UploadedTable,
};
pub(crate) use integration::TargetParameters;
pub(crate) use job::ObjectJobBody;
pub(crate) use list::{ListParameters, RecordId, TreeViewParameter};
pub(crate) use object::{
    AsOfParameter, Cleaned, DeleteParameters, LabelsParameter, NativeObject, ObjectBody,
    ObjectListParameters, ObjectOrObjects, ObjectResults, ObjectState, ObjectViewParameter,
    RecordIds, RenderedObject,
};
pub(crate) use record_import::{ImportedRecords, RecordsToImport};
pub(crate) use right::{RightName, RightNode, RightResults, RightViewParameters, SecurityLevels};
pub(crate) use search::{ObjectSearchParameter, SearchParameters};
pub(crate) use setting::{SettingBody, SettingId, SettingReplacement, SettingResults};
pub(crate) use source::{SourceBody, SourceObjectsParameters};
pub(crate) use stockroom_access::rights::Right;
pub(crate) use stockroom_model::category::Category;
pub(crate) use stockroom_model::setting::Setting;
pub(crate) use stockroom_model::user::User as PastUser;
pub(crate) use stockroom_model::view::View;
pub(crate) use stockroom_model::{ApiToken as PastToken, Source as PastSource};
pub(crate) use stockroom_service::category::CategoryNode;
pub(crate) use stockroom_service::group::GroupAnswer as Group;
pub(crate) use stockroom_service::history::{Change, LoginEvent};
pub(crate) use stockroom_service::http_sd::TargetGroup;
pub(crate) use stockroom_service::import::{
    ImportAnswer as Import, MissingAnswer as ImportMissing, RowAnswer as ImportRow,
};
pub(crate) use stockroom_service::object_job::ObjectJobAnswer as ObjectJob;
pub(crate) use stockroom_service::source::{
    LinkAnswer as SourceObject, ObjectLinkAnswer as ObjectSource, SourceAnswer as Source,
};
pub(crate) use stockroom_service::token::TokenAnswer as Token;
pub(crate) use stockroom_service::r#type::TypePreview;
pub(crate) use stockroom_service::user::UserAnswer as User;
pub(crate) use system::BackupRequested;
pub(crate) use token::TokenBody;
pub(crate) use r#type::{Type, TypeBody, TypeListParameters};
pub(crate) use user::{PasswordBody, UserBody, UserReplacement};
pub(crate) use view::ViewBody;
