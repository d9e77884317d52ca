-- The answers to writes that were sent with an Idempotency-Key, for clients that repeat them. body is null where it was too long to
-- keep. at is in microseconds.
CREATE TABLE idempotency_key (
    user_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    at BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT NOT NULL,
    headers TEXT NOT NULL,
    body TEXT,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_key_at ON idempotency_key (at);
