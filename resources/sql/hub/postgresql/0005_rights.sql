-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Agents call the functions below, and copy rows into four tables. Readers see the views. Nobody else sees anything.

REVOKE ALL ON SCHEMA lockkeeper FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA lockkeeper FROM PUBLIC;
GRANT USAGE ON SCHEMA lockkeeper TO lockkeeper_agent, lockkeeper_reader;

GRANT SELECT ON lockkeeper.meta TO lockkeeper_agent;
GRANT INSERT ON lockkeeper.locks, lockkeeper.events, lockkeeper.holds, lockkeeper.waits TO lockkeeper_agent;
GRANT EXECUTE ON FUNCTION
    lockkeeper.open_journal(text, bytea, bigint),
    lockkeeper.begin_batch(integer, bigint, bigint, bigint),
    lockkeeper.end_batch(integer, bigint),
    lockkeeper.add_source(integer, bigint, bytea, bytea),
    lockkeeper.add_hole(integer, bigint, bigint, smallint, timestamptz, timestamptz),
    lockkeeper.add_record(integer, bigint, bigint, bigint, smallint, smallint, smallint, boolean, bytea, bytea, bytea,
        bytea, bytea, bytea, bytea, bytea, bytea, bytea, bytea, bytea, bytea, bytea),
    lockkeeper.add_signature(integer, bigint, bigint, bytea, bytea, bytea),
    lockkeeper.maintain(date[]),
    lockkeeper.hour_of(timestamptz)
    TO lockkeeper_agent;

GRANT SELECT ON lockkeeper.agents_v1, lockkeeper.events_v1, lockkeeper.holds_v1, lockkeeper.waits_v1,
    lockkeeper.gaps_v1, lockkeeper.locks_v1, lockkeeper.hours_v1, lockkeeper.days_v1, lockkeeper.audit_v1
    TO lockkeeper_reader;
GRANT EXECUTE ON FUNCTION
    lockkeeper.text_of(bytea),
    lockkeeper.hour_of(timestamptz),
    lockkeeper.json_field(bytea, text),
    lockkeeper.later(timestamptz, numeric),
    lockkeeper.kind_name("char"),
    lockkeeper.hold_end_name(smallint),
    lockkeeper.outcome_name(smallint),
    lockkeeper.phase_name("char"),
    lockkeeper.locks_at_v1(timestamptz),
    lockkeeper.worst_locks_v1(timestamptz, timestamptz, integer),
    lockkeeper.lock_events_v1(integer, bigint, integer, timestamptz),
    lockkeeper.events_after_v1(integer, bigint, integer)
    TO lockkeeper_reader;

INSERT INTO lockkeeper.meta VALUES ('oldest_writer', 5);
