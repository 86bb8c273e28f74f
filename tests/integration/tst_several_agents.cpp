// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace tst_several_agents {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** lockkeeperctl with three real agents: dc1 and dc2 watch one Redis server, dc2 more closely, dc3 another.
 */
class TestSeveralAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void oneRowForOneLock();
    void releaseGoesWhereItIsSeenBest();
    void differentLocksAreLeftToTheAsker();
    void historyInOrderOfTime();
    void oneIsKilled();
    void watchGoesOnWithoutTheOneThatIsKilled();
    void oneAgentByTwoWays();

private:
    bool begin(AgentProcess &agent, const QByteArray &name, const RedisServer &redis, int pollMs);
    Output ctl(const QByteArrayList &agents, const QStringList &arguments);
    QStringList line(const QByteArrayList &agents, const QStringList &arguments) const;
    /** "dc2+dc1 lock:a" for each row of `locks`, in order of its text. */
    QStringList rows(const QByteArrayList &agents);
    bool take(RedisServer &redis, const QByteArray &lock, const QByteArray &owner)
    {
        return !redis.command({"SET", lock, owner, "PX", "600000"}).isError();
    }
    QStringList release(const char *source, const char *lock, const char *holder) const
    {
        return {QStringLiteral("release"),  QString::fromLatin1(source),       QString::fromLatin1(lock),
                QStringLiteral("--holder"), QString::fromLatin1(holder),       QStringLiteral("--yes"),
                QStringLiteral("--reason"), QStringLiteral("its pod is gone"), QStringLiteral("--json")};
    }

    const QByteArrayList m_all{"dc1", "dc2", "dc3"};
    std::unique_ptr<QTemporaryDir> m_home; // with the user's agents.toml
    std::unique_ptr<RedisServer> m_shared;
    std::unique_ptr<RedisServer> m_other;
    std::unique_ptr<AgentProcess> m_one;
    std::unique_ptr<AgentProcess> m_two;
    std::unique_ptr<AgentProcess> m_three;
};

void TestSeveralAgents::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_shared = std::make_unique<RedisServer>();
    m_other = std::make_unique<RedisServer>();
    m_one = std::make_unique<AgentProcess>();
    m_two = std::make_unique<AgentProcess>();
    m_three = std::make_unique<AgentProcess>();
    QVERIFY(m_shared->start() && m_other->start());
    QVERIFY(QDir(m_home->path()).mkpath(QStringLiteral("lockkeeper")));
    QVERIFY(begin(*m_one, "dc1", *m_shared, 200));
    QVERIFY(begin(*m_two, "dc2", *m_shared, 50));
    QVERIFY(begin(*m_three, "dc3", *m_other, 50));
}

void TestSeveralAgents::cleanup()
{
    m_one.reset();
    m_two.reset();
    m_three.reset();
    m_shared.reset();
    m_other.reset();
}

