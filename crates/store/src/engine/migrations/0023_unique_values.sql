-- The rules by which objects of a type must differ, as JSON.
CREATE TABLE unique_rule (
    rule_id {ID},
    type_id BIGINT NOT NULL,
    definition TEXT NOT NULL
);

-- What an object holds by a rule: a hash of its values, which no other object may hold.
CREATE TABLE unique_value (
    rule_id BIGINT NOT NULL,
    key {BYTES} NOT NULL,
    object_id BIGINT NOT NULL,
    PRIMARY KEY (rule_id, key)
) {CLUSTERED};
