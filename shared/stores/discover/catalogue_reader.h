// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/discover/table_facts.h"

namespace lockkeeper::stores::sql {
class Connection;
}

namespace lockkeeper::stores::discover {

/**
 * Reads what a store's catalogue shows of its tables: information_schema and pg_catalog, sqlite_master and
 * its pragmas. Nothing of a table itself is read but by sample(). Blocking, on the connection's thread; every
 * wait is bounded by the connection's limits.
 */
class CatalogueReader
{
public:
    static constexpr int kMostTables = 5'000;
    static constexpr int kSampleRows = 20;

    /** `store`: "mysql", "postgresql" or "sqlite". The connection isn't owned. */
    CatalogueReader(sql::Connection &connection, QByteArray store);

    /** The schemas that this user may read beside the one that names lead to; other stores have none. */
    base::Result<QStringList> schemas();
    /** From now on names lead to this schema alone. */
    base::Result<void> enter(const QString &schema);
    /** The tables of the database by name, views and the server's own left out, at most kMostTables. */
    base::Result<QStringList> tables();
    /** Columns and unique keys of some of them; one that is gone meanwhile is left out. */
    base::Result<QList<TableFacts>> facts(const QStringList &tables);
    /** The values of at most kSampleRows rows, of these columns alone. `holder` may be empty. */
    base::Result<Sample> sample(const TableFacts &table, const QStringList &columns, const QString &holder);
    base::Result<QString> database();
    /** The server's product and version. */
    QString server() const;

private:
    base::Result<void> readColumns(const QStringList &tables, QHash<QString, TableFacts> &into);
    base::Result<void> readKeys(const QStringList &tables, QHash<QString, TableFacts> &into);
    QString quoted(const QString &name) const;
    QString microseconds(const ColumnFacts &column) const;

    sql::Connection &m_connection;
    QByteArray m_store;
};

} // namespace lockkeeper::stores::discover
