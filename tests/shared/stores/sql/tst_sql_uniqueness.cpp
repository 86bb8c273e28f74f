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

MappedRow rowOf(const QByteArray &holder)
{
    MappedRow row;
    row.name = "job";
    row.values[size_t(RowKey::Id)] = "17";
    row.values[size_t(RowKey::Holder)] = holder;
    row.times[size_t(RowKey::AcquiredAt)] = {kNow, {}};
    row.times[size_t(RowKey::ExpiresAt)] = {kNow + 60'000'000, {}};
    return row;
}
} // namespace

/** Which rows tell every acquisition from every other: pure. */
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
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<bool>("coarse");
    QTest::newRow("a host, whole seconds") << 0 << QByteArray("job-runner-2") << true;
    QTest::newRow("a host, milliseconds") << 3 << QByteArray("job-runner-2") << false;
    QTest::newRow("a random holder, whole seconds") << 0 << kUuid << false;
}

void TestSqlUniqueness::shedlock()
{
    QFETCH(int, precision);
    QFETCH(QByteArray, holder);
    Table table;
    table.columns = {{"holder", textOf()},
                     {"expires_at", timeOf(ColumnKind::Timestamp, precision)},
                     {"acquired_at", timeOf(ColumnKind::Timestamp, precision)}};
    const RowRules rules(table, SourceSpec(), LockSet(), Protocol::ShedLock);
    const Observation lock = rules.observation(rowOf(holder), kNow);
    QTEST(lock.coarse, "coarse");
    QVERIFY(!lock.repeatable && !lock.identity.isEmpty());
}

void TestSqlUniqueness::mapped_data()
{
    QTest::addColumn<Table>("table");
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<bool>("coarse");
    QTest::addColumn<bool>("repeatable");
    const Column seconds = timeOf(ColumnKind::DateTime, 0);
    const auto row = [](const char *name, const QMap<QByteArray, Column> &columns, const QByteArray &holder,
                        bool coarse, bool repeatable, Dialect dialect = Dialect::MySql) {
        Table table;
        table.dialect = dialect;
        for (auto it = columns.cbegin(); it != columns.cend(); ++it)
            table.columns.insert(it.key(), it.value());
        QTest::newRow(name) << table << holder << coarse << repeatable;
    };
    row("a number that the server counts up", {{"id", idOf(true, true)}, {"acquired_at", seconds}}, {}, false,
        false);
    row("a number of the application's", {{"id", idOf(false, true)}, {"acquired_at", seconds}}, {}, true,
        false);
    row("a number in PostgreSQL", {{"id", idOf(false, true)}, {"acquired_at", seconds}}, {}, false, false,
        Dialect::PostgreSql);
    row("a number in SQLite", {{"id", idOf(false, true)}, {"acquired_at", seconds}}, {}, true, false,
        Dialect::Sqlite);
    row("whole seconds and a host", {{"holder", textOf()}, {"acquired_at", seconds}}, "host-1", true, false);
    row("whole seconds and a random holder", {{"holder", textOf()}, {"acquired_at", seconds}}, kUuid, false,
        false);
    row("microseconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::DateTime, 6)}}, "host-1",
        false, false);
    row("epoch seconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::Epoch, 0, 1'000'000)}},
        "host-1", true, false);
    row("epoch milliseconds", {{"holder", textOf()}, {"acquired_at", timeOf(ColumnKind::Epoch, 0, 1'000)}},
        "host-1", false, false);
    row("only a host", {{"holder", textOf()}, {"expires_at", seconds}}, "host-1", false, true);
    row("only a random holder", {{"holder", textOf()}, {"expires_at", seconds}}, kUuid, false, false);
}

void TestSqlUniqueness::mapped()
{
    QFETCH(Table, table);
    QFETCH(QByteArray, holder);
    const RowRules rules(table, SourceSpec(), LockSet(), Protocol::Insert);
    const Observation lock = rules.observation(rowOf(holder), kNow);
    QVERIFY(lock.held && !lock.identity.isEmpty());
    QTEST(lock.coarse, "coarse");
    QTEST(lock.repeatable, "repeatable");
}

LOCKKEEPER_TEST(TestSqlUniqueness)

} // namespace tst_sql_uniqueness

#include "tst_sql_uniqueness.moc"