/** All agents call themselves "test": only the user's names distinguish them. */
bool TestSeveralAgents::begin(AgentProcess &agent, const QByteArray &name, const RedisServer &redis,
                              int pollMs)
{
    agent.configure("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                    "\"\npush = false\npoll_ms = " + QByteArray::number(pollMs) +
                    "\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    QFile saved(m_home->filePath(QStringLiteral("lockkeeper/agents.toml")));
    return agent.start() && saved.open(QIODevice::Append) &&
           saved.write("[[agent]]\nname = \"" + name + "\"\naddress = \"local:" + agent.socket().toUtf8() +
                       "\"\n") > 0;
}

QStringList TestSeveralAgents::line(const QByteArrayList &agents, const QStringList &arguments) const
{
    QStringList line;
    for (const QByteArray &agent : agents)
        line << QStringLiteral("--agent") << QString::fromUtf8(agent);
    return line + arguments;
}

Output TestSeveralAgents::ctl(const QByteArrayList &agents, const QStringList &arguments)
{
    return run("lockkeeperctl", line(agents, arguments),
               {QStringLiteral("XDG_CONFIG_HOME=") + m_home->path()});
}

static QList<QJsonObject> objectsOf(const QByteArray &lines)
{
    QList<QJsonObject> objects;
    for (const QByteArray &line : lines.split('\n')) {
        if (!line.isEmpty())
            objects.append(QJsonDocument::fromJson(line).object());
    }
    return objects;
}

QStringList TestSeveralAgents::rows(const QByteArrayList &agents)
{
    QStringList rows;
    const Output listed = ctl(agents, {QStringLiteral("locks"), QStringLiteral("--json"),
                                       QStringLiteral("--state"), QStringLiteral("held")});
    for (const QJsonObject &object : objectsOf(listed.out)) {
        QString agent = object.value(QStringLiteral("agent")).toString();
        for (const QJsonValue &other : object.value(QStringLiteral("also_seen_by")).toArray())
            agent += QLatin1Char('+') + other.toString();
        rows.append(agent + QLatin1Char(' ') + object.value(QStringLiteral("lock")).toString());
    }
    rows.sort();
    return rows;
}

void TestSeveralAgents::oneRowForOneLock()
{
    QVERIFY(take(*m_shared, "lock:a", "w1") && take(*m_other, "lock:a", "w2"));
    QTRY_COMPARE_WITH_TIMEOUT(
        rows(m_all), QStringList({QStringLiteral("dc2+dc1 lock:a"), QStringLiteral("dc3 lock:a")}), 20000);
    QCOMPARE(rows({"dc1", "dc3"}), QStringList({QStringLiteral("dc1 lock:a"), QStringLiteral("dc3 lock:a")}));
    const Output table = ctl(m_all, {QStringLiteral("locks")});
    QCOMPARE(table.status, 0);
    QVERIFY2(table.out.contains("\ndc2,dc1  held   lock:a"), table.out.constData());
}

void TestSeveralAgents::releaseGoesWhereItIsSeenBest()
{
    QVERIFY(take(*m_shared, "lock:a", "w1") && take(*m_other, "lock:a", "w1"));
    QTRY_COMPARE_WITH_TIMEOUT(rows({"dc1", "dc2"}), QStringList{QStringLiteral("dc2+dc1 lock:a")}, 20000);
    const Output released = ctl({"dc1", "dc2"}, release("orders", "lock:a", "w1"));
    QVERIFY2(released.status == 0, released.err.constData());
    QVERIFY2(released.err.contains("via agent dc2"), released.err.constData());
    const QJsonObject object = objectsOf(released.out).value(0);
    QCOMPARE(object.value(QStringLiteral("agent")).toString(), QStringLiteral("dc2"));
    QCOMPARE(object.value(QStringLiteral("outcome")).toString(), QStringLiteral("released"));
    QVERIFY(m_shared->command({"GET", "lock:a"}).isNil());
    QCOMPARE(m_other->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    const Output audit = ctl(m_all, {QStringLiteral("audit"), QStringLiteral("--json")});
    QCOMPARE(audit.status, 0);
    QCOMPARE(objectsOf(audit.out).size(), 1);
    QCOMPARE(objectsOf(audit.out).constFirst().value(QStringLiteral("agent")).toString(),
             QStringLiteral("dc2"));
}

void TestSeveralAgents::differentLocksAreLeftToTheAsker()
{
    QVERIFY(take(*m_shared, "lock:a", "w1") && take(*m_other, "lock:a", "w1"));
    QTRY_COMPARE_WITH_TIMEOUT(
        rows(m_all), QStringList({QStringLiteral("dc2+dc1 lock:a"), QStringLiteral("dc3 lock:a")}), 20000);
    const Output refused = ctl(m_all, release("orders", "lock:a", "w1"));
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("dc2/orders") && refused.err.contains("dc3/orders"),
             refused.err.constData());
    QVERIFY(!refused.err.contains("dc1/orders"));
    QCOMPARE(m_shared->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QCOMPARE(m_other->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    const Output released = ctl(m_all, release("dc3/orders", "lock:a", "w1"));
    QVERIFY2(released.status == 0, released.err.constData());
    QCOMPARE(m_shared->command({"GET", "lock:a"}).bytes, QByteArray("w1"));
    QVERIFY(m_other->command({"GET", "lock:a"}).isNil());
}

void TestSeveralAgents::historyInOrderOfTime()
{
    for (int i = 0; i < 6; ++i) {
        RedisServer &redis = i % 2 == 0 ? *m_shared : *m_other;
        QVERIFY(take(redis, "lock:" + QByteArray::number(i), "w"));
        const QString lock = QStringLiteral("lock:%1").arg(i);
        QTRY_VERIFY_WITH_TIMEOUT(rows(m_all).join(u'\n').contains(lock), 20000);
    }
    const QStringList question{QStringLiteral("history"), QStringLiteral("--event"),
                               QStringLiteral("acquired"), QStringLiteral("--json")};
    QTRY_COMPARE_WITH_TIMEOUT(objectsOf(ctl(m_all, question).out).size(), 9,
                              20000); // dc1 and dc2 report the same events
    qint64 before = 0;
    for (const QJsonObject &object : objectsOf(ctl(m_all, question).out)) {
        const qint64 time = object.value(QStringLiteral("t_us")).toInteger();
        QVERIFY(time >= before);
        before = time;
    }
    const auto cut =
        objectsOf(ctl(m_all, question + QStringList{QStringLiteral("--limit"), QStringLiteral("4")}).out);
    QCOMPARE(cut, objectsOf(ctl(m_all, question).out).first(4));
}

void TestSeveralAgents::oneIsKilled()
{
    QVERIFY(take(*m_shared, "lock:a", "w1") && take(*m_other, "lock:b", "w1"));
    QTRY_COMPARE_WITH_TIMEOUT(
        rows(m_all), QStringList({QStringLiteral("dc2+dc1 lock:a"), QStringLiteral("dc3 lock:b")}), 20000);
    m_two->kill();
    const Output listed = ctl(m_all, {QStringLiteral("locks")});
    QCOMPARE(listed.status, 3);
    QVERIFY2(listed.out.contains("\ndc1 ") && listed.out.contains("\ndc3 "), listed.out.constData());
    QCOMPARE(listed.err.count('\n'), 1);
    QVERIFY2(listed.err.contains("dc2: "), listed.err.constData());
    QCOMPARE(rows(m_all), QStringList({QStringLiteral("dc1 lock:a"), QStringLiteral("dc3 lock:b")}));
    const Output refused = ctl(m_all, release("orders", "lock:b", "w1"));
    QCOMPARE(refused.status, 3);
    QCOMPARE(m_other->command({"GET", "lock:b"}).bytes, QByteArray("w1"));
    QCOMPARE(ctl(m_all, release("dc3/orders", "lock:b", "w1")).status, 0);
    QVERIFY(m_other->command({"GET", "lock:b"}).isNil());
}

void TestSeveralAgents::watchGoesOnWithoutTheOneThatIsKilled()
{
    QProcess watch;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home->path());
    watch.setProcessEnvironment(environment);
    watch.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                line({"dc1", "dc3"}, {QStringLiteral("watch"), QStringLiteral("--json")}));
    QByteArray out;
    QByteArray err;
    int taken = 0;
    const auto came = [&](const QByteArray &text) {
        out += watch.readAllStandardOutput();
        err += watch.readAllStandardError();
        return out.contains(text) || err.contains(text);
    };
    // From some moment on it hears of both.
    QTRY_VERIFY_WITH_TIMEOUT(take(*m_shared, "lock:x" + QByteArray::number(++taken), "w") &&
                                 take(*m_other, "lock:y" + QByteArray::number(taken), "w") &&
                                 came("\"lock\":\"lock:x") && came("\"lock\":\"lock:y"),
                             20000);
    m_one->kill();
    QTRY_VERIFY2_WITH_TIMEOUT(came("dc1: the link is lost"), err.constData(), 20000);
    QVERIFY(take(*m_other, "lock:later", "w"));
    QTRY_VERIFY_WITH_TIMEOUT(came("lock:later"), 20000);
    QVERIFY(m_one->start());
    QTRY_VERIFY2_WITH_TIMEOUT(came("dc1: connected again"), err.constData(), 20000);
    QVERIFY(take(*m_shared, "lock:again", "w"));
    QTRY_VERIFY_WITH_TIMEOUT(came("lock:again"), 20000);
    ::kill(pid_t(watch.processId()), SIGINT);
    QTRY_COMPARE_WITH_TIMEOUT(watch.state(), QProcess::NotRunning, 20000);
    QCOMPARE(watch.exitCode(), 0);
}

void TestSeveralAgents::oneAgentByTwoWays()
{
    QVERIFY(take(*m_shared, "lock:a", "w1"));
    QTRY_COMPARE_WITH_TIMEOUT(rows({"dc1"}).size(), 1, 20000);
    const QString link = m_home->filePath(QStringLiteral("l.sock"));
    QVERIFY(QFile::link(m_one->socket(), link));
    const QByteArray other = "local:" + link.toUtf8();
    QTRY_COMPARE_WITH_TIMEOUT(rows({"dc1", other}), QStringList{QStringLiteral("test lock:a")}, 20000);
    const Output listed = ctl({"dc1", other}, {QStringLiteral("locks")});
    QCOMPARE(listed.status, 0);
    QVERIFY2(listed.err.contains("same agent as dc1"), listed.err.constData());
}

LOCKKEEPER_TEST(TestSeveralAgents)

} // namespace tst_several_agents

#include "tst_several_agents.moc"
