// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "shared/stores/factory.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_agent_first_pass {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

namespace {

constexpr int kLocks = 20'000;

stores::SourceSpec sourceOf(const char *name, const QUrl &url, const char *scheme)
{
    stores::SourceSpec spec;
    spec.name = QString::fromLatin1(name);
    spec.url = url;
    spec.pollMs = 500;
    stores::LockSet set;
    set.scheme = scheme;
    spec.locks.append(set);
    return spec;
}

} // namespace

/** Real stores with more locks than the journal's queue can hold, and the first scan of an agent over them.
 */
class TestAgentFirstPass : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_redis.start());
        QVERIFY(m_database.start());
        RedisPlain plain(m_redis.socketPath());
        for (int i = 0; i < kLocks; ++i)
            plain.append(
                {"SET", "lock:" + QByteArray::number(i), "token" + QByteArray::number(i), "PX", "9000000"});
        for (int i = 0; i < kLocks; ++i)
            plain.next();
        m_database.exec(QStringLiteral("CREATE DATABASE app"));
        m_database.exec(
            QStringLiteral(
                "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) "
                "NOT NULL, locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL);\n"
                "INSERT INTO shedlock SELECT CONCAT('job', seq), NOW(3) + INTERVAL 2 HOUR, NOW(3), "
                "'me' FROM seq_1_to_%1")
                .arg(kLocks),
            QStringLiteral("app"));
    }

    void everyAcquisitionIsInTheHistory_data()
    {
        QTest::addColumn<bool>("push");
        QTest::newRow("polled") << false;
        QTest::newRow("pushed") << true;
    }
    void everyAcquisitionIsInTheHistory()
    {
        QFETCH(bool, push);
        QTemporaryDir folder;
        agent::config::Config config;
        config.name = QStringLiteral("test");
        config.dataDir = folder.filePath(QStringLiteral("data"));
        config.journalPath = config.dataDir + QStringLiteral("/journal.db");
        config.journalQueueBytes = 4 << 20; // some 3,000 events
        config.listen = {QStringLiteral("local:agent.sock")};
        stores::SourceSpec keys = sourceOf("keys", m_redis.url(), "redis.token");
        keys.locks.first().match = "lock:*";
        keys.pageSize = 200; // the pages in transit when scans pause have to fit into the queue
        keys.push = push;
        stores::SourceSpec rows = sourceOf("rows", m_database.url(QStringLiteral("app")), "sql.shedlock");
        rows.locks.first().table.table = QStringLiteral("shedlock");
        rows.pageSize = 50; // SQL reads ten pages at once, and delivers all rows that it has read
        config.sources = {keys, rows};
        base::SystemClock clock;
        agent::application::Agent watcher(config, clock, &stores::makeStore);
        const auto started = watcher.start();
        QVERIFY2(started, started ? "" : qPrintable(started.error().line()));

        TestClient client;
        QVERIFY(client.open(config.dataDir + QStringLiteral("/agent.sock")));
        client.subscribe(0, false);
        // Scans wait for the journal unless it files nothing for ten seconds; dropped events then become a
        // gap.
        const auto over = [&client] {
            return client.count(EventKind::Acquired) >= 2 * kLocks || client.count(EventKind::GapOpened) > 0;
        };
        static bool disksStood = false;
        disksStood = false;
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &line) {
                disksStood |= line.contains(QLatin1String("nothing was written for"));
            });
        const bool inTime = QTest::qWaitFor(over, 120'000);
        qInstallMessageHandler(before);
        if (client.count(EventKind::GapOpened) > 0 && disksStood)
            QSKIP("the disk stood still for ten seconds");
        QVERIFY2(inTime, qPrintable(QString::number(client.count(EventKind::Acquired))));
        QHash<domain::LockKey, int> times;
        for (const LockEvent &event : std::as_const(client.events)) {
            if (event.kind == EventKind::Acquired)
                ++times[event.key];
            else
                QVERIFY2(event.isSourceEvent() && event.kind != EventKind::GapOpened,
                         events::kindName(event.kind).toByteArray().constData());
        }
        QCOMPARE(times.size(), 2 * kLocks);
        QCOMPARE(client.events.size() - client.count(EventKind::SourceUp),
                 qsizetype(2 * kLocks)); // each once
        QCOMPARE(client.faults, QStringList());
        // Scans continue: the agent sees a lock taken now.
        m_redis.command({"SET", "lock:late", "x", "PX", "9000000"});
        QVERIFY(client.waitForEvent([](const LockEvent &e) { return e.key.name == "lock:late"; }, 30'000));
        m_redis.command({"DEL", "lock:late"});
    }

private:
    RedisServer m_redis;
    MariaDbServer m_database;
};

LOCKKEEPER_TEST(TestAgentFirstPass)

} // namespace tst_agent_first_pass

#include "tst_agent_first_pass.moc"
