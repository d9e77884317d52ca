-- Saved ways to look at objects. The columns beside doc repeat its members, so that a query decides who sees what. default_of names the
-- objects and the people for whom it opens first; null if it does not.
CREATE TABLE saved_view (
    public_id {ID},
    revision BIGINT NOT NULL,
    doc TEXT NOT NULL,
    visibility TEXT NOT NULL,
    owner_id BIGINT,
    group_id BIGINT,
    type_id BIGINT,
    default_of TEXT
);
CREATE INDEX saved_view_visibility ON saved_view (visibility);
CREATE INDEX saved_view_owner ON saved_view (owner_id);
CREATE INDEX saved_view_group ON saved_view (group_id);
CREATE INDEX saved_view_type ON saved_view (type_id);
CREATE UNIQUE INDEX saved_view_default ON saved_view (default_of);
