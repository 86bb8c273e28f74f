// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_sql_release {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

namespace {
constexpr auto kFill =
    "INSERT INTO shedlock VALUES ('a', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', 'one'),"
    "('b', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', 'two'),"
    "('null', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', NULL),"
    "('digits', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', 'abc'),"
    "('never', '2037-12-31', '2026-01-01', '')";
const QString kRenewA =
    QStringLiteral("UPDATE app.shedlock SET lock_until = lock_until + INTERVAL 1 MINUTE WHERE name = 'a'");
} // namespace

/** The guarded release, term by term, on a real server. */
class SqlReleaseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void releases_data();
    void releases();
    void renewedLease_data();
    void renewedLease();
    void renewedBetweenReadAndWrite();
    void alwaysRenewedIsBusy();
    void changedGuards_data();
    void changedGuards();
    void refusals_data();
    void refusals();
    void freeAndAbsent();
    void mustBeExpired();
    void dryRunWritesNothing();
    void lockedRowIsBusy();
    void readOnlyServer();
    void everyTermCounts_data();
    void everyTermCounts();
    void rowStays();

private:
    void sql(const QString &statement) { m_server.exec(statement); }
    std::unique_ptr<StoreProbe> probe(const stores::sql::ReleaseSeams &seams = {},
                                      BreakMode mode = BreakMode::Guarded);
    bool isHeld(const char *name);

    MariaDbServer m_server;
};

void SqlReleaseTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("SET time_zone = '+00:00'"));
}

void SqlReleaseTest::init()
{
    m_server.exec(QStringLiteral("CREATE OR REPLACE DATABASE app"));
    m_server.exec(shedlockTable(QStringLiteral("shedlock"), 3), QStringLiteral("app"));
    m_server.exec(QString::fromLatin1(kFill));
}

std::unique_ptr<StoreProbe> SqlReleaseTest::probe(const stores::sql::ReleaseSeams &seams, BreakMode mode)
{
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.locks[0].breakMode = mode;
    auto made = std::make_unique<StoreProbe>(spec, seams);
    if (!made->open())
        qWarning().noquote() << made->failures.last().line();
    return made;
}

bool SqlReleaseTest::isHeld(const char *name)
{
    const auto rows = m_server.exec(
        QStringLiteral("SELECT 1 FROM shedlock WHERE name = '%1' AND lock_until > UTC_TIMESTAMP(6)")
            .arg(QString::fromLatin1(name)));
    return !rows.isEmpty();
}

void SqlReleaseTest::releases_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("precision");
    for (const char *type : {"TIMESTAMP", "DATETIME"}) {
        for (const int precision : {0, 1, 3, 6})
            QTest::addRow("%s(%d)", type, precision) << QString::fromLatin1(type) << precision;
    }
}

void SqlReleaseTest::releases()
{
    QFETCH(QString, type);
    QFETCH(int, precision);
    sql(QStringLiteral("DROP TABLE shedlock;\n") +
        shedlockTable(QStringLiteral("shedlock"), precision, type) + QLatin1String(";\n") +
        QString::fromLatin1(kFill));
    const auto store = probe();
    for (const bool fresh : {false, true}) {
        const QByteArray name = fresh ? "b" : "a";
        const ReleaseReport report = store->release(store->inspect(name).guard, fresh);
        QCOMPARE(report.outcome, Outcome::Released);
        QVERIFY(report.storeUs && report.replicated);
        // Never in the future, whatever the precision: the next client may take it at once.
        QVERIFY(!isHeld(name.constData()));
        QVERIFY(!store->readPoints(name).held);
    }
    QCOMPARE(store->release(store->inspect("never").guard).outcome,
             Outcome::Released); // an empty holder is one
    QVERIFY(isHeld("digits"));
}

void SqlReleaseTest::renewedLease_data()
{
    QTest::addColumn<bool>("checkFreshness");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("identity only") << false << Outcome::Released;
    QTest::newRow("freshness too") << true << Outcome::HolderChanged;
}

void SqlReleaseTest::renewedLease()
{
    QFETCH(bool, checkFreshness);
    QFETCH(Outcome, outcome);
    const auto store = probe();
    const domain::Guard guard = store->inspect("a").guard;
    sql(QStringLiteral("UPDATE shedlock SET lock_until = lock_until + INTERVAL 1 MINUTE WHERE name = 'a'"));
    QCOMPARE(store->release(guard, checkFreshness).outcome, outcome);
    QCOMPARE(isHeld("a"), outcome != Outcome::Released);
    QCOMPARE(store->inspect("a").guard.digest(), guard.digest());
}

