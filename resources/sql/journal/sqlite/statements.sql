-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Every statement of the journal by its name; a name's text reaches to the next one.

-- name: begin
BEGIN IMMEDIATE
-- name: commit
COMMIT

-- name: meta_get
SELECT value FROM meta WHERE key = ?
-- name: meta_set
INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value

-- name: source_all
SELECT source_id, name, store, last_seen_us, gap_open, position FROM sources ORDER BY source_id
-- name: source_insert
INSERT INTO sources(name, store) VALUES(?, ?)
-- name: source_first_up
SELECT min(t_us) FROM events INDEXED BY events_of_sources WHERE lock_id IS NULL AND source_id = ? AND kind = 12
-- name: source_update
UPDATE sources SET last_seen_us = ?, gap_open = ?, position = ? WHERE source_id = ?

-- name: lock_find
SELECT lock_id FROM lock_names CROSS JOIN locks USING(lock_id)
WHERE lock_names.name_hash = ? AND name = ? AND source_id = ? AND scheme = ? AND place = ?
-- name: lock_insert
INSERT INTO locks(lock_id, source_id, scheme, place, name, checksum, name_hash) VALUES(?, ?, ?, ?, ?, ?, ?)
-- name: lock_last
SELECT max(lock_id) FROM locks
-- name: lock_get
SELECT lock_id, source_id, scheme, place, name, checksum FROM locks WHERE lock_id = ?
-- name: lock_by_name
SELECT lock_id, source_id, scheme, place, name, checksum FROM lock_names CROSS JOIN locks USING(lock_id)
WHERE lock_names.name_hash = ?1 AND name = ?2
UNION SELECT lock_id, source_id, scheme, place, name, checksum FROM locks
WHERE lock_id > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = CAST('named_lock' AS BLOB)), 0) AND name = ?2
-- name: lock_names_add
INSERT OR IGNORE INTO lock_names(name_hash, lock_id)
SELECT name_hash, lock_id FROM locks WHERE lock_id > ? ORDER BY name_hash, lock_id
-- name: lock_all
SELECT lock_id, source_id, scheme, place, name, checksum FROM locks
-- name: lock_between
SELECT lock_id, source_id, scheme, place, name, checksum FROM locks WHERE lock_id > ? AND lock_id <= ?

-- name: event_insert
INSERT INTO events(seq, source_id, lock_id, kind, owner, t_us, window_us, seen_us, ttl_ms, lasts_us, waiter,
                   command, detail, after, checksum)
VALUES(?1, ?2, ?3, ?4, CASE WHEN ?5 = (SELECT owner FROM holds WHERE hold_id = ?16) THEN ?1 - ?16 ELSE ?5 END, ?6, ?7,
       ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
-- name: event_bounds
SELECT (SELECT min(seq) FROM events), (SELECT max(seq) FROM events)
-- name: events_of_lock
SELECT seq FROM events INDEXED BY events_by_lock WHERE lock_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
-- name: events_of_kind
SELECT seq FROM events INDEXED BY events_rare
WHERE kind = ? AND kind NOT IN (0, 1, 2, 5, 6) AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
-- name: events_of_command
SELECT seq FROM events INDEXED BY events_by_command WHERE command = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
-- name: events_of_source
SELECT seq FROM events INDEXED BY events_of_sources
WHERE lock_id IS NULL AND source_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
-- name: events_walk
SELECT seq, lock_id, owner, CASE typeof(owner) WHEN 'integer' THEN seq - owner END FROM events NOT INDEXED
WHERE seq > ? AND seq <= ?%1 ORDER BY seq
-- name: owners_between
SELECT hold_id, owner FROM holds WHERE hold_id > ? AND hold_id <= ?
-- name: locks_of_sources
SELECT lock_id FROM locks WHERE source_id IN (%1) LIMIT ?
-- name: source_marks_between
SELECT seq FROM events INDEXED BY events_of_sources
WHERE lock_id IS NULL AND t_us >= ? AND t_us <= ?
-- name: event_replay
SELECT *, (SELECT owner FROM holds WHERE hold_id = seq - events.owner) FROM events WHERE seq > ? ORDER BY seq LIMIT ?

-- name: outbox_newest
SELECT max(coalesce((SELECT max(seq) FROM events), 0),
           coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = CAST('last_seq' AS BLOB)), 0))
