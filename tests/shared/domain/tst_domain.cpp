// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/advisory_names.h"
#include "shared/domain/guard.h"
#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

namespace tst_domain {

using namespace lockkeeper::domain;

namespace {

constexpr qint64 kNow = 1'795'000'000'000'000;

LockState held()
{
    LockState state;
    state.key = {QStringLiteral("s"), "redis.token", "db0", "a"};
    state.phase = Phase::Held;
    state.acquiredUs = kNow - 10'000'000;
    return state;
}

LockState leased(qint64 leftUs, qint64 ttlMs)
{
    LockState state = held();
    state.expiry = ExpiryKind::At;
    state.expiresUs = kNow + leftUs;
    state.ttlMs = ttlMs;
    return state;
}

} // namespace

/** Values derived from a lock's state, and the names that go into JSON. */
class DomainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void conditions_data();
    void conditions();
    void remaining();
    void waits();
    void signsOfLife_data();
    void signsOfLife();
    void aSessionIsItsConnection_data();
    void aSessionIsItsConnection();
    void guardVectors_data();
    void guardVectors();
    void guardTellsEverythingApart();
    void keysOrderAndHash();
    void advisoryLocksOfPrograms_data();
    void advisoryLocksOfPrograms();
    void names();
};

void DomainTest::conditions_data()
{
    QTest::addColumn<LockState>("state");
    QTest::addColumn<Condition>("expected");
    LockState idle;
    idle.phase = Phase::Free;
    QTest::newRow("free") << idle << Condition::Free;
    QTest::newRow("unknown") << LockState() << Condition::Unknown;
    idle.phase = Phase::Optimistic;
    QTest::newRow("optimistic") << idle << Condition::Optimistic;
    QTest::newRow("held without expiry") << held() << Condition::Held;
    QTest::newRow("a fifth left") << leased(6'000'000, 30'000) << Condition::Held;
    QTest::newRow("less than a fifth left") << leased(5'999'999, 30'000) << Condition::Expiring;
    QTest::newRow("past, but not seen so") << leased(-1, 30'000) << Condition::Expiring;
    QTest::newRow("a lease of unknown length") << leased(1, 0) << Condition::Held;
    LockState past = leased(-1, 30'000);
    past.phase = Phase::Expired;
    QTest::newRow("seen expired") << past << Condition::Expired;
    LockState contended = leased(1, 30'000);
    contended.waiters = {Waiter{"w", kNow, {}}};
    QTest::newRow("contended before expiring") << contended << Condition::Contended;
    past.waiters = contended.waiters;
    QTest::newRow("expired before contended") << past << Condition::Expired;
    past.stuck = StuckReason::NoSignOfLife;
    QTest::newRow("stuck before all") << past << Condition::Stuck;
    LockState freed;
    freed.phase = Phase::Free;
    freed.stuck = StuckReason::NoExpiry;
    QTest::newRow("a free lock isn't stuck") << freed << Condition::Free;
}

void DomainTest::conditions()
{
    QFETCH(LockState, state);
    QFETCH(Condition, expected);
    QCOMPARE(conditionName(condition(state, kNow)).toByteArray(), conditionName(expected).toByteArray());
}

void DomainTest::remaining()
{
    QCOMPARE(remainingUs(leased(5, 1), kNow), std::optional<qint64>(5));
    QCOMPARE(remainingUs(leased(-5, 1), kNow), std::optional<qint64>(-5));
    QVERIFY(!remainingUs(held(), kNow));
    LockState freed = leased(5, 1);
    freed.phase = Phase::Free;
    QVERIFY(!remainingUs(freed, kNow));
}

void DomainTest::waits()
{
    LockState state = held();
    QVERIFY(!longestWaitUs(state, kNow));
    state.waiters = {Waiter{"a", std::nullopt, {}}};
    QVERIFY(!longestWaitUs(state, kNow));
    state.waiters += {Waiter{"b", kNow - 3, {}}, Waiter{"c", kNow - 7, {}}, Waiter{"d", kNow + 9, {}}};
    QCOMPARE(longestWaitUs(state, kNow), std::optional<qint64>(7));
}

void DomainTest::signsOfLife_data()
{
    QTest::addColumn<quint32>("renewals");
    QTest::addColumn<qint64>("gapUs");
    QTest::addColumn<qint64>("sinceUs");
    QTest::addColumn<Alive>("verdict");
    QTest::addColumn<int>("missed");
    QTest::newRow("never renewed") << 0U << 0LL << 0LL << Alive::Unknown << 0;
    QTest::newRow("once") << 1U << 0LL << 90'000'000LL << Alive::Renewed << 0;
    QTest::newRow("in time") << 5U << 10'000'000LL << 9'000'000LL << Alive::Renewed << 0;
    QTest::newRow("late") << 5U << 10'000'000LL << 19'999'999LL << Alive::Renewed << 0;
    QTest::newRow("more than twice the gap") << 5U << 10'000'000LL << 20'000'001LL << Alive::Silent << 2;
    QTest::newRow("long silent") << 5U << 10'000'000LL << 75'000'000LL << Alive::Silent << 7;
}

void DomainTest::signsOfLife()
{
    QFETCH(quint32, renewals);
    QFETCH(qint64, gapUs);
    QFETCH(qint64, sinceUs);
    QFETCH(Alive, verdict);
    QFETCH(int, missed);
    LockState state = held();
    state.renewals = renewals;
    state.longestRenewalGapUs = gapUs;
    if (renewals > 0)
        state.renewedUs = kNow - sinceUs;
    const Liveness result = liveness(state, kNow);
    QCOMPARE(aliveName(result.verdict).toByteArray(), aliveName(verdict).toByteArray());
    QCOMPARE(result.missedRenewals, missed);
    QCOMPARE(result.sinceRenewalUs.has_value(), renewals > 0);
    state.phase = Phase::Free;
    QVERIFY(liveness(state, kNow) == Liveness());
}

void DomainTest::aSessionIsItsConnection_data()
{
    QTest::addColumn<bool>("held");
    QTest::addColumn<ReleaseOff>("protectedAs");
    QTest::addColumn<TimeUs>("idleSinceUs");
    QTest::addColumn<Alive>("verdict");
    QTest::addColumn<std::optional<qint64>>("idleUs");
    QTest::newRow("idle") << true << ReleaseOff::None << TimeUs(kNow - 191'000'000) << Alive::Connected
                          << std::optional<qint64>(191'000'000);
    QTest::newRow("busy") << true << ReleaseOff::None << TimeUs() << Alive::Connected
                          << std::optional<qint64>();
    QTest::newRow("idle since later than now")
        << true << ReleaseOff::System << TimeUs(kNow + 5) << Alive::Connected << std::optional<qint64>(0);
    QTest::newRow("a prepared transaction has no connection")
        << true << ReleaseOff::PreparedXa << TimeUs() << Alive::Unknown << std::optional<qint64>();
    QTest::newRow("free") << false << ReleaseOff::None << TimeUs() << Alive::Unknown
                          << std::optional<qint64>();
}

void DomainTest::aSessionIsItsConnection()
{
    QFETCH(bool, held);
    QFETCH(ReleaseOff, protectedAs);
    QFETCH(TimeUs, idleSinceUs);
    QFETCH(Alive, verdict);
    LockState state;
    state.phase = held ? Phase::Held : Phase::Free;
    state.session.emplace();
    state.session->id = "7";
    state.session->protectedAs = protectedAs;
    state.session->idleSinceUs = idleSinceUs;
    const Liveness result = liveness(state, kNow);
    QCOMPARE(result.verdict, verdict);
    QTEST(result.idleUs, "idleUs");
}

void DomainTest::guardVectors_data()
{
    QTest::addColumn<Guard>("guard");
    QTest::addColumn<QByteArray>("digest");
    // Operators keep digests in scripts and the audit keeps them for years: these may never change.
    QTest::newRow("a token")
        << Guard{{QStringLiteral("orders-redis"), "redis.token", "db0", "lock:orders"}, "run1", "3b5f", {}}
        << QByteArray("f673f5bc206bb180ae3c10446e8207c30d58b464886baef577c92955a809d253");
    QTest::newRow("bytes") << Guard{{QStringLiteral("锁"), "sql.shedlock", "app.shedlock",
                                     QByteArray("\xff\0", 2)},
                                    {},
                                    QByteArray("\0", 1),
                                    {}}
                           << QByteArray("4b9446c48b5c03e554720c5083f8161d03c6aa7ede45f81bf33b12971e093844");
    QTest::newRow("nothing to guard with")
        << Guard{{QStringLiteral("s"), "redis.token", "db0", "a"}, "run1", {}, "9"} << QByteArray();
}

void DomainTest::guardVectors()
{
    QFETCH(Guard, guard);
    QFETCH(QByteArray, digest);
    QCOMPARE(guard.digest(), digest);
    guard.freshness = "another deadline";
    QCOMPARE(guard.digest(), digest);
}

void DomainTest::guardTellsEverythingApart()
{
    const Guard guard{{QStringLiteral("s"), "t", "p", "n"}, "i", "x", {}};
    QSet<QByteArray> digests{guard.digest()};
    const auto with = [&guard](auto change) {
        Guard other = guard;
        change(other);
        return other.digest();
    };
    digests << with([](Guard &g) { g.key.source = QStringLiteral("S"); })
            << with([](Guard &g) { g.key.scheme = "T"; }) << with([](Guard &g) { g.key.place = "P"; })
            << with([](Guard &g) { g.key.name = "N"; }) << with([](Guard &g) { g.instance = "I"; })
            << with([](Guard &g) { g.identity = "X"; })
            // The same bytes, split differently between the fields.
            << with([](Guard &g) { g.key.place = "pn", g.key.name = ""; })
            << with([](Guard &g) { g.instance = "ix", g.identity = "x"; })
            << with([](Guard &g) { g.instance = "", g.identity = "ix"; });
    QCOMPARE(digests.size(), 10);
}

void DomainTest::keysOrderAndHash()
{
    const LockKey a{QStringLiteral("s"), "t", "p", "a"};
    const LockKey b{QStringLiteral("s"), "t", "p", QByteArray("a\0", 2)};
    const LockKey other{QStringLiteral("s"), "t", "q", "a"};
    QVERIFY(a < b && a < other && !(b < a) && !(a < a));
    QVERIFY(a != b);
    QCOMPARE((QSet<LockKey>{a, b, other, a}).size(), 3);
}

void DomainTest::advisoryLocksOfPrograms_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("program");
    const auto row = [](const char *name, const char *program) {
        QTest::newRow(name) << QByteArray(name) << QString::fromLatin1(program);
    };
    row("72707369", "Prisma Migrate");
    row("prisma_migrate", "Prisma Migrate");
    row("6939591962871035475", "Rails");
    row("3469795979745788610", "sqlx");
    row("1787120056", "golang-migrate");
    row("2938252834", "golang-migrate");
    row("77431708279161", "Flyway");
    row("77430708279161", "Flyway"); // with the hash of a table
    row("Flyway-1234", "Flyway");
    row("7241865325823964", "node-pg-migrate");
    row("5887940537704921958", "goose");
    row("4097083626", "goose");
    row("75474063", "Sqitch");
    row("4727445306447283", "Graphile Migrate"); // GRAPHILEMIGRATE on a phone's keys
    row("3853314791062309107", "Kysely");
    row("9628173550095224", "tern");
    row("2686470616", "Atlas");
    row("361947982", "Atlas");
    row("atlas_migrate_execute", "Atlas");
    row("-9218828629118414586", "pg-boss"); // SHA-224 of "app.pgboss.pgboss"
    row("-1", "OpenTofu, Terraform (pg)");
    row("42", "");
    row("0", "");
    row("1,2", "");
    row("orders", "");
    row("77441708279161", "");
}

void DomainTest::advisoryLocksOfPrograms()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, program);
    QCOMPARE(advisoryProgram(name, "app"), program);
}

void DomainTest::names()
{
    for (int i = 0; i <= int(Condition::Free); ++i)
        QVERIFY(conditionFromName(conditionName(Condition(i))) == Condition(i));
    QVERIFY(!conditionFromName("nothing"));
    for (int i = 0; i <= int(Because::Stuck); ++i)
        QVERIFY(becauseFromName(becauseName(Because(i))) == Because(i));
    for (int i = 0; i <= int(kLastOutcome); ++i)
        QVERIFY(outcomeFromName(outcomeName(Outcome(i))) == Outcome(i));
    QVERIFY(!outcomeFromName("done"));
    QCOMPARE(outcomeName(Outcome::HolderChanged).toByteArray(), QByteArray("holder_changed"));
    QCOMPARE(releaseOffName(ReleaseOff::Malformed).toByteArray(), QByteArray("malformed"));
    QCOMPARE(releaseOffName(ReleaseOff::SourceDown).toByteArray(), QByteArray("source_down"));
    QCOMPARE(safetyName(ReleaseSafety::Guarded).toByteArray(), QByteArray("guarded"));
    QCOMPARE(stuckReasonName(StuckReason::NoExpiry).toByteArray(), QByteArray("no_expiry"));
    QCOMPARE(evidenceName(Evidence::FirstSeen).toByteArray(), QByteArray("first_seen"));
    QCOMPARE(evidenceName(Evidence(99)).toByteArray(), QByteArray("unknown"));
    QCOMPARE(linkName(Link::Down).toByteArray(), QByteArray("down"));
}

LOCKKEEPER_TEST(DomainTest)

} // namespace tst_domain

#include "tst_domain.moc"
