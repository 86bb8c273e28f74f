// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/server_facts.h"
#include "shared/stores/sql/shedlock.h"

namespace lockkeeper::stores::sql {

/** Some rows of a table, in the order of its key, and the store's time around their reading. */
struct TablePage
{
    QList<Observation> locks;
    qint64 scanned = 0;
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    bool rangeEnds = false; ///< the next page needs beginRange() again, unless the table ends
    bool tableEnds = false;
};

/** One row, read alone. */
struct RowReading
{
    std::optional<LockRow> row; ///< empty: there is no such row
    qint64 nowUs = 0; ///< the store's clock in the same statement, or just after where there is no row
};

/** One lock set of a source on an open connection: the resolved table and its prepared statements. */
class LockTable
{
public:
    /**
     * Finds the table in the catalogue and prepares what observing needs. The error of a missing right
     * carries the GRANT to run.
     */
    static base::Result<std::unique_ptr<LockTable>> open(Connection &connection, const SourceSpec &spec,
                                                         quint16 set, const ServerFacts &facts,
                                                         const QSet<QByteArray> &withoutTerms);

    const Table &table() const { return m_table; }
    const ShedlockReader &reader() const { return m_reader; }
    quint16 set() const { return m_set; }
    QString breakGrant() const { return m_breakGrant; }
    QString observeGrant() const { return m_observeGrant; }

    /** Begins at the first row of the table. */
    void rewind();
    /** Reads the next `limit` rows in one statement, which the driver keeps; page() hands them out. */
    base::Result<void> beginRange(int limit);
    /** The next rows of the range, at most `most`, written over `spare`.
     */
    TablePage page(int most, QList<Observation> spare = {});
    base::Result<RowReading> one(const QByteArray &name);
    /** The observation of one name, absent ones too. */
    Observation observation(const QByteArray &name, const RowReading &reading) const;
    base::Result<qint64> storeTimeUs();

    /** A statement of the scheme, prepared when first asked for. Preparing checks the rights to it. */
    base::Result<Prepared *> statement(const QByteArray &name);

private:
    LockRow lockRowOf(const QSqlQuery &row) const;
    LockTable(Connection &connection, Table table, const QTimeZone &zone, Statements statements, quint16 set);

    Connection &m_connection;
    Table m_table;
    ShedlockReader m_reader;
    Statements m_statements;
    quint16 m_set;
    QByteArray m_match;
    QByteArray m_likePrefix; ///< empty: the glob doesn't begin with plain text
    QString m_observeGrant;
    QString m_breakGrant;
    int m_oddExpiry = -1; ///< where the statement [row] has the texts of odd times; -1: nowhere
    int m_oddAcquisition = -1;
    QHash<QByteArray, std::shared_ptr<Prepared>> m_prepared;

    /** The rows that a pass is at. */
    struct Range
    {
        Prepared *statement = nullptr; ///< in m_prepared
        int limit = 0;
        qint64 scanned = 0;
        qint64 beganUs = 0; ///< 0: no row read yet
        qint64 endedUs = 0;
    };
    Range m_range;
    QByteArray m_lastName; ///< where the next range begins; null: at the table's first row
};

/** The LIKE pattern that every name fits that fits the glob; empty where there is none worth having. */
QByteArray likePrefix(const QByteArray &glob);

} // namespace lockkeeper::stores::sql
