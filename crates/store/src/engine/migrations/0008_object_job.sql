-- Changes of many objects in the background. request is the body of the request, problems are the first refused objects as JSON, error
-- says why the job failed. node works on the job until lease_until. Times are in microseconds.
CREATE TABLE object_job (
    id BIGINT NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    via TEXT NOT NULL,
    request_id TEXT NOT NULL,
    comment TEXT,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    total BIGINT NOT NULL,
    done BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    problems TEXT NOT NULL,
    error TEXT,
    node TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);
CREATE INDEX object_job_user ON object_job (user_id, id);
CREATE INDEX object_job_lease ON object_job (state, lease_until);
-- The objects that a job has still to change, in chunks: a transaction deletes the chunk that it changes. ids are the differences of
-- ascending ids, as varints.
CREATE TABLE object_job_chunk (
    job_id BIGINT NOT NULL,
    chunk BIGINT NOT NULL,
    ids {BYTES} NOT NULL,
    PRIMARY KEY (job_id, chunk)
);
