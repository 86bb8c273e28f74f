// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/page_rows.h"

#include <QSqlRecord>

namespace lockkeeper::stores::sql {

namespace {
/** By Qt's driver, which takes the whole answer first. */
class QueriedRows final : public PageRows
{
public:
    explicit QueriedRows(std::unique_ptr<Prepared> statement) : m_statement(std::move(statement)) {}

    std::optional<base::Error> run(const Values &values) override
    {
        if (const auto failed = m_statement->run(values))
            return failed->error;
        m_columns = m_statement->rows().record().count();
        return std::nullopt;
    }

    Next next() override
    {
        if (!m_statement->rows().next())
            return Next::End;
        m_cells = m_read.read(m_statement->rows(), m_columns);
        return Next::Row;
    }

    void finish() override { m_statement->finish(); }

private:
    std::unique_ptr<Prepared> m_statement;
    QueryCells m_read;
    int m_columns = 0;
};
} // namespace

base::Result<std::unique_ptr<PageRows>> openQueriedRows(Connection &connection, const Statement &statement)
{
    return connection.prepare(statement).map(
        [](std::unique_ptr<Prepared> prepared) -> std::unique_ptr<PageRows> {
            return std::make_unique<QueriedRows>(std::move(prepared));
        });
}

base::Result<std::unique_ptr<PageRows>> openPageRows(Connection &connection, const Statement &statement)
{
    if (connection.dialect() == Dialect::MySql) {
        auto streamed = openStreamedRows(connection, statement);
        if (!streamed || *streamed)
            return streamed;
    }
    return openQueriedRows(connection, statement);
}

} // namespace lockkeeper::stores::sql
