-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Partitions, sums and retention. Each agent calls maintain() about once a minute; one of them does the work.

-- Makes the partitions of a UTC day, and moves the rows there that came while it had none.
CREATE FUNCTION lockkeeper.make_day(day date) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    first_at timestamptz := day::timestamp AT TIME ZONE 'UTC';
    end_at timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
    part text;
    parent text;
    made boolean := false;
BEGIN
    FOREACH parent IN ARRAY ARRAY['events', 'holds', 'waits', 'sum_hours'] LOOP
        part := parent || to_char(day, '"_"YYYYMMDD');
        CONTINUE WHEN to_regclass('lockkeeper.' || part) IS NOT NULL;
        made := true;
        -- Attaching leaves readers and writers of the other days alone; CREATE … PARTITION OF would wait for them.
        EXECUTE format('CREATE TABLE lockkeeper.%I (LIKE lockkeeper.%I INCLUDING ALL EXCLUDING INDEXES)', part, parent);
        EXECUTE format('WITH moved AS (DELETE FROM lockkeeper.%1$I WHERE %2$I >= $1 AND %2$I < $2 RETURNING *)
            INSERT INTO lockkeeper.%3$I SELECT * FROM moved', parent || '_default', lockkeeper.time_column(parent),
            part) USING first_at, end_at;
        EXECUTE format('ALTER TABLE lockkeeper.%I ATTACH PARTITION lockkeeper.%I FOR VALUES FROM (%L) TO (%L)', parent,
            part, first_at, end_at);
    END LOOP;
    RETURN made;
END $$;

