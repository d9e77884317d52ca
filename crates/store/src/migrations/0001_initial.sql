-- Written once for every engine. In capitals and curly brackets stands what differs: {ID} an integer primary key, {SEQUENCE} a
-- key that the engine counts itself, {CLUSTERED} rows kept in the order of their key.

-- Facts about this installation: the master key, when it was made.
CREATE TABLE instance (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- The next id to hand out.
CREATE TABLE sequence (
    resource TEXT NOT NULL PRIMARY KEY,
    next_id BIGINT NOT NULL
);

-- One row for every write: invalidation of caches, history, events and undo grow out of it.
CREATE TABLE change (
    seq {SEQUENCE},
    record_id BIGINT NOT NULL,
    resource TEXT NOT NULL,
    name TEXT,
    revision BIGINT NOT NULL,
    kind TEXT NOT NULL,
    actor BIGINT NOT NULL,
    at BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    comment TEXT
);
CREATE UNIQUE INDEX change_record ON change (record_id, resource, seq);

CREATE TABLE user_group (
    public_id {ID},
    name TEXT NOT NULL UNIQUE,
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL
);

CREATE TABLE user_account (
    public_id {ID},
    name_key TEXT NOT NULL UNIQUE,
    group_id BIGINT NOT NULL,
    password_hash TEXT NOT NULL,
    token_generation BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX user_account_group ON user_account (group_id);

CREATE TABLE user_setting (
    user_id BIGINT NOT NULL,
    identifier TEXT NOT NULL,
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (user_id, identifier)
);

-- Tokens that were logged out before they expired.
CREATE TABLE revoked_token (
    jti TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

CREATE TABLE category (
    public_id {ID},
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL
);

CREATE TABLE type (
    public_id {ID},
    name TEXT NOT NULL UNIQUE,
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL
);

-- Field names get an id that outlives renames; a name that comes back gets its old id again.
CREATE TABLE type_field (
    type_id BIGINT NOT NULL,
    field_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (type_id, field_id)
);
CREATE UNIQUE INDEX type_field_name ON type_field (type_id, name);

-- doc is the native document without `views`; secrets holds the encrypted values of password fields. views is null where an old
-- document carries its own.
CREATE TABLE object (
    public_id {ID},
    type_id BIGINT NOT NULL,
    active BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    views BIGINT,
    secrets TEXT,
    doc TEXT NOT NULL
);
CREATE INDEX object_type ON object (type_id, public_id, active);

-- Which objects name which others in a reference field.
CREATE TABLE object_reference (
    target_id BIGINT NOT NULL,
    object_id BIGINT NOT NULL,
    PRIMARY KEY (target_id, object_id)
) {CLUSTERED};
CREATE INDEX object_reference_object ON object_reference (object_id);
