// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_observe {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::ExpiryKind;

/** Rows in a real server as a scan, readPoints() and inspect() show them. */
class SqlObserveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void openTellsTheServer();
    void presetFindsItsTable();
    void times_data();
    void times();
    void rowKinds();
    void emptyNameAndHostileBytes();
    void collations_data();
    void collations();
    void pagesNeitherSkipNorRepeat_data();
    void pagesNeitherSkipNorRepeat();
    void longAndShortHolders();
    void aPausedScanReadsNoFurther();
    void matchFilters_data();
    void matchFilters();
    void lookTellsAbsence();
    void twoSets();
    void zonedDateTimes_data();
    void zonedDateTimes();
    void mappedColumnsAndIntegerTimes();
    void clientClockWarns();
    void instanceIsStable();

private:
    void fresh(const QString &ddl);
    StoreProbe &probe(const SourceSpec &spec);

    MariaDbServer m_server;
    std::unique_ptr<StoreProbe> m_probe;
};

void SqlObserveTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("SET GLOBAL time_zone = '+03:00';\nSET time_zone = '+00:00'"));
}

void SqlObserveTest::fresh(const QString &ddl)
{
    m_probe.reset();
    m_server.exec(QStringLiteral("CREATE OR REPLACE DATABASE app"));
    m_server.exec(ddl, QStringLiteral("app"));
}

StoreProbe &SqlObserveTest::probe(const SourceSpec &spec)
{
    m_probe = std::make_unique<StoreProbe>(spec);
    if (!m_probe->open())
        qWarning().noquote() << m_probe->failures.last().line();
    return *m_probe;
}

void SqlObserveTest::openTellsTheServer()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    const ServerInfo info = probe(shedlockSpec(m_server.url(QStringLiteral("app")))).info;
    QCOMPARE(info.store, "mysql");
    const QStringList products{QStringLiteral("MariaDB"), QStringLiteral("MySQL")};
    QVERIFY2(products.contains(info.server.section(u' ', 0, 0)), qPrintable(info.server));
    QCOMPARE(info.places, (QList<QByteArray>{"app.shedlock"}));
    QVERIFY(!info.readOnly);
    QCOMPARE(info.access.size(), 2);
    QCOMPARE(info.access.at(0), (domain::Access{"observe:shedlock", true, false, {}}));
    QCOMPARE(info.access.at(1), (domain::Access{"break:shedlock", true, true, {}}));
    QVERIFY(info.warning == base::Error{});
}

void SqlObserveTest::presetFindsItsTable()
{
    fresh(shedlockTable(QStringLiteral("fem_shedlock")));
    QCOMPARE(probe(shedlockSpec(m_server.url(QStringLiteral("app")))).info.places,
             (QList<QByteArray>{"app.fem_shedlock"}));
}

void SqlObserveTest::times_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("precision");
    QTest::addColumn<QString>("written");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("us");
    const QString written = QStringLiteral("2036-02-29 23:59:59.123456");
    for (const QString &type : {QStringLiteral("TIMESTAMP"), QStringLiteral("DATETIME")}) {
        const auto row = [&](int precision, const char *text, qint64 us) {
            QTest::addRow("%s(%d)", qPrintable(type), precision)
                << type << precision << written << QByteArray(text) << us;
        };
        row(0, "2036-02-29 23:59:59", 2087942399000000);
        row(1, "2036-02-29 23:59:59.1", 2087942399100000);
        row(3, "2036-02-29 23:59:59.123", 2087942399123000);
        row(6, "2036-02-29 23:59:59.123456", 2087942399123456);
    }
}

