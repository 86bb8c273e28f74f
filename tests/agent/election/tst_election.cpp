// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/election/election.h"
#include "agent/election/standby_source.h"
#include "shared/locks/lock_client.h"
#include "tests/shared/locks/fake_lock_client.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_election {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::election::Election;
using agent::election::StandbySource;
using base::ErrorCode;

constexpr qint64 kTtlUs = 3'000'000;

/** An agent's part in the election, at a store in memory. */
struct Candidate
{
    Candidate(FakeLocks &store, const FakeClock &clock, const QByteArray &scheme = "redis.token",
              qint64 ttlUs = kTtlUs)
    {
        locks::Traits traits;
        traits.fencing = true;
        auto made = std::make_unique<FakeLockClient>(store, traits);
        client = made.get();
        agent::config::ElectionSettings settings;
        settings.lock = "lockkeeper:agent";
        settings.ttlUs = ttlUs;
        stores::LockSet set;
        set.scheme = scheme;
        settings.store.locks = {set};
        election = std::make_unique<Election>(
            settings, "one", std::make_unique<locks::LockManager>(std::move(made), &clock), clock);
        QObject::connect(election.get(), &Election::becameActive, election.get(),
                         [this](std::optional<quint64> fencing) { epochs.append(int(fencing.value_or(0))); });
        QObject::connect(election.get(), &Election::becameStandby, election.get(), [this] { ++stoodDown; });
    }
    bool isActive() { return election->isActive(); }

    FakeLockClient *client = nullptr;
    std::unique_ptr<Election> election;
    QList<int> epochs; ///< under which it became active
    int stoodDown = 0;
};

class TestElection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void oneIsActive();
    void handsOverAtItsEnd();
    void whoAsksAgainEndsNothingSooner();
    void takesOverWhatRanOut();
    void isNeverActivePastItsDeadline();
    void aLateRenewalRevivesNothing();
    void staysActiveWhileTheLeaseLasts();
    void tellsThatTheStoreIsAway();
    void waitsAfterASessionsLock();
    void marksTheHolder();
    void standbySourceOpensAGap_data();
    void standbySourceOpensAGap();

private:
    /** a is active, b waits. */
    void begin();

    std::unique_ptr<FakeLocks> m_store;
    std::unique_ptr<FakeClock> m_clock;
    std::unique_ptr<Candidate> m_a;
    std::unique_ptr<Candidate> m_b;
};

void TestElection::init()
{
    m_store = std::make_unique<FakeLocks>();
    m_clock = std::make_unique<FakeClock>();
    m_a = std::make_unique<Candidate>(*m_store, *m_clock);
    m_b = std::make_unique<Candidate>(*m_store, *m_clock);
}

void TestElection::cleanup()
{
    m_a.reset();
    m_b.reset();
}

void TestElection::begin()
{
    QVERIFY(m_a->election->start());
    QTRY_VERIFY(m_a->isActive());
    QVERIFY(m_b->election->start());
    QTRY_VERIFY(m_store->commands >= 2);
}

