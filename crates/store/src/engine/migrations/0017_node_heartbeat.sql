-- Nodes that share the database, and until when they count as alive, in microseconds by the clock of
-- the database server. Nobody writes it for an embedded database.
CREATE TABLE node_heartbeat (
    node TEXT NOT NULL PRIMARY KEY,
    alive_until BIGINT NOT NULL
);
