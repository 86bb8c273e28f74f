-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 8, the first released one. Bytes from stores and users are BLOBs (texts are UTF-8): no collation, no
-- conversion. Times are microseconds since the epoch. A checksum is the CRC-32 of its row's
-- content (checksum.h). SQLite stores small integers in few bytes, and zero and one in none, so a time near
-- another one is stored as the difference.

CREATE TABLE meta(
    key TEXT PRIMARY KEY,          -- journal_id, created_us, last_seq, last_lock, rollup_…
    value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE sources(
    source_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name BLOB NOT NULL,
    store BLOB NOT NULL,
    last_seen_us INTEGER NOT NULL DEFAULT 0,
    gap_open INTEGER NOT NULL DEFAULT 0,
    position BLOB NOT NULL DEFAULT x'', -- the end of the last pushed changes
    UNIQUE(name, store)
);

-- Numbers are never reused, so that a reader may cache them.
CREATE TABLE locks(
    lock_id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    scheme BLOB NOT NULL,
    place BLOB NOT NULL,
    name BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    name_hash INTEGER NOT NULL     -- an index of whole names would be as large as the table
);

-- New locks enter the index of names in batches and in its order, so that each page is written once per batch. The
-- index lacks the locks after number `named_lock` in meta.
CREATE TABLE lock_names(
    name_hash INTEGER NOT NULL,
    lock_id INTEGER NOT NULL,
    PRIMARY KEY(name_hash, lock_id)
) WITHOUT ROWID;
CREATE TRIGGER lock_names_follow AFTER DELETE ON locks BEGIN
    DELETE FROM lock_names WHERE name_hash = old.name_hash AND lock_id = old.lock_id;
END;

CREATE TABLE events(
    seq INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    lock_id INTEGER,               -- NULL: an event of the source
    kind INTEGER NOT NULL,
    owner,                         -- NULL: unknown; an integer: the owner of the hold with the number seq - owner
    t_us INTEGER NOT NULL,
    window_us INTEGER NOT NULL,
    seen_us INTEGER NOT NULL,      -- observed this long after t_us
    ttl_ms INTEGER,
    lasts_us INTEGER,              -- expires this long after t_us
    waiter BLOB,
    command BLOB,
    detail BLOB,                   -- CBOR map
    after BLOB,                    -- the rest of the lock's state after the event (packed_state.h)
    checksum INTEGER NOT NULL      -- of the whole event, including parts stored elsewhere
);
CREATE INDEX events_by_lock ON events(lock_id, seq);
CREATE INDEX events_by_command ON events(command) WHERE command IS NOT NULL;
-- Rare kinds, which queries pick from millions of events: all but acquired, renewed, released and waits.
CREATE INDEX events_rare ON events(kind) WHERE kind NOT IN (0, 1, 2, 5, 6);
-- Times of journalled renewals, without their rows.
CREATE INDEX events_renewals ON events(lock_id, t_us) WHERE kind = 1;
CREATE INDEX events_of_sources ON events(source_id, seq, kind, t_us) WHERE lock_id IS NULL;

-- Three checksums, one per group of columns that are written together.
CREATE TABLE holds(
    hold_id INTEGER PRIMARY KEY,   -- the number of its first event
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
    state BLOB,                    -- followed by its checksum, while open; NULL: as in its first event
    events INTEGER NOT NULL DEFAULT 0 -- its last event has the number hold_id + events
);
CREATE INDEX holds_by_lock ON holds(lock_id, hold_id);
CREATE INDEX holds_open ON holds(lock_id) WHERE to_us IS NULL;
CREATE INDEX holds_by_end ON holds(to_us, lock_id) WHERE to_us IS NOT NULL;

CREATE TABLE waits(
    wait_id INTEGER PRIMARY KEY,   -- the number of its first event
    lock_id INTEGER NOT NULL,
    waiter BLOB NOT NULL,
    from_us INTEGER NOT NULL,
    start_check INTEGER NOT NULL,
    to_us INTEGER,                 -- NULL: still waiting
    end_check INTEGER
);
CREATE INDEX waits_by_end ON waits(to_us, lock_id, from_us) WHERE to_us IS NOT NULL;
CREATE INDEX waits_by_lock ON waits(lock_id, wait_id);
CREATE INDEX waits_open ON waits(lock_id, from_us) WHERE to_us IS NULL;

-- Sums of ended holds and waits, per hour. They outlive the rows, and long ranges are read without walking the rows.
-- meta has the progress of the summing: rollup_until_us (holds and waits) and rollup_seq (events).
CREATE TABLE rollup_hours(
    at INTEGER NOT NULL,           -- hours since the epoch, UTC
    lock_id INTEGER NOT NULL,      -- negative: all locks of the source with that number
    holds INTEGER NOT NULL,        -- that ended in this hour
    held_us INTEGER NOT NULL,      -- within this hour; without holds longer than a day
    waits INTEGER NOT NULL,
    waited_us INTEGER NOT NULL,
    forced INTEGER NOT NULL,       -- of the holds
    expired INTEGER NOT NULL,
    takeovers INTEGER NOT NULL,
    first_hold INTEGER,            -- lowest and highest number of the holds that ended in it
    last_hold INTEGER,
    first_wait INTEGER,
    last_wait INTEGER,
    PRIMARY KEY(at, lock_id)
) WITHOUT ROWID;

CREATE TABLE rollup_days(
    at INTEGER NOT NULL,           -- days since the epoch, UTC
    lock_id INTEGER NOT NULL,
    holds INTEGER NOT NULL,
    held_us INTEGER NOT NULL,
    waits INTEGER NOT NULL,
    waited_us INTEGER NOT NULL,
    forced INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    takeovers INTEGER NOT NULL,
    first_hold INTEGER,
    last_hold INTEGER,
    first_wait INTEGER,
    last_wait INTEGER,
    PRIMARY KEY(at, lock_id)
) WITHOUT ROWID;

CREATE INDEX rollup_days_by_lock ON rollup_days(lock_id);

CREATE TABLE rollup_minutes(
    at INTEGER NOT NULL,           -- minutes since the epoch
    source_id INTEGER NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY(at, source_id)
) WITHOUT ROWID;

-- Holds and waits that began in an earlier hour than they ended, by their end.
CREATE TABLE rollup_crossings(
    kind INTEGER NOT NULL,         -- 0 hold, 1 wait; 2 and 3: the same, longer than a day
    to_us INTEGER NOT NULL,
    id INTEGER NOT NULL,
    lock_id INTEGER NOT NULL,
    from_us INTEGER NOT NULL,
    PRIMARY KEY(kind, to_us, id)
) WITHOUT ROWID;

-- The earliest and latest time of each block of events. It replaces an index over every event's time at a hundredth
-- of its size, because most events arrive in order.
CREATE TABLE event_blocks(
    last_seq INTEGER PRIMARY KEY,
    earliest_us INTEGER NOT NULL,
    latest_us INTEGER NOT NULL
);

-- The locks that existed after an event, at regular intervals. The table of a past moment is rebuilt from here.
CREATE TABLE snapshots(
    last_seq INTEGER PRIMARY KEY,
    earliest_us INTEGER NOT NULL,  -- the lowest t_us - window_us since the previous snapshot
    latest_us INTEGER NOT NULL,    -- the highest t_us since then
    checksum INTEGER NOT NULL,
    locks BLOB NOT NULL            -- each lock with its last event: present_locks.h
);
