// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_rules.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace tst_sql_shedlock {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using domain::ExpiryKind;

namespace {
constexpr qint64 kNow = 1'795'000'000'000'000; // 2026-11-18 11:06:40 UTC

ResolvedTable tableOf(ColumnKind kind, int precision = 6, qint64 unitUs = 1)
{
    Column time;
    time.kind = kind;
    time.precision = precision;
    time.unitUs = unitUs;
    ResolvedTable table;
    Column text;
    text.kind = ColumnKind::Text;
    table.columns = {{"expires_at", time}, {"acquired_at", time}, {"holder", text}};
    return table;
}

RowRules rulesOf(const ResolvedTable &table, const QByteArray &zone = "UTC")
{
    SourceSpec spec;
    spec.timeZone = zone;
    return {table, spec, LockSet(), Protocol::ShedLock};
}

/** A row "n" of the holder "h". */
MappedRow rowOf(qint64 expiresAt, qint64 acquiredAt)
{
    MappedRow row;
    row.name = "n";
    row.values[size_t(RowKey::Holder)] = "h";
    row.times[size_t(RowKey::AcquiredAt)] = {acquiredAt, {}};
    row.times[size_t(RowKey::ExpiresAt)] = {expiresAt, {}};
    return row;
}
} // namespace

/** Times of columns, and the meaning of a row in ShedLock's protocol: pure. */
class SqlShedlockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void steps_data();
    void steps();
    void spans_data();
    void spans();
    void writeOffsets_data();
    void writeOffsets();
    void incompleteRows();
    void heldUntilTheDeadline();
    void repeatedHourIsHeldThroughout();
    void nonsenseIsNeverExpired_data();
    void nonsenseIsNeverExpired();
};

void SqlShedlockTest::texts_data()
{
    QTest::addColumn<ColumnKind>("kind");
    QTest::addColumn<int>("precision");
    QTest::addColumn<qint64>("raw");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("seconds") << ColumnKind::Timestamp << 0 << kNow << QByteArray("2026-11-18 11:06:40");
    QTest::newRow("microseconds") << ColumnKind::Timestamp << 6 << kNow + 1
                                  << QByteArray("2026-11-18 11:06:40.000001");
    QTest::newRow("milliseconds") << ColumnKind::DateTime << 3 << kNow - 1
                                  << QByteArray("2026-11-18 11:06:39.999");
    QTest::newRow("zero date") << ColumnKind::Timestamp << 3 << qint64(0)
                               << QByteArray("0000-00-00 00:00:00.000");
    QTest::newRow("epoch as datetime")
        << ColumnKind::DateTime << 0 << qint64(0) << QByteArray("1970-01-01 00:00:00");
    QTest::newRow("before the epoch")
        << ColumnKind::DateTime << 6 << qint64(-1) << QByteArray("1969-12-31 23:59:59.999999");
    QTest::newRow("the last second") << ColumnKind::DateTime << 0 << qint64(253402300799000000)
                                     << QByteArray("9999-12-31 23:59:59");
    QTest::newRow("integer") << ColumnKind::Epoch << 0 << qint64(-5) << QByteArray("-5");
}

void SqlShedlockTest::texts()
{
    QFETCH(ColumnKind, kind);
    QFETCH(int, precision);
    QFETCH(qint64, raw);
    const TimeColumn column(tableOf(kind, precision).column("expires_at"), QTimeZone("Europe/Berlin"));
    QTEST(column.text({raw, {}}), "text");
    QCOMPARE(column.text({std::nullopt, "2026-00-00 00:00:00"}), "2026-00-00 00:00:00");
    QVERIFY(column.text({}).isNull());
}

void SqlShedlockTest::steps_data()
{
    QTest::addColumn<ColumnKind>("kind");
    QTest::addColumn<int>("precision");
    QTest::addColumn<qint64>("raw");
    QTest::addColumn<quint32>("step");
    QTest::newRow("seconds") << ColumnKind::Timestamp << 0 << kNow << 1'000'000U;
    QTest::newRow("milliseconds") << ColumnKind::DateTime << 3 << kNow << 1'000U;
    QTest::newRow("microseconds") << ColumnKind::DateTime << 6 << kNow + 1'000 << 1U;
    QTest::newRow("whole seconds in a finer column") << ColumnKind::DateTime << 6 << kNow << 1'000'000U;
    QTest::newRow("a number") << ColumnKind::Epoch << 0 << qint64(1) << 1'000U;
}

