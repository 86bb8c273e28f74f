// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/registered_waiters.h"
#include "shared/stores/sql/sets/set_reader.h"
#include "shared/stores/sql/tables/row_cells.h"
#include "shared/stores/sql/tables/statements.h"

#include <deque>

namespace lockkeeper::stores::sql {

/**
 * The common part of all tables of locks. The set reads its table in the order of its key, range by range,
 * and prepares each statement on its first use. It reads a range to its end at once, row by row into the
 * pages that it hands out afterwards. So a slow reader never holds the server's statement open, and the set
 * never keeps more than a range.
 */
class TableSet : public SetReader
{
public:
    const ResolvedTable &table() const { return m_table; }
    quint16 set() const { return m_set; }
    QString breakGrant() const { return m_breakGrant; }

    QByteArray place() const override { return m_table.place(); }
    QList<domain::Access> access() override;
    base::Result<void> beginScan() override;
    void rewind() override;
    base::Result<void> beginRange(const ReadSize &size) override;
    SetPage page(QList<Observation> spare) override;
    QString heldIndex() override;
    bool leftOut() const override { return m_leftOut; }
    base::Result<bool> beginHeld(qint64 sinceUs, const ReadSize &size) override;

    base::Result<qint64> storeTimeUs() { return m_connection.storeTimeUs(); }
    /** A statement of the scheme, prepared on its first use. Preparing checks the rights to it. */
    base::Result<Prepared *> statement(const QByteArray &name);
    /** The same error; for a denied right with its cause and a remedy, which may be to run `grant`. */
    base::Error explained(base::Error error, const QString &grant) const;
    const QString &observeGrant() const { return m_observeGrant; }

protected:
    TableSet(const SetContext &context, ResolvedTable table, Statements statements);

    /**
     * Fills in `lock` from a row, whose bytes it must copy; it may overwrite the old content of `lock`. False
     * where the row is no lock of this set.
     */
    virtual bool observeRow(Observation &lock, const RowCells &row, qint64 nowUs) = 0;
    /** The column of the statement [row] that has the store's clock. */
    virtual int nowColumn() const = 0;

    /** The values that every statement of the table may name. */
    virtual void addValues(Values &values) const { Q_UNUSED(values) }

    QList<domain::Access> waitersAccess();
    /** Reads the registered waiters, where clients register; only a lost link is an error. */
    base::Result<void> readWaiters();
    void addWaiters(Observation &lock) const;
    bool registersWaiters() const { return m_waiters.has_value(); }
    bool matches(const QByteArray &name) const;
    /** The error for a row whose name isn't read whole: nothing distinguishes it from other rows. */
    base::Error longName() const;
    /** Runs the statements for observing, as far as they show which rights are missing. */
    base::Result<void> tryReading();

private:
    /** The rows that a scan has read and not yet handed out. */
    struct ReadRange
    {
        std::deque<QList<Observation>> pages;
        qint64 scanned = 0;
        qint64 beganUs = 0; ///< 0: no row read yet
        qint64 endedUs = 0;
        bool isLast = false; ///< of the set
    };

    void restart();
    base::Result<void> readRange(const QByteArray &statement, const Values &values, const ReadSize &size);
    std::optional<base::Error> readRows(QSqlQuery &rows, const ReadSize &size);
    /** Adds the rows whose name has a part that is NULL, at the end of the set. */
    base::Result<void> readNameless(const ReadSize &size);
    QList<Observation> newPage(int size);
    /** Notes where the next range begins. False where that leads back to the same range. */
    bool noteKey(const RowCells &row);
    /** The first of the columns in the statement [row] that order a scan. */
    int firstKeyColumn() const;

    SqlConnection &m_connection;
    ResolvedTable m_table;
    Statements m_statements;
    quint16 m_set;
    QByteArray m_match;
    bool m_takesAll;
    QByteArray m_likePrefix; ///< empty: the glob doesn't begin with plain text
    QString m_account;
    QString m_observeGrant;
    QString m_breakGrant;
    QString m_waitersGrant;
    std::optional<RegisteredWaiters> m_waiters;
    QHash<QByteArray, std::shared_ptr<Prepared>> m_prepared;
    bool m_policed = false;       ///< PostgreSQL's row level security applies to it
    bool m_nameless = false;      ///< a part of a name may be NULL
    bool m_longNames = false;     ///< names may have more than kLongestValue bytes
    bool m_leftOut = false;       ///< and some names had
    bool m_deadlinesHold = false; ///< the store's clock alone says what a deadline means
    ReadRange m_range;
    QList<QList<Observation>> m_spare; ///< processed pages, for reuse
    QList<QByteArray> m_lastKey;       ///< where the next range begins; empty: at the table's first row
};

/** A LIKE pattern that matches every name that the glob matches; empty where no pattern would help. */
QByteArray likePrefix(const QByteArray &glob);

/** A value that SQL never takes for NULL, even when it is empty. */
QVariant notNull(const QByteArray &bytes);

} // namespace lockkeeper::stores::sql
