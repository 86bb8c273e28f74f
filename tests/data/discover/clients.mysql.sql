-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables of clients as they make them themselves, each with a lock that is held, beside tables of other kinds.

-- Nextcloud
CREATE TABLE oc_file_locks (id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL PRIMARY KEY, `lock` INT NOT NULL DEFAULT 0, `key` VARCHAR(64) NOT NULL, ttl INT NOT NULL DEFAULT -1, UNIQUE INDEX lock_key_index (`key`), INDEX lock_ttl_index (ttl));
INSERT INTO oc_file_locks (`lock`, `key`, ttl) VALUES (-1, 'files/7f2b9c', UNIX_TIMESTAMP() + 3600), (0, 'files/11aa2c', -1);
CREATE TABLE oc_filecache (fileid BIGINT AUTO_INCREMENT PRIMARY KEY, storage BIGINT NOT NULL, path VARCHAR(4000), path_hash VARCHAR(32) NOT NULL, name VARCHAR(250), mtime BIGINT, etag VARCHAR(40), size BIGINT, UNIQUE INDEX fs_storage_path_hash (storage, path_hash));
CREATE TABLE oc_jobs (id BIGINT AUTO_INCREMENT PRIMARY KEY, class VARCHAR(255) NOT NULL, argument VARCHAR(4000) NOT NULL, last_run INT, last_checked INT, reserved_at INT, execution_duration INT);

-- Drupal
CREATE TABLE semaphore (name VARCHAR(255) NOT NULL PRIMARY KEY, value VARCHAR(255) NOT NULL DEFAULT '', expire DOUBLE NOT NULL, INDEX (value), INDEX (expire));
INSERT INTO semaphore VALUES ('cron', '17323000006741d2f0b1.59310471', UNIX_TIMESTAMP() + 900.5);
CREATE TABLE flood (fid INT AUTO_INCREMENT PRIMARY KEY, event VARCHAR(64) NOT NULL, identifier VARCHAR(128) NOT NULL, timestamp INT NOT NULL, expiration INT NOT NULL);
CREATE TABLE key_value_expire (collection VARCHAR(128) NOT NULL, name VARCHAR(128) NOT NULL, value LONGBLOB NOT NULL, expire INT NOT NULL, PRIMARY KEY (collection, name));

-- Spring Integration before 7
CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36), CREATED_DATE DATETIME(6) NOT NULL, PRIMARY KEY (LOCK_KEY, REGION));
INSERT INTO INT_LOCK VALUES ('9dd4e461-268c-8034-f5c8-564e155c67a6', 'DEFAULT', '0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', UTC_TIMESTAMP(6));

-- An application's own lease, released once: only its time distinguishes it from an inserted row
CREATE TABLE distribute_lock (id BIGINT AUTO_INCREMENT PRIMARY KEY, resource_id VARCHAR(128) NOT NULL UNIQUE, create_time DATETIME NOT NULL);
INSERT INTO distribute_lock (resource_id, create_time) VALUES ('orders', UTC_TIMESTAMP()), ('stock', '1970-01-01 00:00:01');

CREATE TABLE wp_options (option_id BIGINT AUTO_INCREMENT PRIMARY KEY, option_name VARCHAR(191) NOT NULL UNIQUE, option_value LONGTEXT NOT NULL, autoload VARCHAR(20) NOT NULL);

-- Hangfire.MySqlStorage
CREATE TABLE HangfireDistributedLock (Resource NVARCHAR(100) NOT NULL, CreatedAt DATETIME(6) NOT NULL, Id INT NOT NULL AUTO_INCREMENT, PRIMARY KEY (Id));
INSERT INTO HangfireDistributedLock (Resource, CreatedAt) VALUES ('HangFire:recurring-jobs:lock', UTC_TIMESTAMP(6));
CREATE TABLE HangfireServer (Id NVARCHAR(100) NOT NULL PRIMARY KEY, Data LONGTEXT NOT NULL, LastHeartbeat DATETIME(6));