void SqlReleaseTest::renewedBetweenReadAndWrite()
{
    int writes = 0;
    const auto renewTwice = [&] {
        if (++writes <= 2)
            m_server.execAside(kRenewA);
    };
    const auto store = probe({{}, renewTwice});
    QCOMPARE(store->release(store->inspect("a").guard).outcome, Outcome::Released);
    QCOMPARE(writes, 3);
    QVERIFY(!isHeld("a"));
}

void SqlReleaseTest::alwaysRenewedIsBusy()
{
    int writes = 0;
    const auto store = probe({{}, [&] {
                                  ++writes;
                                  m_server.execAside(kRenewA);
                              }});
    const ReleaseReport report = store->release(store->inspect("a").guard);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, ErrorCode::Busy);
    QCOMPARE(writes, 5);
    QVERIFY(isHeld("a"));
}

void SqlReleaseTest::changedGuards_data()
{
    QTest::addColumn<QString>("change"); // another client's change since the guard was made
    QTest::newRow("another holder") << QStringLiteral("locked_by = 'ONE'");
    QTest::newRow("the same holder again") << QStringLiteral("locked_at = '2026-01-01 00:00:00.001'");
    QTest::newRow("trailing space") << QStringLiteral("locked_by = 'one '");
    QTest::newRow("nobody") << QStringLiteral("locked_by = NULL");
    QTest::newRow("no time") << QStringLiteral("locked_at = NULL");
}

void SqlReleaseTest::changedGuards()
{
    QFETCH(QString, change);
    const auto store = probe();
    const domain::Guard guard = store->inspect("a").guard;
    sql(QStringLiteral("UPDATE shedlock SET %1 WHERE name = 'a'").arg(change));
    QCOMPARE(store->release(guard).outcome, Outcome::HolderChanged);
    QCOMPARE(store->release(guard, false, true).outcome, Outcome::HolderChanged);
    QVERIFY(isHeld("a"));
}

void SqlReleaseTest::refusals_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<Outcome>("outcome");
    for (const char *what :
         {"null holder", "null holder unsafe", "no identity", "other place", "other source", "break never"})
        QTest::newRow(what) << QString::fromLatin1(what) << Outcome::Refused;
    QTest::newRow("other instance") << QStringLiteral("other instance") << Outcome::HolderChanged;
    QTest::newRow("text 0 against text") << QStringLiteral("text 0") << Outcome::HolderChanged;
}

void SqlReleaseTest::refusals()
{
    QFETCH(QString, what);
    const auto store = probe({}, what == QLatin1String("break never")     ? BreakMode::Never
                                 : what.endsWith(QLatin1String("unsafe")) ? BreakMode::Unsafe
                                                                          : BreakMode::Guarded);
    const QByteArray name = what.startsWith(QLatin1String("null holder")) ? "null" : "digits";
    domain::Guard guard = store->inspect(name).guard;
    QVERIFY(!guard.instance.isEmpty());
    if (what == QLatin1String("no identity"))
        guard.identity.clear();
    else if (what == QLatin1String("other place"))
        guard.key.place = "app.other";
    else if (what == QLatin1String("other source"))
        guard.key.source = QStringLiteral("elsewhere");
    else if (what == QLatin1String("other instance"))
        guard.instance += '1';
    else if (what == QLatin1String("text 0"))
        guard.identity = shedlockIdentity("0", "2026-01-01 00:00:00.000");
    const ReleaseReport report = store->release(guard);
    QTEST(report.outcome, "outcome");
    QVERIFY(isHeld(name.constData()));
}

void SqlReleaseTest::freeAndAbsent()
{
    const auto store = probe();
    const domain::Guard guard = store->inspect("a").guard;
    QCOMPARE(store->release(guard).outcome, Outcome::Released);
    QCOMPARE(store->release(guard).outcome, Outcome::AlreadyFree);
    sql(QStringLiteral("DELETE FROM shedlock WHERE name = 'a'"));
    QCOMPARE(store->release(guard).outcome, Outcome::AlreadyFree);
}

void SqlReleaseTest::mustBeExpired()
{
    const auto store = probe();
    ReleaseOrder order;
    order.guard = store->inspect("a").guard;
    order.checkFreshness = true;
    order.mustBeExpired = true;
    QCOMPARE(store->release(order).outcome, Outcome::Refused);
    QVERIFY(isHeld("a"));
    sql(QStringLiteral("UPDATE shedlock SET lock_until = '2026-01-02' WHERE name = 'a'"));
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
}