-- name: outbox_events
SELECT *, (SELECT owner FROM holds WHERE hold_id = seq - events.owner) FROM events
WHERE seq >= ? ORDER BY seq LIMIT ?
-- name: outbox_locks
SELECT lock_id, source_id, scheme, place, name, checksum FROM locks WHERE lock_id > ? AND lock_id <= ?
ORDER BY lock_id LIMIT ?
-- name: outbox_holds
SELECT holds.* FROM events NOT INDEXED CROSS JOIN holds INDEXED BY holds_by_end
ON holds.to_us = events.t_us AND holds.lock_id = events.lock_id AND holds.hold_id + holds.events = events.seq
WHERE seq >= ? AND seq <= ? AND kind IN (0, 2, 3, 4, 9, 14) ORDER BY hold_id
-- name: outbox_waits
SELECT wait_id, waits.lock_id, waits.waiter, from_us, start_check, to_us, end_check, max(wait_id)
FROM events NOT INDEXED CROSS JOIN waits INDEXED BY waits_by_end
ON to_us = t_us AND waits.lock_id = events.lock_id AND waits.waiter = coalesce(events.waiter, x'') AND wait_id <= seq
WHERE seq >= ? AND seq <= ? AND kind = 6 GROUP BY seq ORDER BY wait_id

-- name: hold_insert
INSERT INTO holds(hold_id, lock_id, owner, from_us, from_window_us, start_seen, open_check) VALUES(?, ?, ?, ?, ?, ?, ?)
-- name: hold_renew
UPDATE holds SET renewals = ?, longest_gap_us = ?, renewed_us = ?, expires_us = ?, renew_check = ? WHERE hold_id = ?
-- name: hold_state
UPDATE holds SET state = ? WHERE hold_id = ?
-- name: hold_close
UPDATE holds SET to_us = ?, to_window_us = ?, end = ?, events = ?, close_check = ?, state = NULL WHERE hold_id = ?
-- name: hold_open_ids
SELECT lock_id, hold_id, from_us FROM holds WHERE to_us IS NULL
-- name: hold_open_of
SELECT hold_id, from_us FROM holds INDEXED BY holds_open WHERE lock_id = ? AND to_us IS NULL
-- name: hold_open_rows
SELECT holds.*, events.*, holds.owner, locks.lock_id, locks.source_id, scheme, place, name, locks.checksum
FROM holds INDEXED BY holds_open LEFT JOIN locks ON locks.lock_id = holds.lock_id LEFT JOIN events ON seq = hold_id
WHERE to_us IS NULL
-- name: renewals_between
SELECT t_us FROM events INDEXED BY events_renewals
WHERE kind = 1 AND lock_id = ? AND t_us >= ? AND t_us <= ? ORDER BY t_us LIMIT ?
-- name: hold_by_id
SELECT * FROM holds WHERE hold_id = ?
-- name: hold_last_id
SELECT max(hold_id) FROM holds
-- name: hold_slice
SELECT * FROM holds WHERE hold_id > ? AND hold_id <= ? ORDER BY hold_id DESC

-- name: hold_slice_begun
SELECT holds.*, events.*, holds.owner FROM holds LEFT JOIN events ON seq = hold_id
WHERE hold_id > ? AND hold_id <= ? ORDER BY hold_id DESC

