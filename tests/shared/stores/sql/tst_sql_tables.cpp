// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/preset.h"
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_tables {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::ExpiryKind;
using domain::Outcome;

/** Every table layout on every server, observed and broken under its guard, whose terms are all needed. */
class SqlTablesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void observes_data() { everyLayout(); }
    void observes();
    void breaks_data() { everyLayout(); }
    void breaks();
    void watchesOthersJobs_data();
    void watchesOthersJobs();
    void everyTermCounts_data();
    void everyTermCounts();
    void rowsWithoutIdentity_data();
    void rowsWithoutIdentity();
    void namesAreBytes_data() { everyServer(); }
    void namesAreBytes();
    void expiredButPresent_data() { everyServer(); }
    void expiredButPresent();
    void nullsAndCountsTellFree_data();
    void nullsAndCountsTellFree();
    void otherStatusesAreUnknown_data() { everyServer(); }
    void otherStatusesAreUnknown();
    void aFlagOfCharacters_data() { everyServer(); }
    void aFlagOfCharacters();
    void aHolderOfNullIsFree_data();
    void aHolderOfNullIsFree();
    void largestVersionIsText_data();
    void largestVersionIsText();
    void scansOfManyRanges_data();
    void scansOfManyRanges();

private:
    void everyServer();
    void everyLayout();
    TestDatabase *filled(const Layout &layout);

    TestDatabases m_databases;
};

void SqlTablesTest::everyServer()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlTablesTest::everyLayout()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (const Layout &layout : breakableLayouts())
            QTest::addRow("%s %s", server, layout.preset.constData())
                << QString::fromLatin1(server) << layout.preset;
    }
}

TestDatabase *SqlTablesTest::filled(const Layout &layout)
{
    TestDatabase *database = m_databases.freshOfRow();
    if (database) {
        database->run(layout.create);
        database->run(layout.hold);
    }
    return database;
}

void SqlTablesTest::observes()
{
    QFETCH(QByteArray, preset);
    const Layout &layout = layoutNamed(preset);
    TestDatabase *database = filled(layout);
    if (!database)
        QSKIP("no such server here");
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY(probe.info.access.value(1).granted);
    const auto rows = probe.scan();
    QVERIFY(probe.ends.last().complete);
    QCOMPARE(rows.keys(), QList<QByteArray>{layout.name});
    const Observation lock = rows.value(layout.name);
    QVERIFY(lock.held && lock.flaw == Flaw::None);
    QCOMPARE(lock.owner, layout.owner);
    QVERIFY(lock.ownerKnown); // not NULL: a layout without such a column has no holder to be unknown
    QCOMPARE(!lock.identity.isEmpty(), layout.identity);
    QCOMPARE(lock.expiry == ExpiryKind::At, layout.expires);
    if (layout.expires)
        QVERIFY(lock.expiresUs > probe.ends.last().endedUs);
    if (lock.acquiredUs)
        QVERIFY(std::abs(*lock.acquiredUs - probe.ends.last().endedUs) < 60'000'000);
    QVERIFY(probe.readPoints(layout.name) == lock);
    QVERIFY(!probe.readPoints("nobody").present);
}

void SqlTablesTest::breaks()
{
    QFETCH(QByteArray, preset);
    const Layout &layout = layoutNamed(preset);
    if (!layout.identity)
        return;
    TestDatabase *database = filled(layout);
    if (!database)
        QSKIP("no such server here");
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    const domain::Guard guard = probe.inspect(layout.name).guard;
    const auto before = database->run(QStringLiteral("SELECT * FROM `%1`").arg(layout.table));
    QCOMPARE(probe.release(guard, true, true).outcome, Outcome::Released);
    QVERIFY(database->run(QStringLiteral("SELECT * FROM `%1`").arg(layout.table)) == before);
    const ReleaseReport report = probe.release(guard, true);
    QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
    QVERIFY(report.storeUs && report.error.cause.isEmpty());
    QVERIFY(!probe.readPoints(layout.name).held);
    QCOMPARE(probe.release(guard).outcome, Outcome::AlreadyFree);
    // Only the row of an insert scheme is removed; all other rows stay.
    const auto after = database->run(QStringLiteral("SELECT * FROM `%1`").arg(layout.table));
    QCOMPARE(after.size(), layout.scheme == "sql.insert" ? before.size() - 1 : before.size());
}

