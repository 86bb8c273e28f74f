// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sessions_schemes {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;

namespace {
/** One way in which an application holds a lock by a session, in TestDatabase's common words. */
struct Way
{
    const char *name;
    const char *table; ///< empty: an advisory lock
    const char *create;
    const char *fill;
    const char *take; ///< by the holder
    const char *takeOnPostgres = nullptr;
    const char *wait = nullptr; ///< as shown by the waiters, if it differs
};

const QList<Way> &ways()
{
    static const QList<Way> all{
        {"lock", "lock", "CREATE TABLE `lock` (id {ID}, lock_key VARCHAR(64) NOT NULL UNIQUE)",
         "INSERT INTO `lock` (lock_key) VALUES ('a'), ('b')",
         "SELECT id FROM `lock` WHERE lock_key = 'a' FOR UPDATE"},
        {"methodLock, nowait", "methodLock",
         "CREATE TABLE `methodLock` (id {ID}, method_name VARCHAR(64) NOT NULL UNIQUE, `desc` VARCHAR(1024), "
         "update_time {TIME})",
         "INSERT INTO `methodLock` (method_name) VALUES ('pay'), ('mail')",
         "SELECT id FROM `methodLock` WHERE method_name = 'pay' FOR UPDATE NOWAIT", nullptr,
         "SELECT id FROM `methodLock` WHERE method_name = 'pay' FOR UPDATE"},
        {"database_lock, skip locked", "database_lock", "CREATE TABLE database_lock (id INT PRIMARY KEY)",
         "INSERT INTO database_lock VALUES (1), (2)",
         "SELECT id FROM database_lock WHERE id = 1 FOR UPDATE SKIP LOCKED", nullptr,
         "SELECT id FROM database_lock WHERE id = 1 FOR UPDATE"},
        {"distribute_lock, an uncommitted insert", "distribute_lock",
         "CREATE TABLE distribute_lock (id {ID}, resource_id VARCHAR(64) NOT NULL UNIQUE, update_time "
         "{TIME})",
         "INSERT INTO distribute_lock (resource_id) VALUES ('other')",
         "INSERT INTO distribute_lock (resource_id) VALUES ('a') ON DUPLICATE KEY UPDATE update_time = {NOW}",
         "INSERT INTO distribute_lock (resource_id) VALUES ('a') ON CONFLICT (resource_id) DO UPDATE SET "
         "update_time = {NOW}"},
        {"Quartz", "QRTZ_LOCKS",
         "CREATE TABLE `QRTZ_LOCKS` (SCHED_NAME VARCHAR(120) NOT NULL, LOCK_NAME VARCHAR(40) NOT NULL, "
         "PRIMARY KEY (SCHED_NAME, LOCK_NAME))",
         "INSERT INTO `QRTZ_LOCKS` VALUES ('s', 'TRIGGER_ACCESS'), ('s', 'STATE_ACCESS')",
         "SELECT * FROM `QRTZ_LOCKS` WHERE SCHED_NAME = 's' AND LOCK_NAME = 'TRIGGER_ACCESS' FOR UPDATE"},
        {"advisory", "", "", "", "SELECT GET_LOCK('nightly', 60)", "SELECT pg_advisory_lock(42)"}};
    return all;
}
} // namespace

/**
 * Every way of sql.row and sql.advisory, on every server, by the stock command-line client and Debian's
 * Python client in turn: seen with holder and waiters, explained, and broken by a guarded kill.
 */
class SqlSessionsSchemesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void seenExplainedBroken_data();
    void seenExplainedBroken();
    void killsTheHolder_data() { servers(); }
    void killsTheHolder();
    void fiveSessionsInAChain_data() { servers(); }
    void fiveSessionsInAChain();

private:
    void servers();
    /** The rig of the row's server with an empty database; null if no such server exists. */
    SessionRig *rig();
    /** The only lock with this many waiters, by its name; an absent one after 10 s. */
    static std::pair<QByteArray, Observation> contended(SessionProbe &probe, qsizetype waiters);

    std::map<QString, SessionRig> m_rigs;
};

void SqlSessionsSchemesTest::servers()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb-sessions", "mysql", "postgresql"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

