// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"

#include <QTest>

#include <algorithm>

namespace lockkeeper::tests {

using namespace stores;

namespace {
QString sql(const char *text)
{
    return QString::fromLatin1(text);
}

QHash<QByteArray, QString> changes(std::initializer_list<std::pair<const char *, const char *>> list)
{
    QHash<QByteArray, QString> made;
    for (const auto &[key, set] : list)
        made.insert(key, sql(set));
    return made;
}

QList<Layout> insertLayouts()
{
    return {
        {"t-lock",
         "sql.insert",
         sql("t_lock"),
         sql("CREATE TABLE t_lock (lock_key VARCHAR(64) NOT NULL PRIMARY KEY)"),
         sql("INSERT INTO t_lock VALUES ('a')"),
         "a",
         {},
         false,
         false,
         {}},
        {"lock-holder", "sql.insert", sql("lock"),
         sql("CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE, holder VARCHAR(64), "
             "creation_time {TIME})"),
         sql("INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('a', 'one', {NOW})"), "a", "one",
         true, false,
         changes({{"id", "id = id + 100"},
                  {"holder", "holder = 'One'"},
                  {"acquired_at", "creation_time = '2020-01-01 00:00:00'"}})},
        {"distribute-lock",
         "sql.insert",
         sql("distribute_lock"),
         sql("CREATE TABLE distribute_lock (id {ID}, resource_id VARCHAR(64) NOT NULL UNIQUE, create_time "
             "{TIME})"),
         sql("INSERT INTO distribute_lock (resource_id, create_time) VALUES ('a', {NOW})"),
         "a",
         {},
         true,
         false,
         changes({{"id", "id = id + 100"}, {"acquired_at", "create_time = '2020-01-01 00:00:00'"}})},
        {"lock-version-row",
         "sql.insert",
         sql("lock"),
         sql("CREATE TABLE `lock` (lock_name VARCHAR(64) NOT NULL, resource VARCHAR(64) NOT NULL, "
             "version INT NOT NULL, gmt_create {TIME}, PRIMARY KEY (lock_name, resource, version))"),
         sql("INSERT INTO `lock` VALUES ('a', 'r/1', 1, {NOW}), ('a', 'r/1', 0, {NOW}), ('b', 'r', 2, "
             "{NOW})"),
         "a/r\\/1",
         {},
         true,
         false,
         changes({{"acquired_at", "gmt_create = '2020-01-01 00:00:00'"}})},
        {"lock-timeout",
         "sql.insert",
         sql("lock"),
         sql("CREATE TABLE `lock` (id {ID}, name VARCHAR(64) NOT NULL UNIQUE, created_at BIGINT NOT NULL, "
             "timeout INT)"),
         sql("INSERT INTO `lock` (name, created_at, timeout) VALUES ('a', {EPOCH}, 30)"),
         "a",
         {},
         true,
         true,
         changes({{"id", "id = id + 100"},
                  {"renewed_at", "created_at = created_at + 1"},
                  {"timeout", "timeout = 31"}})},
        {"spring-integration", "sql.insert", sql("INT_LOCK"),
         sql("CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID "
             "CHAR(36), "
             "CREATED_DATE {TIME} NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))"),
         sql("INSERT INTO INT_LOCK VALUES ('9dd4e461-268c-8034-f5c8-564e155c67a6', 'DEFAULT', "
             "'0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', {NOW})"),
         "9dd4e461-268c-8034-f5c8-564e155c67a6/DEFAULT", "0b1c1a2e-3d4c-4b5a-8f6e-123456789abc", true, false,
         changes({{"holder", "CLIENT_ID = '0b1c1a2e-3d4c-4b5a-8f6e-123456789abd'"},
                  {"acquired_at", "CREATED_DATE = '2020-01-01 00:00:00'"}})},
        {"laravel", "sql.insert", sql("cache_locks"),
         sql("CREATE TABLE cache_locks (`key` VARCHAR(255) NOT NULL PRIMARY KEY, owner VARCHAR(255) NOT "
             "NULL, "
             "expiration INT NOT NULL)"),
         sql("INSERT INTO cache_locks VALUES ('a', 'pFx7', {EPOCH} + 60)"), "a", "pFx7", true, true,
         changes({{"holder", "owner = 'pFx8'"}, {"expires_at", "expiration = expiration + 1"}})},
        {"spring-integration-7", "sql.insert", sql("INT_LOCK"),
         sql("CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID "
             "CHAR(36), EXPIRED_AFTER {TIME} NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))"),
         sql("INSERT INTO INT_LOCK VALUES ('9dd4e461-268c-8034-f5c8-564e155c67a6', 'DEFAULT', "
             "'0b1c1a2e-3d4c-4b5a-8f6e-123456789abc', {AHEAD})"),
         "9dd4e461-268c-8034-f5c8-564e155c67a6/DEFAULT", "0b1c1a2e-3d4c-4b5a-8f6e-123456789abc", true, true,
         changes({{"holder", "CLIENT_ID = '0b1c1a2e-3d4c-4b5a-8f6e-123456789abd'"},
                  {"expires_at", "EXPIRED_AFTER = '2020-01-01 00:00:00'"}})},
        {"symfony", "sql.insert", sql("lock_keys"),
         sql("CREATE TABLE lock_keys (key_id VARCHAR(64) NOT NULL PRIMARY KEY, key_token VARCHAR(44) NOT "
             "NULL, key_expiration INT NOT NULL)"),
         sql("INSERT INTO lock_keys VALUES ('a', 'one', {EPOCH} + 60)"), "a", "one", true, true,
         changes({{"holder", "key_token = 'One'"}, {"expires_at", "key_expiration = key_expiration + 1"}})},
        {"drupal", "sql.insert", sql("semaphore"),
         sql("CREATE TABLE semaphore (name VARCHAR(255) NOT NULL PRIMARY KEY, value VARCHAR(255) NOT NULL, "
             "expire DOUBLE PRECISION NOT NULL)"),
         sql("INSERT INTO semaphore VALUES ('cron', '1732300000.5', {EPOCH} + 900)"), "cron", "1732300000.5",
         true, false, changes({{"holder", "value = '1732300000.6'"}})},
        {"hangfire",
         "sql.insert",
         sql("lock"),
         sql("CREATE TABLE `lock` (resource VARCHAR(255) NOT NULL UNIQUE, updatecount INT NOT NULL, acquired "
             "{TIME})"),
         sql("INSERT INTO `lock` VALUES ('hangfire:jobs', 0, {NOW})"),
         "hangfire:jobs",
         {},
         true,
         false,
         changes({{"acquired_at", "acquired = '2020-01-01 00:00:00'"}})},
        {"powerjob", "sql.insert", sql("oms_lock"),
         sql("CREATE TABLE oms_lock (id {ID}, gmt_create {TIME}, gmt_modified {TIME}, lock_name VARCHAR(255) "
             "UNIQUE, max_lock_time BIGINT, ownerip VARCHAR(255))"),
         sql("INSERT INTO oms_lock (gmt_create, gmt_modified, lock_name, max_lock_time, ownerip) VALUES "
             "({NOW}, {NOW}, 'cron', 60000, '10.0.0.7')"),
         "cron", "10.0.0.7", true, true,
         changes({{"id", "id = id + 100"},
                  {"holder", "ownerip = '10.0.0.8'"},
                  {"acquired_at", "gmt_create = '2020-01-01 00:00:00'"}})},
        {"dolphinscheduler", "sql.insert", sql("t_ds_jdbc_registry_lock"),
         sql("CREATE TABLE t_ds_jdbc_registry_lock (id {ID}, lock_key VARCHAR(191) NOT NULL UNIQUE, "
             "lock_owner VARCHAR(191) NOT NULL, client_id BIGINT NOT NULL, create_time {TIME})"),
         sql("INSERT INTO t_ds_jdbc_registry_lock (lock_key, lock_owner, client_id, create_time) VALUES "
             "('/lock/master', '10.0.0.7:5678', 17, {NOW})"),
         "/lock/master", "10.0.0.7:5678", true, false,
         changes({{"id", "id = id + 100"}, {"holder", "lock_owner = '10.0.0.8:5678'"}})},
        {"ef-core",
         "sql.insert",
         sql("__EFMigrationsLock"),
         sql("CREATE TABLE `__EFMigrationsLock` (`Id` INTEGER NOT NULL PRIMARY KEY, `Timestamp` {TIME} NOT "
             "NULL)"),
         sql("INSERT INTO `__EFMigrationsLock` VALUES (1, {NOW})"),
         "1",
         {},
         true,
         false,
         changes({{"acquired_at", "`Timestamp` = '2020-01-01 00:00:00'"}})},
        {"river", "sql.insert", sql("river_leader"),
         sql("CREATE TABLE river_leader (name VARCHAR(191) NOT NULL PRIMARY KEY, leader_id VARCHAR(191) NOT "
             "NULL, elected_at {TIME} NOT NULL, expires_at {TIME} NOT NULL)"),
         sql("INSERT INTO river_leader VALUES ('default', 'web-1_2026', {NOW}, {AHEAD})"), "default",
         "web-1_2026", true, true,
         changes({{"holder", "leader_id = 'web-2_2026'"},
                  {"acquired_at", "elected_at = '2020-01-01 00:00:00'"},
                  {"expires_at", "expires_at = '2036-01-01 00:00:00'"}})},
        {"medusa", "sql.insert", sql("locking"),
         sql("CREATE TABLE locking (id VARCHAR(191) NOT NULL PRIMARY KEY, owner_id VARCHAR(191), expiration "
             "{TIME})"),
         sql("INSERT INTO locking VALUES ('cart:7', 'api-1', {AHEAD})"), "cart:7", "api-1", true, true,
         changes({{"holder", "owner_id = 'api-2'"}, {"expires_at", "expiration = '2036-01-01 00:00:00'"}})},
        {"oban", "sql.insert", sql("oban_peers"),
         sql("CREATE TABLE oban_peers (name VARCHAR(191) NOT NULL PRIMARY KEY, node VARCHAR(191) NOT NULL, "
             "started_at {TIME} NOT NULL, expires_at {TIME} NOT NULL)"),
         sql("INSERT INTO oban_peers VALUES ('Oban', 'web@10.0.0.7', {NOW}, {AHEAD})"), "Oban",
         "web@10.0.0.7", true, true,
         changes({{"holder", "node = 'web@10.0.0.8'"},
                  {"acquired_at", "started_at = '2020-01-01 00:00:00'"},
                  {"expires_at", "expires_at = '2036-01-01 00:00:00'"}})},
        {"nextcloud-files-lock", "sql.insert", sql("oc_files_lock"),
         sql("CREATE TABLE oc_files_lock (id {ID}, user_id VARCHAR(191) NOT NULL, file_id BIGINT NOT NULL, "
             "token VARCHAR(63) NOT NULL UNIQUE, creation BIGINT NOT NULL, type INT, ttl INT, owner "
             "VARCHAR(191))"),
         sql("INSERT INTO oc_files_lock (user_id, file_id, token, creation, type, ttl) VALUES ('anna', 4711, "
             "'files_lock/2f9c', {EPOCH}, 0, 0)"),
         "4711/1", "anna", true, false,
         changes({{"holder", "user_id = 'bert'"}, {"acquired_at", "creation = creation + 1"}})},
        {"hangfire-mysql",
         "sql.insert",
         sql("HangfireDistributedLock"),
         sql("CREATE TABLE HangfireDistributedLock (Resource VARCHAR(100) NOT NULL, CreatedAt {TIME} NOT "
             "NULL, "
             "Id {ID})"),
         sql("INSERT INTO HangfireDistributedLock (Resource, CreatedAt) VALUES ('HangFire:jobs', {NOW})"),
         "HangFire:jobs/1",
         {},
         true,
         false,
         changes({{"acquired_at", "CreatedAt = '2020-01-01 00:00:00'"}})},
    };
}

QList<Layout> stayingLayouts()
{
    return {
        {"lock-lease", "sql.lease", sql("lock"),
         sql("CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE, "
             "holder VARCHAR(64) DEFAULT '', creation_time {TIME}, last_lock_time {TIME})"),
         sql("INSERT INTO `lock` (lock_key, holder, creation_time, last_lock_time) VALUES "
             "('a', 'one', {AGO}, {NOW})"),
         "a", "one", true, false,
         changes({{"holder", "holder = 'one '"}, {"acquired_at", "last_lock_time = '2020-01-01 00:00:00'"}})},
        {"moodle", "sql.lease", sql("mdl_lock_db"),
         sql("CREATE TABLE mdl_lock_db (id {ID}, resourcekey VARCHAR(191) NOT NULL UNIQUE, expires BIGINT, "
             "owner VARCHAR(36))"),
         sql("INSERT INTO mdl_lock_db (resourcekey, expires, owner) VALUES ('cron_core', {EPOCH} + 60, "
             "'0b1c1a2e-3d4c-4b5a-8f6e-123456789abc')"),
         "cron_core", "0b1c1a2e-3d4c-4b5a-8f6e-123456789abc", true, true,
         changes({{"holder", "owner = '0b1c1a2e-3d4c-4b5a-8f6e-123456789abd'"},
                  {"expires_at", "expires = expires + 1"}})},
        {"seata", "sql.lease", sql("distributed_lock"),
         sql("CREATE TABLE distributed_lock (lock_key VARCHAR(20) NOT NULL PRIMARY KEY, lock_value "
             "VARCHAR(20) NOT NULL, expire BIGINT)"),
         sql("INSERT INTO distributed_lock VALUES ('AsyncCommitting', '10.0.0.7:8091', ({EPOCH} + 60) * "
             "1000)"),
         "AsyncCommitting", "10.0.0.7:8091", true, true,
         changes({{"holder", "lock_value = '10.0.0.8:8091'"}, {"expires_at", "expire = expire + 1"}})},
        {"distribute-lock-lease",
         "sql.lease",
         sql("distribute_lock"),
         sql("CREATE TABLE distribute_lock (id {ID}, resource_id VARCHAR(64) NOT NULL UNIQUE, create_time "
             "{TIME})"),
         sql("INSERT INTO distribute_lock (resource_id, create_time) VALUES ('a', {NOW})"),
         "a",
         {},
         true,
         false,
         changes({{"acquired_at", "create_time = '2020-01-01 00:00:00'"}})},
        {"liquibase", "sql.lease", sql("DATABASECHANGELOGLOCK"),
         sql("CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL PRIMARY KEY, LOCKED {BOOL} NOT NULL, "
             "LOCKGRANTED {TIME}, LOCKEDBY VARCHAR(255))"),
         sql("INSERT INTO DATABASECHANGELOGLOCK VALUES (1, {TRUE}, {NOW}, 'host (10.0.0.1)')"), "1",
         "host (10.0.0.1)", true, false,
         changes({{"holder", "LOCKEDBY = 'HOST (10.0.0.1)'"},
                  {"acquired_at", "LOCKGRANTED = '2020-01-01 00:00:00'"}})},
        {"knex",
         "sql.lease",
         sql("knex_migrations_lock"),
         sql("CREATE TABLE knex_migrations_lock (`index` {ID}, is_locked INT)"),
         sql("INSERT INTO knex_migrations_lock (is_locked) VALUES (1)"),
         "knex_migrations_lock",
         {},
         false,
         false,
         {}},
        {"t-tag-lock", "sql.reentrant", sql("t_tag_lock"),
         sql("CREATE TABLE t_tag_lock (Findex {ID}, Flock_name VARCHAR(128) NOT NULL UNIQUE, Fcount INT NOT "
             "NULL, "
             "Fdeadline {TIME} NOT NULL, Fdesc VARCHAR(255), Fcreate_time {TIME}, Fmodify_time {TIME}, "
             "Fstatus INT NOT NULL, Frequest_id VARCHAR(128))"),
         sql("INSERT INTO t_tag_lock (Flock_name, Fcount, Fdeadline, Fstatus, Frequest_id) VALUES "
             "('a', 2, {AHEAD}, 1, 'req-1'), ('center_lock_07', 0, {AGO}, 0, '')"),
         "a", "req-1", true, true,
         changes({{"request", "Frequest_id = 'req-2'"},
                  {"count", "Fcount = 3"},
                  {"expires_at", "Fdeadline = '2020-01-01 00:00:00'"}})},
        {"shedlock", "sql.shedlock", sql("shedlock"),
         sql("CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until {TIME} NOT NULL, "
             "locked_at {TIME} NOT NULL, locked_by VARCHAR(255) NOT NULL)"),
         sql("INSERT INTO shedlock VALUES ('a', {AHEAD}, {NOW}, 'one')"), "a", "one", true, true,
         changes({{"holder", "locked_by = 'One'"},
                  {"acquired_at", "locked_at = '2020-01-01 00:00:00'"},
                  {"expires_at", "lock_until = '2036-01-01 00:00:00'"}})},
        {"pglock", "sql.lease", sql("locks"),
         sql("CREATE TABLE locks (name VARCHAR(255) NOT NULL PRIMARY KEY, record_version_number BIGINT, "
             "owner "
             "VARCHAR(255))"),
         sql("INSERT INTO locks VALUES ('a', 7, 'pglock-1')"), "a", "pglock-1", true, false,
         changes({{"holder", "owner = 'pglock-2'"}, {"version", "record_version_number = 8"}})},
        {"graphile-worker", "sql.lease", sql("_private_job_queues"),
         sql("CREATE TABLE _private_job_queues (id {ID}, queue_name VARCHAR(128) NOT NULL UNIQUE, locked_at "
             "{TIME}, locked_by VARCHAR(64))"),
         sql("INSERT INTO _private_job_queues (queue_name, locked_at, locked_by) VALUES ('a', {NOW}, "
             "'worker-1')"),
         "a", "worker-1", true, false,
         changes(
             {{"holder", "locked_by = 'worker-2'"}, {"acquired_at", "locked_at = '2020-01-01 00:00:00'"}})},
        {"db-scheduler", "sql.lease", sql("scheduled_tasks"),
         sql("CREATE TABLE scheduled_tasks (task_name VARCHAR(100) NOT NULL, task_instance VARCHAR(100) NOT "
             "NULL, execution_time {TIME} NOT NULL, picked {BOOL} NOT NULL, picked_by VARCHAR(50), "
             "last_heartbeat {TIME}, version BIGINT NOT NULL, PRIMARY KEY (task_name, task_instance))"),
         sql("INSERT INTO scheduled_tasks VALUES ('report', 'daily', {AGO}, {TRUE}, 'web-1', {NOW}, 3)"),
         "report/daily", "web-1", true, false,
         changes({{"holder", "picked_by = 'web-2'"},
                  {"renewed_at", "last_heartbeat = '2020-01-01 00:00:00'"},
                  {"version", "version = 4"}})},
        {"nextcloud",
         "sql.lease",
         sql("oc_file_locks"),
         sql("CREATE TABLE oc_file_locks (id {ID}, `lock` INT NOT NULL, `key` VARCHAR(64) NOT NULL UNIQUE, "
             "ttl INT NOT NULL)"),
         sql("INSERT INTO oc_file_locks (`lock`, `key`, ttl) VALUES (-1, 'files/x', {EPOCH} + 60)"),
         "files/x",
         {},
         false,
         true,
         {}},
    };
}
} // namespace

const QList<Layout> &breakableLayouts()
{
    static const QList<Layout> all = insertLayouts() + stayingLayouts();
    return all;
}

const QList<WatchedLayout> &watchedLayouts()
{
    static const QList<WatchedLayout> all{
        {"seata-lock",
         sql("CREATE TABLE lock_table (row_key VARCHAR(128) NOT NULL PRIMARY KEY, xid VARCHAR(128), "
             "transaction_id BIGINT, branch_id BIGINT NOT NULL, resource_id VARCHAR(255), table_name "
             "VARCHAR(32), pk VARCHAR(36), status INT NOT NULL DEFAULT 0, gmt_create {TIME}, gmt_modified "
             "{TIME})"),
         sql("INSERT INTO lock_table VALUES ('jdbc:mysql://db/app^^^stock^^^7', '10.0.0.7:8091:42', 42, 43, "
             "'jdbc:mysql://db/app', 'stock', '7', 0, {NOW}, {NOW})"),
         "jdbc:mysql://db/app^^^stock^^^7",
         "10.0.0.7:8091:42",
         {}},
        {"camunda",
         sql("CREATE TABLE ACT_RU_JOB (ID_ VARCHAR(64) NOT NULL PRIMARY KEY, LOCK_EXP_TIME_ {TIME}, "
             "LOCK_OWNER_ VARCHAR(255), RETRIES_ INT, JOB_DEF_ID_ VARCHAR(64))"),
         sql("INSERT INTO ACT_RU_JOB VALUES ('j1', {AHEAD}, 'node-1', 3, 'd'), ('j2', NULL, NULL, 3, 'd')"),
         "j1", "node-1", "j2"},
        {"flowable",
         sql("CREATE TABLE ACT_RU_TIMER_JOB (ID_ VARCHAR(64) NOT NULL PRIMARY KEY, LOCK_EXP_TIME_ {TIME}, "
             "LOCK_OWNER_ VARCHAR(255), RETRIES_ INT)"),
         sql("INSERT INTO ACT_RU_TIMER_JOB VALUES ('j1', {AHEAD}, 'node-1', 3), ('j2', NULL, NULL, 3)"), "j1",
         "node-1", "j2"},
        {"camunda-external-task",
         sql("CREATE TABLE ACT_RU_EXT_TASK (ID_ VARCHAR(64) NOT NULL PRIMARY KEY, WORKER_ID_ VARCHAR(255), "
             "TOPIC_NAME_ VARCHAR(255), RETRIES_ INT, LOCK_EXP_TIME_ {TIME})"),
         sql("INSERT INTO ACT_RU_EXT_TASK VALUES ('t1', 'worker-1', 'mail', 3, {AHEAD}), ('t2', NULL, "
             "'mail', 3, NULL)"),
         "t1", "worker-1", "t2"},
        {"solid-queue",
         sql("CREATE TABLE solid_queue_semaphores (id {ID}, `key` VARCHAR(191) NOT NULL UNIQUE, value INT "
             "NOT NULL, expires_at {TIME} NOT NULL)"),
         sql("INSERT INTO solid_queue_semaphores (`key`, value, expires_at) VALUES ('Report/7', 0, "
             "{AHEAD}), ('Report/8', 1, {AHEAD})"),
         "Report/7",
         {},
         "Report/8"},
        {"jobrunr",
         sql("CREATE TABLE jobrunr_jobs (id VARCHAR(36) NOT NULL PRIMARY KEY, version INT NOT NULL, "
             "jobSignature VARCHAR(512) NOT NULL, state VARCHAR(36) NOT NULL, updatedAt {TIME} NOT NULL)"),
         sql("INSERT INTO jobrunr_jobs VALUES ('0b1c1a2e', 3, 'Mail.send()', 'PROCESSING', {NOW}), "
             "('0b1c1a2f', 4, 'Mail.send()', 'SUCCEEDED', {NOW})"),
         "0b1c1a2e",
         {},
         {}},
        {"axon",
         sql("CREATE TABLE TokenEntry (processorName VARCHAR(191) NOT NULL, segment INT NOT NULL, tokenType "
             "VARCHAR(255), owner VARCHAR(255), PRIMARY KEY (processorName, segment))"),
         sql("INSERT INTO TokenEntry VALUES ('orders', 0, 'T', '4711@web-1'), ('orders', 1, 'T', NULL)"),
         "orders/0", "4711@web-1", "orders/1"},
        {"axon-jpa",
         sql("CREATE TABLE token_entry (processor_name VARCHAR(191) NOT NULL, segment INT NOT NULL, "
             "token_type VARCHAR(255), owner VARCHAR(255), PRIMARY KEY (processor_name, segment))"),
         sql("INSERT INTO token_entry VALUES ('orders', 0, 'T', '4711@web-1'), ('orders', 1, 'T', NULL)"),
         "orders/0", "4711@web-1", "orders/1"},
        {"activemq",
         sql("CREATE TABLE ACTIVEMQ_LOCK (ID BIGINT NOT NULL PRIMARY KEY, TIME BIGINT, BROKER_NAME "
             "VARCHAR(250))"),
         sql("INSERT INTO ACTIVEMQ_LOCK VALUES (1, ({EPOCH} + 60) * 1000, 'broker-a')"),
         "1",
         "broker-a",
         {}},
        {"procrastinate",
         sql("CREATE TABLE procrastinate_jobs (id {ID}, queueing_lock VARCHAR(191), status VARCHAR(20) NOT "
             "NULL)"),
         sql("INSERT INTO procrastinate_jobs (status) VALUES ('doing'), ('todo')"),
         "1",
         {},
         {}},
        {"apscheduler",
         sql("CREATE TABLE schedules (id VARCHAR(191) NOT NULL PRIMARY KEY, task_id VARCHAR(191) NOT NULL, "
             "acquired_by VARCHAR(191), acquired_until {TIME})"),
         sql("INSERT INTO schedules VALUES ('nightly', 't', 'scheduler-1', {AHEAD}), ('hourly', 't', NULL, "
             "NULL)"),
         "nightly", "scheduler-1", "hourly"},
    };
    return all;
}

const Layout &layoutNamed(QByteArrayView preset)
{
    const QList<Layout> &all = breakableLayouts();
    return *std::find_if(all.begin(), all.end(),
                         [&](const Layout &layout) { return layout.preset == preset; });
}

void addTakeableLayouts(std::initializer_list<const char *> servers)
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : servers) {
        for (const char *preset : {"lock-holder", "lock-timeout", "laravel", "lock-lease",
                                   "distribute-lock-lease", "t-tag-lock", "shedlock"})
            QTest::addRow("%s %s", server, preset) << QString::fromLatin1(server) << QByteArray(preset);
    }
}

SourceSpec layoutSpec(const TestDatabase &database, const Layout &layout, BreakMode mode)
{
    SourceSpec spec = database.spec();
    LockSet set;
    set.scheme = layout.scheme;
    set.preset = QString::fromLatin1(layout.preset);
    set.breakMode = mode;
    spec.locks = {set};
    return spec;
}

} // namespace lockkeeper::tests