void SqlObserveTest::times()
{
    QFETCH(QString, type);
    QFETCH(int, precision);
    QFETCH(QString, written);
    QFETCH(QByteArray, text);
    QFETCH(qint64, us);
    fresh(shedlockTable(QStringLiteral("shedlock"), precision, type));
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '%1', '%1', 'host')").arg(written));
    const auto rows = probe(shedlockSpec(m_server.url(QStringLiteral("app")))).scan();
    const Observation lock = rows.value("a");
    QVERIFY(lock.held);
    QCOMPARE(lock.flaw, Flaw::None);
    QCOMPARE(lock.expiry, ExpiryKind::At);
    QCOMPARE(lock.expiresUs, us);
    QCOMPARE(lock.acquiredUs.value_or(0), us);
    QCOMPARE(text,
             m_server.exec(QStringLiteral("SELECT CAST(lock_until AS CHAR) FROM shedlock")).first().first());
    QCOMPARE(lock.freshness, shedlockFreshness(text, text));
    QCOMPARE(lock.identity, shedlockIdentity("host", text));
    QCOMPARE(m_probe->readPoints("a"), lock);
    QCOMPARE(m_probe->inspect("a").lock, lock);
}

void SqlObserveTest::rowKinds()
{
    fresh(shedlockTable(QStringLiteral("shedlock"), 6, QStringLiteral("DATETIME")));
    m_server.exec(QStringLiteral("SET sql_mode = '';\n"
                                 "INSERT INTO shedlock VALUES "
                                 "('free', UTC_TIMESTAMP(6) - INTERVAL 1 SECOND, '2026-01-01', 'h'),"
                                 "('held', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, UTC_TIMESTAMP(6), 'h'),"
                                 "('null', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, UTC_TIMESTAMP(6), NULL),"
                                 "('noTime', NULL, UTC_TIMESTAMP(6), 'h'),"
                                 "('noStart', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, NULL, 'h'),"
                                 "('zero', '0000-00-00', '0000-00-00', 'h'),"
                                 "('partial', '2026-00-00', '2026-01-01', 'h'),"
                                 "('never', '9999-12-31 23:59:59', '2026-01-01', 'h'),"
                                 "('before', '1500-01-01', '2026-01-01', 'h'),"
                                 "('nobody', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', '')"));
    const auto rows = probe(shedlockSpec(m_server.url(QStringLiteral("app")))).scan();
    QCOMPARE(rows.size(), 10);
    QVERIFY(m_probe->ends.last().complete);
    QCOMPARE(m_probe->ends.last().scanned, 10);

    QVERIFY(!rows["free"].held && rows["free"].present);
    QCOMPARE(rows["free"].owner, "h");
    QVERIFY(rows["held"].held);
    QCOMPARE(rows["null"].flaw, Flaw::NullIdentity);
    QVERIFY(!rows["null"].ownerKnown && rows["null"].held && rows["null"].identity.isEmpty());
    QCOMPARE(rows["noStart"].flaw, Flaw::NullIdentity);
    QVERIFY(rows["noStart"].held && rows["noStart"].identity.isEmpty());
    for (const char *name : {"noTime", "zero", "partial", "never", "before"}) {
        QCOMPARE(rows[name].flaw, Flaw::BadTime);
        QCOMPARE(rows[name].expiry, ExpiryKind::Unknown);
    }
    QCOMPARE(rows["zero"].freshness,
             shedlockFreshness("0000-00-00 00:00:00.000000", "0000-00-00 00:00:00.000000"));
    QCOMPARE(rows["partial"].freshness,
             shedlockFreshness("2026-01-01 00:00:00.000000", "2026-00-00 00:00:00.000000"));
    QVERIFY(rows["never"].held);
    QVERIFY(rows["nobody"].ownerKnown && rows["nobody"].owner.isEmpty() &&
            !rows["nobody"].identity.isEmpty());
    for (auto it = rows.begin(); it != rows.end(); ++it)
        QCOMPARE(m_probe->readPoints(it.key()).identity, it->identity);
}