-- name: wait_insert
INSERT INTO waits(wait_id, lock_id, waiter, from_us, start_check) VALUES(?, ?, ?, ?, ?)
-- name: wait_close
UPDATE waits SET to_us = ?, end_check = ? WHERE wait_id = ?
-- name: wait_delete
DELETE FROM waits WHERE wait_id = ?
-- name: wait_open_ids
SELECT lock_id, waiter, wait_id FROM waits WHERE to_us IS NULL
-- name: wait_until
SELECT wait_id, lock_id, waiter, from_us, start_check, to_us, end_check FROM waits INDEXED BY waits_by_end
WHERE to_us = ? AND lock_id = ? AND waiter = ?

-- name: rank_holds
SELECT lock_id, hold_id FROM holds INDEXED BY holds_by_end WHERE to_us >= ? AND to_us < ?
-- name: sum_acquired
SELECT lock_id, start_seen AND from_us >= ? AND from_us <= ? FROM holds NOT INDEXED WHERE hold_id > ? AND hold_id <= ?
-- name: sum_forced
SELECT lock_id, end = 4 AND from_us - from_window_us <= ? FROM holds INDEXED BY holds_by_end
WHERE to_us >= ? AND to_us <= ?
-- name: waiting_ended
SELECT source_id, from_us, to_us, waits.lock_id FROM waits INDEXED BY waits_by_end CROSS JOIN locks ON locks.lock_id = waits.lock_id
WHERE to_us > ? AND from_us < ?
-- name: waiting_open
SELECT source_id, from_us, NULL, waits.lock_id FROM waits INDEXED BY waits_open CROSS JOIN locks ON locks.lock_id = waits.lock_id
WHERE to_us IS NULL AND from_us < ?
-- name: hold_before
SELECT max(hold_id) FROM holds INDEXED BY holds_by_lock WHERE lock_id = ? AND hold_id < ?
-- name: hold_at
SELECT hold_id FROM holds INDEXED BY holds_by_lock WHERE lock_id = ? AND from_us <= ? ORDER BY hold_id DESC LIMIT 1
-- name: holds_from
SELECT hold_id, lock_id, owner, from_us, from_window_us, start_seen, open_check, to_us, to_window_us, end, close_check,
       events
FROM holds INDEXED BY holds_by_lock WHERE lock_id = ? AND hold_id >= ? ORDER BY hold_id
-- name: holds_begun_from
SELECT holds.*, events.*, holds.owner FROM holds INDEXED BY holds_by_lock LEFT JOIN events ON seq = hold_id
WHERE holds.lock_id = ? AND hold_id >= ? ORDER BY hold_id
-- name: waits_from
SELECT wait_id, lock_id, waiter, from_us, start_check, to_us, end_check FROM waits INDEXED BY waits_by_lock
WHERE lock_id = ? AND wait_id >= ? AND wait_id <= ? ORDER BY wait_id
-- name: last_state
SELECT after FROM events INDEXED BY events_by_lock WHERE lock_id = ? AND after IS NOT NULL ORDER BY seq DESC LIMIT 1
-- name: source_marks
SELECT kind, t_us, detail FROM events INDEXED BY events_of_sources WHERE lock_id IS NULL AND source_id = ?
ORDER BY seq

-- name: presence_scan
SELECT seq, lock_id, t_us, window_us, after IS NULL FROM events NOT INDEXED
WHERE seq > ? AND seq <= ? AND lock_id IS NOT NULL ORDER BY seq
-- name: snapshot_all
SELECT last_seq, earliest_us, latest_us FROM snapshots ORDER BY last_seq
-- name: snapshot_last
SELECT max(last_seq) FROM snapshots
-- name: snapshot_get
SELECT earliest_us, latest_us, checksum, locks FROM snapshots WHERE last_seq = ?
-- name: snapshot_insert
INSERT INTO snapshots(last_seq, earliest_us, latest_us, checksum, locks) VALUES(?, ?, ?, ?, ?)
-- name: snapshot_delete
DELETE FROM snapshots WHERE last_seq = ?
-- name: snapshot_from_holds
SELECT DISTINCT lock_id FROM holds WHERE from_us <= ?1 AND (to_us IS NULL OR to_us > ?1)
    AND hold_id <= coalesce((SELECT hold_id FROM holds WHERE from_us > ?1 ORDER BY hold_id LIMIT 1), 9223372036854775807)
