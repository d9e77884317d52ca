-- Who tried to log in from where, and what came of it; never what was typed. user_id is null where no user has the name. via says what
-- the password was for. Times are in microseconds.
CREATE TABLE login_event (
    seq {SEQUENCE},
    at BIGINT NOT NULL,
    user_id BIGINT,
    address TEXT NOT NULL,
    result TEXT NOT NULL,
    via TEXT NOT NULL,
    request_id TEXT NOT NULL
);
CREATE UNIQUE INDEX login_event_seq ON login_event (seq);
CREATE INDEX login_event_address ON login_event (address, at);
CREATE INDEX login_event_user ON login_event (user_id, at);
