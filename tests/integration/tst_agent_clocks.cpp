// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/host_list.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>

namespace tst_agent_clocks {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

namespace {

const QByteArray kToken("8f14e45fceea167a5a36dedd4bea2543");

qint64 nowUs()
{
    return base::SystemClock().wallUs();
}

/** True for the time left of a one-minute lease that began a moment ago. */
bool isWithin(qint64 us)
{
    return us > 40'000'000 && us <= 60'500'000;
}

} // namespace

/** A real agent on servers whose clocks are minutes off. */
class TestAgentClocks : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (qEnvironmentVariableIsSet("LOCKKEEPER_TEST_REDIS_SERVER"))
            QSKIP("another server may not take what is preloaded");
        makeAgent();
    }

    void redis_data()
    {
        QTest::addColumn<int>("off");
        QTest::addColumn<bool>("push");
        QTest::newRow("ahead, polled") << 300 << false;
        QTest::newRow("behind, polled") << -300 << false;
        QTest::newRow("ahead, pushed") << 300 << true;
        QTest::newRow("behind, pushed") << -300 << true;
    }
    void redis()
    {
        QFETCH(int, off);
        QFETCH(bool, push);
        RedisServer server;
        server.setClock(std::chrono::seconds(off));
        QVERIFY(server.start());
        const qint64 serverUs = server.command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000'000;
        QVERIFY2(qAbs(serverUs - nowUs() - off * 1'000'000LL) < 10'000'000, "the clock isn't shifted");
        QVERIFY(begin(server.url().toEncoded() + (push ? "\"\npush = true" : "\""), "redis.token"));
        server.command({"SET", "lock:long", kToken, "PX", "60000"});
        server.command({"SET", "lock:short", kToken, "PX", "1500"});
        QTRY_COMPARE(phase("lock:short"), domain::Phase::Held);
        QTRY_COMPARE(phase("lock:long"), domain::Phase::Held);
        QTRY_VERIFY2(isWithin(leftUs("lock:long")), qPrintable(QString::number(leftUs("lock:long"))));
        // It ends when its time is over, and not before.
        QVERIFY(saw(EventKind::Expired, "lock:short"));
        const LockEvent end = m_client->last(EventKind::Expired);
        const qint64 held = end.timeUs - acquired("lock:short").timeUs;
        QVERIFY2(held > 0 && held < 4'000'000, qPrintable(QString::number(held)));
        QCOMPARE(m_client->count(EventKind::Expired), 1);
        QCOMPARE(m_client->count(EventKind::Released), 0);
        server.command({"DEL", "lock:long"});
        QVERIFY(saw(EventKind::Released, "lock:long"));
        QTRY_VERIFY(qAbs(valueOf("clock_offset") - off * 1'000'000LL) < 2'000'000);
    }

    /** The agent didn't see the changes during its machine's sleep. */
    void machineThatSlept()
    {
        RedisServer server;
        QVERIFY(server.start());
        QFile slept(m_agent->folder() + QStringLiteral("/slept"));
        qputenv("LOCKKEEPER_TEST_SLEPT", QFile::encodeName(slept.fileName()));
        m_agent->shiftClock(std::chrono::seconds(1)); // otherwise nothing is preloaded
        const bool begun = begin(server.url().toEncoded() + "\"", "redis.token");
        qunsetenv("LOCKKEEPER_TEST_SLEPT");
        QVERIFY(begun);
        server.command({"SET", "lock:a", kToken, "PX", "60000"});
        QVERIFY(saw(EventKind::Acquired, "lock:a", 60'000));
        QVERIFY(slept.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        for (int hours = 0; hours < 5 && m_client->count(EventKind::GapOpened) == 0; ++hours) {
            QCOMPARE(slept.write("z"), 1); // again: a sleep right before a scan's end goes unnoticed
            (void)saw(EventKind::GapOpened, {}, 10'000);
        }
        QCOMPARE(m_client->count(EventKind::GapOpened), 1);
        QCOMPARE(m_client->last(EventKind::GapOpened).detail.causeText(), QStringLiteral("agent_stalled"));
        QVERIFY(saw(EventKind::GapClosed, {}, 60'000));
        QCOMPARE(m_client->count(EventKind::Acquired), 1);
    }

    /** No two nodes' clocks agree. */
    void redlock_data()
    {
        QTest::addColumn<bool>("push");
        QTest::newRow("polled") << false;
        QTest::newRow("pushed") << true;
    }
    void redlock()
    {
        QFETCH(bool, push);
        const QList<int> clocks{-300, 300, 0, 60, -7};
        RedlockNodes nodes;
        QVERIFY(nodes.start(5, {}, clocks));
        QVERIFY(
            begin(stores::textOf(nodes.url()).toUtf8() + (push ? "\"\npush = true" : "\""), "redis.redlock"));
        for (int i = 0; i < 3; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            QVERIFY(nodes.set(RedlockNodes::all(), name, kToken, i == 0 ? 60'000 : 1'500));
            QVERIFY(saw(EventKind::Acquired, name));
        }
        QTRY_VERIFY2(isWithin(leftUs("lock:0")), qPrintable(QString::number(leftUs("lock:0"))));
        QVERIFY(saw(EventKind::Expired, "lock:1"));
        QVERIFY(saw(EventKind::Expired, "lock:2"));
        QCOMPARE(phase("lock:0"), domain::Phase::Held);
        nodes.remove(RedlockNodes::all(), "lock:0");
        QVERIFY(saw(EventKind::Released, "lock:0"));
        QCOMPARE(m_client->count(EventKind::Acquired), 3);
        QCOMPARE(m_client->count(EventKind::Expired), 2);
        QCOMPARE(m_client->count(EventKind::Released), 1);
        // The safety lens names the nodes; of as many as that the worst three.
        QTRY_VERIFY(qAbs(qAbs(valueOf("clock_offset", nodes.address(1))) - 300'000'000) < 2'000'000);
        const domain::Finding offsets = finding("clock_offset");
        QVERIFY2(offsets.node.contains(nodes.address(0)), offsets.node.constData());
        QVERIFY(!offsets.node.contains(nodes.address(2)));
    }

    void clientsOfADatabase_data()
    {
        QTest::addColumn<int>("off");
        QTest::newRow("the server is ahead") << 300;
        QTest::newRow("the server is behind") << -300;
    }
    void clientsOfADatabase()
    {
        QFETCH(int, off);
        MariaDbServer server;
        server.setClock(std::chrono::seconds(off));
        QVERIFY(server.start());
        server.exec(QStringLiteral(
            "CREATE DATABASE app;\n"
            "CREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3), "
            "locked_at TIMESTAMP(3), locked_by VARCHAR(255))"));
        const qint64 serverS =
            server.exec(QStringLiteral("SELECT UNIX_TIMESTAMP()")).value(0).value(0).toLongLong();
        QVERIFY2(qAbs(serverS - nowUs() / 1'000'000 - off) < 10, "the clock isn't shifted");
        QVERIFY(
            begin(server.url(QStringLiteral("app")).toEncoded() + "\"\nclock = \"client\"", "sql.shedlock"));
        QTRY_VERIFY(source().lastSeenUs.has_value());
        // A client with the right time begins five minutes ago, or in five, by the server's clock. A ShedLock
        // row is held while its end is ahead of that one, so it is taken for longer.
        const double now = double(nowUs()) / 1e6;
        server.exec(QStringLiteral(
                        "INSERT INTO shedlock VALUES ('job', FROM_UNIXTIME(%1), FROM_UNIXTIME(%2), 'app-1')")
                        .arg(now + 600, 0, 'f', 3)
                        .arg(now, 0, 'f', 3),
                    QStringLiteral("app"));
        QVERIFY(saw(EventKind::Acquired, "job"));
        QCOMPARE(m_client->last(EventKind::Acquired).owner, QByteArray("app-1"));
        QCOMPARE(phase("job"), domain::Phase::Held);
        QTRY_VERIFY(qAbs(valueOf("clock_offset") - off * 1'000'000LL) < 2'000'000);
        // The client's clock differs from the store's by the same amount in the other direction.
        QTRY_VERIFY(qAbs(valueOf("client_clock") + off * 1'000'000LL) < 10'000'000);
        QVERIFY(!saw(EventKind::Expired, {}, 500));
        QCOMPARE(phase("job"), domain::Phase::Held);
    }

private:
    /** `url`: and what follows it in the source. */
    bool begin(const QByteArray &url, const QByteArray &scheme)
    {
        const bool table = scheme.startsWith("sql.");
        m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + url +
                           "\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"" + scheme +
                           (table ? "\"\n  table = \"shedlock\"\n" : "\"\n  match = \"lock:*\"\n"));
        return startWatched(false, 20'000);
    }
    bool saw(EventKind kind, const QByteArray &name, int timeoutMs = 10'000)
    {
        return m_client->saw(kind, name, timeoutMs);
    }
    LockEvent acquired(const QByteArray &name) const
    {
        const auto it =
            std::find_if(m_client->events.cbegin(), m_client->events.cend(), [&](const LockEvent &event) {
                return event.kind == EventKind::Acquired && event.key.name == name;
            });
        return it == m_client->events.cend() ? LockEvent() : *it;
    }
    domain::LockState lock(const QByteArray &name) const
    {
        for (const domain::LockState &state : std::as_const(m_client->table.locks)) {
            if (state.key.name == name)
                return state;
        }
        return {};
    }
    domain::Phase phase(const QByteArray &name) const { return lock(name).phase; }
    domain::SourceState source() const { return m_client->sources.value(QStringLiteral("s")); }
    /**
     * The time left of the lease, as a console computes it: by the store's clock, which is the agent's clock
     * plus the offset.
     */
    qint64 leftUs(const QByteArray &name) const
    {
        return lock(name).expiresUs.value_or(0) - (nowUs() + source().clockOffsetUs);
    }
    /** A finding of this kind, or of the given node. */
    domain::Finding finding(const QByteArray &code, const QByteArray &node = {}) const
    {
        const domain::SourceState state = source();
        for (const domain::Finding &one : state.findings) {
            if (one.code == code && (node.isEmpty() || one.node.contains(node)))
                return one;
        }
        return {};
    }
    qint64 valueOf(const QByteArray &code, const QByteArray &node = {}) const
    {
        return finding(code, node).value.toLongLong();
    }
};

LOCKKEEPER_TEST(TestAgentClocks)

} // namespace tst_agent_clocks

#include "tst_agent_clocks.moc"
