-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables of clients as they make them themselves, each with a lock that is held, beside tables of other kinds.

-- ShedLock
CREATE TABLE shedlock (name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL, locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name));
INSERT INTO shedlock VALUES ('report', timezone('utc', now()) + interval '5 minutes', timezone('utc', now()), 'web-1');

-- db-scheduler
CREATE TABLE scheduled_tasks (task_name TEXT NOT NULL, task_instance TEXT NOT NULL, task_data BYTEA, execution_time TIMESTAMP WITH TIME ZONE NOT NULL, picked BOOLEAN NOT NULL, picked_by TEXT, last_success TIMESTAMP WITH TIME ZONE, last_failure TIMESTAMP WITH TIME ZONE, consecutive_failures INT, last_heartbeat TIMESTAMP WITH TIME ZONE, version BIGINT NOT NULL, priority SMALLINT, PRIMARY KEY (task_name, task_instance));
INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, picked_by, last_heartbeat, version) VALUES ('mail', 'daily', now(), TRUE, 'web-1', now(), 2), ('mail', 'weekly', now() + interval '1 day', FALSE, NULL, NULL, 1);

-- cirello.io/pglock
CREATE TABLE locks (name CHARACTER VARYING(255) PRIMARY KEY, record_version_number BIGINT, data BYTEA, owner CHARACTER VARYING(255));
CREATE SEQUENCE locks_rvn OWNED BY locks.record_version_number;
INSERT INTO locks VALUES ('import', nextval('locks_rvn'), '', 'pglock-4037200794235010051');

-- Spring Integration 7
CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36), EXPIRED_AFTER TIMESTAMP NOT NULL, CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION));
INSERT INTO INT_LOCK VALUES ('9dd4e461-268c-8034-f5c8-564e155c67a6', 'DEFAULT', '0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', timezone('utc', now()) + interval '10 seconds');

-- Symfony
CREATE TABLE lock_keys (key_id VARCHAR(64) NOT NULL PRIMARY KEY, key_token VARCHAR(44) NOT NULL, key_expiration INTEGER NOT NULL);
INSERT INTO lock_keys VALUES ('9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab', 'iJ0RzXkqkzIeIFLq2kZKPx8Yj1sQ0xwq4TnJgq7rK2M=', CAST(EXTRACT(EPOCH FROM now()) AS int) + 300);

-- Liquibase
CREATE TABLE databasechangeloglock (id INTEGER NOT NULL, locked BOOLEAN NOT NULL, lockgranted TIMESTAMP, lockedby VARCHAR(255), CONSTRAINT databasechangeloglock_pkey PRIMARY KEY (id));
INSERT INTO databasechangeloglock VALUES (1, TRUE, timezone('utc', now()), 'web-1 (10.0.0.7)');

-- knex
CREATE TABLE knex_migrations_lock (index SERIAL PRIMARY KEY, is_locked INTEGER);
INSERT INTO knex_migrations_lock (is_locked) VALUES (1);

-- Laravel
CREATE TABLE cache_locks (key VARCHAR(255) NOT NULL PRIMARY KEY, owner VARCHAR(255) NOT NULL, expiration INTEGER NOT NULL);
INSERT INTO cache_locks VALUES ('laravel_cache_orders', 'pFx7Kq2LmZ9aT0bQ', CAST(EXTRACT(EPOCH FROM now()) AS int) + 60);
CREATE TABLE cache (key VARCHAR(255) NOT NULL PRIMARY KEY, value TEXT NOT NULL, expiration INTEGER NOT NULL);
CREATE TABLE jobs (id BIGSERIAL PRIMARY KEY, queue VARCHAR(255) NOT NULL, payload TEXT NOT NULL, attempts SMALLINT NOT NULL, reserved_at INTEGER, available_at INTEGER NOT NULL, created_at INTEGER NOT NULL);

