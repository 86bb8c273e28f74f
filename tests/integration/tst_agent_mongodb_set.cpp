// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/mongodb/store/mongo_store.h"
#include "tests/integration/mongodb_rig.h"
#include "tests/support/mongod_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

namespace tst_agent_mongodb_set {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;

constexpr int kElectionMs = 1'500;
constexpr int kPatienceMs = 40'000;
/** A member with locked files answers heartbeats, but confirms no writes. */
constexpr char kLockFiles[] = R"({"fsync": 1, "lock": true})";
constexpr char kUnlockFiles[] = R"({"fsyncUnlock": 1})";

/** A real agent on a replica set of three members, whose primary changes. */
class TestAgentMongodbSet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void anotherPrimary_data();
    void anotherPrimary();
    void whatIsRolledBackIsNeverTold_data()
    {
        QTest::addColumn<bool>("push");
        QTest::newRow("followed") << true;
        if (isLong())
            QTest::newRow("polled") << false;
    }
    void whatIsRolledBackIsNeverTold();
    void aMemberCopiedAnewBecomesPrimary();
    void aMajorityThatIsBehind();
    void aPageIsAsOldAsItsMajority_data();
    void aPageIsAsOldAsItsMajority();

private:
    /** Runs more rounds of the same. */
    static bool isLong() { return qEnvironmentVariableIsSet("LOCKKEEPER_LONG_TESTS"); }
    bool begin(bool push)
    {
        return m_rig->begin(MongodServer::url(m_set), push) &&
               QTest::qWaitFor([&] { return m_rig->isPushed() == push; }, kPatienceMs);
    }
    /** Another one than `old`, once there is one: the application continues with it. */
    MongodServer *newPrimary(const MongodServer *old)
    {
        MongodServer *primary = nullptr;
        if (!QTest::qWaitFor(
                [&] {
                    primary = MongodServer::primaryOf(m_set);
                    return primary != nullptr && primary != old;
                },
                kPatienceMs))
            return nullptr;
        m_application = std::make_unique<DocumentClient>(primary->url());
        return primary;
    }
    void askOthers(const MongodServer *primary, const char *command) const
    {
        for (const auto &member : m_set) {
            if (member.get() != primary)
                member->ask(command);
        }
    }
    /** To the primary as it is now: on a busy machine there may have been another election since. */
    bool again()
    {
        if (const MongodServer *primary = MongodServer::primaryOf(m_set))
            m_application = std::make_unique<DocumentClient>(primary->url());
        return false;
    }
    /** Checks that the agent sees a lock's whole life now. Returns the missing step, or nothing. */
    QString followsOn(const QByteArray &name)
    {
        const QByteArray which = "{\"_id\": \"" + name + "\"}";
        // A write's answer may get lost, and an election may take back what was answered: a linearizable read
        // alone shows how it is from now on.
        const auto comesTo = [&](int count) {
            return m_application->count("locks", which, "linearizable") == count || again();
        };
        const auto taken = [&] {
            m_application->insert("locks", lockDocument("h9", name));
            return comesTo(1);
        };
        const auto given = [&] {
            m_application->remove("locks", which);
            return comesTo(0);
        };
        if (!QTest::qWaitFor(taken, kPatienceMs))
            return QStringLiteral("taking it");
        if (!QTest::qWaitFor([&] { return m_rig->state(name).isHeld(); }, kPatienceMs))
            return QStringLiteral("seeing it held");
        if (!QTest::qWaitFor(given, kPatienceMs))
            return QStringLiteral("giving it back");
        if (!QTest::qWaitFor([&] { return m_rig->client->count(EventKind::Released, name) == 1; },
                             kPatienceMs))
            return QStringLiteral("seeing it given back, documents: %1, confirmed: %2, %3")
                .arg(m_application->count("locks", which))
                .arg(m_application->count("locks", which, "linearizable"))
                .arg(QString::fromLatin1(m_rig->told(name)));
        return {};
    }
    /** Of the lock that is held all the time. */
    qsizetype falseEnds() const
    {
        const TestClient &client = *m_rig->client;
        return client.count(EventKind::Released, "a") + client.count(EventKind::Expired, "a") +
               client.count(EventKind::TakenOver, "a") + client.count(EventKind::Lost, "a");
    }

    MongodServer::Set m_set;
    std::unique_ptr<DocumentClient> m_application;
    std::unique_ptr<MongodbRig> m_rig;
};

