// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>
#include <QTimer>

namespace tst_agent_push {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A real agent that reads the binary log of a real MariaDB. */
class TestAgentPush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void tellsWhatNoPollCouldSee();
    void wholeSecondsAreNoExactTimes();
    void aStopIsNoGap();
    void forceReleasesAreTold();
    void killedAgainAndAgain();
    void checkSaysWhatIsMissing();

private:
    void configure(const QString &user = QStringLiteral("root"))
    {
        m_agent->configure(
            "[[source]]\nname = \"jobs\"\nurl = \"" +
            m_database.url(QStringLiteral("app"), user).toEncoded() +
            "\"\npoll_ms = 60000\nbinlog = true\n\n  [[source.locks]]\n  scheme = \"sql.shedlock\"\n");
    }
    bool begin()
    {
        if (!m_agent->start() || !m_client->open(m_agent->socket()))
            return false;
        m_client->subscribe(m_client->table.seq, m_client->table.seq == 0);
        return QTest::qWaitFor([this] {
            const auto status = m_client->ask<protocol::Status>(protocol::StatusQuery{});
            return status && !status->sources.isEmpty() &&
                   status->sources.constFirst().mode == domain::ObservationMode::Push;
        });
    }
    void exec(const char *sql) { m_database.exec(QString::fromLatin1(sql), QStringLiteral("app")); }
    QStringList told() const
    {
        QStringList lines;
        for (const LockEvent &event : m_client->events)
            lines.append(QString::fromLatin1(events::kindName(event.kind).toByteArray()) + QLatin1Char(' ') +
                         QString::fromUtf8(event.key.name + " " + event.owner));
        return lines;
    }

    MariaDbServer m_database{{QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                              QStringLiteral("--binlog-format=ROW"), QStringLiteral("--sync-binlog=0")}};
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;
};

void TestAgentPush::initTestCase()
{
    QVERIFY(m_database.start());
    m_database.exec(QStringLiteral("CREATE DATABASE app"));
}

void TestAgentPush::init()
{
    exec("SET time_zone = '+00:00';\nDROP TABLE IF EXISTS shedlock;\n"
         "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(6) NOT NULL, "
         "locked_at TIMESTAMP(6) NOT NULL, locked_by VARCHAR(255) NOT NULL)");
    m_agent = std::make_unique<AgentProcess>();
    m_client = std::make_unique<TestClient>();
    configure();
}

void TestAgentPush::cleanup()
{
    if (m_client)
        QCOMPARE(m_client->faults, QStringList());
    m_client.reset();
    m_agent.reset();
}

void TestAgentPush::tellsWhatNoPollCouldSee()
{
    QVERIFY(begin());
    for (int i = 0; i < 20; ++i) {
        exec("REPLACE INTO shedlock VALUES ('job', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'host')");
        exec("UPDATE shedlock SET lock_until = NOW(6)");
    }
    const auto count = [this](EventKind kind) {
        return std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                             [kind](const LockEvent &e) { return e.kind == kind; });
    };
    QTRY_COMPARE(count(EventKind::Released), 20);
    QCOMPARE(count(EventKind::Acquired), 20);
    QCOMPARE(count(EventKind::TakenOver) + count(EventKind::Expired) + count(EventKind::GapOpened), 0);
    for (const LockEvent &event : std::as_const(m_client->events)) {
        if (!event.isSourceEvent())
            QCOMPARE(event.windowUs, 0); // its columns hold the exact time
    }
}

/** For every fraction of a second: each window contains the true time, and no hold starts early. */
void TestAgentPush::wholeSecondsAreNoExactTimes()
{
    exec("ALTER TABLE shedlock MODIFY lock_until TIMESTAMP NOT NULL DEFAULT NOW(), "
         "MODIFY locked_at TIMESTAMP NOT NULL DEFAULT NOW()");
    QVERIFY(begin());
    QList<std::pair<qint64, qint64>> done;
    const auto timed = [&](const char *sql) {
        const qint64 before = base::SystemClock().wallUs();
        exec(sql);
        done.append({before, base::SystemClock().wallUs()});
    };
    for (int i = 0; i < 6; ++i) {
        timed("REPLACE INTO shedlock VALUES ('job', NOW() + INTERVAL 1 HOUR, NOW(), 'host')");
        timed("UPDATE shedlock SET lock_until = NOW()");
    }
    const auto ofLock = [this] {
        QList<LockEvent> events;
        for (const LockEvent &event : std::as_const(m_client->events)) {
            if (!event.isSourceEvent())
                events.append(event);
        }
        return events;
    };
    QTRY_COMPARE(ofLock().size(), done.size());
    qint64 lastUs = 0;
    for (qsizetype i = 0; i < done.size(); ++i) {
        const LockEvent event = ofLock().at(i);
        QCOMPARE(event.kind, i % 2 == 0 ? EventKind::Acquired : EventKind::Released);
        QVERIFY2(event.timeUs >= done.at(i).first && event.timeUs - event.windowUs <= done.at(i).second,
                 qPrintable(QStringLiteral("%1 us before, in a window of %2, event %3 at %4")
                                .arg(done.at(i).first - event.timeUs)
                                .arg(event.windowUs)
                                .arg(i)
                                .arg(event.timeUs)));
        QVERIFY(event.windowUs > 0 && event.timeUs >= lastUs);
        lastUs = event.timeUs;
    }
}

