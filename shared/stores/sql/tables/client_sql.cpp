// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/client_sql.h"

#include "shared/stores/sql/connection/postgres_driver.h"
#include "shared/stores/sql/tables/statements.h"

#include <utility>

namespace lockkeeper::stores::sql {

bool provesByTime(const ResolvedTable &table)
{
    return !table.has("holder") && !table.has("request") && !(table.deletes && table.has("id"));
}

bool countsAcquisitions(const ResolvedTable &table)
{
    return table.has("version") && !table.deletes && table.column("version").kind == ColumnKind::Epoch;
}

QByteArrayList renewedKeys(const ResolvedTable &table)
{
    QByteArrayList keys;
    for (const char *key : {"expires_at", "renewed_at", "timeout"}) {
        if (table.has(key))
            keys.append(key);
    }
    const bool moves = table.has("expires_at") || table.has("renewed_at");
    if (!moves && !table.deletes && table.has("acquired_at"))
        keys.append("acquired_at");
    return keys;
}

bool ClientSql::placeholder(const QByteArray &kind)
{
    static const QHash<QByteArray, void (ClientSql::*)()> kWriters{
        {"columns", &ClientSql::columns}, {"values", &ClientSql::values},  {"take", &ClientSql::take},
        {"renewal", &ClientSql::renewal}, {"is_free", &ClientSql::isFree}, {"own_row", &ClientSql::ownRow},
        {"fence", &ClientSql::fence},
    };
    if (const auto write = kWriters.value(kind); write != nullptr)
        (this->*write)();
    else if (kind == "for_update")
        m_sql.add(m_table.dialect == Dialect::Sqlite ? "" : "FOR UPDATE");
    else if (kind == "returning")
        m_sql.add(m_table.dialect == Dialect::PostgreSql && m_table.has("id") && m_table.deletes
                      ? " RETURNING " + m_sql.bytes(m_table.column("id"))
                      : QByteArray());
    else if (kind == "release_later")
        m_sql.laterOf(m_table.column("expires_at"), m_table.column("acquired_at"), "least_us");
    else
        return false;
    return true;
}

void ClientSql::fence()
{
    if (m_table.dialect != Dialect::PostgreSql || !m_table.has("id") || !m_table.deletes)
        return;
    m_sql.add(", nextval(pg_catalog.pg_get_serial_sequence(" + postgresLiteral(m_sql.table()) + ", " +
              postgresLiteral(m_table.column("id").name.toUtf8()) + "))");
}

/** The columns that an acquisition writes beside the name; the server generates an id. */
QByteArrayList ClientSql::written() const
{
    QByteArrayList keys;
    for (const QByteArray &key : columnKeys()) {
        if (m_table.has(key) && key != "id" && (key != "version" || countsAcquisitions(m_table)))
            keys.append(key);
    }
    return keys;
}

void ClientSql::value(const QByteArray &key)
{
    const Column column = m_table.column(key);
    if (key == "holder" || key == "request")
        m_sql.typed(column, "token");
    else if (key == "status")
        m_sql.typed(column, "held_value");
    else if (key == "count" || key == "version")
        m_sql.add("1");
    else if (key == "timeout")
        m_sql.typed(column, "timeout");
    else if (key == "expires_at")
        m_sql.now(column, 6, "ttl_us");
    else if (key == "acquired_at" && provesByTime(m_table))
        m_sql.typed(column, "new_time");
    else
        m_sql.now(column, column.precision);
}

/** The next version of a row that stays: the first version is 1. */
void ClientSql::nextVersion()
{
    const QByteArray column = m_sql.name(m_table.column("version"));
    m_sql.add("COALESCE(" + column + ", 0) + 1");
}

void ClientSql::columns()
{
    QByteArrayList names;
    for (const Column &name : m_table.names)
        names.append(m_sql.name(name));
    for (const QByteArray &key : written())
        names.append(m_sql.name(m_table.column(key)));
    m_sql.add(names.join(", "));
}

void ClientSql::values()
{
    for (qsizetype i = 0; i < m_table.names.size(); ++i) {
        m_sql.add(i == 0 ? "" : ", ");
        m_sql.key(m_table.names.at(i), partName("name", i));
    }
    bool first = m_table.names.isEmpty();
    for (const QByteArray &key : written()) {
        m_sql.add(std::exchange(first, false) ? "" : ", ");
        value(key);
    }
}

void ClientSql::assignments(const QByteArrayList &keys)
{
    for (qsizetype i = 0; i < keys.size(); ++i) {
        m_sql.add((i == 0 ? "" : ", ") + m_sql.name(m_table.column(keys.at(i))) + " = ");
        if (keys.at(i) == "version")
            nextVersion();
        else
            value(keys.at(i));
    }
}

void ClientSql::take()
{
    assignments(written());
}

void ClientSql::renewal()
{
    const QByteArrayList keys = renewedKeys(m_table);
    if (keys.isEmpty()) // never sent; the client checks that the row exists
        m_sql.add(m_sql.name(m_table.column("name")) + " = " + m_sql.name(m_table.column("name")));
    assignments(keys);
}

void ClientSql::isFree()
{
    m_sql.add("1 = 0");
    if (m_table.has("status")) {
        // Where rows may have other statuses than these two, only the held value makes a row a lock.
        const bool others = m_table.filtersStatus;
        m_sql.add(others ? " OR NOT " : " OR ");
        m_sql.same(m_sql.bytes(m_table.column("status")), others ? "held_value" : "free_value");
    }
    if (m_table.has("count"))
        m_sql.add(" OR " + m_sql.name(m_table.column("count")) + " <= 0");
    const char *base = m_table.has("renewed_at") ? "renewed_at" : "acquired_at";
    if (m_table.has("expires_at")) {
        m_sql.add(" OR " + m_sql.name(m_table.column("expires_at")) + " <= ");
        m_sql.now(m_table.column("expires_at"), 6);
    } else if (m_table.has(base)) {
        m_sql.add(" OR " + m_sql.name(m_table.column(base)) + " <= ");
        m_sql.now(m_table.column(base), 6, "lease_us");
    } else if (m_table.has("holder") && !m_table.has("status")) {
        m_sql.add(" OR " + m_sql.name(m_table.column("holder")) + " IS NULL OR ");
        m_sql.same(m_sql.bytes(m_table.column("holder")), "nobody");
    }
}

void ClientSql::ownRow()
{
    const bool namesHolder = m_table.has("holder") || m_table.has("request");
    if (m_table.deletes && m_table.has("id") && !namesHolder) {
        m_sql.add(" AND ");
        m_sql.same(m_sql.bytes(m_table.column("id")), "own_id");
    }
    for (const char *key : {"holder", "request"}) {
        if (!m_table.has(key))
            continue;
        m_sql.add(" AND ");
        m_sql.same(m_sql.bytes(m_table.column(key)), "token");
    }
    if (provesByTime(m_table) && m_table.has("acquired_at")) {
        m_sql.add(" AND ");
        m_sql.same(m_sql.timeText(m_table.column("acquired_at")), "own_time");
    } else if (provesByTime(m_table)) {
        m_sql.add(" AND 1 = 0"); // nothing proves whose row it is: treat it as nobody's
    }
}

} // namespace lockkeeper::stores::sql
