// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/held_reads.h"
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_held_reads {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

namespace {
constexpr qint64 kSecondUs = 1'000'000;

/** A table of leases with an index on the deadlines; `row` makes a lock of %1, held for %2 seconds more. */
struct Leases
{
    QByteArray preset;
    QString create;
    QString index;
    QString row;
    QString expires; ///< "SET" of a deadline %1 seconds from now
};

const QList<Leases> &leases()
{
    static const QList<Leases> all{
        {"shedlock",
         QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, "
                        "lock_until TIMESTAMP(6) NOT NULL, locked_at TIMESTAMP(6) NOT NULL, "
                        "locked_by VARCHAR(255) NOT NULL)"),
         QStringLiteral("CREATE INDEX by_deadline ON shedlock (lock_until)"),
         QStringLiteral("INSERT INTO shedlock VALUES ('%1', CURRENT_TIMESTAMP(6) + INTERVAL '%2' SECOND, "
                        "CURRENT_TIMESTAMP(6) - INTERVAL '3600' SECOND, 'host')"),
         QStringLiteral("UPDATE shedlock SET lock_until = CURRENT_TIMESTAMP(6) + INTERVAL '%1' SECOND")},
        {"laravel",
         QStringLiteral("CREATE TABLE cache_locks (`key` VARCHAR(255) NOT NULL PRIMARY KEY, "
                        "owner VARCHAR(255) NOT NULL, expiration INT NOT NULL)"),
         QStringLiteral("CREATE INDEX by_deadline ON cache_locks (expiration)"),
         QStringLiteral("INSERT INTO cache_locks VALUES ('%1', 'owner', {EPOCH} + %2)"),
         QStringLiteral("UPDATE cache_locks SET expiration = {EPOCH} + %1")}};
    return all;
}

QSet<QByteArray> namesOf(const QHash<QByteArray, Observation> &rows)
{
    return {rows.keyBegin(), rows.keyEnd()};
}
} // namespace

/** Between two whole scans, only rows that may be held are read, by the index of the deadlines. */
class SqlHeldReadsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decides();
    void readsWhatIsHeld_data() { everyServer(); }
    void readsWhatIsHeld();
    void usesTheIndex();
    void isOffered_data();
    void isOffered();
    void manyHeld();
    void droppedIndex();

private:
    void everyServer();
    /** The name column's own word, as the row of a WHERE. */
    static QString where(const Leases &table, const char *name);

    TestDatabases m_databases;
};

void SqlHeldReadsTest::everyServer()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("table");
    for (const char *server : {"mariadb", "mysql", "postgresql"}) {
        for (int i = 0; i < leases().size(); ++i)
            QTest::addRow("%s %s", server, leases().at(i).preset.constData())
                << QString::fromLatin1(server) << i;
    }
}

QString SqlHeldReadsTest::where(const Leases &table, const char *name)
{
    return QStringLiteral(" WHERE %1 = '%2'")
        .arg(table.preset == "laravel" ? QStringLiteral("`key`") : QStringLiteral("name"),
             QString::fromLatin1(name));
}

