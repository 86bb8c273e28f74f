// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/table_scripts.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <map>

namespace tst_agent_tables {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Condition;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;
using stores::sql::Dialect;

/**
 * Every layout of locks that are rows, on every server, as a client of a real agent sees it. Stock clients
 * (the command line's and Python's) acquire, renew and release the locks by SQL text. The client then reads
 * their explanations and breaks them.
 */
class TestAgentTables : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void lifeOfALock_data() { everyLayout(false); }
    void lifeOfALock();
    void pastItsDeadline_data() { everyLayout(true); }
    void pastItsDeadline();
    void versionsAreCounted_data();
    void versionsAreCounted();
    void versionsAreSignsOfLife_data();
    void versionsAreSignsOfLife();
    void cleanup();

private:
    void everyLayout(bool expiring);
    void rows(const char *server, const char *way, bool expiring);
    /** The row's server with the layout in it, or null where there is none. */
    TestDatabase *prepared(const QStringList &statements);
    /** Its agent and two sessions. */
    bool begin(const QByteArray &preset, const QByteArray &way = "whole", const QByteArray &more = {});
    /** Statements of the session whose holder is `me`; false where one failed. */
    bool run(StockClient &session, const QByteArray &me, const QStringList &statements);
    bool saw(EventKind kind);
    int count(EventKind kind) const;
    const LockEvent &last(EventKind kind) const;
    domain::LockState lock() const;
    protocol::ReleaseResult breakIt(domain::Because because);

    TestDatabases m_databases;
    TestDatabase *m_database = nullptr;
    std::unique_ptr<StockClient> m_shell;
    std::unique_ptr<StockClient> m_python;
    QByteArray m_lock;
    int m_commands = 0;
};

void TestAgentTables::everyLayout(bool expiring)
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("way");
    for (const char *server : {"mariadb", "mysql", "postgresql"}) {
        rows(server, "whole", expiring);
        rows(server, "held", expiring);
    }
    for (const char *server : {"mariadb-binlog", "mysql"})
        rows(server, "log", expiring);
}

/**
 * `way`: how the agent comes to know of changes. The agent reads held rows separately where an index brings
 * the deadlines in order.
 */
void TestAgentTables::rows(const char *server, const char *way, bool expiring)
{
    for (const TableScript &script : tableScripts()) {
        if ((!expiring || !script.takeShort.isEmpty()) &&
            (way != QByteArray("held") || !script.index.isEmpty()))
            QTest::addRow("%s %s, %s", server, script.preset.constData(), way)
                << QString::fromLatin1(server) << script.preset << QByteArray(way);
    }
}

TestDatabase *TestAgentTables::prepared(const QStringList &statements)
{
    m_database = m_databases.freshOfRow();
    if (!m_database)
        return nullptr;
    for (const QString &statement : statements)
        m_database->run(statement);
    return m_database;
}

bool TestAgentTables::begin(const QByteArray &preset, const QByteArray &way, const QByteArray &more)
{
    const auto spec = m_database->spec();
    m_agent = std::make_unique<AgentProcess>();
    QByteArray section = "[[source]]\nname = \"db\"\npoll_ms = 50\nurl = \"" + spec.url.toEncoded() + "\"\n";
    if (!spec.password.isEmpty()) {
        qputenv("LOCKKEEPER_TEST_PASSWORD", spec.password);
        section += "password = \"env:LOCKKEEPER_TEST_PASSWORD\"\n";
    }
    if (way == "log")
        section += "binlog = true\n";
    m_agent->configure(section + "  [[source.locks]]\n  preset = \"" + preset + "\"\n" + more);
    m_client = std::make_unique<TestClient>();
    const bool mySql = m_database->dialect() == Dialect::MySql;
    const StockAddress to = stockAddress(*m_database);
    m_shell =
        std::make_unique<StockClient>(mySql ? StockClient::Kind::MariaDbCli : StockClient::Kind::Psql, to);
    m_python =
        std::make_unique<StockClient>(mySql ? StockClient::Kind::PyMySql : StockClient::Kind::Psycopg2, to);
    if (!m_agent->start() || !m_client->open(m_agent->socket()))
        return false;
    m_client->subscribe(0);
    if (!saw(EventKind::SourceUp))
        return false;
    // The first scan is always complete.
    return QTest::qWaitFor(
        [&] {
            const auto status = m_client->ask<protocol::Status>(protocol::StatusQuery{});
            const domain::SourceState source =
                status && !status->sources.isEmpty() ? status->sources.first() : domain::SourceState{};
            const bool held =
                std::any_of(source.findings.cbegin(), source.findings.cend(),
                            [](const domain::Finding &found) { return found.code == "held_reads"; });
            return held == (way == "held") && source.lastSeenUs &&
                   (source.mode == domain::ObservationMode::Push) == (way == "log");
        },
        20'000); // beside a busy disk
}

void TestAgentTables::cleanup()
{
    endAgent();
    m_shell.reset();
    m_python.reset();
}

bool TestAgentTables::run(StockClient &session, const QByteArray &me, const QStringList &statements)
{
    const qsizetype before = session.output().size();
    for (QString statement : statements) {
        if (!session.run(m_database->translated(statement.replace(QLatin1String("{ME}"), QLatin1String(me)))))
            return false;
    }
    return !session.output().sliced(before).contains("ERROR");
}

bool TestAgentTables::saw(EventKind kind)
{
    return m_client->waitForEvent([kind](const LockEvent &e) { return e.kind == kind; });
}

int TestAgentTables::count(EventKind kind) const
{
    return int(std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                             [kind](const LockEvent &e) { return e.kind == kind; }));
}