void SqlTablesTest::watchesOthersJobs_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<int>("index");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (int i = 0; i < watchedLayouts().size(); ++i)
            QTest::addRow("%s %s", server, watchedLayouts().at(i).preset.constData())
                << QString::fromLatin1(server) << i;
    }
}

/** These jobs would run twice after a break: their holder is shown, and no configuration allows a break. */
void SqlTablesTest::watchesOthersJobs()
{
    QFETCH(int, index);
    const WatchedLayout &layout = watchedLayouts().at(index);
    const auto preset = sql::presetNamed(QString::fromLatin1(layout.preset));
    QVERIFY(preset && preset->neverBroken);
    TestDatabase *database = m_databases.freshOfRow(layout.create);
    if (!database)
        QSKIP("no such server here");
    database->run(layout.fill);
    Layout spec;
    spec.preset = layout.preset;
    spec.scheme = preset->scheme;
    StoreProbe probe(layoutSpec(*database, spec, BreakMode::Never));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto rows = probe.scan();
    QVERIFY(probe.ends.last().complete);
    QCOMPARE(rows.size(), layout.free.isEmpty() ? 1 : 2);
    const Observation held = rows.value(layout.held);
    QVERIFY2(held.held, rows.keys().join(' ').constData());
    QCOMPARE(held.owner, layout.owner);
    QVERIFY(held.flaw == Flaw::None);
    if (!layout.free.isEmpty())
        QVERIFY(!rows.value(layout.free).held);
}

void SqlTablesTest::everyTermCounts_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("key");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (const Layout &layout : breakableLayouts()) {
            for (auto it = layout.changes.begin(); it != layout.changes.end(); ++it)
                QTest::addRow("%s %s %s", server, layout.preset.constData(), it.key().constData())
                    << QString::fromLatin1(server) << layout.preset << it.key();
        }
    }
}

void SqlTablesTest::everyTermCounts()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, key);
    const Layout &layout = layoutNamed(preset);
    for (const bool whole : {true, false}) {
        TestDatabase *database = filled(layout);
        if (!database)
            QSKIP("no such server here");
        bool changed = false;
        const auto change = [&] {
            if (!std::exchange(changed, true))
                database->run(
                    QStringLiteral("UPDATE `%1` SET %2").arg(layout.table, layout.changes.value(key)));
        };
        const QSet<QByteArray> without = whole ? QSet<QByteArray>() : QSet<QByteArray>{key};
        StoreProbe probe(layoutSpec(*database, layout), {without, change});
        QVERIFY(probe.open());
        const domain::Guard guard = probe.inspect(layout.name).guard;
        // The row changes between the read and the write: only the guard in the write itself detects that.
        const Outcome outcome = probe.release(guard, true).outcome;
        QVERIFY(changed);
        QCOMPARE(outcome, whole ? Outcome::HolderChanged : Outcome::Released);
    }
}

void SqlTablesTest::rowsWithoutIdentity_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (const char *preset : {"t-lock", "knex"})
            QTest::addRow("%s %s", server, preset) << QString::fromLatin1(server) << QByteArray(preset);
    }
}