ORDER BY lock_id
-- name: event_first
SELECT seq, t_us, t_us + seen_us FROM events ORDER BY seq LIMIT 1
-- name: event_at
SELECT *, (SELECT owner FROM holds WHERE hold_id = seq - events.owner) FROM events WHERE seq = ?
-- name: event_with_lock
SELECT events.*, (SELECT owner FROM holds WHERE hold_id = seq - events.owner), locks.lock_id, locks.source_id, scheme,
       place, name, locks.checksum
FROM events CROSS JOIN locks ON locks.lock_id = events.lock_id WHERE seq = ?
-- name: event_before
SELECT seq, after IS NULL FROM events INDEXED BY events_by_lock WHERE lock_id = ? AND seq <= ? AND t_us <= ?
ORDER BY seq DESC LIMIT 1
-- name: event_ending
SELECT t_us FROM events INDEXED BY events_by_lock WHERE lock_id = ? AND seq > ? AND kind IN (0, 2, 3, 4, 9, 14)
ORDER BY seq LIMIT 1
-- name: hold_ended
SELECT * FROM holds INDEXED BY holds_by_end WHERE to_us = ? AND lock_id = ? ORDER BY hold_id DESC LIMIT 1
-- name: hold_open_row
SELECT * FROM holds INDEXED BY holds_open WHERE lock_id = ? AND to_us IS NULL
-- name: span_holds_ended
SELECT hold_id, lock_id, from_us, to_us, end, owner FROM holds INDEXED BY holds_by_end
WHERE to_us >= ? AND to_us < ? AND min(from_us, to_us) < ?
-- name: span_waits_ended
SELECT wait_id, lock_id, from_us, to_us, 0, waiter FROM waits INDEXED BY waits_by_end
WHERE to_us >= ? AND to_us < ? AND min(from_us, to_us) < ?
-- name: span_holds_open
SELECT hold_id, lock_id, from_us, to_us, end, owner FROM holds INDEXED BY holds_open
WHERE to_us IS NULL AND from_us < ?
-- name: span_waits_open
SELECT wait_id, lock_id, from_us, to_us, 0, waiter FROM waits INDEXED BY waits_open
WHERE to_us IS NULL AND from_us < ?
-- name: span_holds_of_lock
SELECT hold_id, lock_id, from_us, to_us, end, owner FROM holds INDEXED BY holds_by_lock
WHERE lock_id = ? AND hold_id >= ? AND hold_id <= ? AND to_us >= ? AND to_us < ? AND min(from_us, to_us) < ?
-- name: span_waits_of_lock
SELECT wait_id, lock_id, from_us, to_us, 0, waiter FROM waits INDEXED BY waits_by_lock
WHERE lock_id = ? AND wait_id >= ? AND wait_id <= ? AND to_us >= ? AND to_us < ? AND min(from_us, to_us) < ?
-- name: span_holds_crossing
SELECT id, lock_id, from_us, to_us, 0, (SELECT owner FROM holds WHERE hold_id = id) FROM rollup_crossings
WHERE kind = ? AND to_us >= ? AND to_us < ? AND from_us < ?
-- name: span_waits_crossing
SELECT id, lock_id, from_us, to_us, 0, (SELECT waiter FROM waits WHERE wait_id = id) FROM rollup_crossings
WHERE kind = ? AND to_us >= ? AND to_us < ? AND from_us < ?
-- name: rollups_of_hours
SELECT at, lock_id, holds, held_us, waits, waited_us FROM rollup_hours WHERE at >= ? AND at < ?
-- name: rollups_of_days
SELECT at, lock_id, holds, held_us, waits, waited_us FROM rollup_days WHERE at >= ? AND at < ?
-- name: rollup_hours_of
SELECT at, lock_id, holds, held_us, waits, waited_us, forced, first_hold, last_hold, first_wait, last_wait
FROM rollup_hours WHERE at IN (%1) AND lock_id IN (%2)
-- name: rollup_days_of
SELECT at, lock_id, holds, held_us, waits, waited_us, forced, first_hold, last_hold, first_wait, last_wait
FROM rollup_days WHERE at IN (%1) AND lock_id IN (%2)
-- name: rollup_bounds
SELECT (SELECT min(at) FROM rollup_hours), (SELECT max(at) FROM rollup_hours), (SELECT min(at) FROM rollup_minutes)
-- name: wait_by_id
SELECT wait_id, lock_id, waiter, from_us, start_check, to_us, end_check FROM waits WHERE wait_id = ?
-- name: source_gaps
SELECT * FROM events INDEXED BY events_of_sources
WHERE lock_id IS NULL AND source_id = ? AND kind IN (10, 11) ORDER BY seq
-- name: event_blocks
SELECT last_seq, earliest_us, latest_us FROM event_blocks ORDER BY last_seq
-- name: event_times
SELECT t_us FROM events NOT INDEXED WHERE seq > ? AND seq <= ?
-- name: event_minutes
SELECT at, events FROM rollup_minutes WHERE at >= ? AND at < ?
-- name: rollup_last_seq
SELECT max(seq) FROM (SELECT seq FROM events WHERE seq > ? ORDER BY seq LIMIT ?)
-- name: rollup_add_events
INSERT INTO rollup_minutes(at, source_id, events)
SELECT (t_us - ((t_us % 60000000) + 60000000) % 60000000) / 60000000 AS minute, source_id, count(*)
FROM events NOT INDEXED WHERE seq > ? AND seq <= ? GROUP BY minute, source_id
ON CONFLICT(at, source_id) DO UPDATE SET events = events + excluded.events
-- name: rollup_add_blocks
INSERT INTO event_blocks(last_seq, earliest_us, latest_us)
SELECT max(seq), min(t_us), max(t_us) FROM events NOT INDEXED WHERE seq > ? AND seq <= ? GROUP BY seq / 100
-- name: rollup_newest_end
SELECT max(coalesce((SELECT to_us + 1 FROM holds INDEXED BY holds_by_end WHERE to_us IS NOT NULL
                     ORDER BY to_us DESC LIMIT 1), h), coalesce((SELECT to_us + 1 FROM waits INDEXED BY waits_by_end
                     WHERE to_us IS NOT NULL ORDER BY to_us DESC LIMIT 1), h))
