// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Discover where a URL leads to several servers, and the section that lockkeeperctl prints given to
// lockkeeper-agent --check.
#include "shared/stores/host_list.h"
#include "tests/support/program.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_sentinel.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_discover_redis_nodes {

using namespace lockkeeper;
using tests::Output;
using tests::run;

namespace {

const QByteArray kToken("8f14e45fceea167a5a36dedd4bea2543");

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/** The section that is printed for `url`, given to the agent's --check: its output, and on `err` the section.
 */
Output withCheck(const QUrl &url)
{
    const Output found = run("lockkeeperctl", {s("discover"), stores::textOf(url)});
    if (found.status != 0)
        return found;
    QTemporaryDir folder;
    QFile file(folder.filePath(s("agent.toml")));
    file.open(QIODevice::WriteOnly);
    file.write("[agent]\nname = \"t\"\ndata_dir = \"" + folder.path().toUtf8() + "\"\n" + found.out);
    file.close();
    Output check = run("lockkeeper-agent", {s("--config"), file.fileName(), s("--check")});
    check.err = found.out;
    return check;
}

} // namespace

class TestDiscoverRedisNodes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sentinelGroup();
    void cluster();
    void redlock();
};

void TestDiscoverRedisNodes::sentinelGroup()
{
    tests::SentinelTrio trio;
    QVERIFY(trio.start());
    for (int i = 0; i < 5; ++i)
        trio.m_one.command({"SET", "lock:" + QByteArray::number(i), kToken, "PX", "60000"});
    const Output output = withCheck(trio.url());
    QVERIFY2(output.status == 0, (output.err + output.out).constData());
    QVERIFY2(output.err.contains("url = \"" + stores::textOf(trio.url()).toUtf8() + '"'),
             output.err.constData());
    QVERIFY(output.err.contains("match = \"lock:*\"") && output.err.contains("push = true"));
    QVERIFY2(output.out.contains("sees     5 locks"), output.out.constData());
}

/** The keys of all primaries are judged together. */
void TestDiscoverRedisNodes::cluster()
{
    tests::RedisCluster cluster;
    QVERIFY(cluster.start());
    for (int i = 0; i < 30; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        cluster.command(name, {"SET", name, kToken, "PX", "60000"});
        const QByteArray job = "mutex:" + QByteArray::number(i);
        cluster.command(job, {"HSET", job, "285475da-9152-4c83-822a-67ee2f116a79:52", "1"});
        cluster.command(job, {"PEXPIRE", job, "30000"});
    }
    const Output output = withCheck(cluster.url());
    QVERIFY2(output.status == 0, (output.err + output.out).constData());
    QVERIFY2(output.err.contains("cluster of 3 primaries"), output.err.constData());
    QVERIFY(output.err.contains("url = \"redis+cluster://127.0.0.1:1,127.0.0.1:"));
    QVERIFY(output.err.contains("name = \"redis-cluster\"") && output.err.contains("push = true"));
    QCOMPARE(output.err.count("[[source.locks]]"), 2);
    QVERIFY2(output.out.contains("sees     60 locks"), output.out.constData());
    // A node that is away leaves the rest to be found.
    cluster.node(2).kill();
    const Output rest = run("lockkeeperctl", {s("discover"), stores::textOf(cluster.url())});
    QCOMPARE(rest.status, 0);
    QVERIFY(rest.out.contains("match = \"lock:*\"") && rest.out.contains("more keys than were scanned"));
}

/** Tokens on a majority are its locks; a token on a single node isn't. */
void TestDiscoverRedisNodes::redlock()
{
    tests::RedlockNodes nodes;
    QVERIFY(nodes.start(5));
    for (int i = 0; i < 8; ++i) {
        QVERIFY(nodes.set({0, 1, 2}, "lock:" + QByteArray::number(i), kToken, 60'000));
        QVERIFY(nodes.set({3}, "mutex:" + QByteArray::number(i), kToken, 60'000));
    }
    const Output output = withCheck(nodes.spec().url);
    QVERIFY2(output.status == 0, (output.err + output.out).constData());
    QVERIFY2(output.err.contains("5 nodes"), output.err.constData());
    QCOMPARE(output.err.count("[[source.locks]]"), 1);
    QVERIFY(output.err.contains("scheme = \"redis.redlock\"") && output.err.contains("match = \"lock:*\""));
    QVERIFY(output.err.contains("name = \"redlock\"") && output.err.contains("push = true"));
    QVERIFY2(output.out.contains("sees     8 locks"), output.out.constData());
}

LOCKKEEPER_TEST(TestDiscoverRedisNodes)

} // namespace tst_discover_redis_nodes

#include "tst_discover_redis_nodes.moc"
