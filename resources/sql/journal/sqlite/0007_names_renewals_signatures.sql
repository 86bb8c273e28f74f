-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 7.

-- New locks are entered into the index of names many at a time, in its order, so that each of its pages is written
-- once for all of them. Those behind the lock of the number `named_lock` in meta aren't in it yet.
CREATE TABLE lock_names(
    name_hash INTEGER NOT NULL,
    lock_id INTEGER NOT NULL,
    PRIMARY KEY(name_hash, lock_id)
) WITHOUT ROWID;
DROP INDEX locks_by_name;
CREATE TRIGGER lock_names_follow AFTER DELETE ON locks BEGIN
    DELETE FROM lock_names WHERE name_hash = old.name_hash AND lock_id = old.lock_id;
END;

-- Where renewals are journalled as events: when each was, without its row.
CREATE INDEX events_renewals ON events(lock_id, t_us) WHERE kind = 1;

-- What the agent vouched for: the chain's hash when it had so many records (audit_signer.h).
CREATE TABLE audit_signatures(
    records INTEGER NOT NULL,
    key_id BLOB NOT NULL,
    t_us INTEGER NOT NULL,
    hash BLOB NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY(records, key_id)
) WITHOUT ROWID;
