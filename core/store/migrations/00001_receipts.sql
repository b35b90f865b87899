-- +goose Up
CREATE TABLE receipts (
    run_id   TEXT PRIMARY KEY,
    time     INTEGER NOT NULL, -- microseconds since 1970, UTC
    caller   TEXT NOT NULL,
    outcome  TEXT NOT NULL,
    hash     TEXT NOT NULL,
    receipt  BLOB NOT NULL     -- the whole receipt, its JSON in gzip
) STRICT;
CREATE INDEX receipts_by_time ON receipts (time);

-- +goose Down
DROP TABLE receipts;
