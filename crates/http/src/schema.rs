//! The schemas of bodies and answers, for the OpenAPI document. Other code writes the answers
//! (envelopes, stored JSON); the tests validate every answer against these schemas.
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
mod type_preview;
mod user;
mod view;

pub(crate) use aggregate::AggregateBody;
pub(crate) use auth::{
    EndSessionsParameters, EndedSessions, LoggedOut, Login, LoginBody, Me, OwnSessions, SessionId,
};
pub(crate) use batch::{BatchBody, BatchResults};
pub(crate) use category::{Category, CategoryBody, CategoryNode};
pub(crate) use envelope::{
    Aggregate, Deleted, Explain, Inserted, InsertedSetting, InsertedToken, List, MergePatch,
    ProblemDocument, Results, SearchResults, Single, Updated,
};
pub(crate) use export::ExportParameters;
pub(crate) use group::{Group, GroupBody, GroupDeleteParameters};
pub(crate) use history::{
    Change, FeedParameters, HistoryParameters, LoginEvent, PastObject, PastUser, RestoreBody,
    RevertBody, RevertResults, RevisionOfRecord, RevisionOfSetting,
};
pub(crate) use import::{
    Import, ImportMissing, ImportRepairBody, ImportRow, ImportRowsParameters, ImportRunBody,
    ImportTypeParameter, ImportUploadParameters, PageParameters, UploadedTable,
};
pub(crate) use integration::{TargetGroup, TargetParameters};
pub(crate) use job::{ObjectJob, ObjectJobBody};
pub(crate) use list::{ListParameters, RecordId, TreeViewParameter};
pub(crate) use object::{
    AsOfParameter, Cleaned, DeleteParameters, LabelsParameter, NativeObject, ObjectBody,
    ObjectListParameters, ObjectOrObjects, ObjectResults, ObjectState, ObjectViewParameter,
    RecordIds, RenderedObject,
};
pub(crate) use record_import::{ImportedRecords, RecordsToImport};
pub(crate) use right::{
    Right, RightName, RightNode, RightResults, RightViewParameters, SecurityLevels,
};
pub(crate) use search::{ObjectSearchParameter, SearchParameters};
pub(crate) use setting::{Setting, SettingBody, SettingId, SettingReplacement, SettingResults};
pub(crate) use source::{
    ObjectSource, PastSource, Source, SourceBody, SourceObject, SourceObjectsParameters,
};
pub(crate) use system::BackupRequested;
pub(crate) use token::{PastToken, Token, TokenBody};
pub(crate) use r#type::{Type, TypeBody, TypeListParameters};
pub(crate) use type_preview::TypePreview;
pub(crate) use user::{PasswordBody, User, UserBody, UserReplacement};
pub(crate) use view::{View, ViewBody};
