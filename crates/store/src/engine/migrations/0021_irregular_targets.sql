-- Whether object_field has rows of what an irregular object may reference, under the field id 0: searches for references then need not
-- read its document. With 0, the object is not indexed yet.
ALTER TABLE object_irregular ADD COLUMN targets_indexed BIGINT NOT NULL DEFAULT 0;