FROM (SELECT -9223372036854775807 - 1 AS h)
-- name: rollup_hold_bound
SELECT to_us FROM holds INDEXED BY holds_by_end WHERE to_us >= ? ORDER BY to_us LIMIT 1 OFFSET 2000
-- name: rollup_wait_bound
SELECT to_us FROM waits INDEXED BY waits_by_end WHERE to_us >= ? ORDER BY to_us LIMIT 1 OFFSET 2000
-- name: rollup_holds
SELECT hold_id, lock_id, source_id, from_us, to_us, end FROM holds INDEXED BY holds_by_end JOIN locks USING(lock_id)
WHERE to_us >= ? AND to_us < ?
-- name: rollup_waits
SELECT wait_id, lock_id, source_id, from_us, to_us, 0 FROM waits INDEXED BY waits_by_end JOIN locks USING(lock_id)
WHERE to_us >= ? AND to_us < ?
-- name: rollup_hold
SELECT hold_id, lock_id, source_id, from_us, to_us, end FROM holds JOIN locks USING(lock_id) WHERE hold_id = ?
-- name: rollup_wait
SELECT wait_id, lock_id, source_id, from_us, to_us, 0 FROM waits JOIN locks USING(lock_id) WHERE wait_id = ?
-- name: rollup_crossing_insert
INSERT INTO rollup_crossings(kind, to_us, id, lock_id, from_us) VALUES(?, ?, ?, ?, ?)
-- name: rollup_add
INSERT INTO rollup_%1(at, lock_id, holds, held_us, waits, waited_us, forced, expired, takeovers, first_hold,
                         last_hold, first_wait, last_wait)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(at, lock_id) DO UPDATE SET
    holds = holds + excluded.holds, held_us = held_us + excluded.held_us, waits = waits + excluded.waits,
    waited_us = waited_us + excluded.waited_us, forced = forced + excluded.forced,
    expired = expired + excluded.expired, takeovers = takeovers + excluded.takeovers,
    first_hold = min(coalesce(first_hold, excluded.first_hold), coalesce(excluded.first_hold, first_hold)),
    last_hold = max(coalesce(last_hold, excluded.last_hold), coalesce(excluded.last_hold, last_hold)),
    first_wait = min(coalesce(first_wait, excluded.first_wait), coalesce(excluded.first_wait, first_wait)),
    last_wait = max(coalesce(last_wait, excluded.last_wait), coalesce(excluded.last_wait, last_wait))

