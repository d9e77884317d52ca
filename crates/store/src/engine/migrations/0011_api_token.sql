-- API tokens: secrets by which programs act for users. digest is the SHA-256 of the secret, which nobody stores. user_id and name_key
-- repeat members of doc. last_used_at is in microseconds; it is coarse, and its writes are no changes.
-- A write by the token 7 has the text 'token 7' in change.via.
CREATE TABLE api_token (
    public_id {ID},
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    name_key TEXT NOT NULL,
    digest TEXT NOT NULL,
    last_used_at BIGINT,
    last_used_from TEXT
);
CREATE UNIQUE INDEX api_token_name ON api_token (user_id, name_key);
CREATE UNIQUE INDEX api_token_digest ON api_token (digest);