void TestAgentMongodbSet::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    m_set = MongodServer::set(3, kElectionMs);
    QCOMPARE(m_set.size(), 3U);
}

void TestAgentMongodbSet::init()
{
    m_rig = std::make_unique<MongodbRig>();
    QVERIFY(newPrimary(nullptr));
    QVERIFY(!m_application->run(R"({"dropDatabase": 1, "writeConcern": {"w": "majority"}})").isEmpty());
    QVERIFY(m_application->index("locks", kTtlOf120s));
    QVERIFY(m_application->insert("locks", lockDocument("h1")));
}

void TestAgentMongodbSet::cleanup()
{
    if (m_rig)
        QCOMPARE(m_rig->client->faults, QStringList());
    m_rig.reset();
    m_application.reset();
}

void TestAgentMongodbSet::anotherPrimary_data()
{
    QTest::addColumn<bool>("push");
    QTest::addColumn<bool>("kill");
    QTest::newRow("it steps down, polled") << false << false;
    if (isLong())
        QTest::newRow("it steps down, followed") << true << false;
    QTest::newRow("it is killed, followed") << true << true;
}

void TestAgentMongodbSet::anotherPrimary()
{
    QFETCH(const bool, push);
    QFETCH(const bool, kill);
    QVERIFY(begin(push));
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld(), kPatienceMs);
    const QByteArray guard = m_rig->state().guard;
    MongodServer *const old = MongodServer::primaryOf(m_set);
    QVERIFY(old);
    if (kill)
        old->kill();
    else
        old->ask(R"({"replSetStepDown": 30, "secondaryCatchUpPeriodSecs": 10})");
    QVERIFY(newPrimary(old));
    QCOMPARE(followsOn("b"), QString());
    if (kill)
        QVERIFY(m_rig->client->count(EventKind::GapOpened) > 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig->client->count(EventKind::GapClosed),
                              m_rig->client->count(EventKind::GapOpened), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig->isPushed(), push, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld() && m_rig->state().release.possible(), kPatienceMs);
    QCOMPARE(m_rig->state().guard, guard);
    QCOMPARE(m_rig->client->count(EventKind::Acquired, "a"), 1);
    QCOMPARE(falseEnds(), 0);
    QCOMPARE(m_rig->client->breakLock(MongodbRig::key()), Outcome::Released);
    QCOMPARE(m_application->count("locks"), 0);
    if (kill)
        QVERIFY(old->rejoin());
    else
        old->ask(R"({"replSetFreeze": 0})");
}

/**
 * An isolated primary accepts writes that no other member confirms. The election of another primary undoes
 * them.
 */