void SqlReleaseTest::dryRunWritesNothing()
{
    const auto store = probe();
    QCOMPARE(store->release(store->inspect("a").guard, true, true).outcome, Outcome::Released);
    QVERIFY(isHeld("a"));
}

void SqlReleaseTest::lockedRowIsBusy()
{
    const auto store = probe();
    const domain::Guard guard = store->inspect("a").guard;
    sql(QStringLiteral("START TRANSACTION;\nSELECT * FROM shedlock WHERE name = 'a' FOR UPDATE"));
    QElapsedTimer timer;
    timer.start();
    const ReleaseReport report = store->release(guard);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, ErrorCode::Busy);
    QVERIFY(timer.elapsed() < 20'000); // the server would wait for 50 s
    sql(QStringLiteral("ROLLBACK"));
    QCOMPARE(store->release(guard).outcome, Outcome::Released); // the link is good as before
    QVERIFY(store->failures.isEmpty());
}

void SqlReleaseTest::readOnlyServer()
{
    // root may write on a read-only server; an ordinary account may not.
    sql(QStringLiteral(
        "CREATE OR REPLACE USER lk;\nGRANT SELECT, UPDATE (lock_until) ON app.shedlock TO lk;\n"
        "SET GLOBAL read_only = 1"));
    StoreProbe store(shedlockSpec(m_server.url(QStringLiteral("app"), QStringLiteral("lk"))));
    const bool opened = store.open();
    const ReleaseReport report = opened ? store.release(store.inspect("a").guard) : ReleaseReport{};
    const ReleaseReport dry = opened ? store.release(store.inspect("a").guard, false, true) : ReleaseReport{};
    sql(QStringLiteral("SET GLOBAL read_only = 0"));
    QVERIFY(opened);
    QVERIFY(store.info.readOnly);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, ErrorCode::ReadOnly);
    QCOMPARE(dry.outcome, Outcome::Refused);
    QVERIFY(isHeld("a"));
}

void SqlReleaseTest::everyTermCounts_data()
{
    QTest::addColumn<QByteArray>("term");
    QTest::addColumn<QString>(
        "change"); // between the reading and the write: nothing that the guard holds is there any more
    QTest::newRow("name") << QByteArray("name")
                          << QStringLiteral("UPDATE app.shedlock SET name = 'A' WHERE name = 'a'");
    QTest::newRow("holder") << QByteArray("holder")
                            << QStringLiteral("UPDATE app.shedlock SET locked_by = 'other' WHERE name = 'a'");
    QTest::newRow("acquired_at") << QByteArray("acquired_at")
                                 << QStringLiteral(
                                        "UPDATE app.shedlock SET locked_at = '2026-01-02' WHERE name = 'a'");
    QTest::newRow("expires_at")
        << QByteArray("expires_at")
        << QStringLiteral(
               "UPDATE app.shedlock SET lock_until = lock_until + INTERVAL 1 HOUR WHERE name = 'a'");
    QTest::newRow("not_expired") << QByteArray("not_expired") << QStringLiteral("SELECT SLEEP(2.1)");
}

void SqlReleaseTest::everyTermCounts()
{
    QFETCH(QByteArray, term);
    QFETCH(QString, change);
    for (const bool dropped : {false, true}) {
        init();
        if (term == "not_expired")
            sql(QStringLiteral(
                "UPDATE shedlock SET lock_until = UTC_TIMESTAMP(6) + INTERVAL 2 SECOND WHERE name = 'a'"));
        bool changed = false;
        stores::sql::ReleaseSeams seams;
        seams.beforeWrite = [&] {
            if (!std::exchange(changed, true))
                m_server.execAside(change);
        };
        if (dropped)
            seams.withoutTerms = {term};
        const auto store = probe(seams);
        // Freshness is compared, so that no second try may follow on a renewed lease.
        const ReleaseReport report = store->release(store->inspect("a").guard, true);
        QVERIFY(changed);
        // The whole guard stops every wrong release; without any one term, a wrong release happens.
        QCOMPARE(report.outcome == Outcome::Released, dropped);
    }
}

void SqlReleaseTest::rowStays()
{
    const auto store = probe();
    QCOMPARE(store->release(store->inspect("a").guard).outcome, Outcome::Released);
    const auto rows =
        m_server.exec(QStringLiteral("SELECT locked_by, locked_at FROM shedlock WHERE name = 'a'"));
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first(), (Row{"one", rows.first().at(1)}));
    const Observation last = store->readPoints("a");
    QVERIFY(last.present && !last.held);
    QCOMPARE(last.owner, "one");
}

LOCKKEEPER_TEST(SqlReleaseTest)

} // namespace tst_sql_release

#include "tst_sql_release.moc"