const LockEvent &TestAgentTables::last(EventKind kind) const
{
    return *std::find_if(m_client->events.crbegin(), m_client->events.crend(),
                         [kind](const LockEvent &e) { return e.kind == kind; });
}

domain::LockState TestAgentTables::lock() const
{
    for (const domain::LockState &state : m_client->table.locks) {
        if (state.key.name == m_lock)
            return state;
    }
    return {};
}

protocol::ReleaseResult TestAgentTables::breakIt(domain::Because because)
{
    protocol::ForceRelease order;
    order.command = QByteArray::number(++m_commands).rightJustified(32, 'f');
    order.key = lock().key;
    order.guard = lock().guard;
    order.because = because;
    order.reason = QStringLiteral("integration");
    return m_client->ask<protocol::ReleaseResult>(order).value_or(protocol::ReleaseResult{});
}

void TestAgentTables::lifeOfALock()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, way);
    const TableScript &script = tableScript(preset);
    if (!prepared(script.prepare + (way == "held" ? script.index : QStringList())))
        QSKIP("no such server here");
    QVERIFY2(begin(preset, way), m_agent->log().constData());
    m_lock = script.lock;
    QVERIFY2(run(*m_shell, "one", script.take), m_shell->output().constData());
    QTRY_COMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(last(EventKind::Acquired).key.name, script.lock);
    QCOMPARE(last(EventKind::Acquired).owner, script.tellsOwner ? QByteArray("one") : QByteArray());
    QCOMPARE(domain::condition(lock(), last(EventKind::Acquired).observedUs), Condition::Held);
    QVERIFY(!lock().waitersVisible && lock().waiters.isEmpty()); // a table shows no waiters
    // Rows with times in whole seconds have no guard before they are older than those.
    QTRY_COMPARE(lock().release.possible(), script.identity);
    QCOMPARE(lock().expiresUs.has_value(), !script.takeShort.isEmpty());
    // Held: no other client gets it.
    (void)run(*m_python, "two", script.take);
    if (!script.renew.isEmpty()) {
        const auto before = lock().expiresUs.value_or(0);
        QVERIFY2(run(*m_shell, "one", script.renew), m_shell->output().constData());
        if (script.depthOnRenewal == 0) // otherwise to renew is to enter again
            QTRY_VERIFY(lock().expiresUs.value_or(0) > before);
        QTRY_COMPARE(lock().depth, script.depthOnRenewal);
    }
    QVERIFY(run(*m_shell, "one", script.giveBack));
    QTRY_COMPARE(count(EventKind::Released), 1);
    QCOMPARE(count(EventKind::Acquired), 1);
    QCOMPARE(count(EventKind::TakenOver), 0);
    QVERIFY2(run(*m_python, "two", script.take), m_python->output().constData());
    QTRY_COMPARE(count(EventKind::Acquired), 2);
    QCOMPARE(last(EventKind::Acquired).owner, script.tellsOwner ? QByteArray("two") : QByteArray());
    if (!script.identity) {
        QCOMPARE(breakIt(domain::Because::Operator).outcome, Outcome::Refused);
        QVERIFY(lock().isHeld());
        return;
    }
    QTRY_VERIFY(!lock().guard.isEmpty());
    const auto broken = breakIt(domain::Because::Operator);
    QVERIFY2(broken.outcome == Outcome::Released, qPrintable(broken.error.line()));
    QTRY_COMPARE(count(EventKind::ForceReleased), 1);
    QVERIFY(!lock().isHeld());
    // The next client takes the lock. The broken holder's later statements don't affect it where the layout
    // distinguishes holders.
    QVERIFY2(run(*m_shell, "three", script.take), m_shell->output().constData());
    QTRY_COMPARE(count(EventKind::Acquired), 3);
    if (!script.othersSafe)
        return;
    QVERIFY(run(*m_python, "two", script.giveBack));
    QVERIFY(run(*m_python, "two", script.renew));
    QVERIFY(run(*m_shell, "three", script.giveBack));
    QTRY_COMPARE(count(EventKind::Released), 2);
    QCOMPARE(last(EventKind::Released).owner, script.tellsOwner ? QByteArray("three") : QByteArray());
}

