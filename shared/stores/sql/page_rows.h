// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection.h"
#include "shared/stores/sql/row_cells.h"

namespace lockkeeper::stores::sql {

/**
 * A prepared statement that reads many rows, each once, from the first to the last. Of one Connection, which
 * has to outlive it; same thread. Between run() and finish() nothing else may be asked of that connection:
 * where the client library allows it the rows are read as the server sends them, kept nowhere.
 */
class PageRows
{
public:
    enum class Next : quint8 { Row = 0, End, Failed };

    PageRows() = default;
    virtual ~PageRows() = default;
    Q_DISABLE_COPY_MOVE(PageRows)

    /** Runs it with the values that it names; others are ignored. Byte arrays are text. */
    virtual std::optional<base::Error> run(const Values &values) = 0;
    /** Reads the next row into cells(). What fails on the way is in error(); the rows before it were read. */
    virtual Next next() = 0;
    /** Gives back what the rows took, and drops those that are left. */
    virtual void finish() = 0;

    const RowCells &cells() const { return m_cells; }
    const base::Error &error() const { return m_error; }

protected:
    RowCells m_cells;
    base::Error m_error;
};

/** Prepares it, which checks the rights to it. */
base::Result<std::unique_ptr<PageRows>> openPageRows(Connection &connection, const Statement &statement);

/** The same by Qt's driver, which takes the whole answer first. */
base::Result<std::unique_ptr<PageRows>> openQueriedRows(Connection &connection, const Statement &statement);

/**
 * The same by libmariadb itself, on the connection of Qt's driver; null where that is built on another client
 * library, or this build has none. page_rows_mariadb.cpp, page_rows_none.cpp.
 */
base::Result<std::unique_ptr<PageRows>> openStreamedRows(Connection &connection, const Statement &statement);

} // namespace lockkeeper::stores::sql
