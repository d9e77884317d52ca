-- How many rows of its next chunk an import has dealt with.
ALTER TABLE import ADD COLUMN next_row BIGINT NOT NULL DEFAULT 0;
