// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/overview_formatter.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_overview {

using namespace lockkeeper;
using namespace lockkeeper::app::overview;
using app::replica::Badge;
using app::replica::LockContext;

namespace {

constexpr qint64 kNow = 1'795'229'473'000'000;
constexpr qint64 kMinute = 60'000'000;

domain::LockState lock(const QByteArray &name, const QString &source = QStringLiteral("orders"))
{
    domain::LockState state;
    state.key = {source, "redis.token", "db0", name};
    state.phase = domain::Phase::Held;
    state.acquiredUs = kNow - kMinute;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = kNow + kMinute;
    state.ttlMs = 120'000;
    return state;
}

domain::LockState stuck(const QByteArray &name, qint64 sinceUs)
{
    domain::LockState state = lock(name);
    state.stuck = domain::StuckReason::NoExpiry;
    state.acquiredUs = sinceUs;
    return state;
}

domain::LockState waitedFor(const QByteArray &name, const QList<qint64> &since)
{
    domain::LockState state = lock(name);
    state.waitersVisible = true;
    for (const qint64 us : since)
        state.waiters.append({"w", us, {}, 0});
    return state;
}

domain::SourceState source(const QString &name, domain::TimeUs seenUs)
{
    domain::SourceState state;
    state.name = name;
    state.link = seenUs ? domain::Link::Up : domain::Link::Down;
    state.lastSeenWallUs = seenUs;
    return state;
}

QString minutes(qint64 us)
{
    return QStringLiteral("%1 min").arg(us / kMinute);
}

/** "blind" isn't seen, all other sources are. */
Overview overviewOf(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources = {})
{
    OverviewBuilder builder([](const QString &name) {
        return LockContext{kNow, name.startsWith(QLatin1String("blind")), false, {}};
    });
    for (const domain::SourceState &one : sources)
        builder.add(one);
    for (const domain::LockState &one : locks)
        builder.add(one);
    return builder.take();
}

} // namespace

/** The overview's counts, its names and its omissions. */
class TestOverview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void worstFirst();
    void equalWaitsNameTheSameLock();
    void blindSourcesCountNowhere();
    void aStandbysSourcesAreSeenByTheOther();
    void atMostTwenty();
    void sinceWhen();
    void sinceSaysHowCertain();
    void verdicts_data();
    void verdicts();
};

void TestOverview::worstFirst()
{
    domain::LockState expired = lock("expired");
    expired.phase = domain::Phase::Expired;
    expired.expiresUs = kNow - kMinute;
    domain::LockState unreadable = lock("unreadable");
    unreadable.phase = domain::Phase::Unknown;
    domain::LockState stuckAndWaited = stuck("stuck and waited for", kNow - kMinute);
    stuckAndWaited.waiting = 3;
    const Overview overview =
        overviewOf({lock("fine"), waitedFor("waited", {kNow - 2 * kMinute, kNow - kMinute}), expired,
                    stuckAndWaited, stuck("stuck longer", kNow - 9 * kMinute), unreadable});
    QByteArrayList names;
    for (const Attention &one : overview.attention)
        names.append(one.lock.key.name);
    QCOMPARE(names.join(", "), QByteArray("unreadable, stuck longer, stuck and waited for, expired, waited"));
    QCOMPARE(overview.locks, 6);
    QCOMPARE(overview.stuck, 2);
    QCOMPARE(overview.expired, 1);
    QCOMPARE(overview.unreadable, 1);
    QCOMPARE(overview.contended, 2);
    QCOMPARE(overview.waiting, 5);
    QCOMPARE(overview.longestWaitUs.value_or(0), 2 * kMinute);
    QCOMPARE(overview.longest.name, QByteArray("waited"));
    QVERIFY(!overview.isFine());
}

/** The locks come in any order, in each run in another one. */
void TestOverview::equalWaitsNameTheSameLock()
{
    QList<domain::LockState> locks{waitedFor("b", {kNow - kMinute}), waitedFor("a", {kNow - kMinute}),
                                   waitedFor("c", {kNow - kMinute})};
    QCOMPARE(overviewOf(locks).longest.name, QByteArray("a"));
    std::reverse(locks.begin(), locks.end());
    QCOMPARE(overviewOf(locks).longest.name, QByteArray("a"));
}