-- Quartz
CREATE TABLE QRTZ_LOCKS (SCHED_NAME VARCHAR(120) NOT NULL, LOCK_NAME VARCHAR(40) NOT NULL, PRIMARY KEY (SCHED_NAME, LOCK_NAME));
CREATE TABLE QRTZ_SCHEDULER_STATE (SCHED_NAME VARCHAR(120) NOT NULL, INSTANCE_NAME VARCHAR(200) NOT NULL, LAST_CHECKIN_TIME BIGINT NOT NULL, CHECKIN_INTERVAL BIGINT NOT NULL, PRIMARY KEY (SCHED_NAME, INSTANCE_NAME));
CREATE TABLE QRTZ_TRIGGERS (SCHED_NAME VARCHAR(120) NOT NULL, TRIGGER_NAME VARCHAR(200) NOT NULL, TRIGGER_GROUP VARCHAR(200) NOT NULL, JOB_NAME VARCHAR(200) NOT NULL, JOB_GROUP VARCHAR(200) NOT NULL, NEXT_FIRE_TIME BIGINT, PRIORITY INTEGER, TRIGGER_STATE VARCHAR(16) NOT NULL, START_TIME BIGINT NOT NULL, PRIMARY KEY (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP));
CREATE TABLE QRTZ_PAUSED_TRIGGER_GRPS (SCHED_NAME VARCHAR(120) NOT NULL, TRIGGER_GROUP VARCHAR(200) NOT NULL, PRIMARY KEY (SCHED_NAME, TRIGGER_GROUP));
INSERT INTO QRTZ_LOCKS VALUES ('scheduler', 'TRIGGER_ACCESS');
CREATE TABLE QRTZ_FIRED_TRIGGERS (SCHED_NAME VARCHAR(120) NOT NULL, ENTRY_ID VARCHAR(95) NOT NULL, TRIGGER_NAME VARCHAR(200) NOT NULL, TRIGGER_GROUP VARCHAR(200) NOT NULL, INSTANCE_NAME VARCHAR(200) NOT NULL, FIRED_TIME BIGINT NOT NULL, SCHED_TIME BIGINT NOT NULL, PRIORITY INTEGER NOT NULL, STATE VARCHAR(16) NOT NULL, JOB_NAME VARCHAR(200), JOB_GROUP VARCHAR(200), IS_NONCONCURRENT BOOL, REQUESTS_RECOVERY BOOL, PRIMARY KEY (SCHED_NAME, ENTRY_ID));
INSERT INTO QRTZ_SCHEDULER_STATE VALUES ('scheduler', 'web-11795000000000', CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint), 7500);
INSERT INTO QRTZ_FIRED_TRIGGERS VALUES ('scheduler', 'web-117950000000001795000000001', 'nightly', 'DEFAULT', 'web-11795000000000', CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint), CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint), 5, 'EXECUTING', 'report', 'DEFAULT', TRUE, FALSE), ('scheduler', 'web-117950000000001795000000002', 'hourly', 'DEFAULT', 'web-11795000000000', CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint), CAST(EXTRACT(EPOCH FROM now()) * 1000 AS bigint), 5, 'ACQUIRED', NULL, NULL, FALSE, FALSE);

-- Airflow
CREATE TABLE slot_pool (id SERIAL PRIMARY KEY, pool VARCHAR(256) UNIQUE, slots INTEGER, description TEXT, include_deferred BOOLEAN NOT NULL);
CREATE TABLE dag_run (id SERIAL PRIMARY KEY, dag_id VARCHAR(250) NOT NULL, run_id VARCHAR(250) NOT NULL, state VARCHAR(50), start_date TIMESTAMP WITH TIME ZONE, end_date TIMESTAMP WITH TIME ZONE, conf BYTEA, UNIQUE (dag_id, run_id));
CREATE TABLE dag (dag_id VARCHAR(250) PRIMARY KEY, is_paused BOOLEAN, is_active BOOLEAN, last_parsed_time TIMESTAMP WITH TIME ZONE, fileloc VARCHAR(2000), owners VARCHAR(2000), next_dagrun TIMESTAMP WITH TIME ZONE);
CREATE TABLE task_instance (task_id VARCHAR(250) NOT NULL, dag_id VARCHAR(250) NOT NULL, run_id VARCHAR(250) NOT NULL, map_index INTEGER NOT NULL, start_date TIMESTAMP WITH TIME ZONE, end_date TIMESTAMP WITH TIME ZONE, state VARCHAR(20), try_number INTEGER, hostname VARCHAR(1000), job_id INTEGER, pool VARCHAR(256) NOT NULL, queued_by_job_id INTEGER, PRIMARY KEY (dag_id, task_id, run_id, map_index));
-- … and tables of the same names that are nobody's locks
CREATE SCHEMA shop;
CREATE TABLE shop.dag_run (id SERIAL PRIMARY KEY, dag_id VARCHAR(250) NOT NULL, run_id VARCHAR(250) NOT NULL, state VARCHAR(50), UNIQUE (dag_id, run_id));
CREATE TABLE shop.job (id UUID NOT NULL PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, retry_limit INTEGER NOT NULL, singleton_key TEXT, started_on TIMESTAMPTZ);