SessionRig *SqlSessionsSchemesTest::rig()
{
    QFETCH(QString, server);
    const auto [it, isNew] = m_rigs.try_emplace(server);
    return it->second.start(server) ? &it->second : nullptr;
}

std::pair<QByteArray, Observation> SqlSessionsSchemesTest::contended(SessionProbe &probe, qsizetype waiters)
{
    std::pair<QByteArray, Observation> found;
    found.second.present = false;
    (void)waitFor([&] {
        const auto locks = probe.scan();
        for (auto it = locks.cbegin(); it != locks.cend(); ++it) {
            if (it->waiters.size() == waiters)
                found = {it.key(), *it};
        }
        return found.second.present;
    });
    return found;
}

void SqlSessionsSchemesTest::seenExplainedBroken_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("way");
    QTest::addColumn<bool>("python");
    for (const char *server : {"mariadb-sessions", "mysql", "postgresql"}) {
        for (int i = 0; i < ways().size(); ++i) {
            for (const bool python : {false, true})
                QTest::addRow("%s: %s, held by %s", server, ways().at(i).name,
                              python ? "python" : "the command line")
                    << QString::fromLatin1(server) << i << python;
        }
    }
}

void SqlSessionsSchemesTest::seenExplainedBroken()
{
    QFETCH(int, way);
    QFETCH(bool, python);
    SessionRig *rig = this->rig();
    if (!rig)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const Way &how = ways().at(way);
    const bool advisory = how.table[0] == '\0';
    const auto text = [&](const char *sql) { return rig->database().translated(QString::fromLatin1(sql)); };
    if (!advisory) {
        rig->database().exec(text(how.create));
        rig->database().exec(text(how.fill));
    }
    const QString take = text(rig->isPostgres() && how.takeOnPostgres ? how.takeOnPostgres : how.take);
    const QString wait = how.wait ? text(how.wait) : take;
    const auto holder = rig->either(python);
    const auto first = rig->either(!python);
    const auto second = rig->either(python);
    const QByteArray holderId = rig->connectionOf(*holder);
    const QSet<QByteArray> waiterIds{rig->connectionOf(*first), rig->connectionOf(*second)};
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(take));
    QVERIFY2(!holder->output().contains("ERROR"), holder->output().constData());
    QString table = QString::fromLatin1(how.table);
    if (rig->isPostgres())
        table = table.toLower();
    // The five seconds are tested below; each row waiting for them would take minutes.
    SessionProbe probe(rig->spec(advisory ? QStringList() : QStringList{table}, advisory), {{"mature"}, {}});
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    first->send(wait);
    QVERIFY(contended(probe, 1).second.present);
    second->send(wait);
    const auto [name, lock] = contended(probe, 2);
    QVERIFY(lock.present && lock.held && lock.waitersVisible && lock.session);
    QCOMPARE(lock.session->id, holderId);
    QVERIFY(!lock.session->user.isEmpty());
    if (!advisory) // an advisory lock needs no transaction
        QVERIFY(lock.session->transactionSinceUs);
    QSet<QByteArray> waiting;
    for (const domain::Waiter &waiter : lock.waiters) {
        QVERIFY(waiter.sinceUs);
        waiting.insert(waiter.id.mid(waiter.id.indexOf('#') + 1));
    }
    QCOMPARE(waiting, waiterIds);
    // Explained: the holder is the root, both wait for it, and for this lock.
    const domain::Chains chains = domain::chainsOf(probe.graph);
    QCOMPARE(chains.nodes.size(), 3);
    QCOMPARE(chains.nodes.first().session.id, holderId);
    QCOMPARE(chains.nodes.first().blocksAll, 2);
    const domain::Guard guard = probe.inspect(name).guard;
    QCOMPARE(guard.key.scheme, advisory ? QByteArray("sql.advisory") : QByteArray("sql.row"));
    const ReleaseReport report = probe.release(guard);
    QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
    // The waiters now acquire the lock, one after the other; the holder finds its session gone.
    QVERIFY(waitFor([&] { return first->finish(10) || second->finish(10); }));
    if (!advisory) // an advisory lock stays with the next session
        QVERIFY(first->finish() && second->finish());
    QVERIFY(holder->isCutOff());
    const QByteArray answers = first->output() + second->output();
    const bool inserts =
        QByteArray(how.take).startsWith("INSERT"); // of two who insert, one may be a deadlock's
    if (!inserts)
        QVERIFY2(!answers.contains("ERROR"), answers.constData());
}

