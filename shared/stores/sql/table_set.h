// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/set_reader.h"
#include "shared/stores/sql/statements.h"

namespace lockkeeper::stores::sql {

/**
 * What every table of locks has in common: it is read in the order of its key, range by range, so that the
 * driver never buffers more than one, and its statements are prepared when first asked for.
 */
class TableSet : public SetReader
{
public:
    const Table &table() const { return m_table; }
    quint16 set() const { return m_set; }
    QString breakGrant() const { return m_breakGrant; }

    QByteArray place() const override { return m_table.place(); }
    QList<domain::Access> access() override;
    void rewind() override;
    base::Result<void> beginRange(int limit) override;
    SetPage page(int most, QList<Observation> spare) override;
    QString heldIndex() override;
    base::Result<bool> beginHeld(qint64 sinceUs, int limit) override;

    base::Result<qint64> storeTimeUs() { return m_connection.storeTimeUs(); }
    /** A statement of the scheme, prepared when first asked for. Preparing checks the rights to it. */
    base::Result<Prepared *> statement(const QByteArray &name);

protected:
    TableSet(const SetContext &context, Table table, Statements statements);

    /**
     * Fills in `lock` from a row; what it held before may be written over. False where the row is no lock of
     * this set.
     */
    virtual bool observeRow(Observation &lock, const QSqlQuery &row, qint64 nowUs) = 0;
    /** The column of the statement [row] that has the store's clock. */
    virtual int nowColumn() const = 0;

    /** The values that every statement of the table may name. */
    virtual void addValues(Values &values) const { Q_UNUSED(values) }

    bool matches(const QByteArray &name) const;
    base::Error withObserveGrant(base::Error error) const;

private:
    /** The rows that a pass is at. */
    struct Range
    {
        Prepared *statement = nullptr; ///< in m_prepared
        int limit = 0;
        qint64 scanned = 0;
        qint64 beganUs = 0; ///< 0: no row read yet
        qint64 endedUs = 0;
        qint64 askedUs = 0; ///< before the statement was sent
    };

    base::Result<void> readRange(const QByteArray &statement, const Values &values, int limit);

    void noteKey(const QSqlQuery &row);
    /** Where the statement [row] has the columns that a pass is ordered by. */
    int firstKeyColumn() const;

    Connection &m_connection;
    Table m_table;
    Statements m_statements;
    quint16 m_set;
    QByteArray m_match;
    QByteArray m_likePrefix; ///< empty: the glob doesn't begin with plain text
    QString m_observeGrant;
    QString m_breakGrant;
    QHash<QByteArray, std::shared_ptr<Prepared>> m_prepared;
    bool m_deadlinesHold = false; ///< the store's clock alone says what a deadline means
    Range m_range;
    QList<QByteArray> m_lastKey; ///< where the next range begins; empty: at the table's first row
};

/** The LIKE pattern that every name fits that fits the glob; empty where there is none worth having. */
QByteArray likePrefix(const QByteArray &glob);

/** A value that SQL may not take for NULL, whatever its length. */
QVariant notNull(const QByteArray &bytes);

} // namespace lockkeeper::stores::sql