void TestAgentMongodbSet::whatIsRolledBackIsNeverTold()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld(), kPatienceMs);
    MongodServer *const old = MongodServer::primaryOf(m_set);
    QVERIFY(old);
    for (const auto &member : m_set) {
        if (member.get() != old)
            member->kill();
    }
    const bool written =
        m_application
            ->run(R"({"update": "locks", "updates": [{"q": {"_id": "a"}, "u": {"$set": {"note": "n"}}}],
                      "writeConcern": {"w": 1}})")
            .contains("\"nModified\" : { \"$numberInt\" : \"1\" }");
    const bool taken = !m_application
                            ->run("{\"insert\": \"locks\", \"documents\": [" + lockDocument("h3", "c") +
                                  "], \"writeConcern\": {\"w\": 1}}")
                            .isEmpty();
    const Outcome broken = m_rig->client->breakLock(MongodbRig::key());
    old->kill();
    for (const auto &member : m_set)
        if (member.get() != old)
            QVERIFY(member->rejoin());
    QVERIFY(written && taken);
    const QList<Outcome> honest{Outcome::Unknown, Outcome::Unreachable};
    QVERIFY2(honest.contains(broken), domain::outcomeName(broken).data());
    QVERIFY(newPrimary(old));
    QCOMPARE(followsOn("b"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld(), kPatienceMs);
    QCOMPARE(m_application->count("locks"), 1);
    QVERIFY(old->rejoin()); // it takes back what it alone has
    QCOMPARE(followsOn("d"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld() && m_rig->state().release.possible(), kPatienceMs);
    QCOMPARE(falseEnds() + m_rig->client->count(EventKind::ForceReleased), 0);
    QCOMPARE(m_rig->client->count(EventKind::Acquired, "a"), 1);
    QCOMPARE(m_rig->client->count(EventKind::Acquired, "c"), 0);
    QCOMPARE(m_rig->client->breakLock(MongodbRig::key()), Outcome::Released);
}

/** It has no moment of the oplog from before its copy. */
void TestAgentMongodbSet::aMemberCopiedAnewBecomesPrimary()
{
    QVERIFY(begin(true));
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld(), kPatienceMs);
    MongodServer *const old = MongodServer::primaryOf(m_set);
    QVERIFY(old);
    MongodServer *const other = m_set.at(m_set.front().get() == old ? 1 : 0).get();
    QVERIFY(other->rejoin(true));
    const auto leadsOrStepsUp = [&] {
        return MongodServer::primaryOf(m_set) == other || !other->ask(R"({"replSetStepUp": 1})").isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(leadsOrStepsUp(), kPatienceMs);
    QVERIFY(newPrimary(old));
    QCOMPARE(followsOn("b"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld() && m_rig->state().release.possible(), kPatienceMs);
    QCOMPARE(m_rig->client->count(EventKind::Acquired, "a"), 1);
    QCOMPARE(falseEnds(), 0);
}

void TestAgentMongodbSet::aMajorityThatIsBehind()
{
    QVERIFY(m_rig->begin(MongodServer::url(m_set), false, {}, "statement_timeout_ms = 1000\n"));
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state().isHeld(), kPatienceMs);
    const MongodServer *const primary = MongodServer::primaryOf(m_set);
    QVERIFY(primary);
    const auto behindS = [this] {
        for (const domain::Finding &finding : m_rig->client->sources.value(QStringLiteral("s")).findings) {
            if (finding.code == "majority_behind")
                return finding.value.toInt();
        }
        return 0;
    };
    QCOMPARE(behindS(), 0);
    askOthers(primary, kLockFiles);
    m_application->run("{\"insert\": \"locks\", \"documents\": [" + lockDocument("h2", "x") +
                       "], \"writeConcern\": {\"w\": 1}}");
    const Outcome broken = m_rig->client->breakLock(MongodbRig::key());
    const bool told = QTest::qWaitFor([&] { return behindS() >= 2; }, kPatienceMs);
    const bool shown = m_rig->state("x").isHeld(); // nobody has confirmed it
    askOthers(primary, kUnlockFiles);
    QVERIFY(told && !shown);
    QCOMPARE(broken, Outcome::Unknown);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->state("x").isHeld() && behindS() == 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!m_rig->state().isHeld(), kPatienceMs); // it was broken after all
}

/**
 * A change that the stream reports from just before a page isn't older than the page, which would hide it.
 */
void TestAgentMongodbSet::aPageIsAsOldAsItsMajority_data()
{
    QTest::addColumn<bool>("push");
    QTest::newRow("followed") << true;
    QTest::newRow("polled") << false;
}

void TestAgentMongodbSet::aPageIsAsOldAsItsMajority()
{
    QFETCH(bool, push);
    const MongodServer *const primary = MongodServer::primaryOf(m_set);
    QVERIFY(primary);
    stores::SourceSpec spec;
    spec.name = QStringLiteral("s");
    spec.url = primary->url();
    spec.push = push;
    stores::LockSet set;
    set.scheme = "mongodb.ttl";
    set.table.table = QStringLiteral("locks");
    spec.locks = {set};
    StoreHarness store(std::make_unique<stores::mongodb::MongoStore>(
                           spec, QList<stores::mongodb::Layout>{*stores::mongodb::layoutOf(set)}),
                       kPatienceMs);
    QVERIFY(store.open() && store.scan());
    askOthers(primary, kLockFiles);
    const qint64 beforeUs = base::SystemClock().wallUs();
    const bool removed = !m_application
                              ->run(R"({"delete": "locks", "deletes": [{"q": {"_id": "a"}, "limit": 1}],
                                        "writeConcern": {"w": 1}})")
                              .isEmpty();
    store.beginScan();
    const bool read = store.waitFor([&store] { return !store.m_pages.isEmpty(); });
    askOthers(primary, kUnlockFiles);
    QVERIFY(removed && read);
    QVERIFY(store.find("a") && store.find("a")->held);
    QVERIFY(store.m_pages.constFirst().beganUs < beforeUs);
}

LOCKKEEPER_TEST(TestAgentMongodbSet)

} // namespace tst_agent_mongodb_set

#include "tst_agent_mongodb_set.moc"
