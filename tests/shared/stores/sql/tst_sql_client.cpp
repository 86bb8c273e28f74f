// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/sql/table_worker.h"
#include "shared/stores/sql/sql_stores.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::LockClient;

/** The lock library's ShedLock on a real server. */
class SqlClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void takesRenewsReleases_data();
    void takesRenewsReleases();
    void expiredIsTaken();
    void lostAfterTakeover();
    void otherSpellingIsHeld();
    void renewalWithinTheColumnsPrecision();
    void holderIsWritten();
    void tooLongNameIsAnError();
    void comesBackAfterARestart();

private:
    AttemptResult take(LockClient &client, const QByteArray &name = "job", qint64 ttlUs = 60'000'000);
    std::unique_ptr<LockClient> client(const QByteArray &owner = "me");
    void fresh(const QString &type, int precision);

    MariaDbServer m_server;
    SourceSpec m_spec;
};

void SqlClientTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("SET time_zone = '+00:00'"));
    fresh(QStringLiteral("TIMESTAMP"), 3);
}

void SqlClientTest::fresh(const QString &type, int precision)
{
    m_server.exec(QStringLiteral("CREATE OR REPLACE DATABASE app"));
    m_server.exec(shedlockTable(QStringLiteral("shedlock"), precision, type), QStringLiteral("app"));
    m_spec = shedlockSpec(m_server.url(QStringLiteral("app")));
}

std::unique_ptr<LockClient> SqlClientTest::client(const QByteArray &owner)
{
    return *locks::sql::makeLockClient(m_spec, m_spec.locks.first(), owner);
}

AttemptResult SqlClientTest::take(LockClient &client, const QByteArray &name, qint64 ttlUs)
{
    return acquired(client, name, ttlUs);
}

void SqlClientTest::takesRenewsReleases_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("precision");
    QTest::addColumn<QByteArray>("zone");
    QTest::newRow("timestamp(3)") << QStringLiteral("TIMESTAMP") << 3 << QByteArray("UTC");
    QTest::newRow("timestamp(0)") << QStringLiteral("TIMESTAMP") << 0 << QByteArray("UTC");
    QTest::newRow("datetime(6) in Berlin") << QStringLiteral("DATETIME") << 6 << QByteArray("Europe/Berlin");
}

void SqlClientTest::takesRenewsReleases()
{
    QFETCH(QString, type);
    QFETCH(int, precision);
    fresh(type, precision);
    m_spec.timeZone =
        QTest::currentDataTag() == QByteArray("datetime(6) in Berlin") ? "Europe/Berlin" : "UTC";
    const auto one = client("one");
    const auto two = client("two");
    const AttemptResult taken = take(*one);
    QVERIFY(!taken.error);
    QCOMPARE(taken.attempt, Attempt::Done);
    QCOMPARE(take(*two).attempt, Attempt::Held);
    QCOMPARE(take(*one).attempt, Attempt::Held); // each acquisition is separate
    const AttemptResult longer = renewed(*one, taken.lease, 120'000'000);
    QCOMPARE(longer.attempt, Attempt::Done);
    QCOMPARE(longer.lease.ttlUs, 120'000'000);

    StoreProbe probe(m_spec);
    QVERIFY(probe.open());
    const Inspection seen = probe.inspect("job");
    QVERIFY(seen.lock.held);
    QCOMPARE(seen.lock.token, taken.lease.token);
    const qint64 left = seen.lock.expiresUs - seen.storeUs;
    QVERIFY2(left > 110'000'000 && left <= 121'000'000, QByteArray::number(left).constData());

    QCOMPARE(released(*one, taken.lease).attempt, Attempt::Done);
    QCOMPARE(released(*one, taken.lease).attempt, Attempt::Lost);
    QCOMPARE(take(*two).attempt, Attempt::Done);
}

void SqlClientTest::expiredIsTaken()
{
    fresh(QStringLiteral("TIMESTAMP"), 6);
    const auto one = client();
    const AttemptResult first = take(*one);
    m_server.exec(QStringLiteral("UPDATE shedlock SET lock_until = UTC_TIMESTAMP(6) - INTERVAL 1 SECOND"));
    QCOMPARE(renewed(*one, first.lease, 1'000'000).attempt, Attempt::Lost);
    const auto two = client();
    QCOMPARE(take(*two).attempt, Attempt::Done);
}

void SqlClientTest::lostAfterTakeover()
{
    fresh(QStringLiteral("TIMESTAMP"), 6);
    const auto one = client();
    const AttemptResult first = take(*one);
    m_server.exec(QStringLiteral("UPDATE shedlock SET locked_by = UPPER(locked_by)"));
    QCOMPARE(renewed(*one, first.lease, 1'000'000).attempt, Attempt::Lost);
    QCOMPARE(released(*one, first.lease).attempt, Attempt::Lost);
}

void SqlClientTest::otherSpellingIsHeld()
{
    fresh(QStringLiteral("TIMESTAMP"), 6);
    const auto one = client();
    const AttemptResult first = take(*one, "Job");
    QCOMPARE(released(*one, first.lease).attempt, Attempt::Done);
    QCOMPARE(take(*one, "job").attempt,
             Attempt::Held); // the table's key takes both for one; byte by byte they aren't
    QCOMPARE(take(*one, "Job").attempt, Attempt::Done);
}

void SqlClientTest::renewalWithinTheColumnsPrecision()
{
    fresh(QStringLiteral("TIMESTAMP"), 0);
    const auto one = client();
    const AttemptResult first = take(*one);
    for (int i = 0; i < 5; ++i)
        QCOMPARE(renewed(*one, first.lease, 60'000'000).attempt, Attempt::Done);
}

void SqlClientTest::holderIsWritten()
{
    fresh(QStringLiteral("TIMESTAMP"), 3);
    const auto one = client("billing@host-7");
    const AttemptResult first = take(*one);
    QVERIFY(first.lease.token.startsWith("billing@host-7:"));
    QCOMPARE(m_server.exec(QStringLiteral("SELECT locked_by FROM shedlock")).first().first(),
             first.lease.token);
}

void SqlClientTest::tooLongNameIsAnError()
{
    const auto one = client();
    QVERIFY(take(*one, QByteArray(65, 'x')).error);
}

void SqlClientTest::comesBackAfterARestart()
{
    fresh(QStringLiteral("TIMESTAMP"), 3);
    const auto one = client();
    QCOMPARE(take(*one, "a").attempt, Attempt::Done);
    m_server.kill();
    QVERIFY(take(*one, "b").error);
    QVERIFY(take(*one, "b").error);
    QVERIFY(m_server.start());
    QCOMPARE(take(*one, "b").attempt, Attempt::Done);
}

LOCKKEEPER_TEST(SqlClientTest)

} // namespace tst_sql_client

#include "tst_sql_client.moc"
