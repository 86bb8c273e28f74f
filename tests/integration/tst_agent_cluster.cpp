// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_agent_cluster {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

/** The agent with a Redis Cluster whose slots move. */
class TestAgentCluster : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_cluster.start() && m_cluster.addSpare()); }
    void init()
    {
        for (size_t i = 0; i < RedisCluster::kNodes; ++i)
            m_cluster.node(i).command({"FLUSHALL"});
        m_cluster.spare().command({"FLUSHALL"});
        makeAgent();
    }

    /**
     * 200 slots go to a node that had none, with 600 locks that stay, some that are released on the way, and
     * some that come. The agent reports each of the released and the new locks once, and nothing about the
     * others.
     */
    void aReshardingUnderLoad_data()
    {
        QTest::addColumn<bool>("push");
        QTest::newRow("polled") << false;
        QTest::newRow("pushed") << true;
    }
    void aReshardingUnderLoad()
    {
        QFETCH(bool, push);
        if (push && RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        const size_t source = push ? 2 : 0;
        QByteArrayList stay;
        QByteArrayList go;
        for (int i = 0; stay.size() < 600; ++i) {
            const QByteArray name = "lock:{" + QByteArray::number(i) + "}";
            if (m_cluster.nodeOf(name) != source)
                continue;
            stay.append(name + ":stay");
            if (stay.size() % 6 == 0)
                go.append(name + ":go");
        }
        for (const QByteArray &name : stay + go)
            QCOMPARE(m_cluster.node(source).command({"SET", name, "holder", "PX", "600000"}).bytes,
                     QByteArray("OK"));
        QVERIFY2(begin(push), m_agent->log().constData());
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::Acquired), stay.size() + go.size(), 15'000);
        QTRY_COMPARE(m_client->sources.value(QStringLiteral("c")).mode,
                     push ? domain::ObservationMode::Push : domain::ObservationMode::Poll);
        QByteArrayList come;
        for (qsizetype i = 0; i < go.size(); ++i) {
            const quint16 slot = stores::redis::hashSlotOf(go.at(i));
            RedisServer &from = m_cluster.node(source);
            m_cluster.beginMove(slot, from, m_cluster.spare());
            come.append(go.at(i) + "+");
            if (i % 3 == 0) { // before its keys go, at their new node, or with them there for good
                QCOMPARE(from.command({"DEL", go.at(i)}).integer, 1);
                QCOMPARE(asking({"SET", come.at(i), "other"}).bytes, QByteArray("OK"));
                QVERIFY(readNow());
            }
            QVERIFY(m_cluster.moveKeys(slot, from, m_cluster.spare()));
            if (i % 3 == 1) {
                QVERIFY(readNow());
                QCOMPARE(asking({"DEL", go.at(i)}).integer, 1);
                QCOMPARE(asking({"SET", come.at(i), "other"}).bytes, QByteArray("OK"));
                QVERIFY(readNow());
            }
            m_cluster.endMove(slot, m_cluster.spare());
            if (i % 3 == 2) {
                QCOMPARE(m_cluster.spare().command({"DEL", go.at(i)}).integer, 1);
                QCOMPARE(m_cluster.spare().command({"SET", come.at(i), "other"}).bytes, QByteArray("OK"));
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::Released), go.size(), 15'000);
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::Acquired), stay.size() + 2 * go.size(), 15'000);
        // Where changes are pushed, each slot was a separate gap, which is closed by now.
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::GapClosed), count(EventKind::GapOpened), 15'000);
        QCOMPARE(count(EventKind::GapOpened) > 0, push);
        const auto told = m_client->events.size();
        QVERIFY(!m_client->waitForEvent([&](const LockEvent &) { return m_client->events.size() > told; },
                                        1'000));
        QStringList wrong;
        QSet<QByteArray> released;
        for (const LockEvent &event : std::as_const(m_client->events)) {
            if (!event.detail.slotRanges.isEmpty())
                continue;
            if (event.kind == EventKind::Released && go.contains(event.key.name) &&
                !released.contains(event.key.name))
                released.insert(event.key.name);
            else if ((event.kind != EventKind::Acquired && event.kind != EventKind::SourceUp) ||
                     event.detail.missed)
                wrong.append(
                    QString::fromLatin1(events::kindName(event.kind).toByteArray() + ' ' + event.key.name));
        }
        QCOMPARE(wrong, QStringList());
        QCOMPARE(m_client->renewals.size(), 0);
        const auto held = std::count_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                        [](const auto &state) { return state.isHeld(); });
        QCOMPARE(held, stay.size() + come.size());
    }

    /** `release --guard` with the guard that the live table shows, wherever the lock is. */
    void aLockIsReleasedOnTheWay_data()
    {
        QTest::addColumn<int>("moved");
        QTest::newRow("before its key goes") << 0;
        QTest::newRow("when it is at the other node") << 1;
        QTest::newRow("when the slot is") << 2;
    }
    void aLockIsReleasedOnTheWay()
    {
        QFETCH(int, moved);
        const QByteArray name = m_cluster.keyAt(1, "lock:way" + QByteArray::number(moved));
        const quint16 slot = stores::redis::hashSlotOf(name);
        RedisServer &from = m_cluster.node(1);
        QCOMPARE(from.command({"SET", name, "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a", "PX", "600000"}).bytes,
                 QByteArray("OK"));
        QVERIFY2(begin(), m_agent->log().constData());
        QVERIFY(m_client->waitForEvent([&](const LockEvent &e) { return e.key.name == name; }));
        const domain::LockState before = shown(name);
        m_cluster.beginMove(slot, from, m_cluster.spare());
        if (moved > 0)
            QVERIFY(m_cluster.moveKeys(slot, from, m_cluster.spare()));
        if (moved > 1)
            m_cluster.endMove(slot, m_cluster.spare());
        if (moved > 0) // it is seen there
            QTRY_VERIFY(shown(name).guard != before.guard);
        protocol::ForceRelease order;
        order.command = QByteArray(31, 'a') + QByteArray::number(moved);
        order.key = before.key;
        order.guard = shown(name).guard;
        order.reason = QStringLiteral("test");
        const auto answer = m_client->ask<protocol::ReleaseResult>(order);
        QVERIFY(answer.has_value());
        QVERIFY2(answer->outcome == Outcome::Released, qPrintable(answer->error.line()));
        QVERIFY(m_client->waitForEvent(
            [&](const LockEvent &e) { return e.kind == EventKind::ForceReleased && e.key.name == name; }));
        QCOMPARE(count(EventKind::Released) + count(EventKind::Lost), 0);
        m_cluster.endMove(slot, m_cluster.spare());
    }

    /**
     * Every primary pushes changes. A primary that dies is a gap of its part alone: the others keep pushing,
     * and so does this primary once it is back.
     */
    void aNodeDiesWhileChangesArePushed()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        const QByteArray dies = m_cluster.keyAt(1, "lock:dies");
        QCOMPARE(m_cluster.node(1).command({"SET", dies, "holder"}).bytes, QByteArray("OK"));
        QVERIFY2(begin(true), m_agent->log().constData());
        QVERIFY(saw(EventKind::Acquired, dies));
        QTRY_COMPARE(m_client->sources.value(QStringLiteral("c")).mode, domain::ObservationMode::Push);
        QVERIFY(readNow()); // the next one is a minute away
        const auto isPushed = [this](size_t node, const QByteArray &prefix) {
            const QByteArray name = m_cluster.keyAt(node, prefix);
            return m_cluster.node(node).command({"SET", name, "me"}).bytes == "OK" &&
                   saw(EventKind::Acquired, name) &&
                   m_cluster.node(node).command({"DEL", name}).integer == 1 && saw(EventKind::Released, name);
        };
        for (size_t i = 1; i < RedisCluster::kNodes; ++i)
            QVERIFY(isPushed(i, "lock:before"));
        m_cluster.node(1).kill();
        QVERIFY(saw(EventKind::GapOpened, {}));
        QVERIFY(isPushed(2, "lock:meanwhile"));
        QVERIFY(m_cluster.node(1).restart());
        QVERIFY(saw(EventKind::Lost, dies));
        QVERIFY(saw(EventKind::GapClosed, {}));
        QVERIFY(isPushed(1, "lock:after"));
        QCOMPARE(m_client->sources.value(QStringLiteral("c")).mode, domain::ObservationMode::Push);
        QCOMPARE(count(EventKind::GapOpened), 1);
        QCOMPARE(count(EventKind::Released), 4);
        QCOMPARE(count(EventKind::Lost), 1);
        for (const LockEvent &event : std::as_const(m_client->events))
            QVERIFY2(!event.detail.missed, event.key.name.constData());
    }

