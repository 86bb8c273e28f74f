-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The views and functions for SQL users and Grafana, documented in resources/docs/operators/hub-database.md. A name
-- that ends in _v1 keeps its columns; a change becomes _v2. Filter by the time column: it chooses the partitions.

-- Bytes of a store as text: a byte that isn't part of valid UTF-8, and NUL, becomes \xNN. The planner must not run it
-- in parallel, because it catches errors.
CREATE FUNCTION lockkeeper.text_of(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    shown text := '';
    i integer := 0;
    size integer;
    lead integer;
BEGIN
    BEGIN
        RETURN convert_from(bytes, 'UTF8');
    EXCEPTION WHEN OTHERS THEN
    END;
    WHILE i < length(bytes) LOOP
        lead := get_byte(bytes, i);
        size := CASE WHEN lead BETWEEN 194 AND 223 THEN 2 WHEN lead BETWEEN 224 AND 239 THEN 3
            WHEN lead BETWEEN 240 AND 244 THEN 4 ELSE 1 END;
        BEGIN
            IF lead = 0 OR i + size > length(bytes) THEN
                RAISE EXCEPTION 'no text';
            END IF;
            shown := shown || convert_from(substring(bytes FROM i + 1 FOR size), 'UTF8');
        EXCEPTION WHEN OTHERS THEN
            shown := shown || '\x' || encode(substring(bytes FROM i + 1 FOR 1), 'hex');
            size := 1;
        END;
        i := i + size;
    END LOOP;
    RETURN shown;
END $$;

-- A time so many microseconds later. Nonsense gives an infinite time, lest one row makes a view fail.
CREATE FUNCTION lockkeeper.later(at timestamptz, us numeric) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN us > 1e17 THEN timestamptz 'infinity' WHEN us < -1e17 THEN timestamptz '-infinity'
        ELSE at + us::float8 * interval '1 microsecond' END
$$;

-- A text of a JSON object; NULL where it isn't one, or can't be shown.
CREATE FUNCTION lockkeeper.json_field(object bytea, field text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN convert_from(object, 'UTF8')::json ->> field;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;

CREATE FUNCTION lockkeeper.kind_name(kind "char") RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (ARRAY['acquired', 'renewed', 'released', 'expired', 'taken_over', 'wait_start', 'wait_end', 'stuck',
        'unstuck', 'force_released', 'gap_opened', 'gap_closed', 'source_up', 'source_down', 'lost',
        'changed'])[kind::integer + 1]
$$;
CREATE FUNCTION lockkeeper.hold_end_name(how smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (ARRAY['open', 'released', 'expired', 'taken_over', 'force_released', 'gap', 'lost'])[how + 1]
$$;
CREATE FUNCTION lockkeeper.phase_name(phase "char") RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce((ARRAY['free', 'held', 'expired', 'optimistic', 'unknown'])[phase::integer + 1], 'absent')
$$;
CREATE FUNCTION lockkeeper.outcome_name(outcome smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (ARRAY['released', 'holder_changed', 'already_free', 'refused', 'unreachable', 'partial', 'unknown',
        'pending', 'would_release', 'probed', 'awaiting_approval', 'rejected', 'ended', 'logged_in', 'discovered',
        'accepted'])[outcome + 1]
$$;

-- A row without an owner refers to one by owner_at: the views look it up in the events of that hour.

-- The names of a lock; of a source for its events.
CREATE VIEW lockkeeper.names AS
    SELECT l.journal, l.lock, a.name AS agent, s.name AS source, s.store, l.scheme, l.place, l.name
    FROM lockkeeper.locks AS l JOIN lockkeeper.journals AS j USING (journal) JOIN lockkeeper.agents AS a USING (agent)
        LEFT JOIN lockkeeper.sources AS s ON s.journal = l.journal AND s.source = l.source
    UNION ALL
    SELECT s.journal, -s.source, a.name, s.name, s.store, NULL, NULL, NULL
    FROM lockkeeper.sources AS s JOIN lockkeeper.journals AS j USING (journal)
        JOIN lockkeeper.agents AS a USING (agent);

CREATE VIEW lockkeeper.events_v1 AS
    SELECT e.at, n.agent, lockkeeper.text_of(n.source) AS source, lockkeeper.text_of(n.store) AS store,
        lockkeeper.text_of(n.scheme) AS scheme, lockkeeper.text_of(n.place) AS place,
        lockkeeper.text_of(n.name) AS lock, lockkeeper.kind_name(e.kind) AS event,
        lockkeeper.text_of(coalesce(e.owner, (SELECT o.owner FROM lockkeeper.events AS o
            WHERE o.lock = e.lock AND o.journal = e.journal AND o.at = e.owner_at AND o.owner IS NOT NULL
                AND o.seq <= e.seq AND lockkeeper.hour_of(o.at)
                    = lockkeeper.hour_of(e.owner_at)
            ORDER BY o.seq DESC LIMIT 1))) AS owner,
        lockkeeper.text_of(e.waiter) AS waiter, lockkeeper.phase_name(e.phase) AS state_after,
        coalesce(e.window_us, 0) AS window_us, lockkeeper.later(e.at, coalesce(e.seen_us, 0)) AS observed_at, e.ttl_ms, lockkeeper.later(e.at, nullif(coalesce(e.lasts_us, e.ttl_ms * 1000), 'NaN'))
            AS expires_at,
        lockkeeper.text_of(e.command) AS command, lockkeeper.text_of(e.detail) AS detail, e.journal, e.seq,
        e.lock AS lock_id
    FROM lockkeeper.events AS e LEFT JOIN lockkeeper.names AS n ON n.journal = e.journal AND n.lock = e.lock;

CREATE VIEW lockkeeper.holds_v1 AS
    SELECT h.ended, h.began, n.agent, lockkeeper.text_of(n.source) AS source, lockkeeper.text_of(n.scheme) AS scheme,
        lockkeeper.text_of(n.place) AS place, lockkeeper.text_of(n.name) AS lock,
        lockkeeper.text_of(coalesce(h.owner, (SELECT o.owner FROM lockkeeper.events AS o
            WHERE o.lock = h.lock AND o.journal = h.journal AND o.at = h.owner_at AND o.owner IS NOT NULL
                AND o.seq <= h.hold AND lockkeeper.hour_of(o.at)
                    = lockkeeper.hour_of(h.owner_at)
            ORDER BY o.seq DESC LIMIT 1))) AS owner,
        h.ended - h.began AS held, lockkeeper.hold_end_name(h.how) AS how, h.start_seen = 1 AS start_seen,
        coalesce(h.began_window_us, 0) AS began_window_us, coalesce(h.ended_window_us, 0) AS ended_window_us,
        coalesce(h.renewals, 0) AS renewals, coalesce(h.longest_gap_us, 0) AS longest_renewal_gap_us, h.journal,
        h.hold AS hold_id, h.lock AS lock_id
    FROM lockkeeper.holds AS h LEFT JOIN lockkeeper.names AS n ON n.journal = h.journal AND n.lock = h.lock;

CREATE VIEW lockkeeper.waits_v1 AS
    SELECT w.ended, w.began, n.agent, lockkeeper.text_of(n.source) AS source, lockkeeper.text_of(n.scheme) AS scheme,
        lockkeeper.text_of(n.place) AS place, lockkeeper.text_of(n.name) AS lock,
        lockkeeper.text_of(w.waiter) AS waiter, w.ended - w.began AS waited, w.journal, w.wait AS wait_id,
        w.lock AS lock_id
    FROM lockkeeper.waits AS w LEFT JOIN lockkeeper.names AS n ON n.journal = w.journal AND n.lock = w.lock;

-- An agent writes at least once a minute. Its current journal is the one that was heard last.
CREATE VIEW lockkeeper.agents_v1 AS
    SELECT a.name AS agent, a.role::text AS role, a.epoch, j.journal, encode(j.journal_id, 'hex') AS journal_id,
        j.began, j.heard = max(j.heard) OVER (PARTITION BY a.agent) AS is_current, j.last_seq,
        j.last_at AS last_event_at, j.heard, now() - j.heard AS silent_for,
        now() - j.heard < interval '3 minutes' AS is_receiving, j.last_record AS audit_records,
        (SELECT count(*) FROM lockkeeper.audit AS r WHERE r.journal = j.journal AND NOT r.verified) AS audit_faults
    FROM lockkeeper.agents AS a LEFT JOIN lockkeeper.journals AS j USING (agent);

CREATE VIEW lockkeeper.gaps_v1 AS
    SELECT g.from_at, g.to_at, n.agent, lockkeeper.text_of(n.source) AS source,
        coalesce(lockkeeper.json_field(g.detail, 'cause'), 'gap') AS cause, g.journal, g.seq AS from_seq
    FROM (
        SELECT e.journal, e.lock, e.seq, e.kind::integer AS kind, e.detail,
            CASE e.kind::integer WHEN 10 THEN e.at END AS from_at,
            CASE e.kind::integer WHEN 11 THEN e.at ELSE lead(e.at) OVER w END AS to_at,
            lag(e.kind::integer) OVER w AS before
        FROM lockkeeper.events AS e WHERE e.lock < 0 AND e.kind::integer IN (10, 11)
        WINDOW w AS (PARTITION BY e.journal, e.lock ORDER BY e.seq)) AS g
    LEFT JOIN lockkeeper.names AS n ON n.journal = g.journal AND n.lock = g.lock
    WHERE g.kind = 10 OR g.before IS DISTINCT FROM 10
    UNION ALL
    SELECT h.from_at, h.to_at, a.name, NULL,
        CASE h.reason WHEN 0 THEN 'deleted before it was forwarded' ELSE 'unreadable in the journal' END, h.journal,
        h.from_seq
    FROM lockkeeper.holes AS h JOIN lockkeeper.journals AS j USING (journal) JOIN lockkeeper.agents AS a USING (agent)
    UNION ALL
    SELECT v.heard, NULL, v.agent, NULL, 'not received', v.journal, v.last_seq + 1
    FROM lockkeeper.agents_v1 AS v WHERE v.is_current AND NOT v.is_receiving;

CREATE VIEW lockkeeper.hours_v1 AS
    SELECT s.hour, n.agent, lockkeeper.text_of(n.source) AS source, lockkeeper.text_of(n.scheme) AS scheme,
        lockkeeper.text_of(n.place) AS place, lockkeeper.text_of(n.name) AS lock, s.events, s.holds, s.held_us,
        s.longest_held_us, s.waits, s.waited_us, s.longest_wait_us, s.expired, s.forced, s.takeovers, s.journal,
        s.lock AS lock_id
    FROM lockkeeper.sum_hours AS s LEFT JOIN lockkeeper.names AS n ON n.journal = s.journal AND n.lock = s.lock;

CREATE VIEW lockkeeper.days_v1 AS
    SELECT s.day, n.agent, lockkeeper.text_of(n.source) AS source, lockkeeper.text_of(n.scheme) AS scheme,
        lockkeeper.text_of(n.place) AS place, lockkeeper.text_of(n.name) AS lock, s.events, s.holds, s.held_us,
        s.longest_held_us, s.waits, s.waited_us, s.longest_wait_us, s.expired, s.forced, s.takeovers, s.journal,
        s.lock AS lock_id
    FROM lockkeeper.sum_days AS s LEFT JOIN lockkeeper.names AS n ON n.journal = s.journal AND n.lock = s.lock;

CREATE VIEW lockkeeper.audit_v1 AS
    SELECT lockkeeper.later(timestamptz 'epoch', r.t_us) AS at, a.name AS agent, r.record, r.id,
        (ARRAY['intent', 'outcome', 'finding', 'decision'])[r.kind + 1] AS kind, lockkeeper.text_of(r.who) AS who,
        lockkeeper.text_of(r.role) AS role, lockkeeper.text_of(r.source) AS source,
        lockkeeper.text_of(r.scheme) AS scheme, lockkeeper.text_of(r.place) AS place,
        lockkeeper.text_of(r.name) AS lock, lockkeeper.text_of(r.holder) AS holder,
        lockkeeper.text_of(r.reason) AS reason,
        (ARRAY['operator', 'expired', 'stuck'])[r.because + 1] AS because,
        lockkeeper.outcome_name(r.outcome) AS outcome, lockkeeper.text_of(r.detail) AS detail,
        lockkeeper.text_of(r.command) AS command, lockkeeper.text_of(r.approver) AS approver, r.verified, r.journal
    FROM lockkeeper.audit AS r JOIN lockkeeper.journals AS j USING (journal) JOIN lockkeeper.agents AS a USING (agent);

-- The last event of each lock in the hours that aren't summed, and in the hour of `up_to` itself, up to that time.
CREATE FUNCTION lockkeeper.last_events(up_to timestamptz)
RETURNS TABLE(journal integer, lock bigint, at timestamptz, seq bigint, kind "char", phase "char", owner bytea,
    owner_at timestamptz) LANGUAGE sql STABLE SET jit = off SET enable_bitmapscan = on AS $$
    SELECT DISTINCT ON (e.journal, e.lock) e.* FROM (
        SELECT u.hour FROM lockkeeper.unsummed AS u WHERE u.hour <= up_to UNION SELECT lockkeeper.hour_start(up_to)
    ) AS h, LATERAL (
        SELECT r.journal::integer, r.lock, r.at, r.seq, r.kind, r.phase, r.owner, r.owner_at FROM lockkeeper.events AS r
        WHERE r.at >= h.hour AND r.at < h.hour + interval '1 hour' AND r.at <= up_to AND r.lock > 0 OFFSET 0) AS e
    ORDER BY e.journal, e.lock, e.at DESC, e.seq DESC
$$;

-- The time of the last event of each lock in the hours and days before, as far as they are summed.
CREATE FUNCTION lockkeeper.last_sums(up_to timestamptz)
RETURNS TABLE(journal integer, lock bigint, at timestamptz) LANGUAGE sql STABLE SET jit = off AS $$
    SELECT l.journal, l.lock, max(l.last_at) FROM (
        SELECT s.journal, s.lock, s.last_at FROM lockkeeper.sum_hours AS s
        WHERE s.hour >= date_trunc('day', up_to AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
            AND s.hour < lockkeeper.hour_start(up_to) AND s.lock > 0
        UNION ALL
        SELECT s.journal, s.lock, s.last_at FROM lockkeeper.sum_days AS s
        WHERE s.day < (up_to AT TIME ZONE 'UTC')::date AND s.lock > 0
            AND s.day >= (SELECT (now() AT TIME ZONE 'UTC')::date - keep_days FROM lockkeeper.settings)) AS l
    GROUP BY l.journal, l.lock
$$;

-- The last known state of each lock at a time. It looks up an event only if the lock's last one lies further back.
CREATE FUNCTION lockkeeper.locks_at_v1(up_to timestamptz)
RETURNS TABLE(agent text, source text, scheme text, place text, lock text, state text, owner text, event text,
    at timestamptz, age interval, journal integer, seq bigint, lock_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_bitmapscan = off -- many look-ups of one row, for which reading the BRIN index would be slow
AS $$
    WITH near AS MATERIALIZED (SELECT * FROM lockkeeper.last_events(up_to)),
    far AS (
        SELECT o.journal, o.lock, o.at FROM lockkeeper.last_sums(up_to) AS o
        LEFT JOIN near AS m ON m.journal = o.journal AND m.lock = o.lock WHERE m.at IS NULL OR m.at < o.at
    ), states AS (
        SELECT m.* FROM near AS m LEFT JOIN far AS f ON f.journal = m.journal AND f.lock = m.lock WHERE f.at IS NULL
        UNION ALL
        SELECT e.* FROM far AS f CROSS JOIN LATERAL (
            SELECT r.journal::integer, r.lock, r.at, r.seq, r.kind, r.phase, r.owner, r.owner_at
            FROM lockkeeper.events AS r
            WHERE r.lock = f.lock AND r.journal = f.journal AND r.at = f.at
                AND lockkeeper.hour_of(r.at) = lockkeeper.hour_of(f.at)
            ORDER BY r.seq DESC LIMIT 1) AS e
    )
    SELECT n.agent, lockkeeper.text_of(n.source), lockkeeper.text_of(n.scheme), lockkeeper.text_of(n.place),
        lockkeeper.text_of(n.name), lockkeeper.phase_name(e.phase),
        CASE WHEN e.phase::integer IN (1, 2) THEN
            lockkeeper.text_of(coalesce(e.owner, (SELECT o.owner FROM lockkeeper.events AS o
                WHERE o.lock = e.lock AND o.journal = e.journal AND o.at = e.owner_at AND o.owner IS NOT NULL
                    AND o.seq <= e.seq AND lockkeeper.hour_of(o.at) = lockkeeper.hour_of(e.owner_at)
                ORDER BY o.seq DESC LIMIT 1))) END,
        lockkeeper.kind_name(e.kind), e.at, up_to - e.at, e.journal, e.seq, e.lock
    FROM states AS e LEFT JOIN lockkeeper.names AS n ON n.journal = e.journal AND n.lock = e.lock
$$;

CREATE VIEW lockkeeper.locks_v1 AS SELECT * FROM lockkeeper.locks_at_v1(now());

-- The locks with the longest waiting among the waits that ended in a range: sums for whole hours, rows for the rest.
CREATE FUNCTION lockkeeper.worst_locks_v1(from_at timestamptz, to_at timestamptz, most integer)
RETURNS TABLE(agent text, source text, scheme text, place text, lock text, waits bigint, waited interval,
    longest_wait interval, journal integer, lock_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
    WITH whole AS (
        SELECT lockkeeper.hour_start(from_at + interval '1 hour' - interval '1 microsecond') AS first_hour,
            lockkeeper.hour_start(to_at) AS end_hour
    ), rest AS (
        SELECT j.journal, r.first_at, r.end_at FROM whole, lockkeeper.journals AS j, LATERAL (
            VALUES (from_at, least(first_hour, to_at)), (greatest(end_hour, first_hour), to_at)) AS r(first_at, end_at)
        WHERE r.first_at < r.end_at
        UNION
        SELECT u.journal, u.hour, u.hour + interval '1 hour' FROM lockkeeper.unsummed AS u, whole
        WHERE u.hour >= first_hour AND u.hour < end_hour
    ), parts AS (
        SELECT s.journal, s.lock, s.waits::bigint AS waits, s.waited_us, s.longest_wait_us
        FROM lockkeeper.sum_hours AS s, whole WHERE s.hour >= first_hour AND s.hour < end_hour AND s.waits > 0
            AND NOT EXISTS (SELECT FROM lockkeeper.unsummed AS u WHERE u.hour = s.hour AND u.journal = s.journal)
        UNION ALL
        SELECT r.journal, w.lock, w.waits, w.waited_us, w.longest_us FROM rest AS r, LATERAL (
            SELECT x.lock, count(*) AS waits, sum(lockkeeper.us_of(x.ended - x.began))::bigint AS waited_us,
                max(lockkeeper.us_of(x.ended - x.began)) AS longest_us
            FROM lockkeeper.waits AS x
            WHERE x.journal = r.journal AND x.ended >= r.first_at AND x.ended < r.end_at GROUP BY x.lock) AS w
    ), worst AS (
        SELECT p.journal, p.lock, sum(p.waits)::bigint AS waits, sum(p.waited_us) AS waited_us,
            max(p.longest_wait_us) AS longest_us
        FROM parts AS p GROUP BY p.journal, p.lock ORDER BY waited_us DESC, p.journal, p.lock LIMIT most
    )
    SELECT n.agent, lockkeeper.text_of(n.source), lockkeeper.text_of(n.scheme), lockkeeper.text_of(n.place),
        lockkeeper.text_of(n.name), w.waits, w.waited_us::float8 * interval '1 microsecond',
        w.longest_us::float8 * interval '1 microsecond', w.journal, w.lock
    FROM worst AS w LEFT JOIN lockkeeper.names AS n ON n.journal = w.journal AND n.lock = w.lock
    ORDER BY w.waited_us DESC, w.journal, w.lock
$$;

-- The newest events of a lock before a time, as rows of the table: the newest day first.
CREATE FUNCTION lockkeeper.lock_events_v1(of_journal integer, of_lock bigint, most integer, before timestamptz)
RETURNS SETOF lockkeeper.events
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    part text;
    left_over integer := most;
    n integer;
BEGIN
    FOR part IN
        SELECT 'events_default'
        UNION ALL
        (SELECT 'events' || to_char(d.day, '"_"YYYYMMDD') FROM (
            SELECT s.day FROM lockkeeper.sum_days AS s WHERE s.lock = of_lock AND s.journal = of_journal
            UNION SELECT (u.hour AT TIME ZONE 'UTC')::date FROM lockkeeper.unsummed AS u WHERE u.journal = of_journal
        ) AS d WHERE d.day::timestamp AT TIME ZONE 'UTC' < before ORDER BY d.day DESC)
    LOOP
        CONTINUE WHEN to_regclass('lockkeeper.' || part) IS NULL;
        RETURN QUERY EXECUTE format('SELECT * FROM lockkeeper.%I AS e WHERE lock = $1 AND journal = $2 AND at < $3
            ORDER BY lockkeeper.hour_of(at) DESC, at DESC, seq DESC LIMIT $4', part)
            USING of_lock, of_journal, before, left_over;
        GET DIAGNOSTICS n = ROW_COUNT;
        left_over := left_over - n;
        EXIT WHEN left_over <= 0;
    END LOOP;
END $$;

-- The events of a journal after a number, as rows of the table, in their order.
CREATE FUNCTION lockkeeper.events_after_v1(of_journal integer, after_seq bigint, most integer)
RETURNS SETOF lockkeeper.events
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    s lockkeeper.spans;
    left_over integer := most;
    n integer;
BEGIN
    FOR s IN SELECT * FROM lockkeeper.spans WHERE journal = of_journal AND to_seq > after_seq ORDER BY from_seq LOOP
        RETURN QUERY SELECT * FROM lockkeeper.events AS e
            WHERE e.journal = of_journal AND e.at BETWEEN s.first_at AND s.last_at
                AND e.seq > after_seq AND e.seq BETWEEN s.from_seq AND s.to_seq
            ORDER BY e.seq LIMIT left_over;
        GET DIAGNOSTICS n = ROW_COUNT;
        left_over := left_over - n;
        EXIT WHEN left_over <= 0;
    END LOOP;
END $$;
