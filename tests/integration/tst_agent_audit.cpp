// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

namespace tst_agent_audit {

using namespace lockkeeper::tests;

/** A user who can write the agent's data folder, but not the folder of its key, hides no release. */
class TestAgentAudit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whatIsGoneIsNamedUntilItIsAccepted_data();
    void whatIsGoneIsNamedUntilItIsAccepted();

private:
    Output audit(const QStringList &options) const;
    /** By the shell, of the lock that alice holds. */
    void releaseOne();
    QString dataFile(const char *name) const;

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    QTemporaryDir m_keys;
};

void TestAgentAudit::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    QVERIFY(m_redis->start());
    m_agent->configure(
        "[journal]\naudit_key = \"" + m_keys.filePath(QStringLiteral("audit.key")).toUtf8() +
        "\"\n[[source]]\nname = \"orders\"\nurl = \"" + m_redis->url().toEncoded() +
        "\"\npoll_ms = 20\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    QVERIFY(m_agent->start());
}

void TestAgentAudit::cleanup()
{
    m_agent.reset();
    m_redis.reset();
    for (const QString &file : QDir(m_keys.path()).entryList(QDir::Files))
        QVERIFY(QFile::remove(m_keys.filePath(file)));
}

Output TestAgentAudit::audit(const QStringList &options) const
{
    return run("lockkeeperctl",
               QStringList{QStringLiteral("--agent"), QStringLiteral("local:") + m_agent->socket(),
                           QStringLiteral("audit"), QStringLiteral("--limit"), QStringLiteral("1")} +
                   options);
}

void TestAgentAudit::releaseOne()
{
    m_redis->command({"SET", "lock:a", "alice", "PX", "600000"});
    const Output released =
        run("lockkeeperctl", {QStringLiteral("--agent"), QStringLiteral("local:") + m_agent->socket(),
                              QStringLiteral("release"), QStringLiteral("orders"), QStringLiteral("lock:a"),
                              QStringLiteral("--holder"), QStringLiteral("alice"), QStringLiteral("--reason"),
                              QStringLiteral("it is stuck"), QStringLiteral("--yes")});
    QVERIFY2(released.status == 0, released.err.constData());
}

QString TestAgentAudit::dataFile(const char *name) const
{
    return m_agent->folder() + QLatin1String("/data/") + QLatin1String(name);
}

void TestAgentAudit::whatIsGoneIsNamedUntilItIsAccepted_data()
{
    QTest::addColumn<bool>("isRolledBack"); // or deleted
    QTest::addColumn<QByteArray>("missing");
    QTest::newRow("an older copy") << true << QByteArray("records 3 to 6 of the audit are missing");
    QTest::newRow("deleted") << false << QByteArray("records 1 to 6 of the audit are missing");
}

void TestAgentAudit::whatIsGoneIsNamedUntilItIsAccepted()
{
    QFETCH(bool, isRolledBack);
    QFETCH(QByteArray, missing);
    const QStringList files{dataFile("audit.db"), dataFile("audit.head")};
    const QStringList verify{QStringLiteral("--verify"), QStringLiteral("--public-key"),
                             m_keys.filePath(QStringLiteral("audit.key.pub"))};
    releaseOne();
    QCOMPARE(m_agent->terminate(), 0);
    for (const QString &file : files)
        QVERIFY(QFile::copy(file, file + QLatin1String(".old")));
    QVERIFY(m_agent->start());
    releaseOne();
    releaseOne();
    const Output head = audit({QStringLiteral("--head")});
    QVERIFY2(head.out.contains("the audit has 6 records"), head.out.constData());
    const QString hash = QString::fromLatin1(head.out.trimmed().right(64));
    const QStringList expected{QStringLiteral("--at-least"), QStringLiteral("6"), QStringLiteral("--head"),
                               hash};
    const Output before = audit(verify + expected);
    QVERIFY2(before.status == 0 && before.out.contains("Chain verified"), before.err.constData());

    QCOMPARE(m_agent->terminate(), 0);
    for (const QString &file : files) {
        QVERIFY(QFile::remove(file));
        if (isRolledBack)
            QVERIFY(QFile::copy(file + QLatin1String(".old"), file));
    }
    QVERIFY(m_agent->start());
    QVERIFY2(m_agent->log().contains(missing), m_agent->log().constData());
    const Output after = audit(verify);
    QCOMPARE(after.status, 1);
    QVERIFY2(after.err.contains(missing) && !after.out.contains("verified"), after.err.constData());
    const Output status =
        run("lockkeeperctl", {QStringLiteral("--agent"), QStringLiteral("local:") + m_agent->socket(),
                              QStringLiteral("status")});
    QVERIFY2((status.out + status.err).contains(missing), (status.out + status.err).constData());
    releaseOne(); // continues, audited and unsigned

    const QStringList accept{QStringLiteral("audit"), QStringLiteral("accept"), QStringLiteral("--reason"),
                             QStringLiteral("the disk failed")};
    QByteArray said;
    QCOMPARE(m_agent->run(accept, &said), 1);
    QVERIFY2(said.contains("another agent writes to"), said.constData());
    QCOMPARE(m_agent->terminate(), 0);
    QCOMPARE(m_agent->run(accept, &said), 0);
    QVERIFY2(said.contains("of the audit are missing"), said.constData());
    QCOMPARE(m_agent->run(accept, &said), 1);
    QVERIFY2(said.contains("there is nothing to accept"), said.constData());
    QVERIFY(m_agent->start());
    const Output accepted = audit(verify);
    QVERIFY2(accepted.status == 0 && accepted.out.contains("was accepted: entry"), accepted.err.constData());
    QVERIFY(audit(QStringList{QStringLiteral("--verify")} + expected).status == 1); // the line of the ticket
}

LOCKKEEPER_TEST(TestAgentAudit)

} // namespace tst_agent_audit

#include "tst_agent_audit.moc"
