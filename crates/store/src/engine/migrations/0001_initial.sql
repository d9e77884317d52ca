-- Written once for every engine. In capitals and curly brackets stands what differs: {ID} an integer primary key, {SEQUENCE} a
-- key that the engine counts itself, {BYTES} a string of bytes, {CLUSTERED} rows kept in the order of their key, {BYTEWISE} the order
-- of texts by their bytes.

-- Facts about this installation: the master key, when it was made.
CREATE TABLE instance (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- How often each part of what is kept in memory was changed: a node that knows another number loads that part anew.
CREATE TABLE catalog_version (
    resource TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);

-- The next id to hand out.
CREATE TABLE sequence (
    resource TEXT NOT NULL PRIMARY KEY,
    next_id BIGINT NOT NULL
);

-- One row for every write: history, events and undo grow out of it. No revision of a record comes twice, which also holds where two
-- nodes write at once.
CREATE TABLE change (
    seq {SEQUENCE},
    record_id BIGINT NOT NULL,
    resource TEXT NOT NULL,
    name TEXT NOT NULL,
    revision BIGINT NOT NULL,
    kind TEXT NOT NULL,
    actor BIGINT NOT NULL,
    at BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    comment TEXT
);
CREATE UNIQUE INDEX change_revision ON change (record_id, resource, name, revision);

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
    identifier TEXT COLLATE {BYTEWISE} NOT NULL,
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (user_id, identifier)
);

-- Tokens that were logged out before they expired.
CREATE TABLE revoked_token (
    jti TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

-- Failed logins of the last minutes, by the network that they came from.
CREATE TABLE failed_login (
    network TEXT NOT NULL PRIMARY KEY,
    last_at BIGINT NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX failed_login_age ON failed_login (last_at);

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

-- What the index holds of the objects of a type: their fields, and the members beside them (member = 1). A field's id outlives
-- renames; a name that comes back gets its old id again. text_bytes: how much of a text stands in a key.
CREATE TABLE type_field (
    field_id {ID},
    type_id BIGINT NOT NULL,
    member BIGINT NOT NULL,
    name TEXT NOT NULL,
    text_bytes BIGINT NOT NULL
);
CREATE UNIQUE INDEX type_field_name ON type_field (type_id, member, name);

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
CREATE INDEX object_inactive ON object (public_id) WHERE active = 0;

-- One row for every field that the type of a regular object knows; the bytes of key stand in the order of the values. A field that
-- the object lacks has the key of null, and a row under the negative id of the field.
CREATE TABLE object_field (
    field_id BIGINT NOT NULL,
    key {BYTES} NOT NULL,
    object_id BIGINT NOT NULL,
    PRIMARY KEY (field_id, key, object_id)
) {CLUSTERED};

-- Objects without rows in object_field: their documents have a shape of which it cannot tell, or they were not indexed yet.
CREATE TABLE object_irregular (
    type_id BIGINT NOT NULL,
    object_id BIGINT NOT NULL,
    PRIMARY KEY (type_id, object_id)
) {CLUSTERED};

-- How many objects a type has, kept with every write: the sum of the parts. Every connection that writes has a part of its own, so
-- that none waits for another.
CREATE TABLE object_count (
    type_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    total BIGINT NOT NULL,
    active BIGINT NOT NULL,
    irregular BIGINT NOT NULL,
    PRIMARY KEY (type_id, part)
) {CLUSTERED};