void TestElection::oneIsActive()
{
    begin();
    QTRY_COMPARE_WITH_TIMEOUT(
        m_b->election->standbyError().cause,
        QStringLiteral("this agent is standby; another one is active, but its name isn't known"), 20'000);
    QVERIFY(m_a->isActive());
    QVERIFY(!m_b->isActive());
    QCOMPARE(m_b->election->standbyError().code, ErrorCode::ReadOnly);
    QCOMPARE(m_a->epochs, QList<int>{1});
    QVERIFY(m_b->epochs.isEmpty());
    QVERIFY(m_a->election->state().active);
    QCOMPARE(m_a->election->state().holder, QStringLiteral("one"));
    QVERIFY(!m_b->election->state().active);
    QCOMPARE(m_b->election->state().error, base::Error());
}

void TestElection::handsOverAtItsEnd()
{
    begin();
    bool ended = false;
    m_a->election->resign([&ended] { ended = true; });
    QVERIFY(!m_a->isActive());
    QTRY_VERIFY(ended);
    QTRY_VERIFY_WITH_TIMEOUT(m_b->isActive(), 60'000);
    QCOMPARE(m_b->epochs, QList<int>{2});
    QVERIFY(!m_a->isActive());
}

/** Like a second SIGTERM: the lock of the first one isn't released yet. */
void TestElection::whoAsksAgainEndsNothingSooner()
{
    begin();
    m_a->client->setSilent(true);
    int first = 0;
    int second = 0;
    m_a->election->resign([&first] { ++first; });
    m_a->election->resign([&] { second += first == 0; });
    QTRY_COMPARE(first, 1);
    QCOMPARE(second, 0);
}

void TestElection::takesOverWhatRanOut()
{
    begin();
    m_a->client->setSilent(true); // killed
    m_store->breakLock("lockkeeper:agent");
    QTRY_VERIFY_WITH_TIMEOUT(m_b->isActive(), 60'000);
    QCOMPARE(m_b->epochs, QList<int>{2});
}

/** Like after SIGCONT: the process was stopped for longer than the lease lasts, and no timer has fired yet.
 */
void TestElection::isNeverActivePastItsDeadline()
{
    begin();
    m_clock->advanceUs(kTtlUs);
    m_store->breakLock("lockkeeper:agent");
    QVERIFY(!m_a->isActive()); // without a turn of the event loop
    QVERIFY(!m_a->election->isActiveFor(0));
    QCOMPARE(m_a->stoodDown, 0); // the caller of isActive() isn't closed during its call
    QTRY_COMPARE(m_a->stoodDown, 1);
    const auto actives = [&] { return int(m_a->isActive()) + int(m_b->isActive()); };
    QTRY_COMPARE_WITH_TIMEOUT(actives(), 1, 60'000); // either agent may win the next term
    QCOMPARE((m_a->epochs + m_b->epochs).last(), 2);
}

/**
 * The renewal was sent in time and its answer comes late: the agent stands down even though the lock wasn't
 * taken.
 */
void TestElection::aLateRenewalRevivesNothing()
{
    QVERIFY(m_a->election->start());
    QTRY_VERIFY(m_a->isActive());
    m_clock->advanceUs(kTtlUs / 2);
    m_a->client->setSilent(true);
    QTRY_COMPARE_WITH_TIMEOUT(m_a->client->renewals, 1, 60'000);
    m_clock->advanceUs(kTtlUs / 2);
    QVERIFY(!m_a->isActive());
    m_a->client->setSilent(false);
    QTRY_COMPARE(m_a->stoodDown, 1);
    QTRY_VERIFY_WITH_TIMEOUT(m_a->isActive(), 60'000);
    QCOMPARE(m_a->epochs, (QList<int>{1, 2})); // another acquisition
}

void TestElection::staysActiveWhileTheLeaseLasts()
{
    begin();
    m_a->client->trouble = base::Error{ErrorCode::Unreachable, QStringLiteral("gone"), {}};
    m_clock->advanceUs(kTtlUs * 9 / 10);
    QVERIFY(m_a->isActive());
    QVERIFY(m_a->election->isActiveFor(kTtlUs / 20));
    QVERIFY(!m_a->election->isActiveFor(kTtlUs / 10)); // less a hundredth for drift
    QVERIFY(m_a->isActive());
    m_clock->advanceUs(kTtlUs / 10);
    QVERIFY(!m_a->isActive());
}

void TestElection::tellsThatTheStoreIsAway()
{
    const base::Error away{ErrorCode::Unreachable, QStringLiteral("gone"), QStringLiteral("Look.")};
    m_a = std::make_unique<Candidate>(*m_store, *m_clock, "redis.token", 100'000);
    m_a->client->trouble = away;
    QVERIFY(m_a->election->start());
    QTRY_COMPARE(m_a->election->state().error, away);
    QCOMPARE(m_a->election->standbyError().code, ErrorCode::Unreachable);
    QVERIFY(!m_a->isActive());
    m_a->client->trouble.reset();
    QTRY_VERIFY_WITH_TIMEOUT(m_a->isActive(), 60'000);
    QCOMPARE(m_a->election->state().error, base::Error());
}

/** The one before learns up to a TTL late that its session has ended. */
void TestElection::waitsAfterASessionsLock()
{
    m_a = std::make_unique<Candidate>(*m_store, *m_clock, "sql.advisory", 300'000);
    QElapsedTimer since;
    since.start();
    QVERIFY(m_a->election->start());
    QTRY_VERIFY(!m_store->held.isEmpty());
    QVERIFY(!m_a->isActive());
    QTRY_VERIFY_WITH_TIMEOUT(m_a->isActive(), 60'000);
    QVERIFY(since.elapsed() >= 300);
    m_store->breakLock("lockkeeper:agent"); // and a lock that is lost before is none
    m_clock->advanceUs(150'000);
    QTRY_COMPARE(m_a->stoodDown, 1);
}

void TestElection::marksTheHolder()
{
    begin();
    const QByteArray token = m_store->held.value("lockkeeper:agent").token;
    QVERIFY2(token.startsWith("one ") && token.size() == 36, token.constData());
    locks::HolderInfo holder;
    holder.owner = token;
    QCOMPARE(agent::election::holderText(holder), QStringLiteral("one"));
    QCOMPARE(agent::election::holderText(std::nullopt), QString());
}

void TestElection::standbySourceOpensAGap_data()
{
    QTest::addColumn<qint64>("lastSeenUs");
    QTest::addColumn<qint64>("sinceUs");
    QTest::addColumn<bool>("open");
    QTest::addColumn<qint64>("fromUs");
    QTest::addColumn<bool>("told");
    QTest::newRow("seen before") << qint64(500) << qint64(0) << false << qint64(500) << true;
    QTest::newRow("never seen") << qint64(0) << qint64(0) << false << qint64(9'000) << true;
    QTest::newRow("up, and never seen") << qint64(0) << qint64(700) << false << qint64(700) << true;
    QTest::newRow("seen, and blind already") << qint64(500) << qint64(0) << true << qint64(500) << false;
    QTest::newRow("never seen, told before") << qint64(0) << qint64(0) << true << qint64(9'000) << false;
}

void TestElection::standbySourceOpensAGap()
{
    QFETCH(qint64, lastSeenUs);
    QFETCH(qint64, sinceUs);
    QFETCH(bool, open);
    QFETCH(qint64, fromUs);
    QFETCH(bool, told);
    stores::SourceSpec spec;
    spec.name = QStringLiteral("orders");
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1/0"));
    agent::engine::Restored restored;
    restored.lastSeenUs = lastSeenUs;
    restored.gapOpen = open;
    restored.gapSinceUs = sinceUs;
    restored.position = "somewhere";
    base::Error why{ErrorCode::ReadOnly, QStringLiteral("standby"), {}};
    const StandbySource source(spec, restored, {}, 9'000, [&why] { return why; });
    QCOMPARE(source.opening().size(), told ? 1 : 0);
    if (told) {
        QCOMPARE(source.opening().first().kind, events::EventKind::GapOpened);
        QCOMPARE(source.opening().first().timeUs, fromUs);
        QCOMPARE(source.opening().first().detail.causeText(), QStringLiteral("standby"));
    }
    QVERIFY(source.restored().gapOpen);
    QCOMPARE(source.restored().gapSinceUs, fromUs);
    QVERIFY(source.restored().position.isEmpty());
    QCOMPARE(source.state().link, domain::Link::Standby);
    QCOMPARE(source.state().error.code, ErrorCode::Unknown); // nothing is amiss
    why.code = ErrorCode::Unreachable;
    QCOMPARE(source.state().error.code, ErrorCode::Unreachable);
}

LOCKKEEPER_TEST(TestElection)

} // namespace tst_election

#include "tst_election.moc"