void SqlSessionsSchemesTest::killsTheHolder()
{
    SessionRig *rig = this->rig();
    if (!rig)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    rig->database().run(QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) NOT NULL PRIMARY KEY, n INT)"));
    rig->database().run(QStringLiteral("INSERT INTO jobs VALUES ('orders', 1)"));
    const auto holder = rig->shell();
    const auto waiter = rig->python();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 77 WHERE name = 'orders'")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(rig->spec({QStringLiteral("jobs")}));
    QVERIFY(probe.open());
    const auto [name, lock] = contended(probe, 1);
    QCOMPARE(lock.off, ReleaseOff::TooYoung);
    QCOMPARE(probe.release(probe.inspect(name).guard).outcome, Outcome::Refused);
    QCOMPARE(probe.untilMature(name).off, ReleaseOff::None);
    const domain::Guard guard = probe.inspect(name).guard;
    QCOMPARE(probe.release(guard, false, true).outcome, Outcome::Released); // a dry run
    QVERIFY(!waiter->finish(200));
    const ReleaseReport report = probe.release(guard);
    QCOMPARE(report.outcome, Outcome::Released);
    QVERIFY(report.storeUs);
    QVERIFY(waiter->finish());
    QVERIFY(waiter->output().contains("1\n") && !waiter->output().contains("77"));
    QVERIFY(holder->isCutOff());
    QTRY_COMPARE(probe.release(guard).outcome, Outcome::AlreadyFree);
}

void SqlSessionsSchemesTest::fiveSessionsInAChain()
{
    SessionRig *rig = this->rig();
    if (!rig)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    rig->database().run(QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) NOT NULL PRIMARY KEY, n INT)"));
    rig->database().run(QStringLiteral("INSERT INTO jobs VALUES ('a', 1), ('b', 1), ('c', 1), ('d', 1)"));
    const QString lockRow = QStringLiteral("SELECT n FROM jobs WHERE name = '%1' FOR UPDATE");
    const QString rows = QStringLiteral("abcd");
    std::vector<std::unique_ptr<StockClient>> sessions;
    QHash<QByteArray, QByteArray> names;
    for (int i = 0; i < 5; ++i) {
        sessions.push_back(rig->either(i % 2 == 1));
        names.insert(rig->connectionOf(*sessions.back()), "s" + QByteArray::number(i));
        QVERIFY(sessions.back()->run(QStringLiteral("BEGIN")));
        if (i < 4)
            QVERIFY(sessions.back()->run(lockRow.arg(rows.at(i))));
    }
    for (int i = 1; i < 5; ++i)
        sessions.at(size_t(i))->send(lockRow.arg(rows.at(i - 1)));
    SessionProbe probe(rig->spec({QStringLiteral("jobs")}));
    QVERIFY(probe.open());
    QVERIFY(waitFor([&] { return probe.scan(), probe.graph.edges.size() >= 4; }));
    QCOMPARE(edgesText(probe.graph, names), QByteArray("s1>s0 s2>s1 s3>s2 s4>s3"));
    const domain::Chains chains = domain::chainsOf(probe.graph);
    QCOMPARE(chains.nodes.size(), 5);
    QCOMPARE(names.value(chains.nodes.first().session.id), QByteArray("s0"));
    QCOMPARE(chains.nodes.first().blocksAll, 4);
    QCOMPARE(chains.nodes.last().depth, 4);
    QVERIFY2(chains.nodes.last().waitsFor->name.contains('d'),
             chains.nodes.last().waitsFor->name.constData());
}

LOCKKEEPER_TEST(SqlSessionsSchemesTest)

} // namespace tst_sql_sessions_schemes

#include "tst_sql_sessions_schemes.moc"
