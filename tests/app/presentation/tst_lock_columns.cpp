// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_order.h"
#include "app/presentation/lock_formatter.h"
#include "app/records/csv_lines.h"
#include "app/records/records.h"
#include "app/state/query_match.h"
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
    state.renewals = 1;
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
    row.lock = state::PackedLock(lockOf(rank));
    row.badge = rank == 0 ? state::Badge::Stuck : state::Badge::Contended;
    return row;
}

/** A column's later value ascends, except where the greater value is shown first. */
bool descends(int column)
{
    return column == models::AcquiredColumn;
}

/** The column's value in an exported row, as its CSV names it. */
const char *recordOf(int column)
{
    switch (column) {
    case models::StateColumn:
        return "state";
    case models::NameColumn:
        return "lock";
    case models::HolderColumn:
        return "owner";
    case models::HeldForColumn:
    case models::AcquiredColumn:
        return "acquired_us";
    case models::RemainingColumn:
    case models::ExpiresColumn:
        return "expires_us";
    case models::WaitersColumn:
        return "waiters";
    case models::SourceColumn:
        return "source";
    case models::AliveColumn:
        return "alive.verdict";
    case models::ReleaseColumn:
        return "release.safety";
    case models::LongestWaitColumn:
        return "longest_wait_us";
    case models::SchemeColumn:
        return "scheme";
    case models::PlaceColumn:
        return "place";
    case models::SeenColumn:
        return "window_us";
    case models::TokenColumn:
        return "token";
    case models::DepthColumn:
        return "depth";
    case models::FencingColumn:
        return "fencing";
    case models::AgentColumn:
        return "agent";
    default:
        return "";
    }
}

/** A filter that only the row of rank 1 matches; null: on purpose, none by this column. */
const char *filterOf(int column)
{
    switch (column) {
    case models::StateColumn:
        return "waiters>1"; // both have waiters, so both are contended
    case models::NameColumn:
        return "name:name-v1";
    case models::HolderColumn:
        return "holder:owner-v1";
    case models::HeldForColumn:
    case models::AcquiredColumn:
        return "held>630s";
    case models::RemainingColumn:
    case models::ExpiresColumn:
        return "ttl>20500ms";
    case models::WaitersColumn:
        return "waiters>1";
    case models::SourceColumn:
        return "source:source-v1";
    case models::AliveColumn:
        return nullptr; // both were renewed
    case models::ReleaseColumn:
        return "release:unsafe";
    case models::LongestWaitColumn:
        return "wait>5500ms";
    case models::SchemeColumn:
        return "scheme:redis.v1";
    case models::PlaceColumn:
        return "place:place-v1";
    case models::AgentColumn:
        return "agent:dc1";
    case models::SeenColumn:
    case models::TokenColumn:
    case models::DepthColumn:
    case models::FencingColumn:
        return nullptr; // nobody looks for a lock by these
    default:
        return "";
    }
}

} // namespace

void LockColumnsTest::isDescribed_data()
{
    QTest::addColumn<int>("column");
    for (int column = 0; column < models::LockColumnCount; ++column)
        QTest::newRow(models::kLockColumns[size_t(column)]) << column;
}

void LockColumnsTest::isDescribed()
{
    QFETCH(int, column);
    LockFixture fixture;
    const presentation::Theme theme;
    presentation::TimeFormat times;
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
    const QString path = QLatin1String(recordOf(column));
    QVERIFY2(!path.isEmpty(), "say which exported value the column has");
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
    const char *filter = filterOf(column);
    if (!filter)
        return;
    QVERIFY2(*filter, "say by which filter the column is found, or that there is none");
    const auto query = state::parseQuery(QString::fromLatin1(filter), state::QueryScope::Locks, {});
    QVERIFY2(query.has_value(), filter);
    const auto fits = [&](int rank) {
        const QString agent = rank == 1 ? QStringLiteral("dc1") : QStringLiteral("dc2");
        return state::matches(*query, lockOf(rank), state::LockContext{kNowUs, false, false, agent});
    };
    QVERIFY(fits(1));
    QVERIFY(!fits(0));
}

LOCKKEEPER_TEST(LockColumnsTest)

} // namespace tst_lock_columns

#include "tst_lock_columns.moc"
