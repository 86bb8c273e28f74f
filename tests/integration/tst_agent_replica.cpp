// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "tests/agent/server/agent_world.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace tst_agent_replica {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::replica::Replica;
using app::session::AgentGroup;
using app::session::AgentSession;
using app::session::LinkState;

namespace {

QMap<QByteArray, QByteArray> shown(const QList<domain::LockState> &locks)
{
    QMap<QByteArray, QByteArray> out;
    for (const domain::LockState &state : locks)
        out.insert(state.key.name, QByteArray::number(int(state.phase)) + ' ' + state.owner + ' ' +
                                       QByteArray::number(state.expiresUs.value_or(0)));
    return out;
}

/** An agent, and what a console keeps of it. */
struct Console
{
    AgentWorld world;
    AgentGroup session{QStringLiteral("test")};
    Replica replica{world.clock};
    TestClient other; ///< asks the agent how it is

    bool start()
    {
        AgentSession::Timing timing;
        timing.firstRetryMs = 10;
        timing.lastRetryMs = 50;
        session.setTiming(timing);
        replica.follow(&session);
        if (!world.start() || !other.open(world.socket()))
            return false;
        world.store->keepExpired();
        session.open({world.socket()});
        return QTest::qWaitFor([this] { return session.link() == LinkState::Live; });
    }
    /** The agent's own table, once it has read its store. */
    std::optional<QMap<QByteArray, QByteArray>> truth()
    {
        if (!other.ask<protocol::Done>(protocol::ReadNow{}))
            return std::nullopt;
        const auto locks = other.list();
        return locks ? std::optional(shown(locks->values())) : std::nullopt;
    }
};

} // namespace

/** The console's replica of a whole agent, over a stream that is cut wherever it may be. */
class TestAgentReplica : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheAgentsTableAfterAnyCut_data()
    {
        QTest::addColumn<int>("locks");
        QTest::newRow("a small table") << 50;
        QTest::newRow("a table of many pages") << 3'000;
    }
    void equalsTheAgentsTableAfterAnyCut();
    void readingNowClearsWhatIsGone();
};

void TestAgentReplica::equalsTheAgentsTableAfterAnyCut()
{
    QFETCH(int, locks);
    Console console;
    QVERIFY(console.start());
    auto *random = QRandomGenerator::global();
    const quint32 seed = random->generate();
    QRandomGenerator dice(seed);
    const QByteArray said = "seed " + QByteArray::number(seed);
    for (int i = 0; i < locks; ++i)
        console.world.store->hold("table:" + QByteArray::number(i), "alice");
    QList<quint64> told;
    connect(&console.session, &AgentGroup::eventsCame, this, [&told](const QString &, const auto &events) {
        for (const events::LockEvent &event : events)
            told.append(event.seq);
    });
    for (int round = 0; round < 6; ++round) {
        // Permits expire, and their row is removed later, without an event.
        for (int i = 0; i < 20; ++i)
            console.world.store->hold("permit:" + QByteArray::number(dice.bounded(40)), "p", 30'000);
        console.world.churn(100, 80);
        QTimer churn;
        connect(&churn, &QTimer::timeout, this, [&] {
            console.world.churn(10, 80);
            console.world.store->drop("permit:" + QByteArray::number(dice.bounded(40)));
        });
        churn.start(2);
        for (int cut = dice.bounded(1, 4); cut > 0; --cut) {
            for (int turns = dice.bounded(300); turns > 0; --turns)
                QCoreApplication::processEvents();
            console.session.close();
            for (int turns = dice.bounded(300); turns > 0; --turns)
                QCoreApplication::processEvents();
            console.session.open({console.world.socket()});
        }
        churn.stop();
        QTRY_VERIFY(console.session.link() == LinkState::Live);
        QTRY_VERIFY2(console.truth() == shown(console.replica.locks().values()), said.constData());
    }
    for (qsizetype i = 1; i < told.size(); ++i)
        QVERIFY2(told.at(i) > told.at(i - 1), said.constData());
}

void TestAgentReplica::readingNowClearsWhatIsGone()
{
    Console console;
    QVERIFY(console.start());
    console.world.store->hold("lock:a", "alice");
    QTRY_VERIFY(console.replica.find(console.world.key("lock:a")));
    domain::LockState phantom = *console.replica.find(console.world.key("lock:a"));
    phantom.key.name = "permit:gone";
    console.replica.takeUnjournalled({phantom}, {});
    QTRY_VERIFY(console.replica.find(phantom.key));
    QSignalSpy reset(&console.replica, &Replica::reset);
    bool done = false;
    console.session.ask(protocol::ReadNow(), this,
                        [&done](const auto &answer) { done = answer.has_value(); });
    QTRY_VERIFY(done && !console.replica.find(phantom.key));
    QVERIFY(console.replica.find(console.world.key("lock:a")));
    QCOMPARE(reset.count(), 0); // the views keep what they have
}

LOCKKEEPER_TEST(TestAgentReplica)

} // namespace tst_agent_replica

#include "tst_agent_replica.moc"
