//! All tables of the schema except the journal of migrations. Tests compare the list with the
//! schema.

use crate::engine::driver::Dialect;

/// A table, with statements to read and write all of its rows.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) home: Home,
    /// The columns of the key.
    pub(crate) key: &'static [&'static str],
    pub(crate) columns: &'static [(&'static str, Kind)],
}

/// Where the rows of a table are in a sharded database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// On the server of the object whose id is in this column.
    Object(&'static str),
    /// On the server that the hash in this column chooses, so that it is unique on all servers.
    Value(&'static str),
    /// A copy of the table on every server.
    Everywhere,
    /// On the server that the nodes connect to.
    Coordinator,
}

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    OptInt,
    Text,
    OptText,
    Bytes,
    OptBytes,
    /// A number that has a meaning on one server only; a copy has 0.
    Local,
    /// The counter slot of the row. Each connection has slots of its own; a copy has one.
    Part,
    /// A value of a counter slot; only the sum over all slots has a meaning.
    Sum,
}

use Home::{Coordinator, Everywhere, Object, Value};
use Kind::{Bytes, Int, Local, OptBytes, OptInt, OptText, Part, Sum, Text};

pub(crate) const TABLES: &[Table] = &[
    Table {
        name: "instance",
        home: Everywhere,
        key: &["name"],
        columns: &[("name", Text), ("value", Text)],
    },
    Table {
        name: "catalog_version",
        home: Coordinator,
        key: &["resource"],
        columns: &[("resource", Text), ("version", Int)],
    },
    Table {
        name: "sequence",
        home: Coordinator,
        key: &["resource"],
        columns: &[("resource", Text), ("next_id", Int)],
    },
    Table {
        name: "user_group",
        home: Everywhere,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("name", Text),
            ("revision", Int),
            ("doc", Text),
            ("name_key", Text),
        ],
    },
    Table {
        name: "user_account",
        home: Everywhere,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("name_key", Text),
            ("group_id", Int),
            ("password_hash", Text),
            ("token_generation", Int),
            ("revision", Int),
            ("doc", Text),
        ],
    },
    Table {
        name: "user_setting",
        home: Everywhere,
        key: &["user_id", "identifier"],
        columns: &[
            ("user_id", Int),
            ("identifier", Text),
            ("revision", Int),
            ("doc", Text),
        ],
    },
    Table {
        name: "revoked_token",
        home: Everywhere,
        key: &["jti"],
        columns: &[("jti", Text), ("expires_at", Int)],
    },
    Table {
        name: "api_token",
        home: Coordinator,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("revision", Int),
            ("doc", Text),
            ("user_id", Int),
            ("name_key", Text),
            ("digest", Text),
            ("last_used_at", OptInt),
            ("last_used_from", OptText),
            ("ceiling", Text),
        ],
    },
    Table {
        name: "failed_login",
        home: Coordinator,
        key: &["network"],
        columns: &[("network", Text), ("last_at", Int), ("doc", Text)],
    },
    Table {
        name: "login_network",
        home: Coordinator,
        key: &["user_id", "network"],
        columns: &[("user_id", Int), ("network", Text), ("last_at", Int)],
    },
    Table {
        name: "login_session",
        home: Coordinator,
        key: &["id"],
        columns: &[
            ("id", Text),
            ("user_id", Int),
            ("generation", Int),
            ("jti", Text),
            ("started_at", Int),
            ("refreshed_at", Int),
            ("expires_at", Int),
            ("address", Text),
            ("user_agent", Text),
        ],
    },
    Table {
        name: "login_event",
        home: Coordinator,
        key: &["seq"],
        columns: &[
            ("seq", Int),
            ("at", Int),
            ("user_id", OptInt),
            ("address", Text),
            ("result", Text),
            ("via", Text),
            ("request_id", Text),
        ],
    },
    Table {
        name: "idempotency_key",
        home: Coordinator,
        key: &["user_id", "key"],
        columns: &[
            ("user_id", Int),
            ("key", Text),
            ("at", Int),
            ("fingerprint", Text),
            ("status", Int),
            ("headers", Text),
            ("body", OptText),
            ("bytes", Int),
            ("token_id", Int),
        ],
    },
    Table {
        name: "own_change_usage",
        home: Coordinator,
        key: &["user_id"],
        columns: &[
            ("user_id", Int),
            ("day", Int),
            ("changes", Int),
            ("bytes", Int),
        ],
    },
    Table {
        name: "object_job",
        home: Coordinator,
        key: &["id"],
        columns: &[
            ("id", Int),
            ("user_id", Int),
            ("state", Text),
            ("request", Text),
            ("via", Text),
            ("request_id", Text),
            ("comment", OptText),
            ("started_at", Int),
            ("ended_at", OptInt),
            ("total", Int),
            ("done", Int),
            ("changed", Int),
            ("skipped", Int),
            ("failed", Int),
            ("problems", Text),
            ("error", OptText),
            ("node", Text),
            ("lease_until", Int),
        ],
    },
    Table {
        name: "object_job_chunk",
        home: Coordinator,
        key: &["job_id", "chunk"],
        columns: &[("job_id", Int), ("chunk", Int), ("ids", Bytes)],
    },
    Table {
        name: "import",
        home: Coordinator,
        key: &["id"],
        columns: &[
            ("id", Int),
            ("user_id", Int),
            ("state", Text),
            ("file", Text),
            ("plan", Text),
            ("via", Text),
            ("request_id", Text),
            ("comment", OptText),
            ("created_at", Int),
            ("started_at", OptInt),
            ("ended_at", OptInt),
            ("row_count", Int),
            ("chunk_count", Int),
            ("pass", Int),
            ("next_chunk", Int),
            ("counts", Text),
            ("error", OptText),
            ("node", Text),
            ("lease_until", Int),
            ("stored_bytes", Int),
            ("step_user_id", OptInt),
            ("next_row", Int),
        ],
    },
    Table {
        name: "import_chunk",
        home: Coordinator,
        key: &["import_id", "chunk"],
        columns: &[("import_id", Int), ("chunk", Int), ("file_rows", Bytes)],
    },
    Table {
        name: "import_verdict",
        home: Coordinator,
        key: &["import_id", "chunk"],
        columns: &[("import_id", Int), ("chunk", Int), ("verdicts", Bytes)],
    },
    Table {
        name: "import_turn",
        home: Coordinator,
        key: &["type_id"],
        columns: &[("type_id", Int), ("import_id", Int)],
    },
    Table {
        name: "node_heartbeat",
        home: Coordinator,
        key: &["node"],
        columns: &[("node", Text), ("alive_until", Int)],
    },
    Table {
        name: "source",
        home: Everywhere,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("revision", Int),
            ("doc", Text),
            ("name", Text),
            ("type_id", Int),
            ("last_import_id", OptInt),
            ("last_import_at", OptInt),
        ],
    },
    Table {
        name: "category",
        home: Everywhere,
        key: &["public_id"],
        columns: &[("public_id", Int), ("revision", Int), ("doc", Text)],
    },
    Table {
        name: "saved_view",
        home: Everywhere,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("revision", Int),
            ("doc", Text),
            ("visibility", Text),
            ("owner_id", OptInt),
            ("group_id", OptInt),
            ("type_id", OptInt),
            ("default_of", OptText),
        ],
    },
    Table {
        name: "type",
        home: Everywhere,
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("name", Text),
            ("revision", Int),
            ("doc", Text),
        ],
    },
    Table {
        name: "type_field",
        home: Everywhere,
        key: &["field_id"],
        columns: &[
            ("field_id", Int),
            ("type_id", Int),
            ("member", Int),
            ("name", Text),
            ("text_bytes", Int),
        ],
    },
    Table {
        name: "unique_rule",
        home: Everywhere,
        key: &["rule_id"],
        columns: &[("rule_id", Int), ("type_id", Int), ("definition", Text)],
    },
    Table {
        name: "unique_value",
        home: Value("key"),
        key: &["rule_id", "key"],
        columns: &[("rule_id", Int), ("key", Bytes), ("object_id", Int)],
    },
    Table {
        name: "object",
        home: Object("public_id"),
        key: &["public_id"],
        columns: &[
            ("public_id", Int),
            ("type_id", Int),
            ("active", Int),
            ("revision", Int),
            ("views", OptInt),
            ("secrets", OptText),
            ("doc", Text),
        ],
    },
    Table {
        name: "object_field",
        home: Object("object_id"),
        key: &["field_id", "key", "object_id"],
        columns: &[("field_id", Int), ("key", Bytes), ("object_id", Int)],
    },
    Table {
        name: "object_irregular",
        home: Object("object_id"),
        key: &["type_id", "object_id"],
        columns: &[
            ("type_id", Int),
            ("object_id", Int),
            ("targets_indexed", Int),
        ],
    },
    Table {
        name: "source_object",
        home: Object("object_id"),
        key: &["source_id", "object_id"],
        columns: &[
            ("source_id", Int),
            ("object_id", Int),
            ("external_key", Bytes),
            ("import_id", Int),
            ("last_seen_at", Int),
            ("missing_since", OptInt),
            ("deactivated", Int),
        ],
    },
    Table {
        name: "search_block",
        home: Object("first_id"),
        key: &["first_id"],
        columns: &[("first_id", Int), ("version", Int)],
    },
    Table {
        name: "search_gram",
        home: Object("first_id"),
        key: &["first_id", "gram"],
        columns: &[("first_id", Int), ("gram", Int), ("objects", Bytes)],
    },
    Table {
        name: "search_pending",
        home: Object("object_id"),
        key: &["object_id", "revision"],
        columns: &[("object_id", Int), ("revision", Int), ("changed", OptBytes)],
    },
    Table {
        name: "object_count",
        home: Coordinator,
        key: &["type_id"],
        columns: &[
            ("type_id", Int),
            ("part", Part),
            ("total", Sum),
            ("active", Sum),
            ("irregular", Sum),
        ],
    },
    Table {
        name: "change",
        home: Object("record_id"),
        key: &["seq"],
        columns: &[
            ("seq", Int),
            ("record_id", Int),
            ("resource", Text),
            ("name", Text),
            ("revision", Int),
            ("action", Text),
            ("actor", Int),
            ("at", Int),
            ("request_id", Text),
            ("comment", OptText),
            ("via", OptText),
            ("type_id", OptInt),
            ("image", OptBytes),
            ("transaction_id", Local),
        ],
    },
];

