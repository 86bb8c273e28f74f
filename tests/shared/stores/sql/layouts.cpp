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
    };
}
} // namespace

const QList<Layout> &breakableLayouts()
{
    static const QList<Layout> all = insertLayouts() + stayingLayouts();
    return all;
}

const Layout &layoutNamed(const QByteArray &preset)
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
        for (const char *preset :
             {"lock-holder", "lock-timeout", "laravel", "lock-lease", "distribute-lock-lease", "t-tag-lock"})
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
