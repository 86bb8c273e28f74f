-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The alerts, and the notices that receivers must still get. Times are wall clock, in microseconds; an alert is an
-- encoded AlertChanged (shared/protocol/PROTOCOL.md).

CREATE TABLE meta(
    key TEXT PRIMARY KEY,          -- cursor
    value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE alerts(
    alert_id BLOB PRIMARY KEY,
    fired_us INTEGER NOT NULL,
    resolved_us INTEGER,           -- NULL: not over
    alert BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX alerts_by_end ON alerts(resolved_us);

-- A row for each receiver and alert, from its firing until its end was delivered.
CREATE TABLE outbox(
    notice_id INTEGER PRIMARY KEY, -- in the order of the first request
    receiver BLOB NOT NULL,
    alert_id BLOB NOT NULL,
    state INTEGER NOT NULL,        -- 0 waiting, 1 delivered as fired, 2 rejected by the receiver
    revision INTEGER NOT NULL DEFAULT 1, -- counts the requests: a later one isn't met by an earlier delivery
    firing_delivered INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    queued_us INTEGER NOT NULL,    -- the last request
    due_us INTEGER,                -- waiting: not before; delivered: the repetition; NULL: none
    error BLOB NOT NULL DEFAULT x'',
    summary BLOB,                  -- replaces the alert: many that couldn't be delivered, merged
    UNIQUE(receiver, alert_id)
);
CREATE INDEX outbox_due ON outbox(receiver, due_us);
CREATE INDEX outbox_undelivered ON outbox(receiver, notice_id) WHERE state <> 1;

CREATE TABLE receivers(
    receiver BLOB PRIMARY KEY,
    delivered_us INTEGER NOT NULL  -- the last delivery
) WITHOUT ROWID;
