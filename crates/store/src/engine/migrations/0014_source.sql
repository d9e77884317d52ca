-- Sources of imports: saved mappings. The columns beside doc repeat its members. last_import_id and
-- last_import_at tell of the last import that wrote, and belong to no revision.
CREATE TABLE source (
    public_id {ID},
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL,
    name TEXT NOT NULL,
    type_id BIGINT NOT NULL,
    last_import_id BIGINT,
    last_import_at BIGINT
);
CREATE UNIQUE INDEX source_name ON source (name);
CREATE INDEX source_type ON source (type_id);
-- Which object belongs to which record of a source. external_key is a JSON array of texts, import_id
-- the last import that saw the record or missed it; deactivated is 1 if the source made the object
-- inactive. Times are in microseconds. Objects may have been deleted since.
CREATE TABLE source_object (
    source_id BIGINT NOT NULL,
    object_id BIGINT NOT NULL,
    external_key {BYTES} NOT NULL,
    import_id BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    missing_since BIGINT,
    deactivated BIGINT NOT NULL,
    PRIMARY KEY (source_id, object_id)
) {CLUSTERED};
CREATE INDEX source_object_key ON source_object (source_id, external_key);
