-- fingerprint was a plain digest of a request, perhaps with a password, and the answer to a batch could have a token. The keys stay
-- taken: a request that is repeated must not be done again.
UPDATE idempotency_key SET fingerprint = '', headers = '', body = NULL;
-- The bytes of headers and body.
ALTER TABLE idempotency_key ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idempotency_key_user ON idempotency_key (user_id, at, bytes);
-- How many changes a user has made to records of its own on a day, and the bytes that the history keeps for them. day counts from 1970.
CREATE TABLE own_change_usage (
    user_id BIGINT NOT NULL PRIMARY KEY,
    day BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);
-- What was removed until now may still be in free pages.
INSERT INTO instance (name, value) SELECT 'erasure_due', '1' WHERE EXISTS (SELECT 1 FROM change);
