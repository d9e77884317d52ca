-- What was done, through what, and what the record was before: image is null where that is unknown, empty where there was no record,
-- else encoded (crates/store/src/image.rs). type_id is that of an object.
ALTER TABLE change RENAME COLUMN kind TO action;
ALTER TABLE change ADD COLUMN via TEXT;
ALTER TABLE change ADD COLUMN type_id BIGINT;
ALTER TABLE change ADD COLUMN image {BYTES};
-- The order of transactions, where several run at once.
ALTER TABLE change ADD COLUMN transaction_id BIGINT NOT NULL DEFAULT 0;
{TRANSACTION_IDS}
CREATE INDEX change_order ON change (transaction_id, seq);
CREATE INDEX change_request ON change (request_id, transaction_id, seq);
CREATE INDEX change_deleted ON change (resource, COALESCE(type_id, 0), record_id) WHERE action = 'delete';
-- The newest change without an image: earlier states are not known.
INSERT INTO instance (name, value) SELECT 'history_since', CAST(MAX(at) AS TEXT) FROM change HAVING MAX(at) IS NOT NULL;