void SqlObserveTest::emptyNameAndHostileBytes()
{
    fresh(QStringLiteral(
        "CREATE TABLE shedlock (name VARBINARY(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3), "
        "locked_at TIMESTAMP(3), locked_by VARBINARY(255))"));
    const QList<QByteArray> names{"",         QByteArray("a\0b", 3), "\xff\xfe",
                                  "\x1b[31m", "\xe2\x80\xae",        "'; DROP TABLE shedlock; --"};
    for (const QByteArray &name : names)
        m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES (X'%1', '2036-01-01', '2026-01-01', X'%1')")
                          .arg(QString::fromLatin1(name.toHex())));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    const auto rows = probe(spec).scan();
    QCOMPARE(rows.size(), names.size());
    for (const QByteArray &name : names) {
        QCOMPARE(rows.value(name).owner, name);
        const Inspection found = m_probe->inspect(name);
        QVERIFY(found.lock.present);
        QCOMPARE(m_probe->release(found.guard).outcome, domain::Outcome::Released);
    }
}

void SqlObserveTest::collations_data()
{
    QTest::addColumn<QString>("charset");
    QTest::addColumn<QString>("collation");
    QTest::addColumn<bool>("binary");
    QTest::newRow("binary") << QStringLiteral("utf8mb4") << QStringLiteral("utf8mb4_bin") << true;
    QTest::newRow("no padding") << QStringLiteral("utf8mb4") << QStringLiteral("utf8mb4_nopad_bin") << true;
    QTest::newRow("general") << QStringLiteral("utf8mb4") << QStringLiteral("utf8mb4_general_ci") << false;
    QTest::newRow("latin1") << QStringLiteral("latin1") << QStringLiteral("latin1_swedish_ci") << false;
}

void SqlObserveTest::collations()
{
    QFETCH(QString, charset);
    QFETCH(QString, collation);
    QFETCH(bool, binary);
    fresh(QStringLiteral(
              "CREATE TABLE shedlock (name VARCHAR(64) CHARACTER SET %1 COLLATE %2 NOT NULL PRIMARY KEY, "
              "lock_until TIMESTAMP(3), locked_at TIMESTAMP(3), locked_by VARCHAR(255))")
              .arg(charset, collation));
    m_server.exec(
        QStringLiteral("INSERT INTO shedlock VALUES ('Lock-A', '2036-01-01', '2026-01-01', 'one')"));
    if (binary)
        m_server.exec(
            QStringLiteral("INSERT INTO shedlock VALUES ('lock-a ', '2036-01-01', '2026-01-02', 'two')"));
    probe(shedlockSpec(m_server.url(QStringLiteral("app"))));
    QCOMPARE(m_probe->scan().size(), binary ? 2 : 1);
    QCOMPARE(m_probe->readPoints("Lock-A").owner, "one");
    QCOMPARE(m_probe->readPoints("lock-a ").present, binary);
    QVERIFY(!m_probe->readPoints("lock-a").present);
    QVERIFY(!m_probe->readPoints("LOCK-A").present);

    // A guard aimed at the other spelling mustn't touch this row.
    domain::Guard guard = m_probe->inspect("Lock-A").guard;
    guard.key.name = "LOCK-A";
    QCOMPARE(m_probe->release(guard).outcome, domain::Outcome::AlreadyFree);
    QVERIFY(m_probe->readPoints("Lock-A").held);
}

void SqlObserveTest::pagesNeitherSkipNorRepeat_data()
{
    QTest::addColumn<QString>("collation");
    QTest::addColumn<int>("count");
    for (const char *collation :
         {"utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci", "latin1_swedish_ci"}) {
        for (const int count : {0, 99, 100, 101, 950})
            QTest::addRow("%s %d", collation, count) << QString::fromLatin1(collation) << count;
    }
}

