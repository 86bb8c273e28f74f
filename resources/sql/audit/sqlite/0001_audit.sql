-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The audit has its own database file: damage to the journal doesn't touch it. Columns have the journal's types.

CREATE TABLE meta(
    key TEXT PRIMARY KEY,          -- journal_id, audit_count, audit_head, audit_damage
    value BLOB NOT NULL
) WITHOUT ROWID;

-- Rows are only appended. An intent is one record, its outcome another, and SHA-256 chains each record to the one
-- before it.
CREATE TABLE audit_log(
    record INTEGER PRIMARY KEY,    -- 1, 2, 3, … without holes
    audit_id INTEGER NOT NULL,     -- shown to people; an intent and its outcome share it
    kind INTEGER NOT NULL,         -- 0 intent, 1 outcome, 2 later finding, 3 a second person's decision
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

-- The signed heads: the chain's hash when it had so many records (audit_signer.h).
CREATE TABLE audit_signatures(
    records INTEGER NOT NULL,
    key_id BLOB NOT NULL,
    t_us INTEGER NOT NULL,
    hash BLOB NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY(records, key_id)
) WITHOUT ROWID;
