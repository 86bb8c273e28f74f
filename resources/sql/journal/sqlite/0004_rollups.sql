-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 4. What has ended, added up: so much of it is told long after its rows are gone, and long ranges are
-- read without walking them. How far the adding up has come stands in meta: rollup_until_us (of what has ended),
-- rollup_seq (of events).

CREATE TABLE rollup_hours(
    at INTEGER NOT NULL,           -- hours since the epoch, UTC
    lock_id INTEGER NOT NULL,      -- negative: all locks of the source of that number
    holds INTEGER NOT NULL,        -- that ended in it
    held_us INTEGER NOT NULL,      -- in it; without what lasted longer than a day
    waits INTEGER NOT NULL,
    waited_us INTEGER NOT NULL,
    forced INTEGER NOT NULL,       -- of the holds
    expired INTEGER NOT NULL,
    takeovers INTEGER NOT NULL,
    first_hold INTEGER,            -- the least and the greatest number of those that ended in it
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

-- What began in another hour than it ended in, by its end.
CREATE TABLE rollup_crossings(
    kind INTEGER NOT NULL,         -- 0 hold, 1 wait; 2 and 3: one that lasted longer than a day
    to_us INTEGER NOT NULL,
    id INTEGER NOT NULL,
    lock_id INTEGER NOT NULL,
    from_us INTEGER NOT NULL,
    PRIMARY KEY(kind, to_us, id)
) WITHOUT ROWID;
