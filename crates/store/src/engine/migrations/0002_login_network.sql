-- The networks that a user logged in from lately. There its account is open while it is guessed at from elsewhere.
CREATE TABLE login_network (
    user_id BIGINT NOT NULL,
    network TEXT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, network)
);
