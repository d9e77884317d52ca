use utoipa::ToSchema;

/// An empty object
#[derive(ToSchema)]
pub(crate) struct BackupRequested {}
