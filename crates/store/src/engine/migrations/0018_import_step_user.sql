-- Who started the last step of an import, if that is not the user who uploaded the file.
ALTER TABLE import ADD COLUMN step_user_id BIGINT;
