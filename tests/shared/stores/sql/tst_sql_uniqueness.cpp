// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_rules.h"
#include "tests/support/test_program.h"

namespace tst_sql_uniqueness {

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;

namespace {
constexpr qint64 kNow = 1'795'000'000'000'000;
const QByteArray kUuid("3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a");

Column timeOf(ColumnKind kind, int precision, qint64 unitUs = 1)
{
    Column column;
    column.kind = kind;
    column.precision = precision;
    column.unitUs = unitUs;
    return column;
}

Column textOf()
{
    Column column;
    column.kind = ColumnKind::Text;
    return column;
}

Column idOf(bool ascends, bool unique)
{
    Column column;
    column.kind = ColumnKind::Epoch;
    column.ascends = ascends;
    column.unique = unique;
    return column;
}

MappedRow rowOf(const QByteArray &holder, qint64 atUs)
{
    MappedRow row;
    row.name = "job";
    row.values[size_t(RowKey::Id)] = "17";
    row.values[size_t(RowKey::Holder)] = holder;
    row.times[size_t(RowKey::AcquiredAt)] = {atUs, {}};
    row.times[size_t(RowKey::ExpiresAt)] = {atUs + 60'000'000, {}};
    return row;
}
} // namespace

/** The ways in which rows distinguish an acquisition from the same client's next acquisition: pure. */
class TestSqlUniqueness : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shedlock_data();
    void shedlock();
    void mapped_data();
    void mapped();
};

void TestSqlUniqueness::shedlock_data()
{
    QTest::addColumn<int>("precision");
    QTest::addColumn<qint64>("atUs");
    QTest::addColumn<quint32>("stepUs");
    QTest::newRow("whole seconds") << 0 << kNow << 1'000'000U;
    QTest::newRow("milliseconds") << 3 << kNow + 1'000 << 1'000U;
    QTest::newRow("microseconds") << 6 << kNow + 1 << 1U;
    QTest::newRow("whole seconds written into microseconds") << 6 << kNow << 1'000'000U;
}

void TestSqlUniqueness::shedlock()
{
    QFETCH(int, precision);
    QFETCH(qint64, atUs);
    ResolvedTable table;
    table.columns = {{"holder", textOf()},
                     {"expires_at", timeOf(ColumnKind::Timestamp, precision)},
                     {"acquired_at", timeOf(ColumnKind::Timestamp, precision)}};
    const RowRules rules(table, SourceSpec(), LockSet(), Protocol::ShedLock);
    // Even a random holder may belong to the client, not to the acquisition.
    for (const QByteArray &holder : {QByteArray("job-runner-2"), kUuid}) {
        const Observation lock = rules.observation(rowOf(holder, atUs), kNow);
        QTEST(lock.pinStepUs, "stepUs");
        QVERIFY(!lock.ownIdentity && lock.dated && !lock.identity.isEmpty());
    }
}

void TestSqlUniqueness::mapped_data()
{
    QTest::addColumn<ResolvedTable>("table");
    QTest::addColumn<bool>("own");
    QTest::addColumn<bool>("dated");
    QTest::addColumn<quint32>("stepUs");
    const Column seconds = timeOf(ColumnKind::DateTime, 0);
    const auto row = [](const char *name, const QMap<QByteArray, Column> &columns, bool own, bool dated,
                        quint32 stepUs, Dialect dialect = Dialect::MySql) {
        ResolvedTable table;
        table.dialect = dialect;
        for (auto it = columns.cbegin(); it != columns.cend(); ++it)
            table.columns.insert(it.key(), it.value());
        QTest::newRow(name) << table << own << dated << stepUs;
    };
    row("a number that the server counts up", {{"id", idOf(true, true)}}, true, false, 1);
    row("a number of the application's", {{"id", idOf(false, true)}, {"acquired_at", seconds}}, false, true,
        1'000'000);
    row("a number in PostgreSQL", {{"id", idOf(false, true)}, {"acquired_at", seconds}}, true, true,
        1'000'000, Dialect::PostgreSql);
    row("a number in SQLite",
        {{"id", idOf(false, true)}, {"acquired_at", timeOf(ColumnKind::Epoch, 0, 1'000'000)}}, false, true,
        1'000'000, Dialect::Sqlite);
    row("microseconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::DateTime, 6)}}, false, true,
        1);
    row("epoch seconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::Epoch, 0, 1'000'000)}},
        false, true, 1'000'000);
    row("epoch milliseconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::Epoch, 0, 1'000)}},
        false, true, 1'000);
    row("a deadline alone", {{"holder", textOf()}, {"expires_at", seconds}}, false, false, 1'000'000);
    row("the finer of two", {{"acquired_at", seconds}, {"expires_at", timeOf(ColumnKind::DateTime, 3)}},
        false, true, 1'000);
    row("a holder alone", {{"holder", textOf()}}, false, false, 1);
}

void TestSqlUniqueness::mapped()
{
    QFETCH(ResolvedTable, table);
    const RowRules rules(table, SourceSpec(), LockSet(), Protocol::Insert);
    const Observation lock = rules.observation(rowOf(kUuid, kNow + 1), kNow);
    QVERIFY(lock.held);
    QTEST(lock.ownIdentity, "own");
    QTEST(lock.dated, "dated");
    QTEST(lock.pinStepUs, "stepUs");
}

LOCKKEEPER_TEST(TestSqlUniqueness)

} // namespace tst_sql_uniqueness

#include "tst_sql_uniqueness.moc"
