//! Limits on requests.

use clap::Args;
use stockroom_http::BodyLimits;
use stockroom_service::{Config as ServiceConfig, FilterLimits, RecordLimits};

/// Bounds on what a request may ask for.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Conditions and operators in one filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_NODES",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().max_nodes
    )]
    filter_nodes: usize,
    /// Values in one list of a filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_VALUES",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().max_in
    )]
    filter_values: usize,
    /// Bytes of one regular expression of a filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_PATTERN",
        value_name = "BYTES",
        default_value_t = FilterLimits::default().max_pattern
    )]
    filter_pattern: usize,
    /// Regular expressions in one filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_PATTERNS",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().max_patterns
    )]
    filter_patterns: usize,
    /// Compiled bytes of one regular expression of a filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_COMPILED",
        value_name = "BYTES",
        default_value_t = FilterLimits::default().max_compiled
    )]
    filter_compiled: usize,
    /// Backtracking steps of a regular expression over one text
    #[arg(
        long,
        env = "STOCKROOM_FILTER_BACKTRACKS",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().backtrack_limit
    )]
    filter_backtracks: usize,
    /// Bytes of the body of a request
    #[arg(
        long,
        env = "STOCKROOM_BODY_BYTES",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().bytes
    )]
    body_bytes: usize,
    /// Bytes of a body that is always short, as for a login
    #[arg(
        long,
        env = "STOCKROOM_SMALL_BODY_BYTES",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().small_bytes
    )]
    small_body_bytes: usize,
    /// Bytes of a file to import
    #[arg(
        long,
        env = "STOCKROOM_IMPORT_BYTES",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().import_bytes
    )]
    import_bytes: usize,
    /// Bytes that the rows of imports take as they are stored
    #[arg(
        long,
        env = "STOCKROOM_STORED_IMPORT_BYTES",
        value_name = "BYTES",
        default_value_t = ServiceConfig::default().stored_import_bytes
    )]
    pub(super) stored_import_bytes: u64,
    /// Bytes that the rows of the imports of one user take as they are stored
    #[arg(
        long,
        env = "STOCKROOM_STORED_IMPORT_BYTES_PER_USER",
        value_name = "BYTES",
        default_value_t = ServiceConfig::default().stored_import_bytes_per_user
    )]
    pub(super) stored_import_bytes_per_user: u64,
    /// JSON values in one body
    #[arg(
        long,
        env = "STOCKROOM_BODY_VALUES",
        value_name = "NUMBER",
        default_value_t = BodyLimits::default().values
    )]
    body_values: usize,
    /// Memory for the bodies of all requests, in bytes, and at most 40 % of what the process may use;
    /// each byte counts five times, and each JSON value as 512 bytes more
    #[arg(
        long,
        env = "STOCKROOM_BODIES_IN_FLIGHT",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().in_flight_bytes
    )]
    bodies_in_flight: usize,
    /// Memory for long answers that are being sent, in bytes, and at most 12 % of what the process
    /// may use
    #[arg(
        long,
        env = "STOCKROOM_ANSWERS_IN_FLIGHT",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().answer_bytes
    )]
    answers_in_flight: usize,
    /// Fields of one object
    #[arg(
        long,
        env = "STOCKROOM_OBJECT_FIELDS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().object_fields
    )]
    object_fields: usize,
    /// Fields of one type
    #[arg(
        long,
        env = "STOCKROOM_TYPE_FIELDS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().type_fields
    )]
    type_fields: usize,
    /// Names of fields of one type, removed ones included
    #[arg(
        long,
        env = "STOCKROOM_TYPE_FIELD_NAMES",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().type_field_names
    )]
    type_field_names: usize,
    /// Objects that change when a field of their type is renamed or becomes a password
    #[arg(
        long,
        env = "STOCKROOM_RENAMED_OBJECTS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().renamed_objects
    )]
    renamed_objects: usize,
    /// Seconds that a read of the database may wait and run for a request
    #[arg(
        long,
        env = "STOCKROOM_READ_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = ServiceConfig::default().read_seconds,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) read_timeout: u32,
    /// Seconds that the transaction of a request may work while others wait: time of the processor on
    /// SQLite (4 by default), of the clock on PostgreSQL (20)
    #[arg(
        long,
        env = "STOCKROOM_WRITE_TIMEOUT",
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) write_timeout: Option<u32>,
    /// Seconds that the preview of a type may take
    #[arg(
        long,
        env = "STOCKROOM_PREVIEW_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = ServiceConfig::default().preview_seconds
    )]
    pub(super) preview_timeout: u32,
    /// Seconds that an export may take
    #[arg(
        long,
        env = "STOCKROOM_EXPORT_TIMEOUT",
        value_name = "SECONDS",
        default_value_t = ServiceConfig::default().export_seconds,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) export_timeout: u32,
    /// Exports at once, half of them of one user
    #[arg(
        long,
        env = "STOCKROOM_EXPORTS",
        value_name = "NUMBER",
        default_value_t = ServiceConfig::default().exports
    )]
    pub(super) exports: usize,
    /// Items of each other list of a type: sections, links, their fields
    #[arg(
        long,
        env = "STOCKROOM_TYPE_PARTS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().type_parts
    )]
    type_parts: usize,
    /// Bytes of a template in a type
    #[arg(
        long,
        env = "STOCKROOM_TEMPLATE_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().template_bytes
    )]
    template_bytes: usize,
    /// Bytes of the value of one field, as JSON
    #[arg(
        long,
        env = "STOCKROOM_VALUE_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().value_bytes
    )]
    value_bytes: usize,
    /// Bytes of one object or type, as JSON
    #[arg(
        long,
        env = "STOCKROOM_DOCUMENT_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().document_bytes
    )]
    document_bytes: usize,
    /// Bytes of one rendered object; a longer one is cut and marked
    #[arg(
        long,
        env = "STOCKROOM_RENDERED_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().rendered_bytes
    )]
    rendered_bytes: usize,
    /// Bytes of a value, as JSON, in summary lines and links
    #[arg(
        long,
        env = "STOCKROOM_SHOWN_VALUE_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().shown_value_bytes
    )]
    shown_value_bytes: usize,
    /// Settings of one user
    #[arg(
        long,
        env = "STOCKROOM_SETTINGS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().settings
    )]
    settings: usize,
    /// Bytes of all settings of one user, as JSON
    #[arg(
        long,
        env = "STOCKROOM_SETTING_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().setting_bytes
    )]
    setting_bytes: usize,
    /// Views of one user
    #[arg(
        long,
        env = "STOCKROOM_VIEWS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().views
    )]
    views: usize,
    /// Bytes of all views of one user, as JSON
    #[arg(
        long,
        env = "STOCKROOM_VIEW_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().view_bytes
    )]
    view_bytes: usize,
    /// API tokens of one user
    #[arg(
        long,
        env = "STOCKROOM_TOKENS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().tokens
    )]
    tokens: usize,
    /// Changes that one user makes on a day to itself, settings, views, sources and tokens
    #[arg(
        long,
        env = "STOCKROOM_OWN_CHANGES",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().own_changes
    )]
    own_changes: usize,
    /// Bytes that the history keeps for the changes of one user on a day to itself, settings, views,
    /// sources and tokens
    #[arg(
        long,
        env = "STOCKROOM_OWN_CHANGE_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().own_change_bytes
    )]
    own_change_bytes: usize,
    /// Idempotency keys of all sessions of a user, or of an API token, within 24 hours
    #[arg(
        long,
        env = "STOCKROOM_IDEMPOTENCY_KEYS",
        value_name = "NUMBER",
        default_value_t = RecordLimits::default().idempotency_keys
    )]
    idempotency_keys: usize,
    /// Bytes of the answers that are kept under these keys
    #[arg(
        long,
        env = "STOCKROOM_IDEMPOTENCY_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().idempotency_bytes
    )]
    idempotency_bytes: usize,
    /// Compiled bytes of the regular expression of one field
    #[arg(
        long,
        env = "STOCKROOM_PATTERN_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().pattern_bytes
    )]
    pattern_bytes: usize,
    /// Compiled bytes of the regular expressions of all fields of a type
    #[arg(
        long,
        env = "STOCKROOM_TYPE_PATTERN_BYTES",
        value_name = "BYTES",
        default_value_t = RecordLimits::default().type_pattern_bytes
    )]
    type_pattern_bytes: usize,
}

