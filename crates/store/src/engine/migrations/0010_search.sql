-- The index of the search, derived from the documents (docs/design/search.md). objects are the objects of a block of ids that have a
-- gram, as bits; version counts the changes of the block.
CREATE TABLE search_block (
    first_id BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);
CREATE TABLE search_gram (
    first_id BIGINT NOT NULL,
    gram BIGINT NOT NULL,
    objects {BYTES} NOT NULL,
    PRIMARY KEY (first_id, gram)
) {CLUSTERED};
-- Changed objects whose grams are still to be written. changed are the grams that came or went; null for all of the document.
CREATE TABLE search_pending (
    object_id BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    changed {BYTES},
    PRIMARY KEY (object_id, revision)
) {CLUSTERED};
INSERT INTO search_pending (object_id, revision, changed) SELECT public_id, revision, NULL FROM object;