impl Table {
    /// A statement that returns a row if the table has any.
    pub(crate) fn find_row(&self) -> String {
        format!("SELECT 1 FROM {} LIMIT 1", self.name)
    }

    /// A statement for all rows in the order of the key, which is the same on every engine.
    pub(crate) fn select(&self, dialect: Dialect) -> String {
        let value = |(name, kind): &(&str, Kind)| match kind {
            Local | Part => "CAST(0 AS BIGINT)".to_owned(),
            Sum => format!("CAST(SUM({name}) AS BIGINT)"),
            _ => (*name).to_owned(),
        };
        let values = list(self.columns.iter().map(value));
        let is_text = |name: &str| self.columns.contains(&(name, Text));
        let order = list(self.key.iter().map(|name| match dialect {
            Dialect::Postgres if is_text(name) => format!("{name} COLLATE \"C\""),
            _ => (*name).to_owned(),
        }));
        let is_summed = self.columns.iter().any(|(_, kind)| *kind == Sum);
        let group = if is_summed {
            format!(" GROUP BY {}", self.key.join(", "))
        } else {
            String::new()
        };
        format!("SELECT {values} FROM {}{group} ORDER BY {order}", self.name)
    }

    /// A statement that writes one row.
    pub(crate) fn insert_one(&self) -> String {
        let parameters = list((1..=self.columns.len()).map(|number| format!("?{number}")));
        format!(
            "INSERT INTO {} ({}) VALUES ({parameters})",
            self.name,
            self.names()
        )
    }

    /// A statement that writes many rows from an array for each column.
    pub(crate) fn insert_all(&self) -> String {
        let array = |(index, (_, kind)): (usize, &(&str, Kind))| {
            let values = match kind {
                Int | Local | OptInt | Part | Sum => "BIGINT",
                Text | OptText => "TEXT",
                Bytes | OptBytes => "BYTEA",
            };
            format!("CAST(?{} AS {values}[])", index + 1)
        };
        let arrays = list(self.columns.iter().enumerate().map(array));
        format!(
            "INSERT INTO {} ({}) SELECT * FROM UNNEST({arrays})",
            self.name,
            self.names()
        )
    }

    fn names(&self) -> String {
        list(self.columns.iter().map(|(name, _)| (*name).to_owned()))
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
