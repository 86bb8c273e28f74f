// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/kill.h"
#include "shared/stores/sql/sessions/transaction_events.h"
#include "tests/shared/stores/sql/session_rig.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTest>

namespace tst_sql_sessions_protected {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;

namespace {
/** Waits until the holder's transaction is old enough to be broken, so that its age isn't the refusal's
 * reason. */
bool untilOld(SessionProbe &probe, const QByteArray &name)
{
    return waitFor([&] {
        probe.scan();
        const Inspection seen = probe.inspect(name);
        const auto &session = seen.lock.session;
        return session && session->transactionSinceUs &&
               seen.storeUs - *session->transactionSinceUs > 6'000'000;
    });
}

/** A probe's guarded kill is refused, with and without the first of the two checks. */
void verifyRefused(SessionProbe &probe, SessionProbe &unchecked, const QByteArray &name)
{
    for (const bool dryRun : {true, false}) {
        const ReleaseReport report = probe.release(probe.inspect(name).guard, false, dryRun);
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY2(report.error.cause.contains(QLatin1String("replication, system or monitoring")),
                 qPrintable(report.error.line()));
    }
    // The server is asked once more in the message that would kill it. Where nothing pins what the thread
    // does there is no guard at all.
    QVERIFY(unchecked.until(name, 1).present);
    const domain::Guard guard = unchecked.inspect(name).guard;
    QCOMPARE(unchecked.release(guard).outcome,
             guard.identity.isEmpty() ? Outcome::Refused : Outcome::HolderChanged);
}

} // namespace

/** Sessions that are never killed, whatever their locks and waiters: the server's own threads, replication's,
 * the agent's own. */
class SqlSessionsProtectedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eventsOfTheScheduler_data() { everyServer(); }
    void eventsOfTheScheduler();
    void ownConnection_data() { everyServer(); }
    void ownConnection();
    void applierOfAReplica();

private:
    static void everyServer();
    /** The rig of the current row, with the table "jobs"; null if no such server exists. */
    SessionRig *rig();

    std::map<QString, SessionRig> m_rigs;
};

void SqlSessionsProtectedTest::everyServer()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb-sessions", "mysql"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

SessionRig *SqlSessionsProtectedTest::rig()
{
    QFETCH(QString, server);
    SessionRig &rig = m_rigs[server];
    if (!rig.start(server))
        return nullptr;
    rig.database().run(QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) NOT NULL PRIMARY KEY, n INT)"));
    rig.database().run(QStringLiteral("INSERT INTO jobs VALUES ('orders', 1), ('other', 1)"));
    return &rig;
}

