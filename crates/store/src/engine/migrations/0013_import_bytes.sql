-- The bytes that the chunks of an import take.
ALTER TABLE import ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0;
UPDATE import SET stored_bytes = COALESCE((SELECT SUM(LENGTH(file_rows)) FROM import_chunk WHERE import_id = import.id), 0);