void SqlTablesTest::rowsWithoutIdentity()
{
    QFETCH(QByteArray, preset);
    const Layout &layout = layoutNamed(preset);
    TestDatabase *database = filled(layout);
    if (!database)
        QSKIP("no such server here");
    for (const BreakMode mode : {BreakMode::Guarded, BreakMode::Unsafe}) {
        StoreProbe probe(layoutSpec(*database, layout, mode));
        QVERIFY(probe.open());
        const domain::Guard guard = probe.inspect(layout.name).guard;
        QVERIFY(guard.digest().isEmpty());
        const ReleaseReport report = probe.release(guard);
        const bool unsafe = mode == BreakMode::Unsafe;
        QCOMPARE(report.outcome, unsafe ? Outcome::Released : Outcome::Refused);
        QVERIFY(report.error.cause.contains(QLatin1String("identity")));
        QCOMPARE(probe.readPoints(layout.name).held, !unsafe);
    }
}

void SqlTablesTest::namesAreBytes()
{
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    const Layout &layout = layoutNamed("distribute-lock");
    database->run(layout.create);
    if (database->dialect() == sql::Dialect::MySql)
        database->exec(
            QStringLiteral("ALTER TABLE distribute_lock MODIFY resource_id VARBINARY(64) NOT NULL"));
    for (const char *name : {"Lock-A", "lock-a", "lock-a ", "", "0", "%", "l'1", "\\x"})
        database->run(
            QStringLiteral("INSERT INTO distribute_lock (resource_id, create_time) VALUES ('%1', {NOW})")
                .arg(QString::fromLatin1(name)
                         .replace(QLatin1Char('\''), QLatin1String("''"))
                         .replace(QLatin1Char('\\'), database->dialect() == sql::Dialect::MySql
                                                         ? QLatin1String("\\\\")
                                                         : QLatin1String("\\"))));
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 8);
    QCOMPARE(probe.release(probe.inspect("lock-a").guard).outcome, Outcome::Released);
    QCOMPARE(probe.scan().size(), 7);
    for (const char *name : {"Lock-A", "lock-a ", "", "0", "%", "l'1", "\\x"}) {
        QVERIFY2(probe.readPoints(name).held, name);
        QCOMPARE(probe.release(probe.inspect(name).guard).outcome, Outcome::Released);
    }
    QCOMPARE(probe.scan().size(), 0);
}

void SqlTablesTest::expiredButPresent()
{
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    const Layout &layout = layoutNamed("lock-timeout");
    database->run(layout.create);
    database->run(
        QStringLiteral("INSERT INTO `lock` (name, created_at, timeout) VALUES "
                       "('dead', {EPOCH} - 60, 30), ('alive', {EPOCH}, 3600), ('none', {EPOCH}, NULL), "
                       "('zero', {EPOCH}, 0), ('millis', {EPOCH} * 1000, 30), ('negative', -5, 30), "
                       "('never', 253402300799, 30)"));
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    const auto rows = probe.scan();
    QVERIFY(rows.value("dead").held && rows.value("dead").expiry == ExpiryKind::At);
    QVERIFY(rows.value("dead").expiresUs < probe.ends.last().beganUs);
    QCOMPARE(rows.value("none").expiry, ExpiryKind::None);
    QCOMPARE(rows.value("zero").expiry, ExpiryKind::Unknown);
    for (const char *name : {"millis", "negative", "never"}) {
        QVERIFY2(rows.value(name).flaw == Flaw::BadTime, name);
        QVERIFY2(rows.value(name).expiry == ExpiryKind::Unknown, name);
    }
    ReleaseOrder order;
    order.mustBeExpired = order.checkFreshness = true;
    order.guard = probe.inspect("alive").guard;
    QCOMPARE(probe.release(order).outcome, Outcome::Refused);
    order.guard = probe.inspect("dead").guard;
    QCOMPARE(probe.release(order).outcome, Outcome::Released);
    QCOMPARE(probe.scan().size(), 6);
}

