-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 3. Waits as intervals, and what a ranking of locks over a range of time walks: indexes that hold all
-- that it needs, so that no row is fetched for it.

CREATE TABLE waits(
    wait_id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX holds_by_end ON holds(to_us, lock_id) WHERE to_us IS NOT NULL;
CREATE INDEX events_of_sources ON events(source_id, seq, kind, t_us) WHERE lock_id IS NULL;
