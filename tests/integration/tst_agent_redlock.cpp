// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/foreign_client.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_agent_redlock {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

namespace {

/** The npm package redlock over the nodes, a command a line. */
class NodeRedlock
{
public:
    ~NodeRedlock()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(5'000))
            m_process.kill();
        m_process.waitForFinished();
    }

    bool start(RedlockNodes &nodes)
    {
        const QString source = qEnvironmentVariable("LOCKKEEPER_SOURCE");
        const QString modules = librariesFolder() + QStringLiteral("/node/node_modules");
        if (!QFileInfo::exists(modules + QStringLiteral("/redlock")))
            return false;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("NODE_PATH"), modules);
        m_process.setProcessEnvironment(environment);
        QStringList arguments{source + QStringLiteral("/tests/clients/node-redlock/nodes.js")};
        for (int i = 0; i < nodes.size(); ++i)
            arguments.append(nodes.at(i).socketPath());
        m_process.start(QStringLiteral("node"), arguments);
        return m_process.waitForStarted();
    }

    QByteArray ask(const QByteArray &command)
    {
        m_process.write(command + '\n');
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(20'000))
                return "(no answer) " + m_process.readAllStandardError();
        }
        return m_process.readLine().trimmed();
    }

private:
    QProcess m_process;
};

const QByteArray kLock("lock:job");
const QByteArray kToken("8f14e45fceea167a5a36dedd4bea2543");

} // namespace