void SqlTablesTest::nullsAndCountsTellFree_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("held");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        const auto row = [server](const char *preset, const char *what, const char *change, bool held) {
            QTest::addRow("%s %s %s", server, preset, what)
                << QString::fromLatin1(server) << QByteArray(preset) << QString::fromLatin1(change) << held;
        };
        row("pglock", "given back and kept", "record_version_number = NULL", false);
        row("pglock", "a heartbeat", "record_version_number = 9", true);
        row("graphile-worker", "given back", "locked_at = NULL, locked_by = NULL", false);
        row("nextcloud", "two readers", "`lock` = 2, ttl = ttl + 5", true);
        row("nextcloud", "nobody", "`lock` = 0, ttl = -1", false);
    }
}

/** The application's own write that releases a lock; a sign of life only changes the freshness. */
void SqlTablesTest::nullsAndCountsTellFree()
{
    QFETCH(QByteArray, preset);
    QFETCH(QString, change);
    QFETCH(bool, held);
    const Layout &layout = layoutNamed(preset);
    TestDatabase *database = filled(layout);
    if (!database)
        QSKIP("no such server here");
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    const Observation before = probe.readPoints(layout.name);
    QVERIFY(before.held);
    database->run(QStringLiteral("UPDATE `%1` SET %2").arg(layout.table, change));
    const Observation after = probe.readPoints(layout.name);
    QCOMPARE(after.held, held);
    QCOMPARE(after.flaw, Flaw::None);
    if (held)
        QVERIFY(after.identity == before.identity && after.freshness != before.freshness);
    QCOMPARE(probe.scan().value(layout.name).held, held);
}

/** Only the held value means held, and only the free value means free. */
void SqlTablesTest::otherStatusesAreUnknown()
{
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE job_lock (n VARCHAR(20) NOT NULL PRIMARY KEY, state VARCHAR(10), "
                       "taken_by VARCHAR(20), taken {TIME})"));
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("INSERT INTO job_lock VALUES ('held', 'LOCKED', 'h', {NOW}), ('free', "
                                 "'UNLOCKED', 'h', {NOW}), ('third', 'STALE', 'h', {NOW}), ('null', NULL, "
                                 "'h', {NOW}), ('case', 'locked', 'h', {NOW})"));
    SourceSpec spec = database->spec();
    LockSet set;
    set.scheme = "sql.lease";
    set.table.table = QStringLiteral("job_lock");
    set.table.name = {QStringLiteral("n")};
    set.table.holder = QStringLiteral("taken_by");
    set.table.acquiredAt = QStringLiteral("taken");
    set.table.status = QStringLiteral("state");
    set.table.heldValue = QStringLiteral("LOCKED");
    set.table.freeValue = QStringLiteral("UNLOCKED");
    spec.locks = {set};
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto rows = probe.scan();
    QVERIFY(rows.value("held").held && rows.value("held").flaw == Flaw::None);
    QVERIFY(!rows.value("free").held && rows.value("free").flaw == Flaw::None);
    for (const char *name : {"third", "null", "case"}) {
        QVERIFY2(!rows.value(name).held && rows.value(name).flaw == Flaw::Malformed, name);
        QCOMPARE(rows.value(name).expiry, ExpiryKind::Unknown);
    }
    const domain::Guard guard = probe.inspect("held").guard;
    database->run(QStringLiteral("UPDATE job_lock SET state = 'STALE' WHERE n = 'held'"));
    const ReleaseReport report = probe.release(guard);
    QCOMPARE(report.outcome, Outcome::Refused);
    QVERIFY2(report.error.cause.contains(QLatin1String("neither")), qPrintable(report.error.cause));
    database->run(QStringLiteral("UPDATE job_lock SET state = 'LOCKED' WHERE n = 'held'"));
    QCOMPARE(probe.release(probe.inspect("held").guard).outcome, Outcome::Released);
    QVERIFY(!probe.scan().value("held").held);
    QCOMPARE(probe.scan().value("held").flaw, Flaw::None);
}

