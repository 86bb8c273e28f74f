-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The only way in. An agent has INSERT on locks, events, holds and waits, for COPY, and no other right on a table. It
-- calls open_journal() once, and for each batch, in one transaction: begin_batch(), the rows, end_batch(). Triggers
-- refuse every row outside of the caller's batch, so that an agent can neither write for another agent, nor write
-- twice, nor leave out a number without a hole.
--
-- SQLSTATEs: LK001 a newer epoch was seen; LK002 the batch doesn't follow the watermark; LK003 a row is outside of the
-- batch, or a number is missing; 42501 the role belongs to another agent, or to none.

-- True if the role that logged in is `role`, or a member of it.
CREATE FUNCTION lockkeeper.is_role(role name) RETURNS boolean LANGUAGE sql STABLE
    AS $$ SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = role) AND pg_has_role(session_user, role, 'MEMBER') $$;

CREATE FUNCTION lockkeeper.refuse_epoch(name text, seen bigint, given bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'agent "%" of epoch % was replaced by epoch %', name, given, seen
        USING ERRCODE = 'LK001',
            HINT = format('If its election was removed on purpose, run: SELECT lockkeeper.forget_epoch(%L)', name);
END $$;

-- Returns the watermark of a journal. Registers a journal that the hub doesn't know, and records the epoch.
CREATE FUNCTION lockkeeper.open_journal(agent_name text, id bytea, given_epoch bigint,
    OUT journal integer, OUT last_seq bigint, OUT last_lock bigint, OUT last_record bigint, OUT last_hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    a lockkeeper.agents;
BEGIN
    SELECT * INTO a FROM lockkeeper.agents WHERE name = agent_name FOR UPDATE;
    IF NOT FOUND OR NOT lockkeeper.is_role(a.role) THEN
        RAISE EXCEPTION 'role "%" may not write for agent "%"', session_user, agent_name
            USING ERRCODE = '42501',
                HINT = format('Run as the owner: SELECT lockkeeper.add_agent(%L, %L)', agent_name, session_user);
    END IF;
    IF given_epoch < a.epoch THEN
        PERFORM lockkeeper.refuse_epoch(a.name, a.epoch, given_epoch);
    ELSIF given_epoch > a.epoch THEN
        UPDATE lockkeeper.agents SET epoch = given_epoch WHERE agent = a.agent;
    END IF;
    INSERT INTO lockkeeper.journals AS j (agent, journal_id) VALUES (a.agent, id)
        ON CONFLICT (agent, journal_id) DO UPDATE SET heard = now()
        RETURNING j.journal, j.last_seq, j.last_lock, j.last_record, j.last_hash
        INTO journal, last_seq, last_lock, last_record, last_hash;
END $$;

-- Locks the watermark for this transaction and returns it. `void`: the hub has these rows, and takes none.
CREATE FUNCTION lockkeeper.begin_batch(of_journal integer, given_epoch bigint, from_seq bigint, to_seq bigint,
    OUT void boolean, OUT last_seq bigint, OUT last_lock bigint, OUT last_record bigint, OUT last_hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    a lockkeeper.agents;
    j lockkeeper.journals;
BEGIN
    -- In the order of open_journal(): the agent first.
    SELECT * INTO a FROM lockkeeper.agents
        WHERE agent = (SELECT k.agent FROM lockkeeper.journals AS k WHERE k.journal = of_journal) FOR UPDATE;
    IF NOT FOUND OR NOT lockkeeper.is_role(a.role) THEN
        RAISE EXCEPTION 'role "%" may not write into journal %', session_user, of_journal USING ERRCODE = '42501';
    END IF;
    IF given_epoch < a.epoch THEN
        PERFORM lockkeeper.refuse_epoch(a.name, a.epoch, given_epoch);
    END IF;
    SELECT * INTO j FROM lockkeeper.journals WHERE journal = of_journal FOR UPDATE;
    void := from_seq <= to_seq AND to_seq <= j.last_seq;
    last_seq := j.last_seq;
    last_lock := j.last_lock;
    last_record := j.last_record;
    last_hash := j.last_hash;
    IF void THEN
        RETURN;
    END IF;
    IF from_seq <> j.last_seq + 1 OR to_seq < j.last_seq THEN
        RAISE EXCEPTION 'the batch % to % doesn''t follow event %', from_seq, to_seq, j.last_seq
            USING ERRCODE = 'LK002';
    END IF;
    UPDATE lockkeeper.journals SET heard = now(), batch_xid = pg_current_xact_id(), batch_from = from_seq,
        batch_to = to_seq, batch_rows = 0 WHERE journal = of_journal;
END $$;

-- Raises the watermark. Fails unless each number of the batch came as an event or lies in a hole.
CREATE FUNCTION lockkeeper.end_batch(of_journal integer, of_lock bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    j lockkeeper.journals;
BEGIN
    j := lockkeeper.check_batch(of_journal);
    IF j.batch_rows <> j.batch_to - j.batch_from + 1 THEN
        RAISE EXCEPTION 'the batch % to % has % numbers', j.batch_from, j.batch_to, j.batch_rows
            USING ERRCODE = 'LK003';
    END IF;
    UPDATE lockkeeper.journals SET last_seq = j.batch_to, last_lock = greatest(j.last_lock, of_lock), batch_xid = NULL
        WHERE journal = of_journal;
END $$;

-- The journal's row, if this transaction has begun a batch of it.
CREATE FUNCTION lockkeeper.check_batch(of_journal integer) RETURNS lockkeeper.journals
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    j lockkeeper.journals;
BEGIN
    SELECT * INTO j FROM lockkeeper.journals
        WHERE journal = of_journal AND batch_xid = pg_current_xact_id_if_assigned();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'role "%" has begun no batch of journal %', session_user, of_journal USING ERRCODE = 'LK003';
    END IF;
    RETURN j;
END $$;

CREATE FUNCTION lockkeeper.mark_unsummed(of_journal integer, first_at timestamptz, last_at timestamptz) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO lockkeeper.unsummed AS u (hour, journal)
        SELECT first_at, of_journal WHERE first_at IS NOT NULL
        UNION SELECT last_at, of_journal WHERE last_at IS NOT NULL
        ON CONFLICT (hour, journal) DO UPDATE SET journal = excluded.journal -- locks the row against sum_hour()
$$;

CREATE FUNCTION lockkeeper.hour_start(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT date_trunc('hour', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' $$;

CREATE FUNCTION lockkeeper.events_arrived() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    f record;
    j lockkeeper.journals;
BEGIN
    SELECT min(journal) AS journal, max(journal) AS other, min(seq) AS from_seq, max(seq) AS to_seq, count(*) AS n,
        min(at) AS first_at, max(at) AS last_at INTO f FROM fresh;
    IF f.n = 0 THEN
        RETURN NULL;
    END IF;
    j := lockkeeper.check_batch(f.journal);
    IF f.other <> f.journal OR f.from_seq < j.batch_from OR f.to_seq > j.batch_to THEN
        RAISE EXCEPTION 'event % to % lie outside of the batch % to % of journal %', f.from_seq, f.to_seq,
            j.batch_from, j.batch_to, j.journal USING ERRCODE = 'LK003';
    END IF;
    UPDATE lockkeeper.journals SET batch_rows = j.batch_rows + f.n, last_at = greatest(j.last_at, f.last_at)
        WHERE journal = j.journal;
    UPDATE lockkeeper.spans SET to_seq = f.to_seq, first_at = least(first_at, f.first_at),
        last_at = greatest(last_at, f.last_at)
        WHERE journal = j.journal AND f.to_seq - from_seq < 20000
            AND from_seq = (SELECT max(s.from_seq) FROM lockkeeper.spans s WHERE s.journal = j.journal);
    IF NOT FOUND THEN
        INSERT INTO lockkeeper.spans VALUES (j.journal, f.from_seq, f.to_seq, f.first_at, f.last_at);
    END IF;
    IF lockkeeper.hour_start(f.first_at) = lockkeeper.hour_start(f.last_at) THEN
        PERFORM lockkeeper.mark_unsummed(j.journal, lockkeeper.hour_start(f.last_at), NULL);
    ELSE
        PERFORM lockkeeper.mark_unsummed(j.journal, h, NULL)
            FROM (SELECT DISTINCT lockkeeper.hour_start(at) AS h FROM fresh ORDER BY 1) AS hours;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION lockkeeper.spells_arrived() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT journal, lockkeeper.hour_start(ended) AS hour FROM fresh GROUP BY 1, 2 ORDER BY 1, 2 LOOP
        PERFORM lockkeeper.check_batch(f.journal);
        PERFORM lockkeeper.mark_unsummed(f.journal, f.hour, NULL);
    END LOOP;
    RETURN NULL;
END $$;

CREATE FUNCTION lockkeeper.locks_arrived() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lockkeeper.check_batch(f.journal) FROM (SELECT DISTINCT journal FROM fresh) AS f;
    RETURN NULL;
END $$;

CREATE TRIGGER events_arrived AFTER INSERT ON lockkeeper.events REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION lockkeeper.events_arrived();
CREATE TRIGGER holds_arrived AFTER INSERT ON lockkeeper.holds REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION lockkeeper.spells_arrived();
CREATE TRIGGER waits_arrived AFTER INSERT ON lockkeeper.waits REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION lockkeeper.spells_arrived();
CREATE TRIGGER locks_arrived AFTER INSERT ON lockkeeper.locks REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION lockkeeper.locks_arrived();

-- Rare rows come by functions.
CREATE FUNCTION lockkeeper.add_source(of_journal integer, number bigint, its_name bytea, its_store bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lockkeeper.check_batch(of_journal);
    INSERT INTO lockkeeper.sources VALUES (of_journal, number, its_name, its_store) ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION lockkeeper.add_hole(of_journal integer, from_number bigint, to_number bigint, why smallint,
    after timestamptz, before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    j lockkeeper.journals := lockkeeper.check_batch(of_journal);
BEGIN
    IF from_number < j.batch_from OR to_number > j.batch_to OR from_number > to_number THEN
        RAISE EXCEPTION 'the hole % to % lies outside of the batch % to %', from_number, to_number, j.batch_from,
            j.batch_to USING ERRCODE = 'LK003';
    END IF;
    INSERT INTO lockkeeper.holes(journal, from_seq, to_seq, from_at, to_at, reason)
        VALUES (of_journal, from_number, to_number, after, before, why);
    UPDATE lockkeeper.journals SET batch_rows = j.batch_rows + to_number - from_number + 1 WHERE journal = of_journal;
END $$;

-- The hash of a record, as the agent computes it: SHA-256 over all columns. A number is 8 bytes, the highest first; a
-- text has its length before it.
CREATE FUNCTION lockkeeper.sized(part bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT int8send(length(part)) || part $$;
CREATE FUNCTION lockkeeper.audit_hash(r lockkeeper.audit) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256(lockkeeper.sized(r.prev) || int8send(r.record) || int8send(r.id) || int8send(r.kind)
        || int8send(r.t_us) || lockkeeper.sized(r.who) || lockkeeper.sized(r.role) || lockkeeper.sized(r.source)
        || lockkeeper.sized(r.scheme) || lockkeeper.sized(r.place) || lockkeeper.sized(r.name)
        || lockkeeper.sized(r.holder) || lockkeeper.sized(r.reason) || int8send(r.because) || lockkeeper.sized(r.guard)
        || int8send(r.outcome) || lockkeeper.sized(r.detail) || lockkeeper.sized(r.command)
        || lockkeeper.sized(r.approver))
$$;

-- Appends a record. False: it is stored, but its hash is wrong, or it doesn't follow the record before it, or the agent
-- itself found it changed (`intact`).
CREATE FUNCTION lockkeeper.add_record(of_journal integer, record bigint, id bigint, t_us bigint, kind smallint,
    because smallint, outcome smallint, intact boolean, who bytea, role bytea, source bytea, scheme bytea, place bytea,
    name bytea, holder bytea, reason bytea, guard bytea, detail bytea, command bytea, approver bytea, prev bytea,
    hash bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    j lockkeeper.journals := lockkeeper.check_batch(of_journal);
    r lockkeeper.audit := ROW(of_journal, record, id, t_us, kind, because, outcome, intact, who, role, source, scheme,
        place, name, holder, reason, guard, detail, command, approver, prev, hash);
BEGIN
    IF record <= j.last_record THEN
        RAISE EXCEPTION 'record % of the audit doesn''t follow record %', record, j.last_record USING ERRCODE = 'LK002';
    END IF;
    -- An audit that was recovered from a damaged file may lack numbers.
    r.verified := intact AND record = j.last_record + 1 AND r.prev = j.last_hash AND r.hash = lockkeeper.audit_hash(r);
    INSERT INTO lockkeeper.audit SELECT r.*;
    UPDATE lockkeeper.journals AS k SET last_record = record, last_hash = hash WHERE k.journal = of_journal;
    RETURN r.verified;
END $$;

CREATE FUNCTION lockkeeper.add_signature(of_journal integer, records bigint, t_us bigint, key_id bytea, hash bytea,
    signature bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lockkeeper.check_batch(of_journal);
    INSERT INTO lockkeeper.signatures VALUES (of_journal, records, t_us, key_id, hash, signature)
        ON CONFLICT DO NOTHING;
END $$;

-- The first record whose hash, or whose link to the record before it, is wrong now; NULL: the chain is whole.
CREATE FUNCTION lockkeeper.verify_audit(of_journal integer) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT min(bad) FROM (
        SELECT CASE
            WHEN lag(record, 1, 0::bigint) OVER w + 1 <> record THEN lag(record, 1, 0::bigint) OVER w + 1
            WHEN prev <> lag(hash, 1, decode(repeat('00', 32), 'hex')) OVER w THEN record
            WHEN hash <> lockkeeper.audit_hash(a) THEN record END AS bad
        FROM lockkeeper.audit AS a WHERE journal = of_journal WINDOW w AS (ORDER BY record)
        UNION ALL
        SELECT j.last_record FROM lockkeeper.journals AS j WHERE j.journal = of_journal AND j.last_record > 0
            AND NOT EXISTS (SELECT FROM lockkeeper.audit AS a
                WHERE a.journal = j.journal AND a.record = j.last_record AND a.hash = j.last_hash)) AS records
$$;

-- For the owner. add_agent() lets a role write as the agent of that name; called again, it changes the role.
CREATE FUNCTION lockkeeper.add_agent(agent_name text, agent_role name) RETURNS integer LANGUAGE sql AS $$
    INSERT INTO lockkeeper.agents AS a (name, role) VALUES (agent_name, agent_role)
        ON CONFLICT (name) DO UPDATE SET role = excluded.role RETURNING a.agent
$$;
CREATE FUNCTION lockkeeper.forget_epoch(agent_name text) RETURNS void LANGUAGE sql AS $$
    UPDATE lockkeeper.agents SET epoch = 0 WHERE name = agent_name
$$;
