// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

namespace tst_sql_long_values {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using sql::Dialect;

namespace {
constexpr int kHuge = 60 << 20; ///< just what MySQL lets a function make by default

/** An expression for so many zeros. */
QString zeros(const TestDatabase &database, int count)
{
    const QString form = database.dialect() == Dialect::Sqlite
                             ? QStringLiteral("substr(hex(zeroblob(%1 / 2 + 1)), 1, %1)")
                             : QStringLiteral("REPEAT('0', %1)");
    return form.arg(count);
}

QString longText(const TestDatabase &database)
{
    return database.dialect() == Dialect::MySql ? QStringLiteral("LONGTEXT") : QStringLiteral("TEXT");
}

/** Kilobytes of this process: "VmRSS", or since the last forgetPeak() "VmHWM". */
qint64 memory(const QByteArray &of)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = status.readAll();
    const QByteArray line = text.mid(text.indexOf(of + ':') + of.size() + 1);
    return line.first(line.indexOf("kB")).trimmed().toLongLong();
}

bool forgetPeak()
{
    QFile refs(QStringLiteral("/proc/self/clear_refs"));
    return refs.open(QIODevice::WriteOnly) && refs.write("5") == 1;
}

/** A source with the table "jobs", mapped by its columns. */
SourceSpec jobsSpec(const TestDatabase &database, BreakMode mode = BreakMode::Guarded)
{
    SourceSpec spec = database.spec();
    spec.statementTimeoutMs = 60'000; // of a busy machine
    LockSet set;
    set.scheme = "sql.insert";
    set.breakMode = mode;
    set.table.table = QStringLiteral("jobs");
    set.table.name = {QStringLiteral("name")};
    set.table.holder = QStringLiteral("holder");
    spec.locks = {set};
    return spec;
}

/** The table with room for any holder, and the holders of 'fits', 'over' and 'huge'. */
void makeJobs(TestDatabase &database)
{
    database.run(QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) NOT NULL PRIMARY KEY, holder %1)")
                     .arg(longText(database)));
    const QList<QPair<const char *, int>> holders{{"fits", 65'536}, {"over", 65'537}, {"huge", kHuge}};
    for (const auto &[name, length] : holders)
        database.run(QStringLiteral("INSERT INTO jobs VALUES ('%1', %2)")
                         .arg(QLatin1String(name), zeros(database, length)));
}

} // namespace

/** Texts past 64 KiB, on every server: cut and reported, never compared by their beginning. */
class SqlLongValuesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdersAreCut_data();
    void holdersAreCut();
    void noGuardOfABeginning_data() { holdersAreCut_data(); }
    void noGuardOfABeginning();
    void binaryLogCutsAlike_data();
    void binaryLogCutsAlike();
    void namesAreLeftOut_data();
    void namesAreLeftOut();
    void namesWithoutAnOrder();

private:
    /** The emptied database, which takes what makeJobs() makes. */
    TestDatabase *opened();

    TestDatabases m_databases;
};

TestDatabase *SqlLongValuesTest::opened()
{
    QFETCH(QString, server);
    TestDatabase *database = m_databases.fresh(server);
    if (database && server.startsWith(QLatin1String("mariadb")))
        database->exec(QStringLiteral("SET GLOBAL max_allowed_packet = 67108864"));
    return database;
}