void SqlSessionsProtectedTest::eventsOfTheScheduler()
{
    SessionRig *rig = this->rig();
    if (!rig)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    TestDatabase &database = rig->database();
    const QByteArray was = database.run(QStringLiteral("SELECT @@GLOBAL.event_scheduler")).first().first();
    database.run(QStringLiteral("SET GLOBAL event_scheduler = ON"));
    const auto back = qScopeGuard([&] {
        database.run(QStringLiteral("SET GLOBAL event_scheduler = %1").arg(QString::fromLatin1(was)));
    });
    // It holds 'orders' while another session has 'other'.
    const auto gate = rig->shell();
    const auto waiter = rig->python();
    QVERIFY(gate->run(QStringLiteral("BEGIN")));
    QVERIFY(gate->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'other' FOR UPDATE")));
    database.run(QStringLiteral("CREATE EVENT nightly ON SCHEDULE AT CURRENT_TIMESTAMP DO BEGIN "
                                "START TRANSACTION; UPDATE jobs SET n = 2 WHERE name = 'orders'; "
                                "UPDATE jobs SET n = 2 WHERE name = 'other'; COMMIT; END"));
    SessionProbe probe(rig->spec({QStringLiteral("jobs")}));
    SessionProbe unchecked(rig->spec({QStringLiteral("jobs")}), {{"mature"}, {}});
    QVERIFY(probe.open() && unchecked.open());
    const QByteArray other("PRIMARY/other");
    const QByteArray orders("PRIMARY/orders");
    QVERIFY(probe.until(other, 1).present); // it exists and waits
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    const Observation lock = probe.until(orders, 1);
    QVERIFY(lock.present && lock.held);
    QCOMPARE(lock.off, ReleaseOff::System);
    QVERIFY(untilOld(probe, orders));
    verifyRefused(probe, unchecked, orders);
    QVERIFY(!waiter->finish(100));
    QVERIFY(gate->run(QStringLiteral("COMMIT")));
    QVERIFY(waiter->finish());
    QVERIFY2(waiter->output().contains("2\n"), waiter->output().constData()); // the event came to its end
}

void SqlSessionsProtectedTest::ownConnection()
{
    SessionRig *rig = this->rig();
    if (!rig)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    sql::SqlConnection own;
    QVERIFY(own.open(rig->spec({QStringLiteral("jobs")})));
    QVERIFY(own.query(QStringLiteral("BEGIN")));
    QVERIFY(own.query(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    auto id = own.query(QStringLiteral("SELECT CONNECTION_ID()"));
    QVERIFY(id && id->next());
    const QByteArray connection = id->value(0).toByteArray();
    sql::SqlConnection beside;
    QVERIFY(beside.open(rig->spec({QStringLiteral("jobs")})));
    const auto events = sql::readTransactionEvents(beside, {connection});
    QVERIFY(events && !events->value(connection).event.isEmpty());
    const sql::KillTarget target{connection, sql::transactionIdentity(connection, events->value(connection)),
                                 false,      "PRIMARY/orders",
                                 {},         true};
    QCOMPARE(*sql::isAcquisitionThere(beside, target), true); // the guard fits …
    QCOMPARE(*sql::isAcquisitionThere(own, target), false);   // … and not for itself
    const sql::KillReply reply = sql::killGuarded(own, target);
    QVERIFY(!reply.killed && !reply.failure);
    QVERIFY(own.query(QStringLiteral("COMMIT"))); // still there
}

/** The applier of a real replica holds a row, as the change after it waits for a session of the replica. */
void SqlSessionsProtectedTest::applierOfAReplica()
{
    MariaDbServer primary({QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                           QStringLiteral("--binlog-format=ROW")},
                          true);
    MariaDbServer replica(sessionOptions() + QStringList{QStringLiteral("--server-id=2"),
                                                         QStringLiteral("--slave-transaction-retries=0")});
    QVERIFY(primary.start() && replica.start());
    primary.exec(QStringLiteral("CREATE USER copy@'%' IDENTIFIED BY 'copy';\n"
                                "GRANT REPLICATION SLAVE ON *.* TO copy@'%';\nCREATE DATABASE app;\n"
                                "CREATE TABLE app.jobs (name VARCHAR(64) PRIMARY KEY, n INT);\n"
                                "INSERT INTO app.jobs VALUES ('orders', 1), ('other', 1)"));
    replica.exec(QStringLiteral("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = %1, MASTER_USER = "
                                "'copy', MASTER_PASSWORD = 'copy', MASTER_USE_GTID = slave_pos;\nSTART SLAVE")
                     .arg(primary.port()));
    const auto copied = [&replica] {
        const QString there = QStringLiteral("SELECT COUNT(*) FROM information_schema.TABLES WHERE "
                                             "TABLE_SCHEMA = 'app' AND TABLE_NAME = 'jobs'");
        return replica.exec(there).first().first() == "1" &&
               replica.exec(QStringLiteral("SELECT COUNT(*) FROM app.jobs")).first().first() == "2";
    };
    QVERIFY(waitFor(copied, 30'000));
    StockAddress to;
    to.socket = replica.socketPath();
    StockClient gate(StockClient::Kind::MariaDbCli, to);
    StockClient waiter(StockClient::Kind::PyMySql, to);
    QVERIFY(gate.run(QStringLiteral("BEGIN")));
    QVERIFY(gate.run(QStringLiteral("SELECT n FROM jobs WHERE name = 'other' FOR UPDATE")));
    primary.exec(QStringLiteral("BEGIN;\nUPDATE app.jobs SET n = 2 WHERE name = 'orders';\n"
                                "UPDATE app.jobs SET n = 2 WHERE name = 'other';\nCOMMIT"));
    const SourceSpec spec = sessionSpec(replica.url(QStringLiteral("app")), {QStringLiteral("jobs")});
    SessionProbe probe(spec);
    SessionProbe unchecked(spec, {{"mature"}, {}});
    QVERIFY(probe.open() && unchecked.open());
    QVERIFY(!probe.info.readOnly); // it isn't for that
    QVERIFY(probe.until("PRIMARY/other", 1).present);
    waiter.send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    const Observation lock = probe.until("PRIMARY/orders", 1);
    QVERIFY(lock.present && lock.held && lock.session);
    QCOMPARE(lock.session->user, "system user");
    QCOMPARE(lock.off, ReleaseOff::System);
    QVERIFY(untilOld(probe, "PRIMARY/orders"));
    verifyRefused(probe, unchecked, "PRIMARY/orders");
    QVERIFY(!waiter.finish(100));
    QVERIFY(gate.run(QStringLiteral("COMMIT")));
    QVERIFY(waiter.finish());
    QVERIFY2(waiter.output().contains("2\n"), waiter.output().constData()); // it went on replicating
}

LOCKKEEPER_TEST(SqlSessionsProtectedTest)

} // namespace tst_sql_sessions_protected

#include "tst_sql_sessions_protected.moc"