impl Limits {
    /// The limits of bodies.
    pub(super) const fn bodies(&self) -> BodyLimits {
        BodyLimits {
            bytes: self.body_bytes,
            small_bytes: self.small_body_bytes,
            import_bytes: self.import_bytes,
            values: self.body_values,
            in_flight_bytes: self.bodies_in_flight,
            answer_bytes: self.answers_in_flight,
        }
    }

    /// The limits of filters.
    pub(super) fn filter(&self) -> FilterLimits {
        FilterLimits {
            max_nodes: self.filter_nodes,
            max_in: self.filter_values,
            max_pattern: self.filter_pattern,
            max_patterns: self.filter_patterns,
            max_compiled: self.filter_compiled,
            backtrack_limit: self.filter_backtracks,
            ..FilterLimits::default()
        }
    }

    /// The limits of records.
    pub(super) fn records(&self) -> RecordLimits {
        RecordLimits {
            object_fields: self.object_fields,
            type_fields: self.type_fields,
            type_field_names: self.type_field_names,
            renamed_objects: self.renamed_objects,
            type_parts: self.type_parts,
            template_bytes: self.template_bytes,
            value_bytes: self.value_bytes,
            document_bytes: self.document_bytes,
            rendered_bytes: self.rendered_bytes,
            shown_value_bytes: self.shown_value_bytes,
            settings: self.settings,
            setting_bytes: self.setting_bytes,
            views: self.views,
            view_bytes: self.view_bytes,
            tokens: self.tokens,
            own_changes: self.own_changes,
            own_change_bytes: self.own_change_bytes,
            idempotency_keys: self.idempotency_keys,
            idempotency_bytes: self.idempotency_bytes,
            pattern_bytes: self.pattern_bytes,
            type_pattern_bytes: self.type_pattern_bytes,
        }
    }
}