void SqlLongValuesTest::holdersAreCut_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlLongValuesTest::holdersAreCut()
{
    TestDatabase *database = opened();
    if (!database)
        QSKIP("no such server here");
    makeJobs(*database);
    StoreProbe probe(jobsSpec(*database));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    probe.readPoints("fits"); // the memory of a first statement doesn't count
    QVERIFY(forgetPeak());
    const qint64 before = memory("VmRSS");
    const auto seen = probe.scan();
    const Observation looked = probe.readPoints("huge");
    // SQLite reads a row in this process, and a text whole before it cuts it.
    const qint64 after = memory(database->dialect() == Dialect::Sqlite ? "VmRSS" : "VmHWM");
    QVERIFY2(after - before < 16 * 1024, qPrintable(QString::number(after - before)));

    QVERIFY(probe.ends.last().complete);
    QCOMPARE(seen.size(), 3);
    const Observation fits = seen.value("fits");
    QCOMPARE(fits.flaw, Flaw::None);
    QCOMPARE(fits.owner, QByteArray(65'536, '0'));
    QVERIFY(!fits.identity.isEmpty());
    for (const Observation &cut : {seen.value("over"), seen.value("huge"), looked}) {
        QCOMPARE(cut.flaw, Flaw::Truncated);
        QVERIFY(cut.held && cut.ownerKnown);
        QCOMPARE(cut.owner, QByteArray(1'024, '0'));
        QCOMPARE(cut.token, cut.owner);
        QVERIFY(cut.identity.isEmpty() && cut.freshness.isEmpty());
    }
}

void SqlLongValuesTest::noGuardOfABeginning()
{
    TestDatabase *database = opened();
    if (!database)
        QSKIP("no such server here");
    makeJobs(*database);
    StoreProbe probe(jobsSpec(*database, BreakMode::Unsafe));
    QVERIFY(probe.open());
    // Even if the configuration allows breaks of rows without an identity, no guard can name this row.
    for (const char *name : {"over", "huge"}) {
        const ReleaseReport report = probe.release(probe.inspect(name).guard);
        QCOMPARE(report.outcome, domain::Outcome::Refused);
        QVERIFY2(report.error.cause.contains(QLatin1String("64 KiB")), qPrintable(report.error.line()));
    }
    // The guard of a text that was read whole differs from the guard of a longer text with the same
    // beginning.
    const domain::Guard guard = probe.inspect("fits").guard;
    database->run(
        QStringLiteral("UPDATE jobs SET holder = %1 WHERE name = 'fits'").arg(zeros(*database, 65'537)));
    QCOMPARE(probe.release(guard).outcome, domain::Outcome::HolderChanged);
    QCOMPARE(database->run(QStringLiteral("SELECT COUNT(*) FROM jobs")).first().first(), "3");
    database->run(
        QStringLiteral("UPDATE jobs SET holder = %1 WHERE name = 'fits'").arg(zeros(*database, 65'536)));
    QCOMPARE(probe.release(guard).outcome, domain::Outcome::Released);
    QCOMPARE(database->run(QStringLiteral("SELECT COUNT(*) FROM jobs")).first().first(), "2");
}

void SqlLongValuesTest::binaryLogCutsAlike_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb-binlog", "mysql"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlLongValuesTest::binaryLogCutsAlike()
{
    TestDatabase *database = opened();
    if (!database)
        QSKIP("no such server here");
    database->run(
        QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) NOT NULL PRIMARY KEY, holder LONGTEXT)"));
    SourceSpec spec = jobsSpec(*database);
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));
    database->run(QStringLiteral("INSERT INTO jobs VALUES ('over', REPEAT('é', 4000000))"));
    QVERIFY(waitFor([&] { return !probe.pushes.isEmpty() && !probe.pushes.constLast().changes.isEmpty(); }));
    const Observation told = probe.pushes.constLast().changes.constLast().lock;
    QCOMPARE(told.flaw, Flaw::Truncated);
    QCOMPARE(told.owner, QByteArray("é").repeated(512));
    QCOMPARE(told, probe.scan().value("over"));
}

void SqlLongValuesTest::namesAreLeftOut_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("longOnes");
    QTest::addColumn<bool>("complete");
    for (const char *server : {"postgresql", "sqlite"}) {
        QTest::addRow("%s none", server) << QString::fromLatin1(server) << 0 << true;
        QTest::addRow("%s some", server) << QString::fromLatin1(server) << 60 << true;
        QTest::addRow("%s more than a range", server) << QString::fromLatin1(server) << 210 << false;
    }
}

/** In ranges of a hundred, each short name appears once, before and after long names with the same start. */
void SqlLongValuesTest::namesAreLeftOut()
{
    QFETCH(int, longOnes);
    QFETCH(bool, complete);
    TestDatabase *database = opened();
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("CREATE TABLE jobs (name TEXT NOT NULL PRIMARY KEY, holder TEXT)"));
    QStringList rows;
    for (int i = 0; i < 160; ++i)
        rows.append(QStringLiteral("('%1%2', 'me')").arg(QLatin1Char(i < 70 ? 'a' : 'z')).arg(i));
    for (int i = 0; i < longOnes; ++i)
        rows.append(QStringLiteral("(%1 || '%2', 'me')").arg(zeros(*database, 70'000)).arg(1'000 + i));
    for (QString &row : rows)
        row.replace(QLatin1String("('a"), QLatin1String("(',")); // before the zeros in any order
    database->run(QStringLiteral("INSERT INTO jobs VALUES ") + rows.join(QStringLiteral(", ")));
    SourceSpec spec = jobsSpec(*database);
    spec.pageSize = 10;
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto seen = probe.scan();
    QCOMPARE(probe.ends.last().complete, complete);
    if (!complete) {
        QVERIFY(probe.ends.last().error.cause.contains(QLatin1String("64 KiB")));
        return;
    }
    qsizetype observed = 0;
    for (const Page &page : std::as_const(probe.pages))
        observed += page.locks.size();
    QCOMPARE(observed, 160); // none twice
    QCOMPARE(seen.size(), 160);
    QCOMPARE(probe.findings.isEmpty(), longOnes == 0);
    if (longOnes == 0)
        return;
    QCOMPARE(probe.findings.constFirst().code, "long_names");
    QVERIFY(probe.findings.constFirst().value.endsWith(".jobs"));
    const Inspection inspected = probe.inspect(QByteArray(70'000, '0') + "1000");
    QVERIFY(inspected.error && inspected.error->cause.contains(QLatin1String("64 KiB")));
    database->run(QStringLiteral("DELETE FROM jobs WHERE name LIKE '000%'"));
    probe.scan();
    QVERIFY(probe.findings.isEmpty());
}

/** MySQL and MariaDB sort texts by their first kilobyte. */
void SqlLongValuesTest::namesWithoutAnOrder()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    QVERIFY(database);
    database->run(QStringLiteral("CREATE TABLE jobs (name LONGTEXT NOT NULL UNIQUE, holder TEXT)"));
    StoreProbe probe(jobsSpec(*database));
    QVERIFY(!probe.open());
    QCOMPARE(probe.failures.last().code, base::ErrorCode::SchemaMismatch);
    QVERIFY(probe.failures.last().cause.contains(QLatin1String("longtext, which is too long for names")));
}

LOCKKEEPER_TEST(SqlLongValuesTest)

} // namespace tst_sql_long_values

#include "tst_sql_long_values.moc"
