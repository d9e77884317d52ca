-- Objects with fields that their type never had get the index rows of their other fields. Until then, they are not indexed.
DELETE FROM object_field WHERE field_id = 0;
UPDATE object_irregular SET targets_indexed = 0;
