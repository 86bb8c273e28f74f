// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shared/stores/sql/session_probe.h"
#include "tests/shared/stores/sql/test_database.h"

namespace lockkeeper::tests {

/** A server that shows its sessions and may kill them, and the stock clients that go with it. */
class SessionRig
{
public:
    /** Starts the server, or reuses a running one, with an empty database: "mariadb-sessions", "mysql" or
     * "postgresql"; false if no such server exists. */
    bool start(const QString &server);

    TestDatabase &database() { return *m_database; }
    bool isPostgres() const;
    /** The command-line client. */
    std::unique_ptr<StockClient> shell() const;
    /** Debian's Python client. */
    std::unique_ptr<StockClient> python() const;
    /** A client of either kind. */
    std::unique_ptr<StockClient> either(bool python) const { return python ? this->python() : shell(); }
    /** The number of the client's connection, as the server has it. */
    QByteArray connectionOf(StockClient &client) const;
    /** A table as locks of it are placed: "database.table". */
    QByteArray place(const char *table) const;
    stores::SourceSpec spec(const QStringList &tables, bool advisory = false) const;

private:
    std::unique_ptr<TestDatabase> m_database;
};

} // namespace lockkeeper::tests