/** A real agent on five real nodes, with a foreign Redlock library on the other side. */
class TestAgentRedlock : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_nodes = std::make_unique<RedlockNodes>();
        makeAgent();
        QVERIFY(m_nodes->start(5));
        m_agent->configure("[[source]]\nname = \"jobs\"\nurl = \"" + stores::textOf(m_nodes->url()).toUtf8() +
                           "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.redlock\"\n"
                           "  match = \"lock:*\"\n");
    }
    void cleanup()
    {
        endAgent();
        m_nodes.reset();
    }

    void everyAcquisitionOfSomebodyElsesClient()
    {
        NodeRedlock redlock;
        if (!redlock.start(*m_nodes))
            QSKIP("needs node's lock libraries (./run test fetches them)");
        QVERIFY(begin());
        constexpr int kRounds = 10;
        QList<QByteArray> owners;
        for (int i = 0; i < kRounds; ++i) {
            const QByteArray answer = redlock.ask("acquire lock:job 30000");
            QVERIFY2(answer.startsWith("acquired "), answer.constData());
            owners.append(answer.mid(9));
            QTRY_VERIFY(owned() == owners.constLast());
            if (i % 2 == 0)
                QCOMPARE(redlock.ask("extend 60000"), QByteArray("extended"));
            QCOMPARE(redlock.ask("release"), QByteArray("released"));
            QTRY_VERIFY(owned().isEmpty());
        }
        QList<QByteArray> acquired;
        QList<QByteArray> released;
        for (const LockEvent &event : std::as_const(m_client->events)) {
            if (event.kind == EventKind::Acquired)
                acquired.append(event.owner);
            else if (event.kind == EventKind::Released)
                released.append(event.owner);
            else
                QVERIFY2(event.isSourceEvent(), events::kindName(event.kind).data());
        }
        QCOMPARE(acquired, owners);
        QCOMPARE(released, owners);
    }

    void aNodeThatStopsFreesNothing()
    {
        QVERIFY(m_nodes->set(RedlockNodes::all(), "lock:five", kToken));
        QVERIFY(m_nodes->set({0, 1, 2}, kLock, kToken));
        QVERIFY(begin());
        QTRY_COMPARE(owned(), kToken);
        m_nodes->at(2).kill();
        QTRY_COMPARE(phase(kLock), domain::Phase::Unknown);
        QCOMPARE(phase("lock:five"), domain::Phase::Held);
        QTRY_COMPARE(held("lock:five", domain::NodeHolds::Unreachable), 1);
        QCOMPARE(owned(), kToken);
        QVERIFY(!saw(EventKind::Released, {}, 500));
        QVERIFY(!saw(EventKind::SourceDown, {}, 10));
        // Until the node is back, its absence is a separate gap.
        QVERIFY(saw(EventKind::GapOpened));
        const LockEvent gap = event(EventKind::GapOpened, {});
        QCOMPARE(gap.detail.partial, true);
        QCOMPARE(gap.detail.node, QString::fromUtf8(m_nodes->address(2)));
        QVERIFY(!saw(EventKind::GapClosed, {}, 10));
        // The node comes back empty: two of five are no majority, and the lock wasn't released.
        QVERIFY(m_nodes->at(2).restart());
        QVERIFY(saw(EventKind::Lost, kLock));
        const LockEvent lost = event(EventKind::Lost, kLock);
        QCOMPARE(lost.owner, kToken);
        QCOMPARE(lost.detail.causeText(), QStringLiteral("server_restarted"));
        QCOMPARE(phase(kLock), domain::Phase::Free);
        QCOMPARE(held(kLock, domain::NodeHolds::Other), 2);
        QCOMPARE(phase("lock:five"), domain::Phase::Held);
        QVERIFY(saw(EventKind::GapClosed));
        QCOMPARE(event(EventKind::GapClosed, {}).detail.node, gap.detail.node);
        QVERIFY(!saw(EventKind::Released, {}, 300));
    }

    void changesArePushed()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        configurePushed();
        QVERIFY(begin());
        QTRY_COMPARE(m_client->sources.value(QStringLiteral("jobs")).mode, domain::ObservationMode::Push);
        constexpr int kRounds = 20;
        for (int i = 0; i < kRounds; ++i) {
            const QByteArray token = "holder-" + QByteArray::number(i);
            for (const int node : RedlockNodes::all()) // one after the other
                QVERIFY(m_nodes->set({node}, kLock, token));
            QTRY_COMPARE(owned(), token);
            m_nodes->remove(RedlockNodes::all(), kLock);
            QTRY_VERIFY(owned().isEmpty());
        }
        QList<EventKind> kinds;
        for (const LockEvent &event : std::as_const(m_client->events)) {
            if (event.key.name != kLock)
                continue;
            kinds.append(event.kind);
            QVERIFY(!event.detail.missed);
            QVERIFY2(event.windowUs < 5'000'000, qPrintable(QString::number(event.windowUs)));
        }
        QList<EventKind> expected;
        for (int i = 0; i < kRounds; ++i)
            expected += {EventKind::Acquired, EventKind::Released};
        QCOMPARE(kinds, expected);
    }

    void anExpiryIsPushedAsOne()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        configurePushed();
        QVERIFY(begin());
        for (int i = 0; i < 5; ++i) {
            QVERIFY(m_nodes->set(RedlockNodes::all(), "lock:" + QByteArray::number(i), kToken, 1'000));
            QVERIFY(saw(EventKind::Expired, "lock:" + QByteArray::number(i)));
        }
        QVERIFY(!saw(EventKind::Released, {}, 200));
        QVERIFY(!saw(EventKind::TakenOver, {}, 10));
    }

    void aNodeThatStopsWhileChangesArePushed()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        configurePushed();
        QVERIFY(m_nodes->set({0, 1, 2}, kLock, kToken));
        QVERIFY(begin());
        QTRY_COMPARE(owned(), kToken);
        m_nodes->at(2).kill();
        QTRY_COMPARE(phase(kLock), domain::Phase::Unknown);
        // The agent still reports locks that don't depend on this node.
        QVERIFY(m_nodes->set({0, 1, 3, 4}, "lock:b", kToken));
        QVERIFY(saw(EventKind::Acquired, "lock:b"));
        QVERIFY(m_nodes->at(2).restart());
        QVERIFY(saw(EventKind::Lost, kLock));
        QVERIFY(saw(EventKind::GapClosed));
        m_nodes->remove(RedlockNodes::all(), "lock:b");
        QVERIFY(saw(EventKind::Released, "lock:b"));
        QVERIFY(!saw(EventKind::SourceDown, {}, 10));
        for (const LockEvent &event : std::as_const(m_client->events))
            QVERIFY(!event.detail.missed);
    }

    void withoutAMajorityTheSourceIsDown()
    {
        QVERIFY(m_nodes->set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(begin());
        QTRY_COMPARE(owned(), kToken);
        for (const int node : {0, 2, 4})
            m_nodes->at(node).pause();
        QVERIFY(saw(EventKind::SourceDown));
        QVERIFY(saw(EventKind::GapOpened));
        QCOMPARE(owned(), kToken);
        for (const int node : {0, 2, 4})
            m_nodes->at(node).resume();
        QVERIFY(saw(EventKind::GapClosed, {}, 20'000));
        QVERIFY(!saw(EventKind::Released, {}, 200));
        QCOMPARE(phase(kLock), domain::Phase::Held);
    }

    void forceRelease_data()
    {
        QTest::addColumn<bool>("pushed");
        QTest::newRow("polled") << false;
        QTest::newRow("pushed to") << true;
    }
    void forceRelease()
    {
        QFETCH(bool, pushed);
        if (pushed && RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        if (pushed)
            configurePushed();
        QVERIFY(m_nodes->set({0, 1, 2, 4}, kLock, kToken));
        QVERIFY(begin());
        QTRY_COMPARE(owned(), kToken);
        const auto seen = m_client->ask<protocol::Inspected>(protocol::Inspect{0, key(kLock)});
        QVERIFY(seen && !seen->error);
        QCOMPARE(seen->state.nodes.size(), 5);
        QCOMPARE(seen->state.guard, m_client->table.locks.value(key(kLock)).guard);
        QVERIFY2(seen->willRun.contains(QStringLiteral("5 × EVAL")), qPrintable(seen->willRun));
        protocol::ForceRelease request;
        request.command = QByteArray(32, 'a');
        request.key = key(kLock);
        request.ticket = seen->ticket;
        request.guard = seen->state.guard;
        request.reason = QStringLiteral("the host is gone");
        const auto result = m_client->ask<protocol::ReleaseResult>(request);
        QVERIFY(result);
        QCOMPARE(result->outcome, Outcome::Released);
        QCOMPARE(result->nodes.size(), 5);
        QCOMPARE(result->nodes.at(2).outcome, Outcome::Released);
        QCOMPARE(result->nodes.at(3).outcome, Outcome::AlreadyFree);
        QCOMPARE(result->nodes.at(4).node, m_nodes->address(4));
        QCOMPARE(m_nodes->values(kLock), QByteArray("- - - - -"));
        QVERIFY(saw(EventKind::ForceReleased, kLock));
        QCOMPARE(event(EventKind::ForceReleased, kLock).command, request.command);
        QVERIFY(!saw(EventKind::Released, kLock, 300)); // the operator caused the nodes' notifications
        const auto audit = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{});
        QVERIFY(audit && !audit->entries.isEmpty());
        QVERIFY2(audit->entries.first().detail.contains(
                     QString::fromLatin1(m_nodes->address(3) + " already_free")),
                 qPrintable(audit->entries.first().detail));
    }

    void leftoversAreBrokenFromTheShell()
    {
        QVERIFY(m_nodes->set({1, 3}, kLock, kToken, 600'000));
        QVERIFY(begin());
        QTRY_COMPARE(phase(kLock), domain::Phase::Free);
        QTRY_COMPARE(held(kLock, domain::NodeHolds::Other), 2);
        QByteArray output;
        QCOMPARE(shell({"locks", "--name", "lock:*"}, output), 0);
        const QJsonObject lock = QJsonDocument::fromJson(output).object();
        QCOMPARE(lock.value(QLatin1String("state")).toString(), QStringLiteral("free"));
        QCOMPARE(lock.value(QLatin1String("nodes")).toArray().size(), 5);
        QCOMPARE(lock.value(QLatin1String("nodes"))
                     .toArray()
                     .at(1)
                     .toObject()
                     .value(QLatin1String("holds"))
                     .toString(),
                 QStringLiteral("other"));
        const QByteArray guard = lock.value(QLatin1String("guard")).toString().toLatin1();
        QCOMPARE(shell({"release", "jobs", kLock, "--guard", guard, "--reason", "leftover", "--yes"}, output),
                 0);
        const QJsonObject result = QJsonDocument::fromJson(output).object();
        QCOMPARE(result.value(QLatin1String("outcome")).toString(), QStringLiteral("released"));
        const QJsonArray nodes = result.value(QLatin1String("nodes")).toArray();
        QCOMPARE(nodes.size(), 5);
        QCOMPARE(nodes.at(3).toObject().value(QLatin1String("outcome")).toString(),
                 QStringLiteral("released"));
        QCOMPARE(nodes.at(0).toObject().value(QLatin1String("outcome")).toString(),
                 QStringLiteral("already_free"));
        QCOMPARE(m_nodes->values(kLock), QByteArray("- - - - -"));
        // It has no events, and the audit proves that the name isn't a typo.
        QCOMPARE(shell({"release", "jobs", kLock, "--guard", guard, "--reason", "again", "--yes"}, output),
                 6);
        protocol::ForceRelease again;
        again.command = QByteArray(32, 'b');
        again.key = key(kLock);
        again.guard = guard;
        again.reason = QStringLiteral("again");
        const auto answer = m_client->ask<protocol::ReleaseResult>(again);
        QVERIFY(answer);
        QCOMPARE(answer->outcome, Outcome::AlreadyFree);
        again.command = QByteArray(32, 'c');
        again.key.name = "lock:typo";
        const auto unseen = m_client->ask<protocol::ReleaseResult>(again);
        QVERIFY(unseen);
        QCOMPARE(unseen->outcome, Outcome::Refused);
        QCOMPARE(unseen->error.code, base::ErrorCode::NotFound);
    }

    void checkTellsOfEachNode()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_nodes->at(1).stop();
        m_nodes->at(2).command({"ACL", "SETUSER", "default", "-eval"});
        QByteArray output;
        QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 0);
        const bool valkey = RedisServer::program().constLast().contains(QLatin1String("valkey"));
        QVERIFY2(output.contains("node     " + m_nodes->address(0) + (valkey ? " Valkey " : " Redis ")),
                 output.constData());
        QVERIFY2(output.contains("node     " + m_nodes->address(1) + " can't be reached"),
                 output.constData());
        QVERIFY2(output.contains("MISSING  release"), output.constData());
        QVERIFY2(output.contains("granted  release"), output.constData());
    }

private:
    /** No poll and no scan comes in time. On servers from Redis 6.0 on. */
    void configurePushed()
    {
        m_agent->configure("[[source]]\nname = \"jobs\"\nurl = \"" + stores::textOf(m_nodes->url()).toUtf8() +
                           "\"\npush = true\npoll_ms = 60000\nreconcile_ms = 600000\n  [[source.locks]]\n"
                           "  scheme = \"redis.redlock\"\n  match = \"lock:*\"\n");
    }
    bool begin() { return startWatched(false, 20'000); }
    domain::LockKey key(const QByteArray &name) const
    {
        return {QStringLiteral("jobs"), "redis.redlock", "db0", name};
    }
    bool saw(EventKind kind, const QByteArray &name = {}, int timeoutMs = 10'000)
    {
        return m_client->saw(kind, name, timeoutMs);
    }
    LockEvent event(EventKind kind, const QByteArray &name) const
    {
        for (const LockEvent &event : m_client->events) {
            if (event.kind == kind && event.key.name == name)
                return event;
        }
        return {};
    }
    QByteArray owned() const
    {
        const domain::LockState state = m_client->table.locks.value(key(kLock));
        return state.isHeld() || state.phase == domain::Phase::Unknown ? state.owner : QByteArray();
    }
    domain::Phase phase(const QByteArray &name) const { return m_client->table.locks.value(key(name)).phase; }
    int held(const QByteArray &name, domain::NodeHolds what) const
    {
        return int(domain::countOf(m_client->table.locks.value(key(name)).nodes, what));
    }
    int shell(const QList<QByteArray> &words, QByteArray &output)
    {
        QProcess program;
        QStringList arguments{QStringLiteral("--agent"), QStringLiteral("local:") + m_agent->socket(),
                              QStringLiteral("--json")};
        for (const QByteArray &word : words)
            arguments.append(QString::fromUtf8(word));
        program.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"), arguments);
        program.waitForFinished(20'000);
        output = program.readAllStandardOutput();
        return program.exitCode();
    }

    std::unique_ptr<RedlockNodes> m_nodes;
};

LOCKKEEPER_TEST(TestAgentRedlock)

} // namespace tst_agent_redlock

#include "tst_agent_redlock.moc"