void TestOverview::blindSourcesCountNowhere()
{
    domain::LockState gone = stuck("gone", kNow);
    gone.key.source = QStringLiteral("blind");
    const Overview overview =
        overviewOf({gone, lock("seen")}, {source(QStringLiteral("orders"), kNow),
                                          source(QStringLiteral("blind-2"), kNow - 2 * kMinute),
                                          source(QStringLiteral("blind"), {})});
    QCOMPARE(overview.stuck, 0);
    QCOMPARE(overview.locks, 1);
    QCOMPARE(overview.sources, 3);
    QCOMPARE(overview.unseen.size(), 2);
    QCOMPARE(overview.unseen.at(0).name, QStringLiteral("blind"));
    QVERIFY(overview.attention.isEmpty());
}

/** The active agent sees the standby's source. Without the active agent, the source is unseen. */
void TestOverview::aStandbysSourcesAreSeenByTheOther()
{
    domain::SourceState standby = source(QStringLiteral("blind/orders"), kNow - 9 * kMinute);
    standby.link = domain::Link::Standby;
    const Overview both = overviewOf({}, {standby, source(QStringLiteral("active/orders"), kNow)});
    QVERIFY(both.unseen.isEmpty());
    const Overview alone = overviewOf({}, {standby, source(QStringLiteral("active/others"), kNow)});
    QCOMPARE(alone.unseen.size(), 1);
    QCOMPARE(alone.unseen.first().name, standby.name);
    domain::SourceState elsewhere = source(QStringLiteral("active/orders"), kNow);
    elsewhere.address = QStringLiteral("redis://other:6379"); // another store under the same source name
    QCOMPARE(overviewOf({}, {standby, elsewhere}).unseen.size(), 1);
    // The active agent is lost: no agent sees the source now.
    const domain::SourceState lost = source(QStringLiteral("blind-2/orders"), kNow - kMinute);
    QCOMPARE(overviewOf({}, {standby, lost}).unseen.size(), 2);
}

void TestOverview::atMostTwenty()
{
    QList<domain::LockState> locks;
    for (int i = 0; i < 50; ++i)
        locks.append(stuck(QByteArray::number(i), kNow - (i * 7 % 50) * kMinute));
    const Overview overview = overviewOf(locks);
    QCOMPARE(overview.attention.size(), kMostAttention);
    QCOMPARE(overview.moreAttention, 30);
    for (qsizetype i = 0; i < overview.attention.size(); ++i)
        QCOMPARE(*overview.attention.at(i).sinceUs, kNow - (49 - i) * kMinute);
}

void TestOverview::sinceWhen()
{
    domain::LockState silent = stuck("silent", kNow - 9 * kMinute);
    silent.stuck = domain::StuckReason::NoSignOfLife;
    silent.renewedUs = kNow - 5 * kMinute;
    domain::LockState expired = lock("x");
    expired.phase = domain::Phase::Expired;
    expired.expiresUs = kNow - 3 * kMinute;
    domain::LockState counted = lock("counted");
    counted.waiting = 2; // the number of waiters, without the times
    const Overview overview = overviewOf({silent, expired, counted});
    QCOMPARE(overview.attention.at(0).why, Why::NoSignOfLife);
    QCOMPARE(overview.attention.at(0).sinceUs.value_or(0), kNow - 5 * kMinute);
    QCOMPARE(overview.attention.at(1).sinceUs.value_or(0), kNow - 3 * kMinute);
    QVERIFY(!overview.attention.at(2).sinceUs);
    QVERIFY(!overview.longestWaitUs);
    domain::LockState orphan = lock("orphan");
    orphan.stuck = domain::StuckReason::HolderGone;
    const Overview ofADeadHolder = overviewOf({orphan});
    QCOMPARE(ofADeadHolder.attention.at(0).why, Why::HolderGone);
    QVERIFY(!ofADeadHolder.attention.at(0).sinceUs); // nobody saw it die
}