CREATE FUNCTION lockkeeper.time_column(parent text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE parent WHEN 'events' THEN 'at' WHEN 'sum_hours' THEN 'hour' ELSE 'ended' END
$$;

-- Drops the partitions that are older than keep_days, and what else is older. Returns how many it dropped.
CREATE FUNCTION lockkeeper.drop_old() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    first_day date;
    sum_day date;
    part record;
    parent text;
    dropped integer := 0;
BEGIN
    SELECT (now() AT TIME ZONE 'UTC')::date - keep_days, (now() AT TIME ZONE 'UTC')::date - keep_sum_days
        INTO first_day, sum_day FROM lockkeeper.settings;
    FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent IN ('lockkeeper.events'::regclass, 'lockkeeper.holds'::regclass,
                'lockkeeper.waits'::regclass, 'lockkeeper.sum_hours'::regclass)
            AND c.relname ~ '_[0-9]{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < first_day ORDER BY 1 LOOP
        EXECUTE format('DROP TABLE lockkeeper.%I', part.relname);
        dropped := dropped + 1;
    END LOOP;
    FOREACH parent IN ARRAY ARRAY['events', 'holds', 'waits', 'sum_hours'] LOOP
        EXECUTE format('DELETE FROM lockkeeper.%I WHERE %I < $1', parent || '_default', lockkeeper.time_column(parent))
            USING first_day::timestamp AT TIME ZONE 'UTC';
    END LOOP;
    DELETE FROM lockkeeper.unsummed WHERE hour < first_day::timestamp AT TIME ZONE 'UTC';
    DELETE FROM lockkeeper.spans WHERE last_at < first_day::timestamp AT TIME ZONE 'UTC';
    DELETE FROM lockkeeper.sum_days WHERE day < sum_day;
    RETURN dropped;
END $$;

-- At most 317 years, so that nonsense in a few rows doesn't make a sum fail.
CREATE FUNCTION lockkeeper.us_of(span interval) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN span IS NOT NULL THEN -- least() and greatest() skip NULL
        least(greatest(round(extract(epoch FROM span) * 1000000), -1e16), 1e16)::bigint END
$$;

-- Sums an hour of a journal anew.
CREATE FUNCTION lockkeeper.sum_hour(of_hour timestamptz, of_journal integer) RETURNS void LANGUAGE sql AS $$
    DELETE FROM lockkeeper.sum_hours WHERE hour = of_hour AND journal = of_journal;
    INSERT INTO lockkeeper.sum_hours(hour, lock, last_at, held_us, longest_held_us, waited_us, longest_wait_us,
        journal, events, holds, waits, expired, forced, takeovers)
    SELECT of_hour, lock, max(last_at), sum(held_us), max(held_us), sum(waited_us), max(longest_wait_us), of_journal,
        sum(events), sum(holds), sum(waits), sum(expired), sum(forced), sum(takeovers)
    FROM (
        SELECT lock, max(at) AS last_at, 0::bigint AS held_us, 0::bigint AS waited_us, 0::bigint AS longest_wait_us,
            count(*) AS events, 0 AS holds, 0 AS waits, 0 AS expired, 0 AS forced, 0 AS takeovers
        FROM lockkeeper.events
        WHERE at >= of_hour AND at < of_hour + interval '1 hour' AND journal = of_journal GROUP BY lock
        UNION ALL
        SELECT lock, NULL, lockkeeper.us_of(ended - began), 0, 0, 0, 1, 0, (how = 2)::int, (how = 4)::int,
            (how = 3)::int
        FROM lockkeeper.holds
        WHERE ended >= of_hour AND ended < of_hour + interval '1 hour' AND journal = of_journal
        UNION ALL
        SELECT lock, NULL, 0, lockkeeper.us_of(ended - began), lockkeeper.us_of(ended - began), 0, 0, 1, 0, 0, 0
        FROM lockkeeper.waits
        WHERE ended >= of_hour AND ended < of_hour + interval '1 hour' AND journal = of_journal) AS rows
    GROUP BY lock
$$;

CREATE FUNCTION lockkeeper.sum_day(of_day date, of_journal integer) RETURNS void LANGUAGE sql AS $$
    DELETE FROM lockkeeper.sum_days WHERE day = of_day AND journal = of_journal;
    INSERT INTO lockkeeper.sum_days(day, journal, lock, last_at, held_us, longest_held_us, waited_us, longest_wait_us,
        events, holds, waits, expired, forced, takeovers)
    SELECT of_day, of_journal, lock, max(last_at), sum(held_us), max(longest_held_us), sum(waited_us),
        max(longest_wait_us), sum(events), sum(holds), sum(waits), sum(expired), sum(forced), sum(takeovers)
    FROM lockkeeper.sum_hours
    WHERE hour >= of_day::timestamp AT TIME ZONE 'UTC' AND hour < (of_day + 1)::timestamp AT TIME ZONE 'UTC'
        AND journal = of_journal
    GROUP BY lock
$$;

-- Sums hours that are over and have unsummed rows, the oldest first. Hours in which a writer is busy wait.
CREATE FUNCTION lockkeeper.sum_finished(most integer) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    u record;
    d record;
    done integer := 0;
    days date[] := '{}';
    journals integer[] := '{}';
BEGIN
    FOR u IN SELECT hour, journal FROM lockkeeper.unsummed WHERE hour < now() - interval '62 minutes'
            ORDER BY hour, journal LIMIT most FOR UPDATE SKIP LOCKED LOOP
        DELETE FROM lockkeeper.unsummed WHERE hour = u.hour AND journal = u.journal;
        PERFORM lockkeeper.sum_hour(u.hour, u.journal);
        days := days || (u.hour AT TIME ZONE 'UTC')::date;
        journals := journals || u.journal;
        done := done + 1;
        EXIT WHEN clock_timestamp() > statement_timestamp() + interval '5 seconds'; -- a writer waits for this
    END LOOP;
    FOR d IN SELECT DISTINCT day, journal FROM unnest(days, journals) AS t(day, journal) LOOP
        PERFORM lockkeeper.sum_day(d.day, d.journal);
    END LOOP;
    RETURN done;
END $$;

-- UTC days of rows that lie in a default partition.
CREATE FUNCTION lockkeeper.stray_days() RETURNS SETOF date LANGUAGE sql STABLE AS $$
    SELECT (at AT TIME ZONE 'UTC')::date FROM lockkeeper.events_default
    UNION SELECT (ended AT TIME ZONE 'UTC')::date FROM lockkeeper.holds_default
    UNION SELECT (ended AT TIME ZONE 'UTC')::date FROM lockkeeper.waits_default
    UNION SELECT (hour AT TIME ZONE 'UTC')::date FROM lockkeeper.sum_hours_default
$$;

-- Makes partitions for `days` (within keep_days and days_ahead), for the next days, and for stray rows. Without `days`
-- it also drops old partitions and sums, unless another session is at it. Returns `days`.
CREATE FUNCTION lockkeeper.maintain(days date[] DEFAULT '{}') RETURNS date[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    s lockkeeper.settings;
    today date := (now() AT TIME ZONE 'UTC')::date;
    is_keeper boolean;
    day date;
BEGIN
    SELECT * INTO s FROM lockkeeper.settings;
    is_keeper := days = '{}' AND pg_try_advisory_xact_lock(7105220714042652);
    IF is_keeper THEN
        PERFORM lockkeeper.sum_finished(50);
    END IF;
    -- The rest is quick, and locks tables that readers and writers need.
    BEGIN
        PERFORM pg_advisory_xact_lock(7105220714042651);
        FOR day IN SELECT d FROM (SELECT unnest(days) UNION SELECT lockkeeper.stray_days()) AS t(d)
                WHERE d BETWEEN today - s.keep_days AND today + s.days_ahead
                UNION SELECT today + n FROM generate_series(0, s.days_ahead) AS n ORDER BY 1 LOOP
            PERFORM lockkeeper.make_day(day);
        END LOOP;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        RAISE LOG 'lockkeeper: a partition waits for a long query'; -- meanwhile the default partition takes its rows
    END;
    IF is_keeper THEN
        BEGIN
            PERFORM lockkeeper.drop_old();
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            RAISE LOG 'lockkeeper: retention waits for a long query';
        END;
    END IF;
    RETURN days;
END $$;
