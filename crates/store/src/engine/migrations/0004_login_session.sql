-- Logins that have not ended, each with the token that it has now. Times are in seconds. A session is ended by way of its token, in
-- revoked_token; a row of another generation than the user's is dead already.
CREATE TABLE login_session (
    id TEXT NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL,
    generation BIGINT NOT NULL,
    jti TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    refreshed_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX login_session_user ON login_session (user_id);
CREATE UNIQUE INDEX login_session_token ON login_session (jti);
