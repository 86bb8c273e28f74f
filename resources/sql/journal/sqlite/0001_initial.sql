-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 1. Bytes of stores and people are BLOBs (UTF-8 where they are text): no collation, no conversion.
-- Times are microseconds since the epoch. A checksum is the CRC-32 of its row's content (checksum.h).

CREATE TABLE meta(
    key TEXT PRIMARY KEY,          -- journal_id, created_us, last_seq, audit_count, audit_head
    value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE sources(
    source_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name BLOB NOT NULL,
    store BLOB NOT NULL,
    last_seen_us INTEGER NOT NULL DEFAULT 0,
    gap_open INTEGER NOT NULL DEFAULT 0,
    UNIQUE(name, store)
);

-- Numbers are never used twice (AUTOINCREMENT), so that a reader may remember them.
CREATE TABLE locks(
    lock_id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL,
    scheme BLOB NOT NULL,
    place BLOB NOT NULL,
    name BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE(name, source_id, scheme, place)
);

CREATE TABLE events(
    seq INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    lock_id INTEGER,               -- NULL: an event of the source
    kind INTEGER NOT NULL,
    owner BLOB,                    -- NULL: not known
    t_us INTEGER NOT NULL,
    window_us INTEGER NOT NULL,
    observed_us INTEGER NOT NULL,
    ttl_ms INTEGER,
    expires_us INTEGER,
    waiter BLOB,
    command BLOB,
    detail BLOB,                   -- CBOR map
    after BLOB,                    -- the lock's state after it, as the protocol encodes one
    checksum INTEGER NOT NULL
);
CREATE INDEX events_by_lock ON events(lock_id, seq);
CREATE INDEX events_by_time ON events(t_us);
CREATE INDEX events_by_command ON events(command) WHERE command IS NOT NULL;

-- Three checksums, one for each group of columns that is written together.
CREATE TABLE holds(
    hold_id INTEGER PRIMARY KEY AUTOINCREMENT,
    lock_id INTEGER NOT NULL,
    owner BLOB,
    from_us INTEGER NOT NULL,
    from_window_us INTEGER NOT NULL,
    start_seen INTEGER NOT NULL,
    open_check INTEGER NOT NULL,
    renewals INTEGER NOT NULL DEFAULT 0,
    longest_gap_us INTEGER NOT NULL DEFAULT 0,
    renewed_us INTEGER,
    expires_us INTEGER,
    renew_check INTEGER,           -- NULL: no renewal noted yet
    to_us INTEGER,                 -- NULL: still held
    to_window_us INTEGER NOT NULL DEFAULT 0,
    end INTEGER NOT NULL DEFAULT 0,
    close_check INTEGER,
    state BLOB                     -- the lock's state at the start, with its checksum behind; NULL once closed
);
CREATE INDEX holds_by_lock ON holds(lock_id, hold_id);
CREATE INDEX holds_open ON holds(lock_id) WHERE to_us IS NULL;

-- The audit is only ever appended to: an intent is one record, its outcome another, and each is chained
-- to the record before it by SHA-256.
CREATE TABLE audit_log(
    record INTEGER PRIMARY KEY,    -- 1, 2, 3, … without holes
    audit_id INTEGER NOT NULL,     -- what people see: an intent and its outcome share it
    kind INTEGER NOT NULL,         -- 0 intent, 1 outcome
    t_us INTEGER NOT NULL,
    who BLOB NOT NULL,
    role BLOB NOT NULL,
    source BLOB NOT NULL,
    scheme BLOB NOT NULL,
    place BLOB NOT NULL,
    name BLOB NOT NULL,
    holder BLOB NOT NULL,
    reason BLOB NOT NULL,
    because INTEGER NOT NULL,
    guard BLOB NOT NULL,
    outcome INTEGER NOT NULL,
    detail BLOB NOT NULL,
    command BLOB NOT NULL,
    approver BLOB NOT NULL,
    prev BLOB NOT NULL,
    hash BLOB NOT NULL
);
CREATE UNIQUE INDEX audit_by_id ON audit_log(audit_id, kind);
CREATE UNIQUE INDEX audit_by_command ON audit_log(command) WHERE kind = 0;
CREATE TRIGGER audit_log_keeps BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_log_stays BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
