//! Limits on the size of records.

/// Limits on records. A refusal names the limit that was exceeded. Records stored under a higher
/// limit stay readable, and an update may keep their unchanged parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLimits {
    /// Items in `fields` of an object.
    pub object_fields: usize,
    /// Items in `fields` of a type.
    pub type_fields: usize,
    /// Names of the present and removed fields of one type: objects can still be found by a removed
    /// field.
    pub type_field_names: usize,
    /// Objects that change when a field of their type gets another name or becomes a password, which
    /// is one transaction. Together they have at most 2 KiB each.
    pub renamed_objects: usize,
    /// Items in every other list of a type: sections, links, their fields.
    pub type_parts: usize,
    /// Bytes of a template: the address of a link, the line of a summary.
    pub template_bytes: usize,
    /// Bytes of the value of one field, as JSON.
    pub value_bytes: usize,
    /// Bytes of one record, as JSON.
    pub document_bytes: usize,
    /// Bytes of one rendered object; a longer one is truncated and says so.
    pub rendered_bytes: usize,
    /// Bytes, as JSON, of a value shown in lines and links: a template can name it thousands of
    /// times.
    pub shown_value_bytes: usize,
    /// Settings of one user.
    pub settings: usize,
    /// Bytes of all settings of one user, as JSON.
    pub setting_bytes: usize,
    /// Views of one user.
    pub views: usize,
    /// Bytes of all views of one user, as JSON.
    pub view_bytes: usize,
    /// API tokens of one user.
    pub tokens: usize,
    /// Changes that one user makes on a day to itself, settings, views, sources and tokens.
    pub own_changes: usize,
    /// Bytes that the history keeps for them.
    pub own_change_bytes: usize,
    /// Idempotency keys of all sessions of a user, or of an API token, within 24 hours.
    pub idempotency_keys: usize,
    /// Bytes of the answers that are kept under them.
    pub idempotency_bytes: usize,
    /// Estimated bytes of the compiled `regex` of one field.
    pub pattern_bytes: usize,
    /// Estimated bytes of the compiled `regex` of all fields of a type together.
    pub type_pattern_bytes: usize,
}

impl Default for RecordLimits {
    fn default() -> Self {
        Self {
            object_fields: 2_000,
            type_fields: 1_000,
            type_field_names: 5_000,
            renamed_objects: 10_000,
            type_parts: 1_000,
            template_bytes: 8 * 1024,
            value_bytes: 1024 * 1024,
            document_bytes: 4 * 1024 * 1024,
            rendered_bytes: 8 * 1024 * 1024,
            shown_value_bytes: 64 * 1024,
            settings: 1_000,
            setting_bytes: 4 * 1024 * 1024,
            views: 500,
            view_bytes: 2 * 1024 * 1024,
            tokens: 100,
            own_changes: 10_000,
            own_change_bytes: 32 * 1024 * 1024,
            idempotency_keys: 20_000,
            idempotency_bytes: 64 * 1024 * 1024,
            pattern_bytes: 256 * 1024,
            type_pattern_bytes: 4 * 1024 * 1024,
        }
    }
}