/** If the start wasn't observed, the overview doesn't present it as one. */
void TestOverview::sinceSaysHowCertain()
{
    domain::LockState found = stuck("found at the start", kNow - 9 * kMinute);
    found.acquiredBy = domain::Evidence::FirstSeen;
    domain::LockState polled = stuck("polled", kNow - 8 * kMinute);
    polled.acquiredBy = domain::Evidence::Observation;
    polled.windowUs = 500'000;
    domain::LockState renewed = stuck("renewed", kNow - 7 * kMinute);
    renewed.acquiredBy = domain::Evidence::FirstSeen;
    renewed.stuck = domain::StuckReason::NoSignOfLife;
    renewed.renewedUs = kNow - 6 * kMinute;
    domain::LockState waited = waitedFor("waited", {kNow - kMinute, kNow - 2 * kMinute});
    waited.waiters[1].windowUs = 700'000;
    const Overview overview = overviewOf({found, polled, renewed, waited});
    QVERIFY(!overview.attention.at(0).sinceSeen);
    QVERIFY(overview.attention.at(1).sinceSeen);
    QCOMPARE(overview.attention.at(1).sinceWindowUs, 500'000);
    QVERIFY(overview.attention.at(2).sinceSeen); // an observed renewal
    QCOMPARE(overview.attention.at(3).sinceWindowUs, 700'000);
}

void TestOverview::verdicts_data()
{
    QTest::addColumn<QList<domain::LockState>>("locks");
    QTest::addColumn<QList<domain::SourceState>>("sources");
    QTest::addColumn<QString>("said");
    const auto seen = source(QStringLiteral("orders"), kNow);
    const auto blind = source(QStringLiteral("blind"), kNow - 2 * kMinute);
    using Locks = QList<domain::LockState>;
    using Sources = QList<domain::SourceState>;
    QTest::newRow("fine") << Locks{lock("a")} << Sources{seen}
                          << QStringLiteral("No problem in the observed sources");
    QTest::newRow("no source") << Locks{} << Sources{} << QStringLiteral("No source is configured");
    QTest::newRow("blind first") << Locks{lock("a")} << Sources{seen, blind}
                                 << QStringLiteral(
                                        "blind not seen for 2 min; no problem in the observed sources");
    QTest::newRow("all blind") << Locks{} << Sources{blind, source(QStringLiteral("blind-2"), {})}
                               << QStringLiteral(
                                      "blind not seen for 2 min; blind-2 never seen; no source is observed");
    auto down = source(QStringLiteral("orders-db"), kNow - kMinute);
    down.link = domain::Link::Down;
    QTest::newRow("down, and not silent yet")
        << Locks{lock("a")} << Sources{seen, down}
        << QStringLiteral("orders-db not seen for 1 min; no problem in the observed sources");
    auto late = seen;
    late.findings = {{"replica_stalled", domain::Severity::Danger, "90"}};
    auto partly = source(QStringLiteral("ensemble"), kNow);
    partly.findings = {{domain::kPartUnseen, domain::Severity::Warning, "/lk/b"}};
    QTest::newRow("late, and in part")
        << Locks{lock("a")} << Sources{late, partly}
        << QStringLiteral("ensemble seen in part; orders may show an older state");
    QTest::newRow("three names") << Locks{}
                                 << Sources{blind, source(QStringLiteral("blind-2"), {}),
                                            source(QStringLiteral("blind-3"), {}),
                                            source(QStringLiteral("blind-4"), {}), seen}
                                 << QStringLiteral(
                                        "blind not seen for 2 min; blind-2 never seen; blind-3 "
                                        "never seen; 1 more not seen; no problem in the observed sources");
    QTest::newRow("numbers") << Locks{stuck("a", kNow), waitedFor("b", {kNow - 2 * kMinute, kNow - kMinute})}
                             << Sources{seen}
                             << QStringLiteral("1 stuck; 1 contended, 2 waiting, the longest for 2 min");
}

void TestOverview::verdicts()
{
    QFETCH(QList<domain::LockState>, locks);
    QFETCH(QList<domain::SourceState>, sources);
    QFETCH(QString, said);
    QCOMPARE(OverviewFormatter::verdict(overviewOf(locks, sources), kNow, minutes), said);
}

LOCKKEEPER_TEST(TestOverview)

} // namespace tst_overview

#include "tst_overview.moc"
