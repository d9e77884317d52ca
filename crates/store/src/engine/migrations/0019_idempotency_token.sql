-- The API token that sent the key, 0 for a session: each has an allowance of its own.
ALTER TABLE idempotency_key ADD COLUMN token_id BIGINT NOT NULL DEFAULT 0;
DROP INDEX idempotency_key_user;
CREATE INDEX idempotency_key_sender ON idempotency_key (user_id, token_id, at, bytes);
