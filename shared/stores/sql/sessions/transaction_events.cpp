// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/transaction_events.h"

#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/process_list.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;

namespace {
constexpr qint64 kPicosecondsAUs = 1'000'000;
} // namespace

QByteArray transactionIdentity(const QByteArray &connection, const TransactionEvent &event)
{
    return connection + '/' + event.thread + '/' + event.event + '/' + event.timerStart;
}

base::Result<Instruments> readInstruments(SqlConnection &connection)
{
    Instruments found;
    auto on = connection.query(QStringLiteral("SELECT @@GLOBAL.performance_schema"));
    if (!on && isLinkLost(on.error().code))
        return tl::unexpected(on.error());
    found.schemaOn = on && on->next() && on->value(0).toInt() != 0; // or the server was built without it
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
        if (isLinkLost(rows.error().code))
            return tl::unexpected(rows.error());
        if (rows.error().code != ErrorCode::PermissionDenied)
            found.missing = rows.error(); // the schema is missing or incomplete
        return found;
    }
    found.readable = rows->next();
    const bool base = rows->value(0).toInt() == 2;
    found.transactions = base && rows->value(1).toInt() == 1 && rows->value(3).toInt() == 1;
    found.statements = base && rows->value(2).toInt() == 1;
    found.metadataLocks = rows->value(4).toInt() == 1;
    return found;
}

base::Result<QHash<QByteArray, TransactionEvent>> readTransactionEvents(SqlConnection &connection,
                                                                        const QSet<QByteArray> &connections)
{
    QHash<QByteArray, TransactionEvent> events;
    if (connections.isEmpty())
        return events;
    auto rows = connection.query(
        QStringLiteral("SELECT t.PROCESSLIST_ID, t.THREAD_ID, e.EVENT_ID, e.TIMER_START, e.XA_STATE, "
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
        event.statement = rows->value(5).toByteArray();
        if (!rows->isNull(6))
            event.statementAgeUs = qint64(rows->value(6).toULongLong() / kPicosecondsAUs);
        events.insert(rows->value(0).toByteArray(), event);
    }
    return events;
}

} // namespace lockkeeper::stores::sql