-- XXL-JOB: the row is an anchor for FOR UPDATE and always there
CREATE TABLE xxl_job_lock (lock_name VARCHAR(50) NOT NULL, PRIMARY KEY (lock_name)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO xxl_job_lock (lock_name) VALUES ('schedule_lock');
CREATE TABLE xxl_job_info (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, job_group INT NOT NULL, job_desc VARCHAR(255) NOT NULL, author VARCHAR(64), executor_handler VARCHAR(255), trigger_status TINYINT NOT NULL DEFAULT 0, trigger_next_time BIGINT NOT NULL DEFAULT 0);
CREATE TABLE xxl_job_registry (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, registry_group VARCHAR(50) NOT NULL, registry_key VARCHAR(255) NOT NULL, registry_value VARCHAR(255) NOT NULL, update_time DATETIME, UNIQUE KEY (registry_group, registry_key, registry_value));

-- The same of an application's own
CREATE TABLE billing_lock (lock_name VARCHAR(50) NOT NULL PRIMARY KEY);
INSERT INTO billing_lock VALUES ('invoices');

-- PowerJob, Seata, DolphinScheduler, Moodle with the row of a lock that nobody holds
CREATE TABLE oms_lock (id BIGINT NOT NULL AUTO_INCREMENT, gmt_create DATETIME(6), gmt_modified DATETIME(6), lock_name VARCHAR(255), max_lock_time BIGINT, ownerip VARCHAR(255), PRIMARY KEY (id), UNIQUE KEY uidx01_lock_name (lock_name));
INSERT INTO oms_lock (gmt_create, gmt_modified, lock_name, max_lock_time, ownerip) VALUES (UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 'server_elect_1', 30000, '10.0.0.7:10086');
CREATE TABLE distributed_lock (lock_key CHAR(20) NOT NULL, lock_value VARCHAR(20) NOT NULL, expire BIGINT, PRIMARY KEY (lock_key));
INSERT INTO distributed_lock VALUES ('AsyncCommitting', '10.0.0.7:8091', (UNIX_TIMESTAMP() + 10) * 1000), ('RetryCommitting', ' ', 0), ('RetryRollbacking', ' ', 0), ('TxTimeoutCheck', ' ', 0);
CREATE TABLE lock_table (row_key VARCHAR(128) NOT NULL, xid VARCHAR(128), transaction_id BIGINT, branch_id BIGINT NOT NULL, resource_id VARCHAR(256), table_name VARCHAR(32), pk VARCHAR(36), status TINYINT NOT NULL DEFAULT 0, gmt_create DATETIME, gmt_modified DATETIME, PRIMARY KEY (row_key), KEY idx_status (status), KEY idx_branch_id (branch_id));
INSERT INTO lock_table VALUES ('jdbc:mysql://db/app^^^stock^^^7', '10.0.0.7:8091:42', 42, 43, 'jdbc:mysql://db/app', 'stock', '7', 0, UTC_TIMESTAMP(), UTC_TIMESTAMP());
CREATE TABLE t_ds_jdbc_registry_lock (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(256) NOT NULL, lock_owner VARCHAR(256) NOT NULL, client_id BIGINT NOT NULL, create_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE (lock_key));
CREATE TABLE mdl_lock_db (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, resourcekey VARCHAR(255) NOT NULL DEFAULT '', expires BIGINT, owner VARCHAR(36), UNIQUE KEY (resourcekey));
INSERT INTO mdl_lock_db (resourcekey) VALUES ('cron_core_cron');

-- Camunda
CREATE TABLE ACT_RU_JOB (ID_ VARCHAR(64) NOT NULL PRIMARY KEY, REV_ INTEGER, TYPE_ VARCHAR(255) NOT NULL, LOCK_EXP_TIME_ DATETIME(3) NULL, LOCK_OWNER_ VARCHAR(255), EXCLUSIVE_ BOOLEAN, EXECUTION_ID_ VARCHAR(64), PROCESS_INSTANCE_ID_ VARCHAR(64), PROCESS_DEF_ID_ VARCHAR(64), RETRIES_ INTEGER, DUEDATE_ DATETIME(3) NULL, HANDLER_TYPE_ VARCHAR(255), SUSPENSION_STATE_ INTEGER NOT NULL DEFAULT 1, JOB_DEF_ID_ VARCHAR(64), PRIORITY_ BIGINT NOT NULL DEFAULT 0, TENANT_ID_ VARCHAR(64));
INSERT INTO ACT_RU_JOB (ID_, TYPE_, LOCK_EXP_TIME_, LOCK_OWNER_) VALUES ('j1', 'message', UTC_TIMESTAMP(3) + INTERVAL 5 MINUTE, 'node-1'), ('j2', 'message', NULL, NULL);