void SqlObserveTest::pagesNeitherSkipNorRepeat()
{
    QFETCH(QString, collation);
    QFETCH(int, count);
    const QString charset = collation.section(QLatin1Char('_'), 0, 0);
    fresh(QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) CHARACTER SET %1 COLLATE %2 NOT NULL "
                         "PRIMARY KEY, lock_until "
                         "TIMESTAMP(3), locked_at TIMESTAMP(3), locked_by VARCHAR(255))")
              .arg(charset, collation));
    if (count > 0)
        m_server.exec(
            QStringLiteral("INSERT IGNORE INTO shedlock SELECT CONCAT(CHAR(65 + seq % 58 USING latin1), seq, "
                           "IF(seq % 3, 'é', ''), IF(seq % 7, '', ' x')), '2036-01-01', '2026-01-01', seq "
                           "FROM seq_1_to_%1")
                .arg(count));
    const qint64 there =
        m_server.exec(QStringLiteral("SELECT COUNT(*) FROM shedlock")).first().first().toLongLong();
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.pageSize = 10; // a hundred rows are read at once
    const auto rows = probe(spec).scan();
    QCOMPARE(rows.size(), there);
    QCOMPARE(m_probe->ends.last().scanned, there);
    QVERIFY(m_probe->ends.last().complete);
    qint64 before = 0;
    for (const Page &page : std::as_const(m_probe->pages)) {
        QVERIFY(page.beganUs >= before && page.endedUs >= page.beganUs);
        before = page.beganUs;
    }
}

/** Longer and shorter values alternate in a scan of several ranges; each range overwrites the memory of the
 * previous range's pages. */
void SqlObserveTest::longAndShortHolders()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    m_server.exec(QStringLiteral("ALTER TABLE shedlock MODIFY locked_by TEXT NOT NULL;\n"
                                 "INSERT INTO shedlock SELECT CONCAT('n', seq), '2037-01-01', '2026-01-01', "
                                 "REPEAT(seq % 10, IF(seq % 7 = 0, 1000 + seq, seq % 5)) FROM seq_0_to_249"));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.pageSize = 10;
    probe(spec);
    for (int scan = 0; scan < 2; ++scan) {
        const auto rows = m_probe->scan();
        QVERIFY(m_probe->ends.last().complete);
        QCOMPARE(rows.size(), 250);
        for (int i = 0; i < 250; ++i) {
            const Observation lock = rows.value("n" + QByteArray::number(i));
            QCOMPARE(lock.owner, QByteArray(i % 7 == 0 ? 1000 + i : i % 5, char('0' + i % 10)));
            QVERIFY(lock.token == lock.owner && lock.held);
            QCOMPARE(lock.identity, shedlockIdentity(lock.owner, "2026-01-01 00:00:00.000000"));
        }
    }
}