void SqlShedlockTest::steps()
{
    QFETCH(ColumnKind, kind);
    QFETCH(int, precision);
    QFETCH(qint64, raw);
    Column column = tableOf(kind, precision).column("expires_at");
    column.unitUs = 1'000;
    QTEST(TimeColumn(column, QTimeZone::utc()).stepUs({raw, {}}), "step");
    const TimeColumn text(column, QTimeZone::utc(), Dialect::Sqlite);
    QCOMPARE(text.stepUs({std::nullopt, "2026-11-18 11:06:40"}), 1'000'000U);
    QCOMPARE(text.stepUs({std::nullopt, "2026-11-18T11:06:40.125Z"}), 1'000U);
}

void SqlShedlockTest::spans_data()
{
    QTest::addColumn<ColumnKind>("kind");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<qint64>("raw");
    QTest::addColumn<qint64>("from"); // -1: nonsense
    QTest::addColumn<qint64>("to");
    const qint64 s = 1'000'000;
    const qint64 h = 3600 * s;
    const qint64 repeated = 1'792'895'400 * s; // 2026-10-25 02:30:00 as if UTC
    const qint64 skipped = 1'774'751'400 * s;  // 2026-03-29 02:30:00
    QTest::newRow("timestamp has no zone")
        << ColumnKind::Timestamp << QByteArray("Europe/Berlin") << kNow << kNow << kNow;
    QTest::newRow("UTC") << ColumnKind::DateTime << QByteArray("UTC") << kNow << kNow << kNow;
    QTest::newRow("winter") << ColumnKind::DateTime << QByteArray("Europe/Berlin") << kNow << kNow - h
                            << kNow - h;
    QTest::newRow("half hours") << ColumnKind::DateTime << QByteArray("Asia/Kolkata") << kNow
                                << kNow - 11 * h / 2 << kNow - 11 * h / 2;
    QTest::newRow("repeated hour") << ColumnKind::DateTime << QByteArray("Europe/Berlin") << repeated
                                   << repeated - 2 * h << repeated - h;
    QTest::newRow("an hour before it") << ColumnKind::DateTime << QByteArray("Europe/Berlin") << repeated - h
                                       << repeated - 3 * h << repeated - 3 * h;
    QTest::newRow("skipped hour") << ColumnKind::DateTime << QByteArray("Europe/Berlin") << skipped
                                  << qint64(-1) << qint64(-1);
    QTest::newRow("zero date") << ColumnKind::Timestamp << QByteArray("UTC") << qint64(0) << qint64(-1)
                               << qint64(-1);
    QTest::newRow("negative") << ColumnKind::DateTime << QByteArray("UTC") << qint64(-1) << qint64(-1)
                              << qint64(-1);
    QTest::newRow("year 9999") << ColumnKind::DateTime << QByteArray("UTC") << qint64(253402300799000000)
                               << qint64(-1) << qint64(-1);
}

void SqlShedlockTest::spans()
{
    QFETCH(ColumnKind, kind);
    QFETCH(QByteArray, zone);
    QFETCH(qint64, raw);
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    const TimeColumn column(tableOf(kind).column("expires_at"), QTimeZone(zone));
    const auto span = column.span({raw, {}});
    QCOMPARE(span.has_value(), from >= 0);
    if (span)
        QCOMPARE(*span, (TimeSpan{from, to}));
    QVERIFY(!column.span({}));
}

void SqlShedlockTest::writeOffsets_data()
{
    QTest::addColumn<qint64>("utc");
    QTest::addColumn<int>("hours");
    const qint64 s = 1'000'000;
    QTest::newRow("winter") << kNow << 1;
    QTest::newRow("summer") << qint64(1'784'000'000) * s << 2;
    QTest::newRow("first pass of the repeated hour") << qint64(1'792'888'200) * s << 1;
    QTest::newRow("second pass") << qint64(1'792'891'800) * s << 1;
    QTest::newRow("just before") << qint64(1'792'886'399) * s << 2;
}

void SqlShedlockTest::writeOffsets()
{
    QFETCH(qint64, utc);
    QFETCH(int, hours);
    const TimeColumn zoned(tableOf(ColumnKind::DateTime).column("expires_at"), QTimeZone("Europe/Berlin"));
    QCOMPARE(zoned.writeOffsetUs(utc), hours * 3'600'000'000LL);
    const TimeColumn stamp(tableOf(ColumnKind::Timestamp).column("expires_at"), QTimeZone("Europe/Berlin"));
    QCOMPARE(stamp.writeOffsetUs(utc), 0);
}

void SqlShedlockTest::incompleteRows()
{
    const RowRules rules = rulesOf(tableOf(ColumnKind::Timestamp, 3));
    const MappedRow whole = rowOf(kNow + 1, kNow);
    const Observation seen = rules.observation(whole, kNow);
    QCOMPARE(seen.identity, encodedValues({{"holder", "h"}, {"acquired_at", "2026-11-18 11:06:40.000"}}));
    QCOMPARE(seen.flaw, Flaw::None);
    MappedRow nobody = whole;
    nobody.values[size_t(RowKey::Holder)] = QByteArray();
    MappedRow noTime = whole;
    noTime.times[size_t(RowKey::AcquiredAt)] = {};
    for (const MappedRow &row : {nobody, noTime}) {
        for (const qint64 now : {kNow, kNow + 1}) {
            const Observation lock = rules.observation(row, now);
            QCOMPARE(lock.held, now == kNow);
            QCOMPARE(lock.flaw, Flaw::NullIdentity);
            QVERIFY(lock.identity.isEmpty());
        }
    }
}

void SqlShedlockTest::heldUntilTheDeadline()
{
    const RowRules rules = rulesOf(tableOf(ColumnKind::Timestamp));
    const auto heldAt = [&](qint64 deadline) { return rules.observation(rowOf(deadline, kNow - 5), kNow); };
    QVERIFY(heldAt(kNow + 1).held);
    QVERIFY(!heldAt(kNow).held);
    QVERIFY(!heldAt(kNow - 1).held);
    const Observation lock = heldAt(kNow + 1);
    QCOMPARE(lock.name, "n");
    QCOMPARE(lock.owner, "h");
    QCOMPARE(lock.token, "h");
    QCOMPARE(lock.acquiredUs, domain::TimeUs(kNow - 5));
    QCOMPARE(lock.expiresBy, domain::Evidence::Column);
    // Renewing moves the deadline alone: the acquisition stays the same.
    QCOMPARE(heldAt(kNow + 2).identity, lock.identity);
    QVERIFY(heldAt(kNow + 2).freshness != lock.freshness);
    // A free row still names its last holder, and when the hold ended.
    QCOMPARE(heldAt(kNow).identity, lock.identity);
    QCOMPARE(heldAt(kNow).expiry, ExpiryKind::At);
    QCOMPARE(heldAt(kNow).expiresUs, kNow);
}

void SqlShedlockTest::repeatedHourIsHeldThroughout()
{
    const RowRules rules = rulesOf(tableOf(ColumnKind::DateTime), "Europe/Berlin");
    const qint64 wall = 1'792'895'400'000'000; // 2026-10-25 02:30:00, twice
    const qint64 h = 3'600'000'000;
    const auto at = [&](qint64 now) { return rules.observation(rowOf(wall, wall), now); };
    QVERIFY(at(wall - 2 * h - 1).held);
    QVERIFY(at(wall - 2 * h + 1).held); // past the earlier reading of it only
    QVERIFY(!at(wall - h).held);
    QCOMPARE(at(0).expirySlackUs, h);
    QVERIFY(!at(0).acquiredUs);
}

void SqlShedlockTest::nonsenseIsNeverExpired_data()
{
    QTest::addColumn<ColumnKind>("kind");
    QTest::addColumn<qint64>("unitUs");
    QTest::addColumn<qint64>("raw");
    QTest::addColumn<bool>("held");
    QTest::newRow("never") << ColumnKind::DateTime << qint64(1) << qint64(253402300799000000) << true;
    QTest::newRow("zero date") << ColumnKind::Timestamp << qint64(1) << qint64(0) << false;
    QTest::newRow("negative") << ColumnKind::DateTime << qint64(1) << qint64(-1'000'000) << false;
    QTest::newRow("seconds for milliseconds")
        << ColumnKind::Epoch << qint64(1'000) << qint64(1'795'000'000) << true;
    QTest::newRow("milliseconds for seconds")
        << ColumnKind::Epoch << qint64(1'000'000) << qint64(1'795'000'000'000) << true;
    QTest::newRow("the largest integer")
        << ColumnKind::Epoch << qint64(1'000'000) << std::numeric_limits<qint64>::max() << true;
}

void SqlShedlockTest::nonsenseIsNeverExpired()
{
    QFETCH(ColumnKind, kind);
    QFETCH(qint64, unitUs);
    QFETCH(qint64, raw);
    QFETCH(bool, held);
    const Observation lock = rulesOf(tableOf(kind, 6, unitUs)).observation(rowOf(raw, kNow), kNow);
    QCOMPARE(lock.expiry, ExpiryKind::Unknown);
    QCOMPARE(lock.flaw, Flaw::BadTime);
    QCOMPARE(lock.held, held);
}

LOCKKEEPER_TEST(SqlShedlockTest)

} // namespace tst_sql_shedlock

#include "tst_sql_shedlock.moc"