-- graphile-worker, in its own schema
CREATE SCHEMA graphile_worker;
CREATE TABLE graphile_worker._private_job_queues (id INT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, queue_name TEXT NOT NULL UNIQUE CHECK (length(queue_name) <= 128), locked_at TIMESTAMPTZ, locked_by TEXT, is_available BOOLEAN GENERATED ALWAYS AS (locked_at IS NULL) STORED NOT NULL);
CREATE TABLE graphile_worker._private_jobs (id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY, job_queue_id INT, task_id INT NOT NULL, payload JSON NOT NULL, priority SMALLINT NOT NULL, run_at TIMESTAMPTZ NOT NULL, attempts SMALLINT NOT NULL, max_attempts SMALLINT NOT NULL, last_error TEXT, created_at TIMESTAMPTZ NOT NULL, updated_at TIMESTAMPTZ NOT NULL, key TEXT UNIQUE, locked_at TIMESTAMPTZ, locked_by TEXT, revision INT NOT NULL, flags JSONB);
INSERT INTO graphile_worker._private_job_queues (queue_name, locked_at, locked_by) VALUES ('mails', now(), 'worker-91f4'), ('idle', NULL, NULL);

-- Hangfire.PostgreSql
CREATE SCHEMA hangfire;
CREATE TABLE hangfire.lock (resource TEXT NOT NULL UNIQUE, updatecount INTEGER NOT NULL DEFAULT 0, acquired TIMESTAMP WITHOUT TIME ZONE);
CREATE TABLE hangfire.server (id TEXT PRIMARY KEY, data JSONB, lastheartbeat TIMESTAMP NOT NULL, updatecount INTEGER NOT NULL);
CREATE TABLE hangfire.counter (id BIGSERIAL PRIMARY KEY, key TEXT NOT NULL, value BIGINT NOT NULL, expireat TIMESTAMP);
INSERT INTO hangfire.lock (resource, acquired) VALUES ('HangFire:recurring-jobs:lock', timezone('utc', now()));

-- pg-boss: a job is somebody's while it is active; beside it takes advisory locks
CREATE SCHEMA pgboss;
CREATE TABLE pgboss.job (id UUID NOT NULL PRIMARY KEY, name TEXT NOT NULL, priority INTEGER NOT NULL, data JSONB, state TEXT NOT NULL, retry_limit INTEGER NOT NULL, singleton_key TEXT, singleton_on TIMESTAMP, started_on TIMESTAMPTZ, created_on TIMESTAMPTZ NOT NULL, completed_on TIMESTAMPTZ);
INSERT INTO pgboss.job VALUES ('0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', 'mails', 0, '{}', 'active', 2, NULL, NULL, now(), now(), NULL), ('0b1c1a2e-3d4c-4b5a-8f6e-123456789abd', 'mails', 0, '{}', 'completed', 2, NULL, NULL, now(), now(), now());
CREATE TABLE pgboss.version (version INT PRIMARY KEY, maintained_on TIMESTAMPTZ, cron_on TIMESTAMPTZ);
CREATE TABLE pgboss.schedule (name TEXT PRIMARY KEY, cron TEXT NOT NULL, timezone TEXT, data JSONB, options JSONB, created_on TIMESTAMPTZ NOT NULL, updated_on TIMESTAMPTZ NOT NULL);