void TestAgentPush::aStopIsNoGap()
{
    QVERIFY(begin());
    exec("INSERT INTO shedlock VALUES ('before', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'one')");
    QTRY_VERIFY(told().contains(QLatin1String("acquired before one")));
    QCOMPARE(m_agent->terminate(), 0);
    QTRY_VERIFY(m_client->end);
    exec("UPDATE shedlock SET lock_until = NOW(6);\n"
         "INSERT INTO shedlock VALUES ('meanwhile', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'two');\n"
         "UPDATE shedlock SET lock_until = NOW(6) WHERE name = 'meanwhile';\n"
         "INSERT INTO shedlock VALUES ('held', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'three')");
    const qsizetype seen = m_client->events.size();
    QVERIFY(begin());
    QTRY_VERIFY(told().contains(QLatin1String("acquired held three")));
    QStringList now = told().mid(seen);
    now.removeAll(QStringLiteral("source_up  "));
    now.removeAll(QStringLiteral("source_up "));
    QCOMPARE(now.join(QLatin1Char('|')),
             QStringLiteral(
                 "released before one|acquired meanwhile two|released meanwhile two|acquired held three"));
}

void TestAgentPush::forceReleasesAreTold()
{
    QVERIFY(begin());
    for (int i = 0; i < 30; ++i) {
        exec("REPLACE INTO shedlock VALUES ('job', NOW(6) + INTERVAL 1 HOUR, NOW(6), 'host')");
        QTRY_VERIFY(!m_client->events.isEmpty() && m_client->events.constLast().kind == EventKind::Acquired);
        const domain::LockKey key{QStringLiteral("jobs"), "sql.shedlock", "app.shedlock", "job"};
        QCOMPARE(m_client->breakHeldBy(key, "host"), domain::Outcome::Released);
        QTRY_VERIFY(m_client->events.constLast().kind != EventKind::Acquired);
        QCOMPARE(m_client->events.constLast().kind, EventKind::ForceReleased);
    }
}

/** 0 events lost, 0 doubled: every acquisition has a different owner, and the events acquired, released. */
void TestAgentPush::killedAgainAndAgain()
{
    QTimer load;
    int turn = 0;
    connect(&load, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 5; ++i) {
            const QString name = QStringLiteral("lock-%1").arg(turn % 50);
            const QString owner = QStringLiteral("owner-%1").arg(turn++);
            m_database.exec(
                QStringLiteral(
                    "REPLACE INTO shedlock VALUES ('%1', NOW(6) + INTERVAL 1 HOUR, NOW(6), '%2');\n"
                    "UPDATE shedlock SET lock_until = NOW(6) WHERE name = '%1'")
                    .arg(name, owner),
                QStringLiteral("app"));
        }
    });
    QVERIFY(begin());
    load.start(5);
    // An agent that is killed before it has journalled anything starts over.
    QTRY_VERIFY(told().contains(QLatin1String("acquired lock-0 owner-0")));
    auto *random = QRandomGenerator::global();
    const int kills = killsOr(25);
    for (int round = 0; round < kills; ++round) {
        const int lifeMs = random->bounded(1, 300);
        QElapsedTimer life;
        life.start();
        (void)QTest::qWaitFor([&] { return life.elapsed() > lifeMs; }, 1'000);
        m_agent->kill();
        QTRY_VERIFY(m_client->end);
        QVERIFY(m_agent->start());
        QVERIFY(m_client->open(m_agent->socket()));
        m_client->subscribe(m_client->table.seq, false);
    }
    load.stop();
    const QString last = QStringLiteral("released lock-%1 owner-%2").arg((turn - 1) % 50).arg(turn - 1);
    QTRY_VERIFY_WITH_TIMEOUT(told().contains(last), 30'000);
    QHash<QByteArray, QByteArray> lives;
    int gaps = 0;
    for (const LockEvent &event : std::as_const(m_client->events)) {
        gaps += event.kind == EventKind::GapOpened;
        if (!event.isSourceEvent())
            lives[event.owner] += events::kindName(event.kind).toByteArray() + ' ';
    }
    int wrong = 0;
    for (int i = 0; i < turn; ++i) {
        const QByteArray life = lives.value("owner-" + QByteArray::number(i));
        if (life != "acquired released ") {
            if (++wrong < 10)
                qWarning() << "owner" << i << life;
        }
    }
    qInfo("%d kills, %d lives, %d gaps, %d wrong", kills, turn, gaps, wrong);
    QCOMPARE(wrong, 0);
    QCOMPARE(gaps, 0);
}

void TestAgentPush::checkSaysWhatIsMissing()
{
    m_database.exec(
        QStringLiteral("CREATE OR REPLACE USER u@localhost;\nGRANT SELECT, UPDATE ON app.* TO u@localhost"));
    configure(QStringLiteral("u"));
    QByteArray output;
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 0); // it is polled, and observed
    QVERIFY2(output.contains("MISSING  push:binlog") &&
                 output.contains("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'u'@'localhost';"),
             output.constData());
    m_database.exec(QStringLiteral("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO u@localhost"));
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 0);
    QVERIFY2(output.contains("granted  push:binlog"), output.constData());
}

LOCKKEEPER_TEST(TestAgentPush)

} // namespace tst_agent_push

#include "tst_agent_push.moc"
