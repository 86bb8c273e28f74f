// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/kill.h"

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/advisory_keys.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/picture.h"

#include <QSqlError>

#include <algorithm>

namespace lockkeeper::stores::sql {

namespace {
constexpr qint64 kPicosecondsAMicrosecond = 1'000'000;
constexpr QLatin1String kUnknownThread("(error 1094)");

/** The parts of an identity, all of them numbers; empty: it hasn't `count` parts, and can't guard. */
QList<QByteArray> identityParts(const QByteArray &identity, qsizetype count)
{
    const QList<QByteArray> parts = identity.split('/');
    const bool numbers = std::all_of(parts.cbegin(), parts.cend(), [](const QByteArray &part) {
        return !part.isEmpty() && part.size() <= 20 &&
               std::all_of(part.cbegin(), part.cend(), [](char c) { return c >= '0' && c <= '9'; });
    });
    return numbers && parts.size() == count ? parts : QList<QByteArray>();
}

/** Threads of the server and of replication are never killed, whatever the guard says. In MariaDB an event
 * runs under its owner's name. */
constexpr char kForeground[] =
    "t.TYPE = 'FOREGROUND' AND t.NAME NOT REGEXP '^thread/sql/(event|slave|replica|rpl)' AND "
    "t.PROCESSLIST_USER NOT IN ('system user', 'event_scheduler') "
    "AND t.PROCESSLIST_COMMAND NOT LIKE 'Binlog Dump%' AND t.PROCESSLIST_COMMAND NOT LIKE 'Slave%' "
    "AND t.PROCESSLIST_COMMAND NOT IN ('Daemon', 'Connect') AND t.PROCESSLIST_ID <> CONNECTION_ID()";

/** SQL that finds the connection while its transaction or lock is still the target's. Numbers only. */
QString mySqlGuard(const KillTarget &target, bool mature)
{
    const QList<QByteArray> parts = identityParts(target.identity, 4);
    if (parts.isEmpty() || parts.first() != target.session)
        return {};
    const auto text = [&parts](int i) { return QString::fromLatin1(parts.at(i)); };
    if (target.advisory)
        return QStringLiteral("SELECT t.PROCESSLIST_ID FROM performance_schema.threads t "
                              "JOIN performance_schema.metadata_locks m ON m.OWNER_THREAD_ID = t.THREAD_ID "
                              "WHERE t.THREAD_ID = %2 AND t.PROCESSLIST_ID = %1 AND m.OWNER_EVENT_ID = %3 "
                              "AND m.OBJECT_INSTANCE_BEGIN = %4 AND m.OBJECT_TYPE = 'USER LEVEL LOCK' "
                              "AND m.LOCK_STATUS = 'GRANTED' AND %5 LIMIT 1")
            .arg(text(0), text(1), text(2), text(3), QLatin1String(kForeground));
    const QString age = QStringLiteral(" AND e.TIMER_WAIT >= %1").arg(kMatureUs * kPicosecondsAMicrosecond);
    return QStringLiteral(
               "SELECT t.PROCESSLIST_ID FROM performance_schema.threads t "
               "JOIN performance_schema.events_transactions_current e ON e.THREAD_ID = t.THREAD_ID "
               "WHERE t.THREAD_ID = %2 AND t.PROCESSLIST_ID = %1 AND e.EVENT_ID = %3 "
               "AND e.TIMER_START = %4 AND e.STATE = 'ACTIVE' "
               "AND (e.XA_STATE IS NULL OR e.XA_STATE <> 'PREPARED') AND %5%6 LIMIT 1")
        .arg(text(0), text(1), text(2), text(3), QLatin1String(kForeground), mature ? age : QString());
}

QString micros(const char *column)
{
    return QStringLiteral("(EXTRACT(EPOCH FROM %1) * 1000000)::bigint").arg(QLatin1String(column));
}

/** "a.objsubid = 1 AND …": the advisory lock of this name; empty where it isn't one. */
QString advisoryTerm(const QByteArray &name)
{
    const auto key = advisoryKey(name);
    if (!key)
        return {};
    return QStringLiteral("a.objsubid = %1 AND a.classid = %2 AND a.objid = %3")
        .arg(key->isPair ? 2 : 1)
        .arg(quint32(key->first()))
        .arg(quint32(key->second()));
}

QString postgresGuard(const KillTarget &target, bool mature, bool fresh)
{
    const QList<QByteArray> parts = identityParts(target.identity, target.advisory ? 2 : 4);
    if (parts.isEmpty() || parts.first() != target.session)
        return {};
    const auto text = [&parts](int i) { return QString::fromLatin1(parts.at(i)); };
    QString where = QStringLiteral("s.pid = %1 AND %2 = %3 AND s.backend_type = 'client backend' "
                                   "AND s.pid <> pg_backend_pid()")
                        .arg(text(0), micros("s.backend_start"), text(1));
    if (target.advisory) {
        const QString lock = advisoryTerm(target.name);
        const bool number = !identityParts(target.freshness, 1).isEmpty();
        if (lock.isEmpty() || !number)
            return {};
        if (fresh)
            where += QStringLiteral(" AND %1 = %2")
                         .arg(micros("s.state_change"), QString::fromLatin1(target.freshness));
        return where + QStringLiteral(" AND EXISTS (SELECT 1 FROM pg_locks a WHERE a.pid = s.pid "
                                      "AND a.locktype = 'advisory' AND a.granted AND %1)")
                           .arg(lock);
    }
    where += QStringLiteral(" AND %1 = %2 AND COALESCE(s.backend_xid::text, '0') = '%3'")
                 .arg(micros("s.xact_start"), text(2), text(3));
    if (mature)
        where += QStringLiteral(" AND s.xact_start <= clock_timestamp() - interval '%1 microseconds'")
                     .arg(kMatureUs);
    return where;
}

/** SQL that selects the session, as `found`, while it is the target's; empty where the target allows no
 * guard. `mature`: its transaction must also be old enough. `fresh`: it must also have run no other statement
 * since, where the server shows that. */
QString guardOf(const SqlConnection &connection, const KillTarget &target, bool mature, bool fresh,
                const QString &found = QStringLiteral("s.pid"))
{
    if (connection.dialect() != Dialect::PostgreSql)
        return mySqlGuard(target, mature);
    const QString where = postgresGuard(target, mature, fresh);
    return where.isEmpty() ? where
                           : QStringLiteral("SELECT %1 FROM pg_stat_activity s WHERE %2").arg(found, where);
}
} // namespace

KillReply killGuarded(SqlConnection &connection, const KillTarget &target)
{
    const QString guard =
        guardOf(connection, target, !target.anyAge, true, QStringLiteral("pg_terminate_backend(s.pid)"));
    if (guard.isEmpty())
        return {};
    const bool isPostgres = connection.dialect() == Dialect::PostgreSql;
    auto sent = connection.query(
        isPostgres
            ? guard
            : QStringLiteral("SET @lockkeeper_kill := (%1); KILL CONNECTION @lockkeeper_kill").arg(guard));
    if (!sent) // the first of MySQL's two statements failed, so the second never ran
        return {false, SqlFailure{sent.error(), !isLinkLost(sent.error().code)}};
    if (isPostgres)
        return {sent->next() && sent->value(0).toBool(), std::nullopt};
    if (sent->nextResult())
        return {true, std::nullopt};
    const QSqlError error = sent->lastError();
    const base::Error why = errorOf(error, Dialect::MySql);
    if (why.cause.endsWith(kUnknownThread))
        return {};
    return {false, SqlFailure{why, isServerRefusal(error, Dialect::MySql)}};
}

base::Result<bool> wouldKill(SqlConnection &connection, const KillTarget &target)
{
    const QString guard = guardOf(connection, target, true, true);
    return guard.isEmpty() ? base::Result<bool>(false) : anyRow(connection, guard);
}

base::Result<bool> isAcquisitionThere(SqlConnection &connection, const KillTarget &target)
{
    // A killed session rolls back first: while its event is active it still has its locks.
    const QString guard = guardOf(connection, target, false, false);
    return guard.isEmpty() ? base::Result<bool>(false) : anyRow(connection, guard);
}

} // namespace lockkeeper::stores::sql