-- Flyway
CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, version VARCHAR(50), description VARCHAR(200) NOT NULL, type VARCHAR(20) NOT NULL, script VARCHAR(1000) NOT NULL, checksum INT, installed_by VARCHAR(100) NOT NULL, installed_on TIMESTAMP NOT NULL, execution_time INT NOT NULL, success BOOLEAN NOT NULL);

-- Rails
CREATE TABLE delayed_jobs (id BIGSERIAL PRIMARY KEY, priority INTEGER, attempts INTEGER, handler TEXT, last_error TEXT, run_at TIMESTAMP, locked_at TIMESTAMP, failed_at TIMESTAMP, locked_by VARCHAR(255), queue VARCHAR(255));
CREATE TABLE solid_queue_semaphores (id BIGSERIAL PRIMARY KEY, key VARCHAR(255) NOT NULL UNIQUE, value INTEGER NOT NULL, expires_at TIMESTAMP NOT NULL, created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL);
CREATE TABLE users (id BIGSERIAL PRIMARY KEY, email VARCHAR(255) NOT NULL UNIQUE, locked_at TIMESTAMP, failed_attempts INTEGER);
INSERT INTO solid_queue_semaphores (key, value, expires_at, created_at, updated_at) VALUES ('ReportJob/7', 0, timezone('utc', now()) + interval '3 minutes', timezone('utc', now()), timezone('utc', now()));

-- River, Oban, Medusa, bun
CREATE UNLOGGED TABLE river_leader (elected_at TIMESTAMPTZ NOT NULL, expires_at TIMESTAMPTZ NOT NULL, leader_id TEXT NOT NULL, name TEXT PRIMARY KEY DEFAULT 'default');
INSERT INTO river_leader VALUES (now(), now() + interval '15 seconds', 'web-1_2026_11_28', 'default');
CREATE UNLOGGED TABLE oban_peers (name TEXT NOT NULL PRIMARY KEY, node TEXT NOT NULL, started_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL);
INSERT INTO oban_peers VALUES ('Oban', 'web@10.0.0.7', timezone('utc', now()), timezone('utc', now()) + interval '30 seconds');
CREATE TABLE locking (id TEXT NOT NULL, owner_id TEXT NULL, expiration TIMESTAMPTZ NULL, CONSTRAINT locking_pkey PRIMARY KEY (id));
INSERT INTO locking VALUES ('cart_01', 'api-1', now() + interval '10 seconds');
CREATE TABLE bun_migration_locks (id BIGSERIAL NOT NULL, table_name VARCHAR, PRIMARY KEY (id), UNIQUE (table_name));
INSERT INTO bun_migration_locks (table_name) VALUES ('bun_migrations');

-- procrastinate
CREATE TYPE procrastinate_job_status AS ENUM ('todo', 'doing', 'succeeded', 'failed', 'cancelled', 'aborting', 'aborted');
CREATE TABLE procrastinate_jobs (id BIGSERIAL PRIMARY KEY, queue_name VARCHAR(128) NOT NULL, task_name VARCHAR(128) NOT NULL, priority INTEGER DEFAULT 0 NOT NULL, lock TEXT, queueing_lock TEXT, args JSONB DEFAULT '{}' NOT NULL, status procrastinate_job_status DEFAULT 'todo' NOT NULL, scheduled_at TIMESTAMP WITH TIME ZONE NULL, attempts INTEGER DEFAULT 0 NOT NULL, abort_requested BOOLEAN DEFAULT false NOT NULL, worker_id BIGINT);
INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES ('default', 'mail', 'doing'), ('default', 'mail', 'todo');

