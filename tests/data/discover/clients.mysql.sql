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

-- A lease of the application's own, given back once: only its time tells it from a row that is inserted
CREATE TABLE distribute_lock (id BIGINT AUTO_INCREMENT PRIMARY KEY, resource_id VARCHAR(128) NOT NULL UNIQUE, create_time DATETIME NOT NULL);
INSERT INTO distribute_lock (resource_id, create_time) VALUES ('orders', UTC_TIMESTAMP()), ('stock', '1970-01-01 00:00:01');

CREATE TABLE wp_options (option_id BIGINT AUTO_INCREMENT PRIMARY KEY, option_name VARCHAR(191) NOT NULL UNIQUE, option_value LONGTEXT NOT NULL, autoload VARCHAR(20) NOT NULL);

-- Hangfire.MySqlStorage
CREATE TABLE HangfireDistributedLock (Resource NVARCHAR(100) NOT NULL, CreatedAt DATETIME(6) NOT NULL, Id INT NOT NULL AUTO_INCREMENT, PRIMARY KEY (Id));
INSERT INTO HangfireDistributedLock (Resource, CreatedAt) VALUES ('HangFire:recurring-jobs:lock', UTC_TIMESTAMP(6));
CREATE TABLE HangfireServer (Id NVARCHAR(100) NOT NULL PRIMARY KEY, Data LONGTEXT NOT NULL, LastHeartbeat DATETIME(6));
