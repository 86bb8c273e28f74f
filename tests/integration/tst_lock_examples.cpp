// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The examples that are installed as documentation do what they say, through the installed library's
// interface.

#include "tests/support/etcd_server.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace tst_lock_examples {

using namespace lockkeeper;

namespace {

QString tables()
{
    return QStringLiteral(
        "CREATE DATABASE app;\nUSE app;\n"
        "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
        "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL);\n"
        "CREATE TABLE distribute_lock (id BIGINT AUTO_INCREMENT PRIMARY KEY, resource_id "
        "VARCHAR(64) NOT NULL UNIQUE, create_time DATETIME(3));\n"
        "CREATE TABLE `lock` (id BIGINT AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(64) NOT NULL "
        "UNIQUE, holder VARCHAR(64) NOT NULL DEFAULT '', creation_time DATETIME(3), "
        "last_lock_time DATETIME(3));\n"
        "INSERT INTO `lock` (lock_key) VALUES ('customer-17');\n"
        "CREATE TABLE t_tag_lock (Findex BIGINT AUTO_INCREMENT PRIMARY KEY, Flock_name VARCHAR(128) "
        "NOT NULL UNIQUE, Fcount INT NOT NULL DEFAULT 0, Fdeadline DATETIME(3) NOT NULL, Fdesc "
        "VARCHAR(255), Fcreate_time DATETIME(3), Fmodify_time DATETIME(3), Fstatus INT NOT NULL "
        "DEFAULT 0, Frequest_id VARCHAR(64) NOT NULL DEFAULT '');\n"
        "CREATE TABLE optimistic_lock (id BIGINT AUTO_INCREMENT PRIMARY KEY, resource VARCHAR(64) "
        "NOT NULL UNIQUE, version BIGINT NOT NULL DEFAULT 0);\n"
        "INSERT INTO optimistic_lock (resource) VALUES ('account/7');\n");
}

} // namespace

class LockExamplesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void redis_data();
    void redis();
    void sql_data();
    void sql();
    void redlock();
    void etcd();
    void zookeeper();
    void each();

private:
    void run(const QString &example, const QUrl &url, const QByteArray &says);
    QString m_program = QDir(qEnvironmentVariable("LOCKKEEPER_BIN"))
                            .absoluteFilePath(QStringLiteral("../tests/lockkeeper-examples"));
    tests::MariaDbServer m_database;
    QStringList m_seen; ///< of those that the program has
};

void LockExamplesTest::run(const QString &example, const QUrl &url, const QByteArray &says)
{
    m_seen.append(example);
    QProcess process;
    process.start(m_program, {example, url.toString(QUrl::FullyEncoded)});
    QVERIFY2(process.waitForFinished(60'000), qPrintable(process.errorString()));
    const QByteArray output = process.readAllStandardOutput();
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(output.contains(says), (output + errors).constData());
    QVERIFY2(process.exitCode() == 0, (output + errors).constData());
    QCOMPARE(errors, QByteArray());
}

void LockExamplesTest::redis_data()
{
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("redis_token") << QByteArray("writing the report");
    QTest::newRow("redis_redisson") << QByteArray("held 2 times");
    QTest::newRow("redis_json") << QByteArray("importing for 5");
    QTest::newRow("redis_semaphore") << QByteArray("one of three downloads");
    QTest::newRow("event_loop") << QByteArray("held for 2");
}

void LockExamplesTest::redis()
{
    QFETCH(QByteArray, says);
    tests::RedisServer server;
    QVERIFY(server.start());
    run(QString::fromLatin1(QTest::currentDataTag()), server.url(), says);
    const tests::RedisReply left = server.command({"KEYS", "*"});
    // The counter of fencing tokens, and when the last run was.
    static const QRegularExpression kMayStay(QStringLiteral("fencing:|token:|^import$"));
    for (const tests::RedisReply &key : left.list)
        QVERIFY2(QString::fromUtf8(key.bytes).contains(kMayStay), key.bytes.constData());
}

void LockExamplesTest::sql_data()
{
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("sql_shedlock") << QByteArray("running the nightly job");
    QTest::newRow("sql_insert") << QByteArray("sending the invoice once");
    QTest::newRow("sql_lease") << QByteArray("leading");
    QTest::newRow("sql_reentrant") << QByteArray("held 2 times");
    QTest::newRow("sql_row") << QByteArray("the row is ours");
    QTest::newRow("sql_version") << QByteArray("changed, try 1");
    QTest::newRow("sql_advisory") << QByteArray("one at a time");
}

void LockExamplesTest::sql()
{
    QFETCH(QByteArray, says);
    if (!m_database.isRunning()) {
        QVERIFY(m_database.start());
        m_database.exec(tables());
    }
    run(QString::fromLatin1(QTest::currentDataTag()), m_database.url(QStringLiteral("app")), says);
}

void LockExamplesTest::redlock()
{
    tests::RedlockNodes nodes;
    QVERIFY(nodes.start(3));
    run(QStringLiteral("redis_redlock"), nodes.url(), "part 3 with");
}

void LockExamplesTest::etcd()
{
    if (!tests::EtcdServer::isInstalled())
        QSKIP(tests::EtcdServer::absent());
    tests::EtcdServer server;
    QVERIFY(server.start());
    run(QStringLiteral("etcd_lease"), server.url(), "our turn");
}

void LockExamplesTest::zookeeper()
{
    if (!tests::ZookeeperServer::isInstalled())
        QSKIP(tests::ZookeeperServer::absent());
    tests::ZookeeperServer server;
    QVERIFY(server.start());
    run(QStringLiteral("zookeeper_sequence"), server.url(), "compacting");
}

/** None is forgotten here. */
void LockExamplesTest::each()
{
    m_seen +=
        {QStringLiteral("mongodb_ttl"), QStringLiteral("etcd_lease"), QStringLiteral("zookeeper_sequence")};
    QProcess process;
    process.start(m_program, QStringList());
    QVERIFY(process.waitForFinished(60'000));
    const QList<QByteArray> all = process.readAllStandardError().trimmed().split('\n');
    for (const QByteArray &name : all)
        QVERIFY2(m_seen.contains(QString::fromLatin1(name)), name.constData());
    QVERIFY(all.size() > 15);
}

LOCKKEEPER_TEST(LockExamplesTest)

} // namespace tst_lock_examples

#include "tst_lock_examples.moc"
