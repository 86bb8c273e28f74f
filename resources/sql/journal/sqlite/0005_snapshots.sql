-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 5. Which locks were there after an event, every so many events: from here the table of a past moment
-- is rebuilt.

CREATE TABLE snapshots(
    last_seq INTEGER PRIMARY KEY,
    earliest_us INTEGER NOT NULL,  -- of the events since the snapshot before: the least t_us - window_us
    latest_us INTEGER NOT NULL,    -- and the greatest t_us
    checksum INTEGER NOT NULL,
    locks BLOB NOT NULL            -- each lock with its last event: present_locks.h
);
