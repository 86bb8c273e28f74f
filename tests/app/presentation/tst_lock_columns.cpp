// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query_match.h"
#include "app/models/locks_order.h"
#include "app/presentation/lock_formatter.h"
#include "app/records/csv_lines.h"
#include "app/records/records.h"
#include "tests/app/models/lock_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_lock_columns {

using namespace lockkeeper;
using namespace lockkeeper::app;
using namespace lockkeeper::tests;

/** Each column of Locks has a title, a text, an order, an exported value, and a field of the filter or none
 * on purpose. */
class LockColumnsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isDescribed_data();
    void isDescribed();
    void sorts_data() { isDescribed_data(); }
    void sorts();
    void isExported_data() { isDescribed_data(); }
    void isExported();
    void isFiltered_data() { isDescribed_data(); }
    void isFiltered();
};

namespace {

constexpr qint64 kNowUs = 1'800'000'000'000'000;

/** A lock with a value for every column; with a greater `rank` every value comes later in ascending order. */
domain::LockState lockOf(int rank)
{
    const QByteArray text = "v" + QByteArray::number(rank);
    domain::LockState state;
    state.key = {QString::fromUtf8("source-" + text), "redis." + text, "place-" + text, "name-" + text};
    state.phase = domain::Phase::Held;
    state.owner = "owner-" + text;
    state.token = "token-" + text;
    state.fencing = "fence-" + text;
    state.acquiredUs = kNowUs - (10 + rank) * 60'000'000; // held longer
    state.windowUs = 1'000 * (1 + rank);
    state.renewals = quint32(1 + rank);
    state.renewedUs = kNowUs - (1 + rank) * 1'000'000; // silent longer
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = kNowUs + (20 + rank) * 1'000'000;
    state.ttlMs = 60'000;
    state.depth = quint32(1 + rank);
    state.waitersVisible = true;
    for (int i = 0; i <= rank; ++i)
        state.waiters.append({"w" + QByteArray::number(i), kNowUs - (5 + rank) * 1'000'000, {}});
    state.release.safety = rank == 0 ? domain::ReleaseSafety::Guarded : domain::ReleaseSafety::Unsafe;
    state.guard = text;
    state.seenUs = kNowUs;
    return state;
}

models::LockRow rowOf(int rank)
{
    models::LockRow row;
    row.lock = replica::PackedLock(lockOf(rank));
    row.badge = rank == 0 ? replica::Badge::Stuck : replica::Badge::Contended;
    return row;
}

/** A column's later value ascends, except where the greater value is shown first. */
bool descends(int column)
{
    return column == models::AcquiredColumn;
}

/** A filter by the field that only the row of rank 1 matches; null: both rows have the same value. */
const char *filterOf(filter::QueryField field)
{
    switch (field) {
    case filter::QueryField::Name:
        return "name:name-v1";
    case filter::QueryField::Holder:
        return "holder:owner-v1";
    case filter::QueryField::Held:
        return "held>630s";
    case filter::QueryField::Ttl:
        return "ttl>20500ms";
    case filter::QueryField::Waiters:
        return "waiters>1";
    case filter::QueryField::Source:
        return "source:source-v1";
    case filter::QueryField::Release:
        return "release:unsafe";
    case filter::QueryField::Wait:
        return "wait>5500ms";
    case filter::QueryField::Scheme:
        return "scheme:redis.v1";
    case filter::QueryField::Place:
        return "place:place-v1";
    case filter::QueryField::Agent:
        return "agent:dc1";
    case filter::QueryField::State: // contended
    case filter::QueryField::Alive: // renewed
        return nullptr;
    default:
        return "";
    }
}

} // namespace

void LockColumnsTest::isDescribed_data()
{
    QTest::addColumn<int>("column");
    for (int column = 0; column < models::LockColumnCount; ++column)
        QTest::newRow(models::kLockColumnNames[size_t(column)]) << column;
}

void LockColumnsTest::isDescribed()
{
    QFETCH(int, column);
    LockFixture fixture;
    const presentation::Theme theme;
    words::TimeFormat times;
    const presentation::LockFormatter formatter(&theme, &times);
    domain::LockState state = lockOf(1);
    state.key.source = QStringLiteral("s");
    fixture.replica.beginTable();
    fixture.replica.addPage({state}, {fixture.source(state.key.source)});
    fixture.replica.completeTable(fixture.replica.seq());
    QCOMPARE(fixture.model->rowCount(), 1);
    fixture.model->setFormatter(&formatter);
    const QModelIndex cell = fixture.model->index(0, column);
    QVERIFY2(!fixture.model->headerData(column, Qt::Horizontal).toString().isEmpty(), "no title");
    QVERIFY2(!cell.data().toString().isEmpty(), "no text");
    QVERIFY2(!cell.data(Qt::AccessibleTextRole).toString().isEmpty(), "nothing to read aloud");
    QVERIFY2(!fixture.model->columnName(column).isEmpty(), "no name for the settings");
    fixture.model->setFormatter(nullptr);
}

void LockColumnsTest::sorts()
{
    QFETCH(int, column);
    const models::LockRow low = rowOf(0);
    const models::LockRow high = rowOf(1);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        const models::LockSort sort{column, order};
        const models::SortedRow first = models::sortedRow(low, sort);
        const models::SortedRow second = models::sortedRow(high, sort);
        QCOMPARE(models::comesBefore(first, second, sort), (order == Qt::AscendingOrder) != descends(column));
        QCOMPARE(models::comesBefore(second, first, sort),
                 (order == Qt::DescendingOrder) != descends(column));
    }
}

void LockColumnsTest::isExported()
{
    QFETCH(int, column);
    const QString path = QLatin1String(models::kLockColumns[size_t(column)].record);
    QVERIFY2(records::lockColumns(false).contains(path), "CSV lacks it");
    const QJsonObject record = records::lockObject(lockOf(1), {"redis", kNowUs}, QStringLiteral("dc1"));
    const QStringList members = path.split(QLatin1Char('.'));
    QJsonValue value = record.value(members.first());
    if (members.size() > 1)
        value = value.toObject().value(members.at(1));
    QVERIFY2(!value.isNull() && !value.isUndefined(), "JSON lacks it");
}

void LockColumnsTest::isFiltered()
{
    QFETCH(int, column);
    const auto field = models::kLockColumns[size_t(column)].filter;
    const char *filter = field ? filterOf(*field) : nullptr;
    if (!filter)
        return; // on purpose, or both rows have the same value
    QVERIFY2(*filter, "add a filter by this field above");
    const auto query = filter::parseQuery(QString::fromLatin1(filter), filter::QueryScope::Locks, {});
    QVERIFY2(query.has_value(), filter);
    const auto fits = [&](int rank) {
        const QString agent = rank == 1 ? QStringLiteral("dc1") : QStringLiteral("dc2");
        return filter::matches(*query, lockOf(rank), replica::LockContext{kNowUs, false, false, agent});
    };
    QVERIFY(fits(1));
    QVERIFY(!fits(0));
}

LOCKKEEPER_TEST(LockColumnsTest)

} // namespace tst_lock_columns

#include "tst_lock_columns.moc"
