-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The history of a fleet, for PostgreSQL 13 and later. Agents copy the rows of their journals into it.
--
-- A journal is one agent's file with one series of event numbers; a restored or new file is another journal. Locks and
-- sources keep the numbers that they have in the journal, so (journal, lock) names a lock. Bytes from stores and users
-- are bytea, because text can hold neither NUL nor invalid UTF-8; the views show them by text_of(). Times of events are
-- the store's clock. Durations of an event are numeric, which takes 5 bytes where bigint takes 8; NULL is zero or none.

CREATE TABLE lockkeeper.settings(
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    keep_days integer NOT NULL DEFAULT 366 CHECK (keep_days BETWEEN 1 AND 36500),          -- events, holds, waits
    keep_sum_days integer NOT NULL DEFAULT 3660 CHECK (keep_sum_days BETWEEN 1 AND 36500), -- sum_days
    days_ahead integer NOT NULL DEFAULT 2 CHECK (days_ahead BETWEEN 1 AND 30)              -- partitions made ahead
);
INSERT INTO lockkeeper.settings DEFAULT VALUES;

-- The agents that may write, by the role that each logs in with: lockkeeper.add_agent().
CREATE TABLE lockkeeper.agents(
    agent integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,            -- [agent] name
    role name NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,      -- of the last election that a writer of this name won; fences older ones
    added timestamptz NOT NULL DEFAULT now()
);

-- The watermark of each journal. begin_batch() locks the row, end_batch() raises the numbers.
CREATE TABLE lockkeeper.journals(
    journal smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- two bytes keep an event's row below a step of eight
    agent integer NOT NULL REFERENCES lockkeeper.agents,
    last_seq bigint NOT NULL DEFAULT 0,   -- all events up to this number are here, or lie in a hole
    last_lock bigint NOT NULL DEFAULT 0,
    last_record bigint NOT NULL DEFAULT 0,
    began timestamptz NOT NULL DEFAULT now(),
    heard timestamptz NOT NULL DEFAULT now(), -- when the agent last wrote, by this server's clock
    last_at timestamptz,                  -- the newest time of an event
    batch_xid xid8,                       -- the transaction that writes now, its range, and its events so far
    batch_from bigint,
    batch_to bigint,
    batch_rows bigint,
    journal_id bytea NOT NULL,
    last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'), -- of the last record of the audit
    UNIQUE (agent, journal_id)
) WITH (fillfactor = 30);

-- Where a journal's numbers lie in time: at most 20,000 events a row. Finds the events after a number.
CREATE TABLE lockkeeper.spans(
    journal integer NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    first_at timestamptz NOT NULL,        -- the earliest and latest time of its events
    last_at timestamptz NOT NULL,
    PRIMARY KEY (journal, from_seq)
) WITH (fillfactor = 70);

CREATE TABLE lockkeeper.sources(
    journal integer NOT NULL,
    source bigint NOT NULL,
    name bytea NOT NULL,
    store bytea NOT NULL,                 -- redis, mysql, …
    PRIMARY KEY (journal, source)
);

CREATE TABLE lockkeeper.locks(
    lock bigint NOT NULL,
    source bigint NOT NULL,
    journal integer NOT NULL,
    scheme bytea NOT NULL,
    place bytea NOT NULL,
    name bytea NOT NULL,
    PRIMARY KEY (lock, journal)
);
-- A b-tree would refuse a name of more than 2,704 bytes.
CREATE INDEX locks_by_name ON lockkeeper.locks USING hash (name);

-- One row an event; partitioned by the UTC day of `at`. The order of the columns leaves no padding.
CREATE TABLE lockkeeper.events(
    at timestamptz NOT NULL,              -- best known time of the change
    seq bigint NOT NULL,                  -- number in the journal
    lock bigint NOT NULL,                 -- negative: an event of the source with that number
    owner_at timestamptz,                 -- the owner is that of the lock's newest event of this time up to this event
    journal smallint NOT NULL,
    kind "char" NOT NULL,                 -- kind_name()
    phase "char",                         -- phase_name() of the lock after it; NULL: it isn't in the table any more
    window_us numeric,                    -- it happened in [at - window_us, at]
    seen_us numeric,                      -- the agent observed it this long after `at`
    ttl_ms numeric,
    lasts_us numeric,                     -- it expires this long after `at`; NULL: as ttl_ms; NaN: never
    owner bytea,                          -- NULL without owner_at: unknown
    waiter bytea,
    command bytea,                        -- id of the force-release that caused it
    detail bytea,                         -- a JSON object
    after bytea                           -- the rest of the lock's state, packed as in the journal (packed_state.h),
                                          -- without phase and guard
) PARTITION BY RANGE (at);

-- Holds and waits that have ended; partitioned by the UTC day of `ended`.
CREATE TABLE lockkeeper.holds(
    ended timestamptz NOT NULL,
    began timestamptz NOT NULL,
    hold bigint NOT NULL,                 -- number of its first event
    lock bigint NOT NULL,
    owner_at timestamptz,                 -- as in events
    journal integer NOT NULL,
    how smallint NOT NULL,                -- hold_end_name()
    start_seen smallint NOT NULL,         -- 0: held at least since `began`
    began_window_us numeric,
    ended_window_us numeric,
    events numeric,                       -- its last event has the number hold + events
    renewals numeric,
    longest_gap_us numeric,               -- between renewals
    owner bytea
) PARTITION BY RANGE (ended);

