// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_rig.h"

namespace lockkeeper::tests {

using Kind = StockClient::Kind;

bool SessionRig::start(const QString &server)
{
    if (!m_database)
        m_database = makeTestDatabase(server);
    return m_database && m_database->reset();
}

bool SessionRig::isPostgres() const
{
    return m_database->dialect() == stores::sql::Dialect::PostgreSql;
}

std::unique_ptr<StockClient> SessionRig::shell() const
{
    return std::make_unique<StockClient>(isPostgres() ? Kind::Psql : Kind::MariaDbCli,
                                         stockAddress(*m_database));
}

std::unique_ptr<StockClient> SessionRig::python() const
{
    return std::make_unique<StockClient>(isPostgres() ? Kind::Psycopg2 : Kind::PyMySql,
                                         stockAddress(*m_database));
}

QByteArray SessionRig::connectionOf(StockClient &client) const
{
    const qsizetype before = client.output().size();
    if (!client.run(
            QStringLiteral("SELECT CONCAT('id-', %1, '-')")
                .arg(isPostgres() ? QStringLiteral("pg_backend_pid()") : QStringLiteral("CONNECTION_ID()"))))
        return {};
    const QByteArray output = client.output().sliced(before);
    const qsizetype from = output.indexOf("id-") + 3;
    return output.sliced(from, output.indexOf('-', from) - from);
}

QByteArray SessionRig::place(const char *table) const
{
    return m_database->spec().url.path().mid(1).toUtf8() + '.' + table;
}

stores::SourceSpec SessionRig::spec(const QStringList &tables, bool advisory) const
{
    const stores::SourceSpec plain = m_database->spec();
    stores::SourceSpec spec = sessionSpec(plain.url, tables, advisory);
    spec.password = plain.password;
    return spec;
}

} // namespace lockkeeper::tests
