// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/sql/mapped_client.h"
#include "shared/stores/sql/sql_stores.h"
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_table_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {
constexpr qint64 kMinuteUs = 60'000'000;

/** Asks a LockClient and waits for its answer. */
class ClientProbe
{
public:
    ClientProbe(const SourceSpec &spec, const QByteArray &owner)
        : m_client(*locks::sql::makeLockClient(spec, spec.locks.first(), owner))
    {
    }

    AttemptResult acquire(const QByteArray &name, const QByteArray &token = {})
    {
        return told(acquired(*m_client, name, kMinuteUs, token));
    }
    AttemptResult renew(const Lease &lease) { return told(renewed(*m_client, lease, 2 * kMinuteUs)); }
    AttemptResult release(const Lease &lease) { return told(released(*m_client, lease)); }

private:
    static AttemptResult told(const AttemptResult &result)
    {
        if (result.error)
            qWarning().noquote() << result.error->line();
        return result;
    }

    std::unique_ptr<LockClient> m_client;
};
} // namespace

/** The lock library on mapped tables. */
class SqlTableClientsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesAndGivesBack_data() { addTakeableLayouts({"mariadb", "mysql", "postgresql", "sqlite"}); }
    void takesAndGivesBack();
    void entersAgain_data() { incrementsVersions_data(); }
    void entersAgain();
    void incrementsVersions_data();
    void incrementsVersions();
    void refusesRowsWithoutIdentity();
    void slotNames();

private:
    TestDatabases m_databases;
};

void SqlTableClientsTest::takesAndGivesBack()
{
    QFETCH(QByteArray, preset);
    TestDatabase *database = m_databases.freshOfRow(layoutNamed(preset).create);
    if (!database)
        QSKIP("no such server here");
    const SourceSpec spec = layoutSpec(*database, layoutNamed(preset));
    ClientProbe one(spec, "one");
    ClientProbe two(spec, "two");
    StoreProbe store(spec);
    QVERIFY(store.open());
    for (int round = 0; round < 2; ++round) { // first inserted, then taken again
        const AttemptResult taken = one.acquire("a");
        QVERIFY(!taken.error && taken.attempt == Attempt::Done);
        QVERIFY(store.readPoints("a").held);
        QCOMPARE(two.acquire("a").attempt, Attempt::Held);
        const AttemptResult longer = one.renew(taken.lease);
        QVERIFY(!longer.error && longer.attempt == Attempt::Done);
        // Another client's proof can't release the lock.
        Lease wrong = longer.lease;
        wrong.token = "two:x";
        wrong.proof = wrong.proof.isEmpty() ? QByteArray() : QByteArray("0");
        QCOMPARE(two.release(wrong).attempt, Attempt::Lost);
        QVERIFY(store.readPoints("a").held);
        QCOMPARE(one.release(longer.lease).attempt, Attempt::Done);
        QVERIFY(!store.readPoints("a").held);
        QCOMPARE(one.release(longer.lease).attempt, Attempt::Lost);
        QCOMPARE(one.renew(longer.lease).attempt, Attempt::Lost);
    }
    // A broken lock is lost, and the next client may acquire it at once.
    const AttemptResult taken = one.acquire("a");
    QCOMPARE(store.release(store.inspect("a").guard).outcome, Outcome::Released);
    QCOMPARE(one.renew(taken.lease).attempt, Attempt::Lost);
    QCOMPARE(two.acquire("a").attempt, Attempt::Done);
    QCOMPARE(one.release(taken.lease).attempt, Attempt::Lost);
    QVERIFY(store.readPoints("a").held);
}