-- name: audit_append
INSERT INTO audit_log(record, audit_id, kind, t_us, who, role, source, scheme, place, name, holder, reason, because,
                      guard, outcome, detail, command, approver, prev, hash)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
-- name: audit_restore
INSERT OR IGNORE INTO audit_log VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
-- name: audit_record
SELECT * FROM audit_log WHERE record = ?
-- name: audit_tail
SELECT record, hash FROM audit_log ORDER BY record DESC LIMIT 1
-- name: audit_last_id
SELECT max(audit_id) FROM audit_log
-- name: audit_by_command
SELECT audit_id FROM audit_log WHERE command = ? AND kind = 0
-- name: audit_of
SELECT * FROM audit_log WHERE audit_id = ? ORDER BY record
-- name: audit_outcomes_of_lock
SELECT o.outcome FROM audit_log AS i JOIN audit_log AS o USING(audit_id)
WHERE i.kind = 0 AND i.name = ? AND i.place = ? AND i.scheme = ? AND i.source = ?
-- name: audit_open
SELECT audit_id FROM audit_log AS i
WHERE kind = 0 AND NOT EXISTS(SELECT 1 FROM audit_log AS o WHERE o.audit_id = i.audit_id AND o.kind = 1)
ORDER BY audit_id
-- name: audit_page
SELECT DISTINCT audit_id FROM audit_log WHERE audit_id < ? ORDER BY audit_id DESC LIMIT ?
-- name: audit_hash_of
SELECT hash FROM audit_log WHERE record = ?
-- name: audit_sign
INSERT OR REPLACE INTO audit_signatures VALUES(?, ?, ?, ?, ?)
-- name: audit_signatures_at
SELECT * FROM audit_signatures WHERE records = ?
-- name: audit_newest_signature
SELECT * FROM audit_signatures ORDER BY t_us DESC, records DESC LIMIT 1
-- name: audit_newest_signature_by
SELECT * FROM audit_signatures WHERE key_id = ? ORDER BY records DESC LIMIT 1
-- name: audit_signatures_from
SELECT * FROM audit_signatures WHERE records >= ? AND records <= ? ORDER BY records, t_us
-- name: audit_walk
SELECT * FROM audit_log WHERE record > ? ORDER BY record LIMIT 1000

