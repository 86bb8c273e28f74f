// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/lock_table.h"

#include "shared/stores/sql/long_values.h"
#include "shared/stores/sql/releaser.h"

#include <QSqlRecord>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kNowColumn = 4; ///< of the statement [row]

RawTime rawTimeOf(const RowCells &row, int raw, int odd)
{
    const RowCell &cell = row[size_t(raw)];
    if (!cell.isNull())
        return {cell.toNumber(), {}};
    return {std::nullopt, odd < 0 ? QByteArray() : row[size_t(odd)].bytes()};
}
} // namespace

LockTable::LockTable(const SetContext &context, Table table, Statements statements)
    : TableSet(context, std::move(table), std::move(statements)),
      m_facts(context.facts),
      m_seams(context.seams),
      m_zone(context.spec.timeZone),
      m_match(context.lockSet().match),
      m_reader(this->table(), QTimeZone(context.spec.timeZone))
{
    int column = kNowColumn;
    if (this->table().column("expires_at").kind == ColumnKind::DateTime)
        m_oddExpiry = ++column;
    if (this->table().column("acquired_at").kind == ColumnKind::DateTime)
        m_oddAcquisition = ++column;
}

std::optional<binlog::WatchedSet> LockTable::watched() const
{
    return binlog::watchedShedlock(table(), m_zone, set(), m_match);
}

base::Result<std::unique_ptr<LockTable>> LockTable::open(const SetContext &context)
{
    const LockSet &lockSet = context.lockSet();
    const auto layout = layoutOf(lockSet);
    if (!layout)
        return tl::unexpected(layout.error());
    const auto text = statementText(lockSet.scheme);
    if (!text)
        return tl::unexpected(text.error());
    const auto catalogue = readCatalogue(context.connection, *layout, context.facts.account);
    if (!catalogue)
        return tl::unexpected(catalogue.error());
    auto table = resolve(*layout, lockSet.table, *catalogue, context.connection.dialect());
    if (!table)
        return tl::unexpected(table.error());
    auto statements = Statements::build(*text, *table, context.seams.withoutTerms);
    if (!statements)
        return tl::unexpected(statements.error());
    std::unique_ptr<LockTable> made(new LockTable(context, *std::move(table), *std::move(statements)));
    if (const auto readable = made->statement("one"); !readable)
        return tl::unexpected(made->withObserveGrant(readable.error()));
    return made;
}

int LockTable::nowColumn() const
{
    return kNowColumn;
}

/** Reads the columns of the statement [row]; the bytes live as long as the row. */
LockRow LockTable::lockRowOf(const RowCells &row) const
{
    return {row[0].view(), rawTimeOf(row, 1, m_oddExpiry), rawTimeOf(row, 2, m_oddAcquisition),
            row[3].view()};
}

bool LockTable::observeRow(Observation &lock, const RowCells &row, qint64 nowUs)
{
    const LockRow read = lockRowOf(row);
    if (!matches(read.name))
        return false;
    m_reader.observe(lock, set(), read, nowUs);
    return true;
}

base::Result<RowReading> LockTable::readRow(const QByteArray &name)
{
    const auto statement = this->statement("one");
    if (!statement)
        return tl::unexpected(withObserveGrant(statement.error()));
    if (const auto failed = (*statement)->run({{"name", notNull(name)}}))
        return tl::unexpected(withObserveGrant(failed->error));
    QSqlQuery &rows = (*statement)->rows();
    RowReading reading;
    if (rows.next()) {
        QueryCells read;
        const RowCells &cells = read.read(rows, rows.record().count());
        if (hasLongName(cells, 1)) {
            (*statement)->finish();
            return tl::unexpected(longName());
        }
        LockRow &row = reading.row.emplace(lockRowOf(cells));
        row.name = cells[0].bytes();
        row.holder = cells[3].bytes();
        reading.nowUs = cells[kNowColumn].toNumber();
        (*statement)->finish();
        return reading;
    }
    (*statement)->finish();
    const auto now = storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    reading.nowUs = *now;
    return reading;
}

Observation LockTable::observation(const QByteArray &name, const RowReading &reading) const
{
    if (reading.row)
        return m_reader.observation(set(), *reading.row, reading.nowUs);
    Observation absent;
    absent.set = set();
    absent.present = false;
    absent.name = name;
    return absent;
}

base::Result<SetReading> LockTable::one(const QByteArray &name)
{
    return readRow(name).map([&](const RowReading &reading) {
        return SetReading{observation(name, reading), reading.nowUs};
    });
}

ReleaseResult LockTable::release(const ReleaseOrder &order, JobStage &stage)
{
    return Releaser(*this, m_facts, m_seams).run(order, stage);
}

} // namespace lockkeeper::stores::sql