void SqlTableClientsTest::entersAgain()
{
    TestDatabase *database = m_databases.freshOfRow(layoutNamed("t-tag-lock").create);
    if (!database)
        QSKIP("no such server here");
    const SourceSpec spec = layoutSpec(*database, layoutNamed("t-tag-lock"));
    ClientProbe one(spec, "one");
    ClientProbe two(spec, "two");
    StoreProbe store(spec);
    QVERIFY(store.open());
    QList<Lease> leases;
    for (quint32 depth = 1; depth <= 3; ++depth) {
        const AttemptResult entered = one.acquire("a", leases.value(0).token);
        QVERIFY(!entered.error && entered.attempt == Attempt::Done);
        QCOMPARE(entered.lease.token, leases.value(0, entered.lease).token);
        leases.append(entered.lease);
        QCOMPARE(store.readPoints("a").depth, depth);
        QCOMPARE(two.acquire("a").attempt, Attempt::Held);
        QCOMPARE(one.acquire("a").attempt, Attempt::Held); // by its own token, and by another client's
        QCOMPARE(one.acquire("a", "two:x").attempt, Attempt::Held);
        QCOMPARE(store.readPoints("a").depth, depth);
    }
    QCOMPARE(one.renew(leases.last()).attempt, Attempt::Done);
    QCOMPARE(store.readPoints("a").depth, 3U);
    for (quint32 left = 3; left-- > 0;) { // as often as it was acquired
        QVERIFY(store.readPoints("a").held);
        QCOMPARE(two.acquire("a").attempt, Attempt::Held);
        QCOMPARE(one.release(leases.first()).attempt, Attempt::Done);
        QCOMPARE(store.readPoints("a").depth, left);
    }
    QVERIFY(!store.readPoints("a").held);
    QCOMPARE(one.release(leases.first()).attempt, Attempt::Lost);
    // A broken lock isn't re-entered: the client acquires it again, or another client holds it.
    QCOMPARE(one.acquire("a", "one:again").lease.token, "one:again");
    QCOMPARE(store.release(store.inspect("a").guard).outcome, Outcome::Released);
    QCOMPARE(two.acquire("a").attempt, Attempt::Done);
    QCOMPARE(one.acquire("a", "one:again").attempt, Attempt::Held);
    QCOMPARE(store.readPoints("a").depth, 1U);
}

void SqlTableClientsTest::incrementsVersions_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlTableClientsTest::incrementsVersions()
{
    TestDatabase *database =
        m_databases.freshOfRow(QStringLiteral("CREATE TABLE optimistic_lock (id {ID}, resource "
                                              "VARCHAR(64) NOT NULL UNIQUE, version BIGINT NOT NULL)"));
    if (!database)
        QSKIP("no such server here");
    database->run(
        QStringLiteral("INSERT INTO optimistic_lock (resource, version) VALUES ('a', 9007199254740993)"));
    SourceSpec spec = database->spec();
    LockSet set;
    set.scheme = "sql.version";
    set.preset = QStringLiteral("optimistic-lock");
    spec.locks = {set};
    ClientProbe one(spec, "one");
    ClientProbe two(spec, "two");
    const Lease first = one.acquire("a").lease;
    const Lease second = two.acquire("a").lease;
    QCOMPARE(first.proof, QByteArray("9007199254740993"));
    QCOMPARE(two.release(second).attempt, Attempt::Done);
    QCOMPARE(one.release(first).attempt, Attempt::Lost);
    QVERIFY(one.acquire("nobody").error.has_value());
    StoreProbe store(spec);
    QVERIFY(store.open());
    const Observation lock = store.scan().value("a");
    QVERIFY(lock.optimistic && !lock.held && lock.identity.isEmpty());
    QCOMPARE(lock.fencing, QByteArray("9007199254740994"));
    QCOMPARE(store.release(store.inspect("a").guard).outcome, Outcome::Refused);
}

void SqlTableClientsTest::refusesRowsWithoutIdentity()
{
    const auto database = makeTestDatabase(QStringLiteral("sqlite"));
    QVERIFY(database->reset());
    database->run(layoutNamed("t-lock").create);
    ClientProbe client(layoutSpec(*database, layoutNamed("t-lock")), "one");
    const AttemptResult result = client.acquire("a");
    QVERIFY(result.error && result.error->cause.contains(QLatin1String("no identity")));
    QVERIFY(database->run(QStringLiteral("SELECT * FROM t_lock")).isEmpty());
}

void SqlTableClientsTest::slotNames()
{
    QCOMPARE(locks::sql::slotDigits("123456789"), "62");
    QCOMPARE(locks::sql::slotDigits("a"), "07");
    QCOMPARE(locks::sql::slotDigits(""), "00");
}

LOCKKEEPER_TEST(SqlTableClientsTest)

} // namespace tst_sql_table_clients

#include "tst_sql_table_clients.moc"
