// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>
#include <QTimer>

namespace tst_agent_crash {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::LockEvent;

/** kill -9 at random points under load: everything that a client received stays true. */
class TestAgentCrash : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void killedAgainAndAgain();
};

void TestAgentCrash::killedAgainAndAgain()
{
    RedisServer redis;
    QVERIFY(redis.start());
    AgentProcess agent;
    agent.configure(
        "[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
        "\"\npoll_ms = 20\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    auto *random = QRandomGenerator::global();
    QTimer load;
    quint64 turn = 0;
    connect(&load, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 10; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(random->bounded(200));
            if (random->bounded(3) == 0)
                redis.command({"DEL", name});
            else
                redis.command({"SET", name, QByteArray::number(++turn), "PX",
                               QByteArray::number(50 + random->bounded(2'000))});
        }
    });
    load.start(2);

    TestClient client;
    QByteArray journal;
    qint64 worstServingMs = 0;
    int ordered = 0;
    const int kills = killsOr(50);
    for (int round = 0; round < kills; ++round) {
        QElapsedTimer serving;
        serving.start();
        QVERIFY(agent.start());
        QVERIFY(client.open(agent.socket()));
        worstServingMs = std::max(worstServingMs, serving.elapsed());
        if (round > 0)
            QCOMPARE(client.welcome.journal, journal);
        journal = client.welcome.journal;
        client.subscribe(client.table.seq, false);
        QTimer breaker;
        connect(&breaker, &QTimer::timeout, this, [&] {
            // The audit must be whole whether or not the agent lives to answer.
            const QByteArray name = "lock:" + QByteArray::number(random->bounded(200));
            protocol::ForceRelease order;
            order.command = QByteArray::number(++ordered).rightJustified(32, '0');
            order.key = {QStringLiteral("orders"), "redis.token", "db0", name};
            order.holder = redis.command({"GET", name}).bytes;
            order.reason = QStringLiteral("under fire");
            client.post(order);
        });
        breaker.start(3);
        const quint64 seen = client.table.seq;
        const int lifeMs = random->bounded(1, 250);
        QElapsedTimer life;
        life.start();
        (void)QTest::qWaitFor(
            [&] { return life.elapsed() > lifeMs && (round % 5 != 0 || client.table.seq > seen); }, 5'000);
        breaker.stop();
        agent.kill();
        QTRY_VERIFY(client.end);
    }
    load.stop();
    redis.command({"FLUSHALL"}); // nothing is left that could expire while we compare
    QVERIFY(agent.start());
    QVERIFY(client.open(agent.socket()));
    client.subscribe(client.table.seq, false);
    QVERIFY(client.ask<protocol::Done>(protocol::ReadNow{}));
    const auto status = client.ask<protocol::Status>(protocol::StatusQuery{});
    QVERIFY(status);
    QTRY_COMPARE(client.table.seq, status->lastSeq);

    QCOMPARE(client.fresh, 0);
    QCOMPARE(client.faults, QStringList());
    QCOMPARE(quint64(client.events.size()), status->lastSeq);
    // And the journal still has the events as originally sent.
    protocol::HistoryQuery query;
    query.limit = 1'000;
    query.afterSeq = 0;
    for (qsizetype at = 0; at < client.events.size();) {
        const auto page = client.ask<protocol::EventPage>(query);
        QVERIFY(page && !page->events.isEmpty());
        for (LockEvent event : page->events) {
            LockEvent told = client.events.at(at++);
            told.after.reset();
            event.after.reset();
            QVERIFY2(event == told, qPrintable(QString::number(told.seq)));
        }
        query.afterSeq = page->events.constLast().seq;
    }
    int pending = 0;
    protocol::AuditQuery audits;
    audits.limit = 1'000;
    int entries = 0;
    QHash<QByteArray, int> outcomes;
    for (bool more = true; more;) {
        const auto page = client.ask<protocol::AuditPage>(audits);
        QVERIFY(page);
        for (const domain::AuditEntry &entry : page->entries) {
            pending += entry.outcome == domain::Outcome::Pending;
            ++outcomes[domain::outcomeName(entry.outcome).toByteArray()];
            audits.beforeId = entry.id;
            ++entries;
        }
        more = page->more;
    }
    qInfo("%d kills: %d events and %d audited releases kept, serving again after %lld ms at worst", kills,
          int(client.events.size()), entries, static_cast<long long>(worstServingMs));
    for (auto it = outcomes.cbegin(); it != outcomes.cend(); ++it)
        qInfo("  %s: %d", it.key().constData(), *it);
    QCOMPARE(pending, 0);
    QVERIFY(entries > 0);
    audits = {};
    audits.verify = true;
    const auto chain = client.ask<protocol::AuditPage>(audits);
    QVERIFY(chain && chain->verified);
}

LOCKKEEPER_TEST(TestAgentCrash)

} // namespace tst_agent_crash

#include "tst_agent_crash.moc"