/** A table of an old Liquibase, whose flag says 'Y', 'T' or '1'. */
void SqlTablesTest::aFlagOfCharacters()
{
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL PRIMARY KEY, LOCKED CHAR(1) NOT "
                       "NULL, LOCKGRANTED {TIME}, LOCKEDBY VARCHAR(255))"));
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("INSERT INTO DATABASECHANGELOGLOCK VALUES (1, '1', {NOW}, 'build-7')"));
    StoreProbe probe(layoutSpec(*database, layoutNamed("liquibase")));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY(probe.scan().value("1").held);
    for (const char *flag : {"Y", "T", "t", "N", ""}) {
        database->run(
            QStringLiteral("UPDATE DATABASECHANGELOGLOCK SET LOCKED = '%1'").arg(QLatin1String(flag)));
        const Observation lock = probe.scan().value("1");
        QVERIFY2(!lock.held && lock.flaw == Flaw::Malformed, flag);
        QCOMPARE(lock.owner, QByteArray("build-7"));
    }
    database->run(QStringLiteral("UPDATE DATABASECHANGELOGLOCK SET LOCKED = '0'"));
    QVERIFY(!probe.scan().value("1").held && probe.scan().value("1").flaw == Flaw::None);
}

void SqlTablesTest::aHolderOfNullIsFree_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("columns");
    QTest::addColumn<QString>("free");
    QTest::addColumn<QString>("after");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        const auto row = [server](const char *what, const char *columns, const char *free,
                                  const char *after) {
            QTest::addRow("%s %s", server, what)
                << QString::fromLatin1(server) << QString::fromLatin1(columns) << QString::fromLatin1(free)
                << QString::fromLatin1(after);
        };
        row("NULL in both", "owner VARCHAR(20), ends {TIME} NULL", "NULL, NULL",
            "owner IS NULL AND ends IS NULL");
        row("NULL, and a deadline that stays", "owner VARCHAR(20), ends {TIME} NULL", "NULL, {AGO}",
            "owner IS NULL AND ends IS NOT NULL");
        row("an empty text", "owner VARCHAR(20), ends {TIME} NULL", "'', {AGO}", "owner = ''");
        row("no row to go by", "owner VARCHAR(20), ends {TIME} NULL", "",
            "owner IS NULL AND ends IS NOT NULL");
        row("no NULL allowed", "owner VARCHAR(20) NOT NULL, ends {TIME} NULL", "", "owner = ''");
    }
}

/** A break leaves the row as the table's own clients leave it. */
void SqlTablesTest::aHolderOfNullIsFree()
{
    QFETCH(QString, columns);
    QFETCH(QString, free);
    QFETCH(QString, after);
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE leases (n VARCHAR(20) NOT NULL PRIMARY KEY, %1)").arg(columns));
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("INSERT INTO leases VALUES ('held', 'w', {AHEAD})"));
    if (!free.isEmpty())
        database->run(QStringLiteral("INSERT INTO leases VALUES ('free', %1)").arg(free));
    SourceSpec spec = database->spec();
    LockSet set;
    set.scheme = "sql.lease";
    set.table.table = QStringLiteral("leases");
    set.table.name = {QStringLiteral("n")};
    set.table.holder = QStringLiteral("owner");
    set.table.expiresAt = QStringLiteral("ends");
    spec.locks = {set};
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto rows = probe.scan();
    QVERIFY(rows.value("held").held);
    if (!free.isEmpty())
        QVERIFY(rows.contains("free") && !rows.value("free").held);
    QCOMPARE(rows.value("free").flaw, Flaw::None);
    const Inspection read = probe.inspect("held");
    QVERIFY(read.freeTexts.contains("holder") && read.freeTexts.contains("expires_at"));
    QCOMPARE(read.freeTexts.value("holder").isNull(), after.startsWith(QLatin1String("owner IS NULL")));
    QCOMPARE(probe.release(read.guard).outcome, Outcome::Released);
    QVERIFY(!probe.scan().value("held").held);
    const auto left =
        database->run(QStringLiteral("SELECT COUNT(*) FROM leases WHERE n = 'held' AND %1").arg(after));
    QCOMPARE(left.value(0).value(0).toInt(), 1);
    if (columns.contains(QLatin1String("NOT NULL")))
        return;
    // The lease hasn't ended, and its holder has no name.
    database->run(QStringLiteral("UPDATE leases SET owner = NULL, ends = {AHEAD}"));
    QVERIFY(probe.scan().value("held").held);
    QCOMPARE(probe.scan().value("held").flaw, Flaw::NullIdentity);
}

