// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/transaction_events.h"

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/process_list.h"

#include <QSqlError>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;

namespace {
constexpr qint64 kPicosecondsAMicrosecond = 1'000'000;
constexpr QLatin1String kUnknownThread("(error 1094)");

/** Threads of the server and of replication are never killed, whatever the guard says. In MariaDB an event
 * runs under its owner's name. */
constexpr char kForeground[] =
    "t.TYPE = 'FOREGROUND' AND t.NAME NOT REGEXP '^thread/sql/(event|slave|replica|rpl)' AND "
    "t.PROCESSLIST_USER NOT IN ('system user', 'event_scheduler') "
    "AND t.PROCESSLIST_COMMAND NOT LIKE 'Binlog Dump%' AND t.PROCESSLIST_COMMAND NOT LIKE 'Slave%' "
    "AND t.PROCESSLIST_COMMAND NOT IN ('Daemon', 'Connect') AND t.PROCESSLIST_ID <> CONNECTION_ID()";

/** Finds the connection, where the transaction or the lock is still the one of the target. Numbers only. */
QString guardSelect(const KillTarget &target, bool mature)
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

SqlFailure failureOf(const QSqlError &error)
{
    return {errorOf(error, Dialect::MySql), isServerRefusal(error, Dialect::MySql)};
}
} // namespace

QByteArray transactionIdentity(const QByteArray &connection, const TransactionEvent &event)
{
    return connection + '/' + event.thread + '/' + event.event + '/' + event.timerStart;
}

QList<QByteArray> identityParts(const QByteArray &identity, qsizetype count)
{
    const QList<QByteArray> parts = identity.split('/');
    const bool numbers = std::all_of(parts.cbegin(), parts.cend(), [](const QByteArray &part) {
        return !part.isEmpty() && part.size() <= 20 &&
               std::all_of(part.cbegin(), part.cend(), [](char c) { return c >= '0' && c <= '9'; });
    });
    return numbers && parts.size() == count ? parts : QList<QByteArray>();
}

base::Result<Instruments> readInstruments(Connection &connection)
{
    Instruments found;
    auto on = connection.query(QStringLiteral("SELECT @@GLOBAL.performance_schema"));
    if (!on)
        return tl::unexpected(on.error());
    found.schemaOn = on->next() && on->value(0).toInt() != 0;
    if (!found.schemaOn)
        return found;
    auto rows = connection.query(QStringLiteral(
        "SELECT (SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE ENABLED = 'YES' "
        "AND NAME IN ('global_instrumentation', 'thread_instrumentation')), "
        "(SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE ENABLED = 'YES' "
        "AND NAME = 'events_transactions_current'), "
        "(SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE ENABLED = 'YES' "
        "AND NAME = 'events_statements_current'), "
        "(SELECT COUNT(*) FROM performance_schema.setup_instruments WHERE NAME = 'transaction' "
        "AND ENABLED = 'YES' AND TIMED = 'YES'), "
        "(SELECT COUNT(*) FROM performance_schema.setup_instruments "
        "WHERE NAME = 'wait/lock/metadata/sql/mdl' AND ENABLED = 'YES')"));
    if (!rows) {
        if (rows.error().code == ErrorCode::PermissionDenied)
            return found;
        return tl::unexpected(rows.error());
    }
    found.readable = rows->next();
    const bool base = rows->value(0).toInt() == 2;
    found.transactions = base && rows->value(1).toInt() == 1 && rows->value(3).toInt() == 1;
    found.statements = base && rows->value(2).toInt() == 1;
    found.metadataLocks = rows->value(4).toInt() == 1;
    return found;
}

base::Result<QHash<QByteArray, TransactionEvent>> readTransactionEvents(Connection &connection,
                                                                        const QSet<QByteArray> &connections)
{
    QHash<QByteArray, TransactionEvent> events;
    if (connections.isEmpty())
        return events;
    auto rows = connection.query(
        QStringLiteral(
            "SELECT t.PROCESSLIST_ID, t.THREAD_ID, e.EVENT_ID, e.TIMER_START, e.XA_STATE, e.TIMER_WAIT, "
            "LEFT(s.SQL_TEXT, 1025), IF(s.END_EVENT_ID IS NULL, s.TIMER_WAIT, NULL) "
            "FROM performance_schema.threads t "
            "LEFT JOIN performance_schema.events_transactions_current e "
            "ON e.THREAD_ID = t.THREAD_ID AND e.STATE = 'ACTIVE' "
            "LEFT JOIN performance_schema.events_statements_current s "
            "ON s.THREAD_ID = t.THREAD_ID AND s.NESTING_EVENT_LEVEL = 0 "
            "WHERE t.PROCESSLIST_ID IN (%1)")
            .arg(numberList(connections)));
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next()) {
        TransactionEvent event;
        event.thread = rows->value(1).toByteArray();
        event.event = rows->value(2).toByteArray();
        event.timerStart = rows->value(3).toByteArray();
        event.xaState = rows->value(4).toByteArray();
        event.ageUs = qint64(rows->value(5).toULongLong() / kPicosecondsAMicrosecond);
        event.statement = rows->value(6).toByteArray();
        if (!rows->isNull(7))
            event.statementAgeUs = qint64(rows->value(7).toULongLong() / kPicosecondsAMicrosecond);
        events.insert(rows->value(0).toByteArray(), event);
    }
    return events;
}

KillReply killGuarded(Connection &connection, const KillTarget &target)
{
    const QString guard = guardSelect(target, !target.anyAge);
    if (guard.isEmpty())
        return {};
    auto sent = connection.query(
        QStringLiteral("SET @lockkeeper_kill := (%1); KILL CONNECTION @lockkeeper_kill").arg(guard));
    if (!sent) {
        // The first of the two statements failed, so the second never ran.
        KillReply reply;
        reply.failure = SqlFailure{sent.error(), !isLinkLost(sent.error().code)};
        return reply;
    }
    if (sent->nextResult())
        return {true, std::nullopt};
    const QSqlError error = sent->lastError();
    const SqlFailure failure = failureOf(error);
    if (failure.error.cause.endsWith(kUnknownThread))
        return {};
    KillReply reply;
    reply.failure = failure;
    return reply;
}

base::Result<bool> wouldKillGuarded(Connection &connection, const KillTarget &target)
{
    const QString guard = guardSelect(target, true);
    if (guard.isEmpty())
        return false;
    return anyRow(connection, guard);
}

base::Result<bool> isAcquisitionThere(Connection &connection, const KillTarget &target)
{
    const QString guard = guardSelect(target, false);
    if (guard.isEmpty())
        return false;
    // A killed session rolls back first: while its event is active it still has its locks.
    return anyRow(connection, guard);
}

} // namespace lockkeeper::stores::sql
