-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The demo's database: the lock tables of six habits, and two accounts with no more rights than they need.
CREATE DATABASE app;
USE app;
CREATE TABLE fem_shedlock (
  name varchar(64) NOT NULL PRIMARY KEY,
  lock_until timestamp(3) NOT NULL DEFAULT '2000-01-01 00:00:00',
  locked_at timestamp(3) NOT NULL DEFAULT '2000-01-01 00:00:00',
  locked_by varchar(255) NOT NULL
);
CREATE TABLE distribute_lock (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  resource_id varchar(64) NOT NULL UNIQUE,
  create_time datetime(3) NOT NULL
);
CREATE TABLE t_tag_lock (
  Findex bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  Flock_name varchar(128) NOT NULL UNIQUE,
  Fcount int NOT NULL DEFAULT 0,
  Fdeadline datetime(3) NOT NULL DEFAULT '2000-01-01 00:00:00',
  Fdesc varchar(255) NOT NULL DEFAULT '',
  Fcreate_time datetime(3) NOT NULL,
  Fmodify_time datetime(3) NOT NULL,
  Fstatus tinyint NOT NULL DEFAULT 0,
  Frequest_id varchar(128) NOT NULL DEFAULT ''
);
INSERT INTO t_tag_lock (Flock_name, Fcreate_time, Fmodify_time) VALUES ('tags:rebuild', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3));
CREATE TABLE optimistic_lock (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  resource varchar(64) NOT NULL UNIQUE,
  version bigint NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  deleted_at datetime NULL
);
INSERT INTO optimistic_lock (resource, version, created_at, updated_at)
VALUES ('stats:page-views', 1, UTC_TIMESTAMP(), UTC_TIMESTAMP()), ('stats:orders', 1, UTC_TIMESTAMP(), UTC_TIMESTAMP());
CREATE TABLE row_lock (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, lock_key varchar(64) NOT NULL UNIQUE);
INSERT INTO row_lock (lock_key) VALUES ('invoice:2031'), ('customer:77'), ('ledger:eu'), ('payout:88'), ('statement:2031-07');
CREATE TABLE stock (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, amount int NOT NULL, note varchar(32) NOT NULL DEFAULT '');
INSERT INTO stock (amount) SELECT 100 FROM seq_1_to_200;
CREATE USER app@localhost IDENTIFIED BY 'demo', lockkeeper@localhost IDENTIFIED BY 'demo';
GRANT SELECT, INSERT, UPDATE, DELETE ON app.* TO app@localhost;
GRANT SELECT, UPDATE ON app.fem_shedlock TO lockkeeper@localhost;
GRANT SELECT, DELETE ON app.distribute_lock TO lockkeeper@localhost;
GRANT SELECT, UPDATE ON app.t_tag_lock TO lockkeeper@localhost;
GRANT SELECT ON app.optimistic_lock TO lockkeeper@localhost;
GRANT SELECT ON app.row_lock TO lockkeeper@localhost;
GRANT SELECT ON app.stock TO lockkeeper@localhost;
GRANT PROCESS, CONNECTION ADMIN ON *.* TO lockkeeper@localhost;
GRANT SELECT ON performance_schema.* TO lockkeeper@localhost;