void SqlHeldReadsTest::decides()
{
    sql::HeldReads reads(60 * kSecondUs);
    QVERIFY(!reads.isEnough(5 * kSecondUs)); // nothing was read yet
    reads.begin(false, 5 * kSecondUs);
    reads.noteBeginning(1'000);
    reads.noteBeginning(2'000);
    QVERIFY(!reads.isEnough(6 * kSecondUs)); // not to its end
    reads.complete();
    QCOMPARE(reads.sinceUs(), 1'000);
    QVERIFY(reads.isEnough(64 * kSecondUs));
    reads.begin(true, 64 * kSecondUs);
    reads.noteBeginning(3'000);
    QCOMPARE(reads.sinceUs(), 1'000); // one that breaks off is nothing to rest on
    reads.complete();
    QCOMPARE(reads.sinceUs(), 3'000);
    QVERIFY(!reads.isEnough(65 * kSecondUs)); // the whole is due
    reads.begin(false, 65 * kSecondUs);
    reads.noteBeginning(4'000);
    reads.complete();
    reads.giveUp(66 * kSecondUs);
    QVERIFY(!reads.isEnough(100 * kSecondUs));
    reads.setReconcileUs(90 * kSecondUs);
    reads.begin(false, 200 * kSecondUs);
    reads.noteBeginning(5'000);
    reads.complete();
    QVERIFY(reads.isEnough(289 * kSecondUs));
    reads.setReconcileUs(10 * kSecondUs);
    QVERIFY(!reads.isEnough(211 * kSecondUs) && reads.isEnough(209 * kSecondUs));
}

void SqlHeldReadsTest::readsWhatIsHeld()
{
    QFETCH(QString, server);
    QFETCH(int, table);
    const Leases &leases = tst_sql_held_reads::leases().at(table);
    TestDatabase *database = m_databases.fresh(server);
    if (!database)
        QSKIP("no such server here");
    database->run(leases.create);
    database->run(leases.index);
    for (const char *row : {"held 60", "renewed 60", "ends 60", "gone 60", "free -600", "again -600"}) {
        const QStringList parts = QString::fromLatin1(row).split(QLatin1Char(' '));
        database->run(leases.row.arg(parts.at(0), parts.at(1)));
    }
    SourceSpec spec = layoutSpec(*database, {leases.preset,
                                             leases.preset == "shedlock" ? "sql.shedlock" : "sql.insert",
                                             {},
                                             {},
                                             {},
                                             {},
                                             {},
                                             true,
                                             true,
                                             {}});
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QCOMPARE(probe.scan().size(), 6);
    QVERIFY(probe.ends.last().heldOnly.isEmpty());
    QVERIFY(waitFor([&] { return !probe.findings.isEmpty(); }));
    QCOMPARE(probe.findings.first().code, "held_reads");
    QVERIFY(probe.findings.first().value.contains("by_deadline"));

    const QByteArray gone = leases.preset == "laravel" ? "gone" : "";
    database->run(leases.expires.arg(120) + where(leases, "renewed"));
    database->run(leases.expires.arg(0) + where(leases, "ends")); // given back this moment
    database->run(leases.expires.arg(30) + where(leases, "again"));
    database->run(leases.row.arg(QStringLiteral("new"), QStringLiteral("30")));
    database->run(
        QStringLiteral("DELETE FROM %1")
            .arg(leases.preset == "laravel" ? QStringLiteral("cache_locks") : QStringLiteral("shedlock")) +
        where(leases, "gone"));
    const auto held = probe.scan();
    QVERIFY(probe.ends.last().complete);
    QCOMPARE(probe.ends.last().heldOnly, QList<quint16>{0});
    QCOMPARE(namesOf(held), (QSet<QByteArray>{"held", "renewed", "ends", "again", "new"}));
    QCOMPARE(probe.pages.size(), 1); // one statement: one moment
    QVERIFY(held.value("again").held);
    QVERIFY(held.value("renewed").expiresUs > probe.ends.last().endedUs + 100 * kSecondUs);
    // A lease that ended before the previous read, by more than its slack, isn't read again.
    QVERIFY(!probe.readPoints("gone").present);
    QTRY_VERIFY_WITH_TIMEOUT(!probe.scan().contains("ends"), 10'000);
    QCOMPARE(probe.ends.last().heldOnly, QList<quint16>{0});
}

void SqlHeldReadsTest::usesTheIndex()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    const Leases &leases = tst_sql_held_reads::leases().at(0);
    database->run(leases.create);
    database->run(leases.index);
    database->run(QStringLiteral("INSERT INTO shedlock SELECT CONCAT('job-', seq), "
                                 "NOW(6) - INTERVAL seq SECOND + INTERVAL 100 SECOND, NOW(6), 'h' "
                                 "FROM seq_1_to_20000"));
    SourceSpec spec = shedlockSpec(database->spec().url);
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 20'000);
    const auto rowsRead = [&] {
        qint64 read = 0;
        for (const Row &row :
             database->exec(QStringLiteral("SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_rows_read')")))
            read += row.at(1).toLongLong();
        return read;
    };
    const qint64 before = rowsRead();
    const qsizetype seen = probe.scan().size();
    QVERIFY(seen > 50 && seen < 150);
    const qint64 cost = rowsRead() - before;
    QVERIFY2(cost < 400, qPrintable(QString::number(cost)));
}

void SqlHeldReadsTest::isOffered_data()
{
    QTest::addColumn<QString>("index");
    QTest::addColumn<QString>("column");
    QTest::addColumn<bool>("clientClock");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<bool>("offered");
    const QString plain = QStringLiteral("(lock_until)");
    const QString stamp = QStringLiteral("TIMESTAMP(3)");
    const QString wall = QStringLiteral("DATETIME(3)");
    QTest::newRow("an index") << plain << stamp << false << QByteArray("UTC") << true;
    QTest::newRow("none") << QString() << stamp << false << QByteArray("UTC") << false;
    QTest::newRow("its second column")
        << QStringLiteral("(locked_by, lock_until)") << stamp << false << QByteArray("UTC") << false;
    QTest::newRow("its first column")
        << QStringLiteral("(lock_until, locked_by)") << stamp << false << QByteArray("UTC") << true;
    QTest::newRow("the clients' clocks") << plain << stamp << true << QByteArray("UTC") << false;
    QTest::newRow("a calendar time in UTC") << plain << wall << false << QByteArray("UTC") << true;
    QTest::newRow("a calendar time elsewhere")
        << plain << wall << false << QByteArray("Europe/Berlin") << false;
    QTest::newRow("an instant elsewhere") << plain << stamp << false << QByteArray("Europe/Berlin") << true;
    QTest::newRow("an index out of use")
        << QStringLiteral("(lock_until) IGNORED") << stamp << false << QByteArray("UTC") << false;
}

void SqlHeldReadsTest::isOffered()
{
    QFETCH(QString, index);
    QFETCH(QString, column);
    QFETCH(bool, clientClock);
    QFETCH(QByteArray, zone);
    QFETCH(bool, offered);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    database->run(
        QString(leases().at(0).create)
            .replace(QStringLiteral("lock_until TIMESTAMP(6)"), QStringLiteral("lock_until ") + column));
    if (!index.isEmpty())
        database->run(QStringLiteral("CREATE INDEX by_deadline ON shedlock ") + index);
    SourceSpec spec = shedlockSpec(database->spec().url);
    spec.clientClock = clientClock;
    spec.timeZone = zone;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    probe.scan();
    probe.scan();
    QCOMPARE(probe.ends.last().heldOnly.size(), offered ? 1 : 0);
    QCOMPARE(probe.findings.size(), offered ? 1 : 0);
}

/** If more rows are held than one statement may return, the whole table is read, in pages. */
void SqlHeldReadsTest::manyHeld()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    database->run(leases().at(0).create);
    database->run(leases().at(0).index);
    database->run(QStringLiteral("INSERT INTO shedlock SELECT CONCAT('job-', seq), "
                                 "NOW(6) + INTERVAL 600 SECOND, NOW(6), 'h' FROM seq_1_to_150"));
    SourceSpec spec = shedlockSpec(database->spec().url);
    spec.pageSize = 10;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 150);
    QCOMPARE(probe.scan().size(), 150);
    QVERIFY(probe.ends.last().complete && probe.ends.last().heldOnly.isEmpty());
}

void SqlHeldReadsTest::droppedIndex()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    database->run(leases().at(0).create);
    database->run(leases().at(0).index);
    database->run(leases().at(0).row.arg(QStringLiteral("a"), QStringLiteral("-100")));
    StoreProbe probe(shedlockSpec(database->spec().url));
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 1);
    QCOMPARE(probe.scan().size(), 0);
    database->run(QStringLiteral("DROP INDEX by_deadline ON shedlock"));
    QCOMPARE(probe.scan().size(), 1);
    QVERIFY(probe.ends.last().complete && probe.ends.last().heldOnly.isEmpty());
    QVERIFY(probe.failures.isEmpty());
}

LOCKKEEPER_TEST(SqlHeldReadsTest)

} // namespace tst_sql_held_reads

#include "tst_sql_held_reads.moc"