private:
    bool saw(EventKind kind, const QByteArray &name) { return m_client->saw(kind, name, 20'000); }

    bool begin(bool push = false)
    {
        m_agent->configure("[[source]]\nname = \"c\"\nurl = \"" + stores::textOf(m_cluster.url()).toUtf8() +
                           "\"\npoll_ms = 50\npush = " + QByteArray(push ? "true" : "false") +
                           "\nrenewals = \"all\"\n[[source.locks]]\nscheme = \"redis.token\"\n"
                           "match = \"lock:*\"\n");
        return startWatched(true);
    }

    RedisReply asking(const QList<QByteArray> &command)
    {
        m_cluster.spare().command({"ASKING"});
        return m_cluster.spare().command(command);
    }

    domain::LockState shown(const QByteArray &name) const
    {
        const auto found = std::find_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                        [&](const auto &state) { return state.key.name == name; });
        return found == m_client->table.locks.cend() ? domain::LockState() : *found;
    }

    /** A scan of the agent has ended that began after this. */
    bool readNow()
    {
        protocol::ReadNow request;
        request.source = QStringLiteral("c");
        return m_client->ask<protocol::Done>(request).has_value();
    }

    qsizetype count(EventKind kind) const
    {
        return std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                             [kind](const LockEvent &e) { return e.kind == kind; });
    }

    RedisCluster m_cluster;
};

LOCKKEEPER_TEST(TestAgentCluster)

} // namespace tst_agent_cluster

#include "tst_agent_cluster.moc"