void SqlTablesTest::largestVersionIsText_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QByteArray>("version");
    for (const char *server : {"mariadb", "mysql"})
        QTest::newRow(server) << QString::fromLatin1(server) << QStringLiteral("BIGINT UNSIGNED")
                              << QByteArray("18446744073709551615");
    QTest::newRow("postgresql") << QStringLiteral("postgresql") << QStringLiteral("BIGINT")
                                << QByteArray("9223372036854775807");
}

/** No digit is lost of a number that exceeds a double's or a signed integer's range. */
void SqlTablesTest::largestVersionIsText()
{
    QFETCH(QString, type);
    QFETCH(QByteArray, version);
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE optimistic_lock (id {ID}, resource VARCHAR(64) NOT NULL UNIQUE, "
                       "version %1 NOT NULL)")
            .arg(type));
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("INSERT INTO optimistic_lock (resource, version) VALUES ('a', %1)")
                      .arg(QLatin1String(version)));
    SourceSpec spec = database->spec();
    LockSet set;
    set.scheme = "sql.version";
    set.preset = QStringLiteral("optimistic-lock");
    spec.locks = {set};
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QCOMPARE(probe.scan().value("a").fencing, version);
}

void SqlTablesTest::scansOfManyRanges_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("match");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (const char *preset :
             {"lock-lease", "lock-holder", "spring-integration"}) { // by id where rows stay, else by name
            for (const char *match : {"*", "b*"})
                QTest::addRow("%s %s %s", server, preset, match)
                    << QString::fromLatin1(server) << QByteArray(preset) << QByteArray(match);
        }
    }
}

/** A scan shows every row once, in ranges of a hundred, whatever the order of ids and names. */
void SqlTablesTest::scansOfManyRanges()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, match);
    constexpr int kRows = 350;
    const bool hasId = preset != "spring-integration";
    const Layout &layout = layoutNamed(preset);
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    database->run(layout.create);
    QStringList rows;
    for (int i = 0; i < kRows; ++i) { // names fall while ids rise, and ids have gaps
        const QString name = QStringLiteral("%1-%2").arg(QLatin1Char(i % 5 ? 'b' : 'a')).arg(9999 - i);
        rows.append(hasId ? QStringLiteral("(%1, '%2', 'one')").arg(i * 7 + 9).arg(name)
                          : QStringLiteral("('%1', 'r%2', 'one', {NOW})").arg(name.left(4)).arg(i));
    }
    database->run((hasId ? QStringLiteral("INSERT INTO `lock` (id, lock_key, holder) VALUES ")
                         : QStringLiteral("INSERT INTO INT_LOCK VALUES ")) +
                  rows.join(QStringLiteral(", ")));
    SourceSpec spec = layoutSpec(*database, layout);
    spec.pageSize = 10;
    spec.locks.first().match = match;
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto seen = probe.scan();
    QVERIFY(probe.ends.last().complete);
    qsizetype observed = 0;
    for (const Page &page : std::as_const(probe.pages))
        observed += page.locks.size();
    QCOMPARE(observed, seen.size()); // none twice
    QCOMPARE(seen.size(), match == "*" ? kRows : kRows - kRows / 5);
}

LOCKKEEPER_TEST(SqlTablesTest)

} // namespace tst_sql_tables

#include "tst_sql_tables.moc"
