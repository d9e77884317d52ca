//! How large records may be.

/// Bounds on records. A refusal names the bound that it is about. What was stored under a wider
/// bound stays readable, and what an update leaves as it is may stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLimits {
    /// Items of `fields` of an object.
    pub object_fields: usize,
    /// Items of `fields` of a type.
    pub type_fields: usize,
    /// Names that the fields of one type may have or have had: what is stored of an object stays
    /// found by a field that is gone.
    pub type_field_names: usize,
    /// Items of every other list of a type: sections, links, their fields.
    pub type_parts: usize,
    /// Bytes of a text with placeholders: the address of a link, the line of a summary.
    pub template_bytes: usize,
    /// Bytes of the value of one field, as JSON.
    pub value_bytes: usize,
    /// Bytes of one record, as JSON.
    pub document_bytes: usize,
    /// Bytes of one rendered object: a longer one is cut and says so.
    pub rendered_bytes: usize,
    /// Bytes of a value, as JSON, that lines and links show: a template can name it thousands of
    /// times.
    pub shown_value_bytes: usize,
    /// Settings of one user.
    pub settings: usize,
    /// Bytes of all settings of one user, as JSON.
    pub setting_bytes: usize,
    /// Bytes that the `regex` of one field takes when it is compiled.
    pub pattern_bytes: usize,
    /// The same for all fields of a type together.
    pub type_pattern_bytes: usize,
}

impl Default for RecordLimits {
    fn default() -> Self {
        Self {
            object_fields: 2_000,
            type_fields: 1_000,
            type_field_names: 5_000,
            type_parts: 1_000,
            template_bytes: 8 * 1024,
            value_bytes: 1024 * 1024,
            document_bytes: 4 * 1024 * 1024,
            rendered_bytes: 8 * 1024 * 1024,
            shown_value_bytes: 64 * 1024,
            settings: 1_000,
            setting_bytes: 4 * 1024 * 1024,
            pattern_bytes: 256 * 1024,
            type_pattern_bytes: 4 * 1024 * 1024,
        }
    }
}
