-- What names of groups are compared by, as those of users have it already. Both are computed anew by the program right after this
-- script; until then no two are alike, and none looks like a name's.
ALTER TABLE user_group ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
UPDATE user_group SET name_key = 'UNKEYED ' || public_id;
CREATE UNIQUE INDEX user_group_by_key ON user_group (name_key);
UPDATE user_account SET name_key = 'UNKEYED ' || public_id;
