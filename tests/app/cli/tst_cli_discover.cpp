// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_cli_discover {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** `discover --via-agent`: the agent looks, and its section is printed. */
class TestCliDiscover : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agentLooks();
    void refusalIsTold();
};

void TestCliDiscover::agentLooks()
{
    FakeAgent agent;
    domain::discovery::Candidate keys;
    keys.match = "lock:*";
    keys.keys = 5;
    keys.scheme = "redis.token";
    keys.score = 90;
    agent.discovery.discovery.store = "redis";
    agent.discovery.discovery.found = {keys};
    qputenv("LOCKKEEPER_TEST_STORE", "s3cret");
    Run run(agent.address(), {QStringLiteral("discover"), QStringLiteral("redis://cache.internal:6379/0"),
                              QStringLiteral("--via-agent"), QStringLiteral("--password"),
                              QStringLiteral("env:LOCKKEEPER_TEST_STORE")});
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.out().contains("url = \"redis://cache.internal:6379/0\""), run.out().constData());
    QVERIFY2(run.out().contains("# Found by the agent "), run.out().constData());
    QVERIFY2(!run.out().contains("s3cret"), run.out().constData());
    const auto asked = agent.askedFor<protocol::DiscoverRequest>();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.at(0).url, QStringLiteral("redis://cache.internal:6379/0"));
    QCOMPARE(asked.at(0).password, QByteArray("s3cret")); // the value: the agent resolves no reference
    QCOMPARE(asked.at(0).command.size(), 32);
}

void TestCliDiscover::refusalIsTold()
{
    FakeAgent agent;
    agent.discovery.error = {base::ErrorCode::PermissionDenied, QStringLiteral("told so"), {}};
    Run run(agent.address(), {QStringLiteral("discover"), QStringLiteral("redis://cache.internal:6379/0"),
                              QStringLiteral("--via-agent")});
    QTRY_COMPARE(run.status(), 4);
    QVERIFY2(run.err().contains("told so"), run.err().constData());
    QCOMPARE(agent.askedFor<protocol::DiscoverRequest>().size(), 1);
}

LOCKKEEPER_TEST(TestCliDiscover)

} // namespace tst_cli_discover

#include "tst_cli_discover.moc"