void TestAgentTables::pastItsDeadline()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, way);
    const TableScript &script = tableScript(preset);
    if (!prepared(script.prepare + (way == "held" ? script.index : QStringList())))
        QSKIP("no such server here");
    QVERIFY2(begin(preset, way), m_agent->log().constData());
    m_lock = script.lock;
    QVERIFY2(run(*m_python, "dead", script.takeShort), m_python->output().constData());
    QTRY_COMPARE(count(EventKind::Acquired), 1);
    m_python->crash();
    QTRY_COMPARE(count(EventKind::Expired), 1);
    const LockEvent expired = last(EventKind::Expired);
    QCOMPARE(expired.timeUs, last(EventKind::Acquired).expiresUs.value_or(0));
    if (preset == "shedlock") { // a past deadline is a free lock
        QVERIFY(!lock().isHeld());
        return;
    }
    QCOMPARE(domain::condition(lock(), expired.observedUs), Condition::Expired);
    QTRY_VERIFY(!lock().guard.isEmpty());
    const auto broken = breakIt(domain::Because::Expired);
    QVERIFY2(broken.outcome == Outcome::Released, qPrintable(broken.error.line()));
    QTRY_COMPARE(count(EventKind::ForceReleased), 1);
    QVERIFY2(run(*m_shell, "next", script.take), m_shell->output().constData());
    QTRY_COMPARE(count(EventKind::Acquired), 2);
}

void TestAgentTables::versionsAreCounted_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("create");
    QTest::addColumn<QString>("fill");
    QTest::addColumn<QString>("increment");
    for (const char *server : {"mariadb", "mysql", "postgresql"}) {
        QTest::addRow("%s", server)
            << QString::fromLatin1(server) << QByteArray("optimistic-lock") << QByteArray("a")
            << QStringLiteral("CREATE TABLE optimistic_lock (id {ID}, resource VARCHAR(64) NOT NULL UNIQUE, "
                              "version BIGINT NOT NULL)")
            << QStringLiteral("INSERT INTO optimistic_lock (resource, version) VALUES ('a', 1)")
            << QStringLiteral("UPDATE optimistic_lock SET version = version + 1 WHERE resource = 'a' AND "
                              "version = %1");
        QTest::addRow("%s, of a lock's row", server)
            << QString::fromLatin1(server) << QByteArray("lock-version") << QByteArray("a/r")
            << QStringLiteral("CREATE TABLE `lock` (lock_name VARCHAR(64) NOT NULL, resource VARCHAR(64) NOT "
                              "NULL, version INT NOT NULL, PRIMARY KEY (lock_name, resource))")
            << QStringLiteral("INSERT INTO `lock` VALUES ('a', 'r', 1)")
            << QStringLiteral("UPDATE `lock` SET version = version + 1 WHERE lock_name = 'a' AND resource = "
                              "'r' AND version = %1");
    }
}

void TestAgentTables::versionsAreCounted()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, name);
    QFETCH(QString, create);
    QFETCH(QString, fill);
    QFETCH(QString, increment);
    if (!prepared({create, fill}))
        QSKIP("no such server here");
    QVERIFY2(begin(preset), m_agent->log().constData());
    m_lock = name;
    QTRY_COMPARE(domain::condition(lock(), 0), Condition::Optimistic);
    for (int version = 1; version < 6; ++version) {
        StockClient &writer = version % 2 == 1 ? *m_shell : *m_python;
        QVERIFY(run(writer, "", {increment.arg(version)}));
    }
    QTRY_COMPARE(lock().fencing, QByteArray("6"));
    QTRY_COMPARE(lock().changesPerMinute.value_or(0), 5U);
    QVERIFY(!lock().release.possible());
    QCOMPARE(lock().release.why, domain::ReleaseOff::Unsupported);
    QCOMPARE(breakIt(domain::Because::Operator).outcome, Outcome::Refused);
    QVERIFY(!lock().isHeld());
}

void TestAgentTables::versionsAreSignsOfLife_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "postgresql"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

/** pglock's heartbeat only increments a number. The lock is stuck once the number stops changing. */
void TestAgentTables::versionsAreSignsOfLife()
{
    if (!prepared({QStringLiteral("CREATE TABLE locks (name VARCHAR(255) NOT NULL PRIMARY KEY, "
                                  "record_version_number BIGINT, owner VARCHAR(255))"),
                   QStringLiteral("INSERT INTO locks VALUES ('a', 1, 'pglock-1')")}))
        QSKIP("no such server here");
    QVERIFY2(begin("pglock", "whole", "  stuck_after = \"1s\"\n"), m_agent->log().constData());
    m_lock = "a";
    QTRY_COMPARE(lock().owner, QByteArray("pglock-1"));
    QElapsedTimer clock;
    clock.start();
    for (int version = 2; clock.elapsed() < 3'000; ++version) {
        QVERIFY(
            run(*m_shell, "", {QStringLiteral("UPDATE locks SET record_version_number = %1").arg(version)}));
        QTRY_COMPARE(lock().fencing, QByteArray::number(version));
    }
    QVERIFY(lock().isHeld());
    QCOMPARE(count(EventKind::Stuck), 0);
    QTRY_COMPARE(lock().stuck, domain::StuckReason::NoSignOfLife);
    QVERIFY(run(*m_shell, "", {QStringLiteral("UPDATE locks SET record_version_number = NULL")}));
    QTRY_VERIFY(!lock().isHeld());
}

LOCKKEEPER_TEST(TestAgentTables)

} // namespace tst_agent_tables

#include "tst_agent_tables.moc"
