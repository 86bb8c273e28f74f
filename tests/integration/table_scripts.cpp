// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/table_scripts.h"

#include <algorithm>

namespace lockkeeper::tests {

namespace {
QStringList sql(std::initializer_list<const char *> statements)
{
    QStringList list;
    for (const char *statement : statements)
        list.append(QString::fromLatin1(statement));
    return list;
}

TableScript shedlock()
{
    TableScript script{"shedlock", "nightly", {}, {}, {}, {}, {}};
    script.prepare =
        sql({"CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until {TIME} NOT "
             "NULL, locked_at {TIME} NOT NULL, locked_by VARCHAR(255) NOT NULL)",
             "INSERT INTO shedlock VALUES ('nightly', {AGO}, {AGO}, 'long-ago')"});
    script.take =
        sql({"UPDATE shedlock SET lock_until = {AHEAD}, locked_at = {NOW}, locked_by = '{ME}' WHERE "
             "name = 'nightly' AND lock_until <= {NOW}"});
    script.index = sql({"CREATE INDEX by_deadline ON shedlock (lock_until)"});
    script.takeShort = sql({"UPDATE shedlock SET lock_until = {SOON}, locked_at = {NOW}, locked_by = '{ME}' "
                            "WHERE name = 'nightly' AND lock_until <= {NOW}"});
    script.renew = sql({"UPDATE shedlock SET lock_until = {AHEAD} WHERE name = 'nightly' AND locked_by = "
                        "'{ME}' AND lock_until > {NOW}"});
    script.giveBack = sql({"UPDATE shedlock SET lock_until = {NOW} WHERE name = 'nightly' AND locked_by = "
                           "'{ME}' AND lock_until > {NOW}"});
    return script;
}

QList<TableScript> insertScripts()
{
    TableScript bare{"t-lock", "a", {}, {}, {}, {}, {}, false, false, false};
    bare.prepare = sql({"CREATE TABLE t_lock (lock_key VARCHAR(64) NOT NULL PRIMARY KEY)"});
    bare.take = sql({"INSERT INTO t_lock VALUES ('a')"});
    bare.giveBack = sql({"DELETE FROM t_lock WHERE lock_key = 'a'"});

    TableScript holder{"lock-holder", "a", {}, {}, {}, {}, {}};
    holder.prepare = sql({"CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE, holder "
                          "VARCHAR(64), creation_time {TIME})"});
    holder.take = sql({"INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('a', '{ME}', {NOW})"});
    holder.giveBack = sql({"DELETE FROM `lock` WHERE lock_key = 'a' AND holder = '{ME}'"});

    TableScript resource{"distribute-lock", "a", {}, {}, {}, {}, {}, false, true, false};
    resource.prepare = sql({"CREATE TABLE distribute_lock (id {ID}, resource_id VARCHAR(64) NOT NULL UNIQUE, "
                            "create_time {TIME})"});
    resource.take = sql({"INSERT INTO distribute_lock (resource_id, create_time) VALUES ('a', {NOW})"});
    resource.giveBack = sql({"DELETE FROM distribute_lock WHERE resource_id = 'a'"});

    TableScript version{"lock-version-row", "a/r", {}, {}, {}, {}, {}, false, true, false};
    version.prepare =
        sql({"CREATE TABLE `lock` (lock_name VARCHAR(64) NOT NULL, resource VARCHAR(64) NOT NULL, "
             "version INT NOT NULL, gmt_create {TIME}, PRIMARY KEY (lock_name, resource, version))"});
    version.take = sql({"INSERT INTO `lock` VALUES ('a', 'r', 1, {NOW})"});
    version.giveBack = sql({"DELETE FROM `lock` WHERE lock_name = 'a' AND resource = 'r' AND version = 1"});

    TableScript timeout{"lock-timeout", "a", {}, {}, {}, {}, {}, false, true, true};
    timeout.prepare =
        sql({"CREATE TABLE `lock` (id {ID}, name VARCHAR(64) NOT NULL UNIQUE, created_at BIGINT NOT "
             "NULL, timeout INT)"});
    timeout.take = sql({"INSERT INTO `lock` (name, created_at, timeout) VALUES ('a', {EPOCH}, 3600)"});
    timeout.takeShort = sql({"INSERT INTO `lock` (name, created_at, timeout) VALUES ('a', {EPOCH}, 2)"});
    timeout.renew = sql({"UPDATE `lock` SET timeout = 7200 WHERE id = {LAST_ID}"});
    timeout.giveBack = sql({"DELETE FROM `lock` WHERE id = {LAST_ID}"});

    TableScript spring{
        "spring-integration", "9dd4e461-268c-8034-f5c8-564e155c67a6/DEFAULT", {}, {}, {}, {}, {}};
    spring.prepare =
        sql({"CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, "
             "CLIENT_ID CHAR(36), CREATED_DATE {TIME} NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))"});
    spring.take =
        sql({"INSERT INTO INT_LOCK VALUES ('9dd4e461-268c-8034-f5c8-564e155c67a6', 'DEFAULT', '{ME}', "
             "{NOW})"});
    spring.giveBack = sql({"DELETE FROM INT_LOCK WHERE LOCK_KEY = '9dd4e461-268c-8034-f5c8-564e155c67a6' AND "
                           "REGION = 'DEFAULT' AND CLIENT_ID = '{ME}'"});

    TableScript laravel{"laravel", "a", {}, {}, {}, {}, {}};
    laravel.prepare = sql({"CREATE TABLE cache_locks (`key` VARCHAR(255) NOT NULL PRIMARY KEY, owner "
                           "VARCHAR(255) NOT NULL, expiration INT NOT NULL)"});
    laravel.take = sql({"INSERT INTO cache_locks VALUES ('a', '{ME}', {EPOCH} + 3600)"});
    laravel.index = sql({"CREATE INDEX by_deadline ON cache_locks (expiration)"});
    laravel.takeShort = sql({"INSERT INTO cache_locks VALUES ('a', '{ME}', {EPOCH} + 2)"});
    laravel.renew = sql({"UPDATE cache_locks SET expiration = {EPOCH} + 7200 WHERE `key` = 'a' AND owner = "
                         "'{ME}'"});
    laravel.giveBack = sql({"DELETE FROM cache_locks WHERE `key` = 'a' AND owner = '{ME}'"});
    return {bare, holder, resource, version, timeout, spring, laravel};
}

QList<TableScript> leaseScripts()
{
    TableScript lease{"lock-lease", "a", {}, {}, {}, {}, {}};
    lease.prepare =
        sql({"CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE, holder VARCHAR(64) "
             "DEFAULT '', creation_time {TIME}, last_lock_time {TIME})",
             "INSERT INTO `lock` (lock_key, holder, creation_time, last_lock_time) VALUES ('a', '', "
             "{AGO}, '1970-01-01 00:00:01')"});
    lease.take = sql({"UPDATE `lock` SET holder = '{ME}', last_lock_time = {NOW} WHERE lock_key = 'a' AND "
                      "last_lock_time < {AGO}"});
    lease.giveBack =
        sql({"UPDATE `lock` SET holder = '', last_lock_time = '1970-01-01 00:00:01' WHERE lock_key = "
             "'a' AND holder = '{ME}'"});

    TableScript bare{"distribute-lock-lease", "a", {}, {}, {}, {}, {}, false, true, false};
    bare.prepare = sql({"CREATE TABLE distribute_lock (id {ID}, resource_id VARCHAR(64) NOT NULL UNIQUE, "
                        "create_time {TIME})",
                        "INSERT INTO distribute_lock (resource_id, create_time) VALUES ('a', '1970-01-01 "
                        "00:00:01')"});
    bare.take =
        sql({"UPDATE distribute_lock SET create_time = {NOW} WHERE resource_id = 'a' AND create_time < "
             "{AGO}"});
    bare.giveBack = sql({"UPDATE distribute_lock SET create_time = '1970-01-01 00:00:01' WHERE resource_id = "
                         "'a'"});
    return {lease, bare};
}

QList<TableScript> flagScripts()
{
    TableScript liquibase{"liquibase", "1", {}, {}, {}, {}, {}};
    liquibase.prepare =
        sql({"CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL PRIMARY KEY, LOCKED {BOOL} NOT "
             "NULL, LOCKGRANTED {TIME}, LOCKEDBY VARCHAR(255))",
             "INSERT INTO DATABASECHANGELOGLOCK VALUES (1, {FALSE}, NULL, NULL)"});
    liquibase.take =
        sql({"UPDATE DATABASECHANGELOGLOCK SET LOCKED = {TRUE}, LOCKEDBY = '{ME}', LOCKGRANTED = "
             "{NOW} WHERE ID = 1 AND LOCKED = {FALSE}"});
    liquibase.giveBack =
        sql({"UPDATE DATABASECHANGELOGLOCK SET LOCKED = {FALSE}, LOCKEDBY = NULL, LOCKGRANTED = "
             "NULL WHERE ID = 1 AND LOCKEDBY = '{ME}'"});

    TableScript knex{"knex", "knex_migrations_lock", {}, {}, {}, {}, {}, false, false, false};
    knex.prepare = sql({"CREATE TABLE knex_migrations_lock (`index` {ID}, is_locked INT)",
                        "INSERT INTO knex_migrations_lock (is_locked) VALUES (0)"});
    knex.take = sql({"UPDATE knex_migrations_lock SET is_locked = 1 WHERE is_locked = 0"});
    knex.giveBack = sql({"UPDATE knex_migrations_lock SET is_locked = 0"});
    return {liquibase, knex};
}

TableScript reentrant()
{
    TableScript script{"t-tag-lock", "a", {}, {}, {}, {}, {}};
    script.depthOnRenewal = 2;
    script.prepare =
        sql({"CREATE TABLE t_tag_lock (Findex {ID}, Flock_name VARCHAR(128) NOT NULL UNIQUE, Fcount "
             "INT NOT NULL, Fdeadline {TIME} NOT NULL, Fdesc VARCHAR(255), Fcreate_time {TIME}, "
             "Fmodify_time {TIME}, Fstatus INT NOT NULL, Frequest_id VARCHAR(128))",
             "INSERT INTO t_tag_lock (Flock_name, Fcount, Fdeadline, Fstatus, Frequest_id) VALUES "
             "('center_lock_07', 0, {AGO}, 0, ''), ('a', 0, {AGO}, 0, '')"});
    script.index = sql({"CREATE INDEX by_deadline ON t_tag_lock (Fdeadline)"});
    // CRC-32 of "a" is 3904355907: its slot is 07.
    const char *begin = "BEGIN";
    const char *slot = "SELECT Findex FROM t_tag_lock WHERE Flock_name = 'center_lock_07' FOR UPDATE";
    script.take =
        sql({begin, slot,
             "UPDATE t_tag_lock SET Frequest_id = '{ME}', Fcount = 1, Fstatus = 1, Fdeadline = {AHEAD} "
             "WHERE Flock_name = 'a' AND (Fstatus = 0 OR Fcount = 0 OR Fdeadline < {NOW})",
             "COMMIT"});
    script.takeShort =
        sql({begin, slot,
             "UPDATE t_tag_lock SET Frequest_id = '{ME}', Fcount = 1, Fstatus = 1, Fdeadline = "
             "{SOON} WHERE Flock_name = 'a' AND (Fstatus = 0 OR Fcount = 0 OR Fdeadline < {NOW})",
             "COMMIT"});
    script.renew =
        sql({"UPDATE t_tag_lock SET Fcount = Fcount + 1, Fdeadline = {AHEAD} WHERE Flock_name = 'a' AND "
             "Frequest_id = '{ME}' AND Fstatus = 1 AND Fdeadline > {NOW}"});
    script.giveBack =
        sql({"UPDATE t_tag_lock SET Fcount = 0, Fstatus = 0, Frequest_id = '', Fdeadline = {NOW} "
             "WHERE Flock_name = 'a' AND Frequest_id = '{ME}'"});
    return script;
}
} // namespace

const QList<TableScript> &tableScripts()
{
    static const QList<TableScript> all = QList<TableScript>{shedlock()} + insertScripts() + leaseScripts() +
                                          flagScripts() + QList<TableScript>{reentrant()};
    return all;
}

const TableScript &tableScript(const QByteArray &preset)
{
    const QList<TableScript> &all = tableScripts();
    return *std::find_if(all.begin(), all.end(),
                         [&](const TableScript &script) { return script.preset == preset; });
}

} // namespace lockkeeper::tests
