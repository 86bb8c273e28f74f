// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "tests/integration/mongodb_rig.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

#include <csignal>

namespace tst_agent_mongodb_election {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

constexpr qint64 kTtlUs = 3'000'000;

/** Two agents whose election is a document of the MongoDB that they watch. */
class TestAgentMongodbElection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void anotherTakesOver_data();
    void anotherTakesOver();

private:
    struct Member
    {
        Member(const MongodServer &server, const QByteArray &name)
        {
            agent.configure("election = \"s\"\nelection_ttl = \"3s\"\nelection_collection = \"agents\"\n"
                            "[[source]]\nname = \"s\"\nurl = \"" +
                                server.url().toEncoded() +
                                "\"\npoll_ms = 50\nstatement_timeout_ms = 1000\n  [[source.locks]]\n"
                                "  scheme = \"mongodb.ttl\"\n  table = \"locks\"\n",
                            {}, name);
        }
        bool start() { return agent.start() && client.open(agent.socket()); }
        std::optional<domain::ElectionState> election()
        {
            const auto status = client.ask<protocol::Status>(protocol::StatusQuery{}, 5'000);
            return status ? status->election : std::nullopt;
        }
        bool isActive()
        {
            const auto state = election();
            return state && state->active;
        }
        /** It shows the only lock. */
        bool observes()
        {
            const auto locks = client.list();
            return locks && locks->value(MongodbRig::key()).isHeld();
        }

        AgentProcess agent;
        TestClient client;
    };

    MongodServer m_server;
    std::unique_ptr<DocumentClient> m_application;
};

void TestAgentMongodbElection::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    QVERIFY(m_server.start());
    m_application = std::make_unique<DocumentClient>(m_server.url());
    QVERIFY(m_application->index("locks", kTtlOf120s));
}

void TestAgentMongodbElection::anotherTakesOver_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("stopped and resumed") << SIGSTOP;
    QTest::newRow("ended") << SIGTERM;
}

void TestAgentMongodbElection::anotherTakesOver()
{
    QFETCH(const int, signal);
    QVERIFY(m_application->insert("locks", lockDocument("h1")));
    Member left(m_server, "left");
    Member right(m_server, "right");
    QVERIFY(left.start());
    QTRY_VERIFY_WITH_TIMEOUT(left.isActive(), 20'000);
    QVERIFY(right.start());
    QTRY_VERIFY_WITH_TIMEOUT(right.election()->holder.startsWith(QLatin1String("left on ")), 20'000);
    QVERIFY(left.isActive() && !right.isActive());
    QCOMPARE(right.client.breakHeldBy(MongodbRig::key(), "h1"), Outcome::Refused);

    const auto wallUs = [] { return base::SystemClock().wallUs(); };
    QTRY_VERIFY_WITH_TIMEOUT(left.observes(), 20'000);
    const qint64 endedUs = wallUs();
    if (signal == SIGKILL)
        left.agent.kill();
    else if (signal == SIGTERM)
        QCOMPARE(left.agent.terminate(), 0);
    else
        left.agent.signal(SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(right.isActive(), 20'000);
    const qint64 tookUs = right.election()->sinceWallUs - endedUs;
    qInfo("active after %lld ms", tookUs / 1'000);
    QVERIFY2(tookUs < 3 * kTtlUs, "the document isn't taken over at its deadline");
    if (signal == SIGSTOP) {
        left.agent.signal(SIGCONT);
        QTRY_VERIFY_WITH_TIMEOUT(left.election() && !left.isActive(), 20'000);
    } else {
        QVERIFY(left.start());
        QTRY_VERIFY_WITH_TIMEOUT(left.election()->holder.startsWith(QLatin1String("right on ")), 20'000);
    }
    QVERIFY(right.isActive() && !left.isActive());
    QCOMPARE(left.client.breakHeldBy(MongodbRig::key(), "h1"), Outcome::Refused);
    QTRY_VERIFY_WITH_TIMEOUT(right.observes(), 20'000);
    QCOMPARE(right.client.breakHeldBy(MongodbRig::key(), "h1"), Outcome::Released);
    QCOMPARE(right.agent.terminate(), 0);
    QCOMPARE(left.agent.terminate(), 0);
    QCOMPARE(m_application->count("agents"), 1);
}

LOCKKEEPER_TEST(TestAgentMongodbElection)

} // namespace tst_agent_mongodb_election

#include "tst_agent_mongodb_election.moc"
