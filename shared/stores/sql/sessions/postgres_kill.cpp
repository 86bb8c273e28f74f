// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/postgres_kill.h"

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/transaction_events.h"

#include <QSqlError>

namespace lockkeeper::stores::sql {

namespace {
QString micros(const char *column)
{
    return QStringLiteral("(EXTRACT(EPOCH FROM %1) * 1000000)::bigint").arg(QLatin1String(column));
}

/** "a.objsubid = 1 AND …": the advisory lock of this name; empty where it isn't one. */
QString advisoryTerm(const QByteArray &name)
{
    bool wide = false;
    const qint64 key = name.toLongLong(&wide);
    const QList<QByteArray> pair = name.split(',');
    bool high = false;
    bool low = false;
    const quint32 classId = pair.value(0).toUInt(&high);
    const quint32 objectId = pair.value(1).toUInt(&low);
    if (wide)
        return QStringLiteral("a.objsubid = 1 AND a.classid = %1 AND a.objid = %2")
            .arg(quint32(quint64(key) >> 32))
            .arg(quint32(quint64(key) & 0xffffffff));
    if (pair.size() == 2 && high && low)
        return QStringLiteral("a.objsubid = 2 AND a.classid = %1 AND a.objid = %2")
            .arg(classId)
            .arg(objectId);
    return {};
}

QString terms(const KillTarget &target, bool mature, bool fresh)
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
} // namespace

KillReply killPostgres(Connection &connection, const KillTarget &target)
{
    const QString where = terms(target, !target.anyAge, true);
    if (where.isEmpty())
        return {};
    auto rows = connection.query(
        QStringLiteral("SELECT pg_terminate_backend(s.pid) FROM pg_stat_activity s WHERE %1").arg(where));
    if (!rows) {
        KillReply reply;
        reply.failure = SqlFailure{rows.error(), !isLinkLost(rows.error().code)};
        return reply;
    }
    return {rows->next() && rows->value(0).toBool(), std::nullopt};
}

base::Result<bool> wouldKillPostgres(Connection &connection, const KillTarget &target)
{
    const QString where = terms(target, true, true);
    if (where.isEmpty())
        return false;
    return anyRow(connection, QStringLiteral("SELECT 1 FROM pg_stat_activity s WHERE %1").arg(where));
}

base::Result<bool> isPostgresBackendThere(Connection &connection, const KillTarget &target)
{
    const QString where = terms(target, false, false);
    if (where.isEmpty())
        return false;
    return anyRow(connection, QStringLiteral("SELECT 1 FROM pg_stat_activity s WHERE %1").arg(where));
}

} // namespace lockkeeper::stores::sql
