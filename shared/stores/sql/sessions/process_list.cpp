// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/process_list.h"

#include <QSqlQuery>

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::sql {

using domain::ReleaseOff;

namespace {
/** Commands of threads that belong to the server or to replication. */
bool isSystem(const ServerProcess &process)
{
    return process.user == "system user" || process.user == "event_scheduler" ||
           process.command.startsWith("Binlog Dump") || process.command.startsWith("Slave") ||
           process.command == "Daemon" || process.command == "Connect";
}

bool isNumber(const QByteArray &id)
{
    return !id.isEmpty() && std::all_of(id.cbegin(), id.cend(), [](char c) { return c >= '0' && c <= '9'; });
}
} // namespace

base::Result<QHash<QByteArray, ServerProcess>> processesOf(SqlConnection &connection, const QString &sql,
                                                           qint64 nowUs, qint64 unitUs)
{
    return connection.query(sql).map([nowUs, unitUs](QSqlQuery row) {
        QHash<QByteArray, ServerProcess> processes;
        while (row.next())
            processes.insert(row.value(0).toByteArray(),
                             {row.value(1).toByteArray(), row.value(2).toByteArray(),
                              row.value(3).toByteArray(), row.value(4).toByteArray(),
                              nowUs - qint64(row.value(5).toDouble() * double(unitUs)), unitUs < 1'000'000});
        return processes;
    });
}

void setStatement(domain::Session &session, QByteArray statement)
{
    constexpr qsizetype kMostStatement = 1'024;
    session.statementCut = statement.size() > kMostStatement;
    if (session.statementCut) {
        qsizetype length = kMostStatement;
        while (length > 0 && (uchar(statement.at(length)) & 0xc0) == 0x80)
            --length;
        statement.truncate(length);
    }
    session.statement = std::move(statement);
}

void describe(domain::Session &session, const ServerProcess &process, const QByteArray &ownId)
{
    session.user = process.user;
    session.client = process.host;
    if (!process.statement.isEmpty())
        setStatement(session, process.statement);
    if (process.command == "Sleep")
        session.idleSinceUs = process.sinceUs;
    if (isSystem(process) || session.id == ownId)
        session.protectedAs = ReleaseOff::System;
}

QString numberList(const QSet<QByteArray> &ids)
{
    QByteArray list;
    for (const QByteArray &id : ids) {
        if (isNumber(id))
            list += (list.isEmpty() ? "" : ",") + id;
    }
    return list.isEmpty() ? QStringLiteral("0") : QString::fromLatin1(list);
}

base::Result<void> ProgramNames::fill(SqlConnection &connection, const QSet<QByteArray> &ids, bool enabled)
{
    m_names.removeIf([&ids](const auto &it) { return !ids.contains(it.key()); });
    QSet<QByteArray> unknown;
    for (const QByteArray &id : ids) {
        if (!m_names.contains(id) && isNumber(id))
            unknown.insert(id);
    }
    if (unknown.isEmpty() || !enabled)
        return {};
    auto rows = connection.query(
        QStringLiteral(
            "SELECT PROCESSLIST_ID, ATTR_NAME, ATTR_VALUE FROM performance_schema.session_connect_attrs "
            "WHERE ATTR_NAME IN ('program_name', '_client_name') AND PROCESSLIST_ID IN (%1)")
            .arg(numberList(unknown)));
    if (!rows)
        return tl::unexpected(rows.error());
    for (const QByteArray &id : std::as_const(unknown))
        m_names.insert(id, {});
    while (rows->next()) {
        QByteArray &name = m_names[rows->value(0).toByteArray()];
        if (rows->value(1).toByteArray() == "program_name" || name.isEmpty())
            name = rows->value(2).toByteArray().left(256);
    }
    return {};
}

void protectOwn(domain::Session &session)
{
    if (session.program == "lockkeeper" || session.program == "lockkeeper-agent")
        session.protectedAs = ReleaseOff::System;
}

} // namespace lockkeeper::stores::sql
