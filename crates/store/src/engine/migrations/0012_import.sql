-- Imports of files. file tells what was found in the file as JSON, plan is what to do with it, counts are the verdicts so far. The
-- pass 0 goes through all rows, pass 1 through those that refer to later ones. node works on the import until lease_until. Times are
-- in microseconds.
CREATE TABLE import (
    id BIGINT NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    file TEXT NOT NULL,
    plan TEXT NOT NULL,
    via TEXT NOT NULL,
    request_id TEXT NOT NULL,
    comment TEXT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    ended_at BIGINT,
    row_count BIGINT NOT NULL,
    chunk_count BIGINT NOT NULL,
    pass BIGINT NOT NULL,
    next_chunk BIGINT NOT NULL,
    counts TEXT NOT NULL,
    error TEXT,
    node TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);
CREATE INDEX import_user ON import (user_id, id);
CREATE INDEX import_lease ON import (state, lease_until);
-- The rows of a file in chunks, as compressed JSON.
CREATE TABLE import_chunk (
    import_id BIGINT NOT NULL,
    chunk BIGINT NOT NULL,
    file_rows {BYTES} NOT NULL,
    PRIMARY KEY (import_id, chunk)
);
-- The verdicts on the rows of a chunk, as compressed JSON.
CREATE TABLE import_verdict (
    import_id BIGINT NOT NULL,
    chunk BIGINT NOT NULL,
    verdicts {BYTES} NOT NULL,
    PRIMARY KEY (import_id, chunk)
);
-- Two imports that find the objects of a type by keys take turns: each writes the row of the type.
CREATE TABLE import_turn (
    type_id BIGINT NOT NULL PRIMARY KEY,
    import_id BIGINT NOT NULL
);