void SqlObserveTest::aPausedScanReadsNoFurther()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    m_server.exec(
        QStringLiteral("INSERT INTO app.shedlock SELECT CONCAT('job', seq), '2036-01-01', '2026-01-01', "
                       "'me' FROM seq_1_to_3000"));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.pageSize = 10; // a hundred rows are read at once
    StoreProbe &db = probe(spec);
    Store &store = db.store();
    qsizetype rows = 0;
    qint64 lastUs = 0; ///< when the page that was read last had been
    const auto take = [&](const Page &page) {
        if (rows == 0)
            store.setPaused(true); // like the agent: from within the callback
        rows += page.locks.size();
        lastUs = page.beganUs;
    };
    const auto end = [&](const ScanEnd &ended) { db.ends.append(ended); };
    store.scan(take, end);
    QVERIFY(waitFor([&] { return rows > 0; }));
    const auto asked = [&db] { // after this many answers the scan has no request in progress
        for (int i = 0; i < 40; ++i)
            db.inspect("job1");
        return db.inspect("job1").storeUs;
    };
    asked();
    const qsizetype held = rows;
    QVERIFY2(held < 1'000, qPrintable(QString::number(held)));
    const qint64 resumedUs = asked();
    QCOMPARE(rows, held);
    QVERIFY(db.ends.isEmpty());
    QVERIFY(lastUs < resumedUs);
    store.setPaused(false);
    QVERIFY(waitFor([&] { return !db.ends.isEmpty(); }));
    QVERIFY(db.ends.first().complete);
    QCOMPARE(rows, 3'000);
    QVERIFY(lastUs >= resumedUs);
    QVERIFY(db.ends.first().endedUs >= resumedUs && db.ends.first().beganUs < resumedUs);
    store.setPaused(true); // before it begins
    store.scan([](const Page &) {}, end);
    asked();
    QCOMPARE(db.ends.size(), 1);
    store.setPaused(false);
    QVERIFY(waitFor([&] { return db.ends.size() == 2; }));
}

void SqlObserveTest::matchFilters_data()
{
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<int>("rows");
    QTest::newRow("all") << QByteArray("*") << 4;
    QTest::newRow("prefix") << QByteArray("job_*") << 1;
    QTest::newRow("prefix is case-sensitive") << QByteArray("job*") << 2;
    QTest::newRow("infix") << QByteArray("*b*") << 4;
    QTest::newRow("percent isn't special") << QByteArray("%*") << 0;
    QTest::newRow("class") << QByteArray("[jJ]ob-*") << 1;
    QTest::newRow("exact") << QByteArray("jobX2") << 1;
}

void SqlObserveTest::matchFilters()
{
    QFETCH(QByteArray, match);
    QFETCH(int, rows);
    fresh(shedlockTable(QStringLiteral("shedlock")));
    m_server.exec(QStringLiteral(
        "INSERT INTO shedlock VALUES ('job_1', '2036-01-01', '2026-01-01', 'h'), ('jobX2', '2036-01-01', "
        "'2026-01-01', 'h'), ('Job-3', '2036-01-01', '2026-01-01', 'h'), ('zeb', '2036-01-01', '2026-01-01', "
        "'h')"));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.locks[0].match = match;
    QCOMPARE(probe(spec).scan().size(), rows);
}

void SqlObserveTest::lookTellsAbsence()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    probe(shedlockSpec(m_server.url(QStringLiteral("app"))));
    const Observation absent = m_probe->readPoints("gone");
    QVERIFY(!absent.present);
    QCOMPARE(absent.name, "gone");
    const Inspection inspection = m_probe->inspect("gone");
    QVERIFY(!inspection.lock.present && inspection.storeUs > 0 && inspection.guard.digest().isEmpty());
}

void SqlObserveTest::twoSets()
{
    fresh(shedlockTable(QStringLiteral("one")) + QLatin1String(";\n") +
          shedlockTable(QStringLiteral("`two three`")));
    m_server.exec(QStringLiteral("INSERT INTO one VALUES ('a', '2036-01-01', '2026-01-01', 'h');\n"
                                 "INSERT INTO `two three` VALUES ('b', '2036-01-01', '2026-01-01', 'h')"));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")), QStringLiteral("one"));
    spec.locks.append(spec.locks.first());
    spec.locks[1].table.table = QStringLiteral("two three");
    const auto rows = probe(spec).scan();
    QCOMPARE(rows.value("a").set, 0);
    QCOMPARE(rows.value("b").set, 1);
    QCOMPARE(m_probe->info.places, (QList<QByteArray>{"app.one", "app.two three"}));
    QCOMPARE(m_probe
                 ->release([&] {
                     ReleaseOrder order;
                     order.set = 1;
                     order.guard = m_probe->inspect("b", 1).guard;
                     return order;
                 }())
                 .outcome,
             domain::Outcome::Released);
}

void SqlObserveTest::zonedDateTimes_data()
{
    QTest::addColumn<QString>("wall");
    QTest::addColumn<qint64>("us");
    QTest::addColumn<qint64>("slack");
    QTest::addColumn<bool>("sane");
    QTest::newRow("winter") << QStringLiteral("2035-01-15 12:00:00.5") << qint64(2052471600500000)
                            << qint64(0) << true;
    QTest::newRow("summer") << QStringLiteral("2035-07-15 12:00:00") << qint64(2068106400000000) << qint64(0)
                            << true;
    QTest::newRow("the hour that repeats")
        << QStringLiteral("2035-10-28 02:30:00") << qint64(2077144200000000) << qint64(3600000000) << true;
    QTest::newRow("the hour that is skipped")
        << QStringLiteral("2035-03-25 02:30:00") << qint64(0) << qint64(0) << false;
}