-- name: retain_event_bound
SELECT count(*), max(seq), min(CASE WHEN observed_us >= ? THEN seq END)
FROM (SELECT seq, t_us + seen_us AS observed_us FROM events ORDER BY seq LIMIT 1000)
-- name: retain_states
SELECT holds.*, events.*, holds.owner FROM events CROSS JOIN holds ON hold_id = seq
WHERE seq < ? AND to_us IS NULL AND state IS NULL AND after IS NOT NULL
-- name: retain_delete_events
DELETE FROM events WHERE seq < ?
-- name: retain_oldest_event
SELECT t_us + seen_us FROM events ORDER BY seq LIMIT 1
-- name: retain_earliest_from
SELECT min(us) FROM (SELECT min(t_us) AS us FROM events NOT INDEXED WHERE seq >= ?1 AND seq < ?1 + 100
UNION ALL SELECT min(earliest_us) FROM event_blocks WHERE last_seq >= ?1 + 100)
-- name: retain_hold_from
SELECT hold_id, from_us FROM holds WHERE hold_id > ? ORDER BY hold_id LIMIT 1
-- name: retain_delete_holds
DELETE FROM holds WHERE hold_id BETWEEN ? AND ? AND to_us < ?
    AND hold_id + events < coalesce((SELECT min(seq) FROM events), hold_id + events + 1)
-- name: retain_wait_bound
SELECT count(*), max(wait_id), min(CASE WHEN from_us >= ? THEN wait_id END)
FROM (SELECT wait_id, from_us FROM waits WHERE wait_id > ? ORDER BY wait_id LIMIT 1000)
-- name: retain_delete_waits
DELETE FROM waits WHERE wait_id > ? AND wait_id <= ? AND (to_us < ? OR (to_us IS NULL AND from_us < ?))
-- name: retain_lock_bound
SELECT max(lock_id) FROM (SELECT lock_id FROM locks WHERE lock_id > ? ORDER BY lock_id LIMIT 500)
-- name: retain_delete_locks
DELETE FROM locks WHERE lock_id > ? AND lock_id <= ?
    AND NOT EXISTS(SELECT 1 FROM events WHERE events.lock_id = locks.lock_id)
    AND NOT EXISTS(SELECT 1 FROM holds WHERE holds.lock_id = locks.lock_id)
    AND NOT EXISTS(SELECT 1 FROM waits WHERE waits.lock_id = locks.lock_id)
    AND NOT EXISTS(SELECT 1 FROM rollup_days WHERE rollup_days.lock_id = locks.lock_id)
-- name: retain_delete_snapshots
DELETE FROM snapshots WHERE last_seq < (SELECT min(seq) FROM events) - 1
-- name: retain_delete_blocks
DELETE FROM event_blocks WHERE last_seq < coalesce((SELECT min(seq) FROM events), last_seq + 1)
-- name: retain_delete_hour
DELETE FROM rollup_hours WHERE at = (SELECT min(at) FROM rollup_hours) AND at < ?
-- name: retain_delete_days
DELETE FROM rollup_days WHERE at < (SELECT coalesce((min(at) - ((min(at) % 24) + 24) % 24) / 24, 1 << 40)
                                    FROM rollup_hours)
-- name: retain_delete_minutes
DELETE FROM rollup_minutes WHERE at < 60 * ? AND at <= (SELECT min(at) FROM rollup_minutes) + 60
-- name: retain_delete_crossings
DELETE FROM rollup_crossings WHERE kind = ?1 AND to_us <
    min(?2, coalesce((SELECT to_us + 1 FROM rollup_crossings WHERE kind = ?1 ORDER BY to_us LIMIT 1 OFFSET 1000), ?2))
-- name: retain_pages
SELECT (SELECT page_count FROM pragma_page_count()), (SELECT freelist_count FROM pragma_freelist_count()),
       (SELECT page_size FROM pragma_page_size())

-- name: alert_save
INSERT INTO alerts(alert_id, fired_us, resolved_us, alert) VALUES(?, ?, ?, ?)
ON CONFLICT(alert_id) DO UPDATE SET fired_us = excluded.fired_us, resolved_us = excluded.resolved_us,
alert = excluded.alert
-- name: alert_recent
SELECT alert_id, alert FROM alerts WHERE resolved_us IS NULL OR resolved_us > ? ORDER BY fired_us, alert_id
-- name: alert_delete
DELETE FROM alerts WHERE alert_id = ?
-- name: alert_forget
DELETE FROM alerts WHERE resolved_us < ? AND alert_id NOT IN (SELECT alert_id FROM outbox)