-- JobRunr, Axon, Flowable, ActiveMQ with its locked row
CREATE TABLE jobrunr_jobs (id NCHAR(36) PRIMARY KEY, version INT NOT NULL, jobAsJson TEXT NOT NULL, jobSignature VARCHAR(512) NOT NULL, state VARCHAR(36) NOT NULL, createdAt TIMESTAMP NOT NULL, updatedAt TIMESTAMP NOT NULL, scheduledAt TIMESTAMP);
INSERT INTO jobrunr_jobs VALUES ('0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', 2, '{}', 'Mail.send()', 'PROCESSING', timezone('utc', now()), timezone('utc', now()), NULL);
CREATE TABLE tokenentry (processorName VARCHAR(255) NOT NULL, segment INTEGER NOT NULL, token BYTEA, tokenType VARCHAR(255), timestamp VARCHAR(255), owner VARCHAR(255), PRIMARY KEY (processorName, segment));
INSERT INTO tokenentry VALUES ('orders', 0, '', 'GlobalSequenceTrackingToken', '2026-11-28T07:00:00.123Z', '4711@web-1'), ('orders', 1, '', 'GlobalSequenceTrackingToken', '2026-11-28T07:00:00.123Z', NULL);
CREATE TABLE act_ru_job (id_ VARCHAR(64) NOT NULL PRIMARY KEY, rev_ INTEGER, category_ VARCHAR(255), type_ VARCHAR(255) NOT NULL, lock_exp_time_ TIMESTAMP, lock_owner_ VARCHAR(255), exclusive_ BOOLEAN, execution_id_ VARCHAR(64), process_instance_id_ VARCHAR(64), proc_def_id_ VARCHAR(64), scope_type_ VARCHAR(255), retries_ INTEGER, exception_msg_ VARCHAR(4000), duedate_ TIMESTAMP, handler_type_ VARCHAR(255), tenant_id_ VARCHAR(255));
INSERT INTO act_ru_job (id_, type_, lock_exp_time_, lock_owner_, retries_) VALUES ('j1', 'message', timezone('utc', now()) + interval '5 minutes', 'node-1', 3), ('j2', 'message', NULL, NULL, 3);
CREATE TABLE activemq_lock (id BIGINT NOT NULL PRIMARY KEY, time BIGINT, broker_name VARCHAR(250));
INSERT INTO activemq_lock (id) VALUES (1);

-- A table that is partitioned is one table
CREATE TABLE region_locks (resource TEXT NOT NULL, region TEXT NOT NULL, owner TEXT NOT NULL, locked_until TIMESTAMPTZ NOT NULL, PRIMARY KEY (resource, region)) PARTITION BY LIST (region);
CREATE TABLE region_locks_eu PARTITION OF region_locks FOR VALUES IN ('eu');
CREATE TABLE region_locks_us PARTITION OF region_locks FOR VALUES IN ('us');

-- APScheduler 4
CREATE SCHEMA aps;
CREATE TABLE aps.tasks (id VARCHAR(500) NOT NULL PRIMARY KEY, func VARCHAR(500) NOT NULL, running_jobs INTEGER NOT NULL);
CREATE TABLE aps.schedules (id VARCHAR(500) NOT NULL PRIMARY KEY, task_id VARCHAR(500) NOT NULL, trigger BYTEA, args BYTEA, next_fire_time TIMESTAMPTZ, last_fire_time TIMESTAMPTZ, acquired_by VARCHAR(500), acquired_until TIMESTAMPTZ);
CREATE TABLE aps.jobs (id UUID NOT NULL PRIMARY KEY, task_id VARCHAR(500) NOT NULL, args BYTEA NOT NULL, created_at TIMESTAMPTZ NOT NULL, started_at TIMESTAMPTZ, acquired_by VARCHAR(500), acquired_until TIMESTAMPTZ);
CREATE TABLE aps.job_results (job_id UUID NOT NULL PRIMARY KEY, finished_at TIMESTAMPTZ, expires_at TIMESTAMPTZ NOT NULL);
INSERT INTO aps.schedules (id, task_id, acquired_by, acquired_until) VALUES ('nightly', 't', 'scheduler-1', now() + interval '30 seconds'), ('hourly', 't', NULL, NULL);