CREATE TABLE lockkeeper.waits(
    ended timestamptz NOT NULL,
    began timestamptz NOT NULL,
    wait bigint NOT NULL,                 -- number of its first event
    lock bigint NOT NULL,
    journal integer NOT NULL,
    waiter bytea NOT NULL
) PARTITION BY RANGE (ended);

-- Sums of each finished hour and day. last_at: the lock's last event in it.
CREATE TABLE lockkeeper.sum_hours(
    hour timestamptz NOT NULL,
    lock bigint NOT NULL,
    last_at timestamptz,
    held_us bigint NOT NULL,              -- of the holds that ended in this hour, their whole duration
    longest_held_us bigint NOT NULL,
    waited_us bigint NOT NULL,
    longest_wait_us bigint NOT NULL,
    journal integer NOT NULL,
    events integer NOT NULL,
    holds integer NOT NULL,
    waits integer NOT NULL,
    expired integer NOT NULL,             -- of the holds
    forced integer NOT NULL,
    takeovers integer NOT NULL
) PARTITION BY RANGE (hour);

CREATE TABLE lockkeeper.sum_days(
    day date NOT NULL,
    journal integer NOT NULL,
    lock bigint NOT NULL,
    last_at timestamptz,
    held_us bigint NOT NULL,
    longest_held_us bigint NOT NULL,
    waited_us bigint NOT NULL,
    longest_wait_us bigint NOT NULL,
    events bigint NOT NULL,
    holds bigint NOT NULL,
    waits bigint NOT NULL,
    expired bigint NOT NULL,
    forced bigint NOT NULL,
    takeovers bigint NOT NULL,
    PRIMARY KEY (day, journal, lock)
);

-- Hours that got rows since they were summed.
CREATE TABLE lockkeeper.unsummed(
    hour timestamptz NOT NULL,
    journal integer NOT NULL,
    PRIMARY KEY (hour, journal)
) WITH (fillfactor = 30);

-- Rows of a time that has no partition: older than keep_days, or of a clock that is far ahead.
CREATE TABLE lockkeeper.events_default PARTITION OF lockkeeper.events DEFAULT;
CREATE TABLE lockkeeper.holds_default PARTITION OF lockkeeper.holds DEFAULT;
CREATE TABLE lockkeeper.waits_default PARTITION OF lockkeeper.waits DEFAULT;
CREATE TABLE lockkeeper.sum_hours_default PARTITION OF lockkeeper.sum_hours DEFAULT;

CREATE INDEX events_by_time ON lockkeeper.events USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX holds_by_time ON lockkeeper.holds USING brin (ended) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX waits_by_time ON lockkeeper.waits USING brin (ended) WITH (pages_per_range = 32, autosummarize = on);
-- By hours: PostgreSQL stores equal keys once, so that a busy lock's event costs few bytes here. A reader that
-- wants the order of time sorts within an hour. Queries compare hour_of(), which the planner inlines.
CREATE FUNCTION lockkeeper.hour_of(at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ((at AT TIME ZONE 'UTC')::date - date '1970-01-01') * 24 + date_part('hour', at AT TIME ZONE 'UTC')::integer
$$;
CREATE INDEX events_by_lock ON lockkeeper.events (lock, journal, (lockkeeper.hour_of(at)));
CREATE INDEX holds_by_lock ON lockkeeper.holds (lock, journal, (lockkeeper.hour_of(ended)));
CREATE INDEX waits_by_lock ON lockkeeper.waits (lock, journal, (lockkeeper.hour_of(ended)));
CREATE INDEX events_of_sources ON lockkeeper.events (at) WHERE lock < 0;
CREATE INDEX sum_hours_by_hour ON lockkeeper.sum_hours (hour, journal);
CREATE INDEX sum_days_by_lock ON lockkeeper.sum_days (lock, journal, day);

-- Numbers that the agent couldn't forward: a gap for every reader.
CREATE TABLE lockkeeper.holes(
    journal integer NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    from_at timestamptz,                  -- the last known time before it; NULL: none
    to_at timestamptz,
    noted timestamptz NOT NULL DEFAULT now(),
    reason smallint NOT NULL,             -- 0 deleted before it was forwarded, 1 unreadable
    PRIMARY KEY (journal, from_seq)
);

-- The audit of each agent: the columns that its hash covers, as the agent's journal has them.
CREATE TABLE lockkeeper.audit(
    journal integer NOT NULL,
    record bigint NOT NULL,               -- 1, 2, 3, … without holes
    id bigint NOT NULL,                   -- shown to people; an intent and its outcome share it
    t_us bigint NOT NULL,                 -- microseconds since the epoch, the agent's clock
    kind smallint NOT NULL,               -- 0 intent, 1 outcome, 2 later finding, 3 a second person's decision
    because smallint NOT NULL,
    outcome smallint NOT NULL,            -- outcome_name()
    verified boolean NOT NULL,            -- on arrival: its hash is right, and it follows the record before it
    who bytea NOT NULL,
    role bytea NOT NULL,
    source bytea NOT NULL,
    scheme bytea NOT NULL,
    place bytea NOT NULL,
    name bytea NOT NULL,
    holder bytea NOT NULL,
    reason bytea NOT NULL,
    guard bytea NOT NULL,
    detail bytea NOT NULL,
    command bytea NOT NULL,
    approver bytea NOT NULL,
    prev bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (journal, record)
);

-- The signed heads: Ed25519 over the text that resources/docs/operators/audit.md describes.
CREATE TABLE lockkeeper.signatures(
    journal integer NOT NULL,
    records bigint NOT NULL,
    t_us bigint NOT NULL,
    key_id bytea NOT NULL,
    hash bytea NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (journal, records, key_id)
);