void SqlObserveTest::zonedDateTimes()
{
    QFETCH(QString, wall);
    QFETCH(qint64, us);
    QFETCH(qint64, slack);
    QFETCH(bool, sane);
    fresh(shedlockTable(QStringLiteral("shedlock"), 6, QStringLiteral("DATETIME")));
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '%1', '%1', 'h')").arg(wall));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.timeZone = "Europe/Berlin";
    const Observation lock = probe(spec).scan().value("a");
    QCOMPARE(lock.expiry, sane ? ExpiryKind::At : ExpiryKind::Unknown);
    QCOMPARE(lock.flaw, sane ? Flaw::None : Flaw::BadTime);
    QCOMPARE(lock.expiresUs, us);
    QCOMPARE(lock.expirySlackUs, slack);
    QCOMPARE(lock.acquiredUs.has_value(), sane && slack == 0);
    if (!sane)
        return;
    QVERIFY(lock.held);
    QCOMPARE(m_probe->release(m_probe->inspect("a").guard).outcome, domain::Outcome::Released);
    QVERIFY(!m_probe->readPoints("a").held);
    const auto late = m_server.exec(
        QStringLiteral("SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), lock_until) FROM shedlock"));
    const int ahead = late.first().first().toInt();
    QVERIFY2(ahead >= 3590 && ahead <= 7200, late.first().first().constData());
}

void SqlObserveTest::mappedColumnsAndIntegerTimes()
{
    fresh(QStringLiteral("CREATE TABLE my_locks (`the key` VARCHAR(64) PRIMARY KEY, until_ms BIGINT, "
                         "since_ms BIGINT, who TEXT)"));
    m_server.exec(QStringLiteral("INSERT INTO my_locks VALUES ('a', 2087942399123, 1767225600000, 'h'), "
                                 "('secs', 2087942399, 1, 'h')"));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")), QStringLiteral("my_locks"));
    TableMapping &map = spec.locks[0].table;
    map.name = {QStringLiteral("the key")};
    map.expiresAt = QStringLiteral("until_ms");
    map.acquiredAt = QStringLiteral("since_ms");
    map.holder = QStringLiteral("who");
    map.units = {{QStringLiteral("expires_at"), QStringLiteral("epoch_ms")},
                 {QStringLiteral("acquired_at"), QStringLiteral("epoch_ms")}};
    const auto rows = probe(spec).scan();
    QCOMPARE(rows.value("a").expiresUs, 2087942399123000);
    QCOMPARE(rows.value("secs").flaw, Flaw::BadTime);
    QCOMPARE(m_probe->release(m_probe->inspect("a").guard).outcome, domain::Outcome::Released);
    QVERIFY(!m_probe->readPoints("a").held);
}

void SqlObserveTest::clientClockWarns()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
    spec.clientClock = true;
    QVERIFY(!probe(spec).info.warning.cause.isEmpty());
}

void SqlObserveTest::instanceIsStable()
{
    fresh(shedlockTable(QStringLiteral("shedlock")));
    const QByteArray instance = probe(shedlockSpec(m_server.url(QStringLiteral("app")))).info.instance;
    QVERIFY(instance.contains(':') && !instance.startsWith(':'));
    for (int i = 0; i < 20; ++i)
        QCOMPARE(probe(shedlockSpec(m_server.url(QStringLiteral("app")))).info.instance, instance);
}

LOCKKEEPER_TEST(SqlObserveTest)

} // namespace tst_sql_observe

#include "tst_sql_observe.moc"