-- name: notice_add
INSERT INTO outbox(receiver, alert_id, state, queued_us, due_us) VALUES(?1, ?2, 0, ?3, ?3)
ON CONFLICT(receiver, alert_id) DO UPDATE SET state = 0, revision = revision + 1, attempts = 0, queued_us = ?3,
due_us = ?3
-- name: notice_due
SELECT notice_id, revision, firing_delivered, attempts, coalesce(summary, alert)
FROM outbox LEFT JOIN alerts USING(alert_id)
WHERE receiver = ?1 AND (due_us <= ?2 OR due_us > ?3) ORDER BY due_us, notice_id LIMIT ?4
-- name: notice_next
SELECT min(due_us) FROM outbox WHERE receiver = ?
-- name: notice_delete
DELETE FROM outbox WHERE notice_id = ?
-- name: notice_finish
DELETE FROM outbox WHERE notice_id = ? AND revision = ?
-- name: notice_delivered
UPDATE outbox SET firing_delivered = ?3, attempts = 0, error = x'', state = iif(revision = ?2, 1, state),
due_us = iif(revision = ?2, ?4, due_us) WHERE notice_id = ?1
-- name: notice_failed
UPDATE outbox SET attempts = attempts + 1, due_us = ?3, error = ?4 WHERE notice_id = ?1 AND revision = ?2
-- name: notice_rejected
UPDATE outbox SET attempts = attempts + 1, state = 2, due_us = NULL, error = ?3
WHERE notice_id = ?1 AND revision = ?2
-- name: notice_requeue
UPDATE outbox SET state = 0, attempts = 0, due_us = ?2 WHERE receiver = ?1 AND state = 2
-- name: notice_undelivered
SELECT count(*) FROM outbox WHERE receiver = ? AND state <> 1
-- name: notice_oldest
SELECT notice_id, coalesce(summary, alert) FROM outbox LEFT JOIN alerts USING(alert_id)
WHERE receiver = ? AND state <> 1 AND summary IS NULL
ORDER BY (resolved_us IS NULL) * 2 + (firing_delivered AND state = 0), notice_id LIMIT ?
-- name: summary_find
SELECT notice_id, summary FROM outbox WHERE receiver = ? AND state <> 1 AND summary IS NOT NULL
-- name: summary_add
INSERT INTO outbox(receiver, alert_id, state, queued_us, due_us, summary) VALUES(?1, ?2, 0, ?3, ?3, ?4)
-- name: summary_update
UPDATE outbox SET revision = revision + 1, summary = ?2 WHERE notice_id = ?1
-- name: receiver_delivered
INSERT INTO receivers(receiver, delivered_us) VALUES(?, ?)
ON CONFLICT(receiver) DO UPDATE SET delivered_us = excluded.delivered_us
-- name: receiver_backlogs
SELECT receiver, sum(waiting), max(delivered_us) FROM (
SELECT receiver, 1 AS waiting, NULL AS delivered_us FROM outbox WHERE state = 0
UNION ALL SELECT receiver, 0, delivered_us FROM receivers) GROUP BY receiver
-- name: receiver_names
SELECT DISTINCT receiver FROM outbox UNION SELECT receiver FROM receivers
-- name: receiver_forget_notices
DELETE FROM outbox WHERE receiver = ?
-- name: receiver_forget
DELETE FROM receivers WHERE receiver = ?
-- name: notice_expire
DELETE FROM outbox WHERE (state = 2 AND queued_us < ?1)
OR (state = 1 AND alert_id IN (SELECT alert_id FROM alerts WHERE resolved_us < ?1))
