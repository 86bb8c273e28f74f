// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/set_part.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QUrlQuery>

#include <algorithm>

namespace tst_sql_sight {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

namespace {
SourceSpec asUser(SourceSpec spec, const QString &user)
{
    QUrlQuery query(spec.url);
    query.removeQueryItem(QStringLiteral("user"));
    query.addQueryItem(QStringLiteral("user"), user);
    spec.url.setQuery(query);
    return spec;
}

LockSet shedlock(const QString &table)
{
    LockSet set;
    set.scheme = "sql.shedlock";
    set.table.table = table;
    return set;
}

LockSet keys(const QStringList &names)
{
    LockSet set;
    set.scheme = "sql.insert";
    set.table.table = QStringLiteral("keys");
    set.table.name = names;
    set.table.holder = QStringLiteral("owner");
    set.table.acquiredAt = QStringLiteral("taken");
    return set;
}

const QString kShedlock = QStringLiteral(
    "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until {TIME} NOT NULL, "
    "locked_at {TIME} NOT NULL, locked_by VARCHAR(255) NOT NULL)");
const QString kHeld = QStringLiteral("INSERT INTO shedlock VALUES ('%1', {AHEAD}, {NOW}, '%2')");
} // namespace

/** An unseen lock may still exist: causes that hide rows, sets and names. */
class SqlSightTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hiddenRowsAreNotSeen_data();
    void hiddenRowsAreNotSeen();
    void rowsHiddenLaterEndNothing();
    void policiesThatShowAllMayChange();
    void backslashesAreText_data();
    void backslashesAreText();
    void oneOddTimeHidesNoOtherRow_data();
    void oneOddTimeHidesNoOtherRow();
    void oneSetHidesNoOther_data();
    void oneSetHidesNoOther();
    void aTableThatGoesHidesNoOtherSet_data();
    void aTableThatGoesHidesNoOtherSet();
    void aMissingSchemaIsAnError();
    void otherCharacterSets_data();
    void otherCharacterSets();
    void filesInUtf16_data();
    void filesInUtf16();
    void nullInAName_data();
    void nullInAName();
    void aProxyShowsTablesAlone();
    void idleLinksGoOn_data();
    void idleLinksGoOn();

private:
    static void servers(const QStringList &kinds)
    {
        QTest::addColumn<QString>("server");
        for (const QString &kind : kinds)
            QTest::newRow(qPrintable(kind)) << kind;
    }
    TestDatabase &postgres(const QString &create)
    {
        TestDatabase *database = m_databases.fresh(QStringLiteral("postgresql"), create);
        database->exec(QStringLiteral("DROP ROLE IF EXISTS watcher"));
        database->exec(
            QStringLiteral("CREATE ROLE watcher LOGIN; GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA "
                           "public TO watcher; GRANT USAGE ON SCHEMA public TO watcher"));
        return *database;
    }
    /** Drops all rights of the role. */
    void cleanup()
    {
        if (m_usedRole)
            m_databases.fresh(QStringLiteral("postgresql"))->exec(QStringLiteral("DROP OWNED BY watcher"));
    }

    TestDatabases m_databases;
    bool m_usedRole = false;
};

void SqlSightTest::hiddenRowsAreNotSeen_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("seen");
    QTest::newRow("no rule") << QString() << true;
    QTest::newRow("no policy") << QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY") << false;
    QTest::newRow("a policy that shows one")
        << QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON shedlock FOR "
                          "SELECT TO watcher USING (name = 'a')")
        << false;
    const auto policies = [](const char *name, const char *rules, bool seen) {
        QTest::newRow(name) << QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY; ") +
                                   QLatin1String(rules)
                            << seen;
    };
    policies("a policy that shows all", "CREATE POLICY p ON shedlock TO watcher USING (true)", true);
    policies("one that shows all to each reader",
             "CREATE POLICY p ON shedlock FOR SELECT USING (true); "
             "CREATE POLICY q ON shedlock FOR SELECT USING (name = 'b')",
             true);
    policies("one that shows all to another role", "CREATE POLICY p ON shedlock TO pg_monitor USING (true)",
             false);
    policies("one that shows all to an update", "CREATE POLICY p ON shedlock FOR UPDATE USING (true)", false);
    policies("one that restricts beside it",
             "CREATE POLICY p ON shedlock USING (true); "
             "CREATE POLICY q ON shedlock AS RESTRICTIVE USING (name <> 'a')",
             false);
    policies("one that may show all", "CREATE POLICY p ON shedlock USING (length(name) > 0)", false);
    QTest::newRow("an account that it isn't for")
        << QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY; ALTER ROLE watcher BYPASSRLS")
        << true;
}

void SqlSightTest::hiddenRowsAreNotSeen()
{
    QFETCH(QString, rule);
    QFETCH(bool, seen);
    TestDatabase &database = postgres(kShedlock);
    m_usedRole = true;
    database.run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    if (!rule.isEmpty())
        database.exec(rule);
    SourceSpec spec = asUser(database.spec(), QStringLiteral("watcher"));
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QCOMPARE(probe.open(), seen);
    if (seen) {
        QVERIFY(probe.scan().contains("a"));
        QVERIFY(probe.readPoints("a").held);
        return;
    }
    QVERIFY2(probe.failures.last().cause.contains(QLatin1String("row level security")),
             qPrintable(probe.failures.last().line()));
    QCOMPARE(probe.failures.last().remedy,
             QStringLiteral("Run: ALTER ROLE \"watcher\" BYPASSRLS; (as a superuser), or connect as the "
                            "table's owner."));
}

void SqlSightTest::rowsHiddenLaterEndNothing()
{
    TestDatabase &database = postgres(kShedlock);
    m_usedRole = true;
    database.run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    SourceSpec spec = asUser(database.spec(), QStringLiteral("watcher"));
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    const Inspection before = probe.inspect("a");
    QVERIFY(before.lock.held);
    database.exec(QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY"));
    const ReleaseReport report = probe.release(before.guard);
    QCOMPARE(report.outcome, Outcome::Refused);
    QVERIFY2(report.error.cause.contains(QLatin1String("row level security")),
             qPrintable(report.error.line()));
    const Inspection after = probe.inspect("a");
    QVERIFY(after.error);
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
}

/** A policy shows all rows only until it changes, and only for the commands that it names. */
void SqlSightTest::policiesThatShowAllMayChange()
{
    TestDatabase &database = postgres(kShedlock);
    m_usedRole = true;
    database.run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    database.exec(QStringLiteral("ALTER TABLE shedlock ENABLE ROW LEVEL SECURITY; "
                                 "CREATE POLICY p ON shedlock FOR SELECT USING (true)"));
    SourceSpec spec = asUser(database.spec(), QStringLiteral("watcher"));
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    const auto mayBreak = [&probe] {
        return std::any_of(probe.info.access.cbegin(), probe.info.access.cend(),
                           [](const domain::Access &any) { return any.forBreaking && any.granted; });
    };
    QVERIFY(!mayBreak());
    QCOMPARE(probe.release(probe.inspect("a").guard).outcome, Outcome::Refused);
    database.exec(QStringLiteral("CREATE POLICY q ON shedlock FOR UPDATE USING (true)"));
    StoreProbe breaker(spec);
    QVERIFY(breaker.open());
    const domain::Guard guard = breaker.inspect("a").guard;
    QCOMPARE(breaker.release(guard, true).outcome, Outcome::Released);
    database.exec(QStringLiteral("ALTER POLICY p ON shedlock USING (name <> 'a')"));
    QVERIFY(breaker.inspect("a").error);
    QCOMPARE(probe.release(guard).outcome, Outcome::Refused);
    database.exec(QStringLiteral("DROP POLICY p ON shedlock; DROP POLICY q ON shedlock"));
}

void SqlSightTest::backslashesAreText_data()
{
    QTest::addColumn<QString>("setting");
    QTest::newRow("as the standard says") << QStringLiteral("on");
    QTest::newRow("as old servers did") << QStringLiteral("off");
}

void SqlSightTest::backslashesAreText()
{
    QFETCH(QString, setting);
    TestDatabase &database = postgres(kShedlock);
    m_usedRole = true;
    database.exec(QStringLiteral("ALTER ROLE watcher SET standard_conforming_strings = ") + setting);
    for (const auto &[name, holder] : {std::pair(R"(App\Jobs)", "h"), std::pair("plain", R"(DOMAIN\it''s)")})
        database.run(kHeld.arg(QLatin1String(name), QLatin1String(holder)));
    SourceSpec spec = asUser(database.spec(), QStringLiteral("watcher"));
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    for (const char *name : {R"(App\Jobs)", "plain"}) {
        QVERIFY(probe.scan().value(name).held);
        QVERIFY(probe.readPoints(name).held);
        QCOMPARE(probe.release(probe.inspect(name).guard, true).outcome, Outcome::Released);
    }
    QVERIFY(!probe.readPoints(R"(App\\Jobs)").present);
}

void SqlSightTest::oneOddTimeHidesNoOtherRow_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("written");
    for (const char *type : {"timestamp", "timestamptz"}) {
        for (const char *written : {"infinity", "-infinity", "0044-03-15 BC", "294276-12-31 23:59:59.999999"})
            QTest::addRow("%s %s", type, written)
                << QString::fromLatin1(type) << QString::fromLatin1(written);
    }
}

void SqlSightTest::oneOddTimeHidesNoOtherRow()
{
    QFETCH(QString, type);
    QFETCH(QString, written);
    TestDatabase *database = m_databases.fresh(QStringLiteral("postgresql"),
                                               QString(kShedlock).replace(QLatin1String("{TIME}"), type));
    database->run(kHeld.arg(QStringLiteral("usual"), QStringLiteral("h")));
    database->run(QStringLiteral("INSERT INTO shedlock VALUES ('never', '%1', {NOW}, 'h')").arg(written));
    SourceSpec spec = database->spec();
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    const auto rows = probe.scan();
    QVERIFY2(probe.ends.last().complete, qPrintable(probe.ends.last().error.line()));
    QVERIFY(rows.value("usual").held);
    QVERIFY(rows.contains("never"));
    QCOMPARE(rows.value("never").flaw, Flaw::BadTime);
    QCOMPARE(probe.readPoints("never"), rows.value("never"));
}

void SqlSightTest::oneSetHidesNoOther_data()
{
    servers({QStringLiteral("mariadb"), QStringLiteral("postgresql"), QStringLiteral("sqlite")});
}

void SqlSightTest::oneSetHidesNoOther()
{
    TestDatabase *database = m_databases.freshOfRow(kShedlock);
    database->run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    SourceSpec spec = database->spec();
    spec.locks = {shedlock(QStringLiteral("later")), shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(waitFor([&] { return !probe.parts.isEmpty(); }));
    QVERIFY(isSetPart(probe.parts.first()) && !probe.parts.first().up);
    QVERIFY(probe.parts.first().node.endsWith(".later"));
    QVERIFY(probe.parts.first().holds({0, "x"}) && !probe.parts.first().holds({1, "x"}));
    QVERIFY(probe.scan().contains("a"));
    QVERIFY(probe.ends.last().complete && probe.ends.last().covers);
    QVERIFY(!probe.ends.last().covers({0, "a"}) && probe.ends.last().covers({1, "a"}));
    QVERIFY(probe.inspect("x", 0).error);
    QVERIFY(probe.failures.isEmpty());
    database->run(QString(kShedlock).replace(QLatin1String("TABLE shedlock"), QLatin1String("TABLE later")));
    database->run(QStringLiteral("INSERT INTO later VALUES ('b', {AHEAD}, {NOW}, 'h')"));
    QVERIFY(waitFor([&] { return probe.scan().contains("b"); }));
    QVERIFY(isSetPart(probe.parts.last()) && probe.parts.last().up);
    QVERIFY(!probe.ends.last().covers);
}

void SqlSightTest::aTableThatGoesHidesNoOtherSet_data()
{
    oneSetHidesNoOther_data();
}

void SqlSightTest::aTableThatGoesHidesNoOtherSet()
{
    TestDatabase *database = m_databases.freshOfRow(kShedlock);
    database->run(QString(kShedlock).replace(QLatin1String("TABLE shedlock"), QLatin1String("TABLE later")));
    database->run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    SourceSpec spec = database->spec();
    spec.locks = {shedlock(QStringLiteral("later")), shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(probe.scan().contains("a"));
    QVERIFY(!probe.ends.last().covers);
    database->run(QStringLiteral("DROP TABLE later"));
    QVERIFY(probe.scan().contains("a"));
    QVERIFY(probe.ends.last().complete && probe.ends.last().covers);
    QCOMPARE(probe.parts.size(), 1);
    QVERIFY(!probe.parts.first().up);
    QVERIFY(probe.failures.isEmpty());
}

void SqlSightTest::aMissingSchemaIsAnError()
{
    SourceSpec spec = postgres(kShedlock).spec();
    m_usedRole = true;
    QUrlQuery query(spec.url);
    query.addQueryItem(QStringLiteral("schema"), QStringLiteral("nowhere"));
    spec.url.setQuery(query);
    LockSet set;
    set.scheme = "sql.advisory";
    spec.locks = {set};
    StoreProbe probe(spec);
    QVERIFY(!probe.open());
    QCOMPARE(probe.failures.last().code, ErrorCode::NotFound);
}

void SqlSightTest::otherCharacterSets_data()
{
    QTest::addColumn<QString>("charset");
    QTest::addColumn<QString>("name");
    QTest::newRow("latin1") << QStringLiteral("latin1") << QStringLiteral("tâche€");
    QTest::newRow("utf16") << QStringLiteral("utf16") << QStringLiteral("ключ锁");
    QTest::newRow("ucs2") << QStringLiteral("ucs2") << QStringLiteral("ключ");
    QTest::newRow("sjis") << QStringLiteral("sjis") << QStringLiteral("ロック表");
    QTest::newRow("gbk") << QStringLiteral("gbk") << QStringLiteral("锁");
    QTest::newRow("utf8mb3") << QStringLiteral("utf8mb3") << QStringLiteral("锁");
}

void SqlSightTest::otherCharacterSets()
{
    QFETCH(QString, charset);
    QFETCH(QString, name);
    TestDatabase *database =
        m_databases.fresh(QStringLiteral("mariadb"), kShedlock + QStringLiteral(" CHARACTER SET ") + charset);
    for (int i = 0; i < 150; ++i) // more than one range
        database->run(kHeld.arg(name + QString::number(i), name));
    SourceSpec spec = database->spec();
    spec.pageSize = 10;
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    spec.locks.first().match = name.toUtf8() + "1*";
    StoreProbe some(spec);
    QVERIFY(some.open());
    QCOMPARE(some.scan().size(), 61);
    spec.locks.first().match = "*";
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    const auto rows = probe.scan();
    QCOMPARE(rows.size(), 150);
    const QByteArray first = name.toUtf8() + '7';
    QVERIFY(rows.contains(first));
    QCOMPARE(rows.value(first).owner, name.toUtf8());
    QCOMPARE(probe.readPoints(first), rows.value(first));
    QVERIFY(!probe.readPoints(first + "x").present);
    QCOMPARE(probe.release(probe.inspect(first).guard, true).outcome, Outcome::Released);
}

void SqlSightTest::filesInUtf16_data()
{
    QTest::addColumn<QString>("encoding");
    for (const char *encoding : {"UTF-8", "UTF-16le", "UTF-16be"})
        QTest::newRow(encoding) << QString::fromLatin1(encoding);
}

void SqlSightTest::filesInUtf16()
{
    QFETCH(QString, encoding);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("locks.db"));
    {
        QSqlDatabase file = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("utf16"));
        file.setDatabaseName(path);
        QVERIFY(file.open());
        for (const QString &sql :
             {QStringLiteral("PRAGMA encoding = '%1'").arg(encoding),
              QStringLiteral("CREATE TABLE keys (job VARCHAR(40) PRIMARY KEY, owner TEXT, taken DATETIME)"),
              QStringLiteral(
                  "INSERT INTO keys SELECT 'job-锁-' || value, 'wörk' || value, "
                  "strftime('%Y-%m-%d %H:%M:%f', 'now', '-1 hour') FROM json_each('[1,2,3,4,5,6,7,8,"
                  "9,10,11,12,13,14,15]')"),
              QStringLiteral("INSERT INTO keys VALUES ('other', NULL, NULL)")})
            QVERIFY2(QSqlQuery(file).exec(sql), qPrintable(sql));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("utf16"));
    SourceSpec spec;
    spec.name = QStringLiteral("db");
    spec.url = QUrl(QStringLiteral("sqlite:") + path);
    spec.pageSize = 1; // ten rows a range
    spec.locks = {keys({QStringLiteral("job")})};
    spec.locks.first().match = "job-锁-*";
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    const auto rows = probe.scan();
    QCOMPARE(rows.size(), 15);
    const QByteArray name("job-锁-12");
    QVERIFY(rows.value(name).held && rows.value(name).acquiredUs);
    QCOMPARE(rows.value(name).owner, QByteArray("wörk12"));
    QCOMPARE(probe.readPoints(name), rows.value(name));
    QVERIFY(!probe.readPoints("job-锁-").present);
    const domain::Guard guard = probe.inspect(name).guard;
    QCOMPARE(probe.release(guard).outcome, Outcome::Released);
    QCOMPARE(probe.release(guard).outcome, Outcome::AlreadyFree);
    QCOMPARE(probe.scan().size(), 14);
}

void SqlSightTest::nullInAName_data()
{
    servers({QStringLiteral("mariadb"), QStringLiteral("postgresql"), QStringLiteral("sqlite")});
}

void SqlSightTest::nullInAName()
{
    TestDatabase *database = m_databases.freshOfRow(QStringLiteral(
        "CREATE TABLE `keys` (tenant VARCHAR(40), job VARCHAR(40), owner VARCHAR(40), taken {TIME}, "
        "UNIQUE (tenant, job))"));
    for (const char *row :
         {"'t', 'j'", "NULL, 'j'", "'NULL', 'j'", "'t', NULL", "NULL, 'twice'", "NULL, 'twice'"})
        database->run(QStringLiteral("INSERT INTO `keys` VALUES (%1, 'h', {NOW})").arg(QLatin1String(row)));
    SourceSpec spec = database->spec();
    spec.locks = {keys({QStringLiteral("tenant"), QStringLiteral("job")})};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    const auto rows = probe.scan();
    QByteArrayList names = rows.keys();
    std::sort(names.begin(), names.end());
    QCOMPARE(names, (QByteArrayList{"NULL/j", "NULL/twice", "\\NULL/j", "t/NULL", "t/j"}));
    QCOMPARE(rows.value("t/j").flaw, Flaw::None);
    QCOMPARE(rows.value("\\NULL/j").flaw, Flaw::None);
    QCOMPARE(rows.value("NULL/j").flaw, Flaw::NullIdentity);
    QVERIFY(rows.value("NULL/j").held && rows.value("NULL/j").identity.isEmpty());
    QCOMPARE(rows.value("NULL/twice").flaw, Flaw::Malformed);
    for (const QByteArray &name : std::as_const(names))
        QCOMPARE(probe.readPoints(name), rows.value(name));
}

void SqlSightTest::aProxyShowsTablesAlone()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"), kShedlock);
    database->run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    SourceSpec spec = database->spec();
    Proxy proxy(spec.url.path());
    QVERIFY(proxy.listen());
    spec.url.setPath(proxy.path());
    LockSet rows;
    rows.scheme = "sql.row";
    rows.table.table = QStringLiteral("shedlock");
    spec.locks = {shedlock(QStringLiteral("shedlock")), rows};
    StoreProbe direct(spec);
    QVERIFY(direct.open());
    QVERIFY(direct.scan().contains("a") && direct.parts.isEmpty());
    proxy.renumberConnections();
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY2(probe.info.warning.cause.contains(QLatin1String("proxy")),
             qPrintable(probe.info.warning.line()));
    QVERIFY(waitFor([&] { return !probe.parts.isEmpty(); }));
    QVERIFY(probe.parts.first().holds({1, "x"}) && !probe.parts.first().holds({0, "a"}));
    QVERIFY2(probe.parts.first().error.line().contains(QLatin1String("proxy")),
             qPrintable(probe.parts.first().error.line()));
    QVERIFY(probe.scan().contains("a"));
    QCOMPARE(probe.release(probe.inspect("a").guard, true).outcome, Outcome::Released);
}

void SqlSightTest::idleLinksGoOn_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("end");
    const QString kill = QStringLiteral("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                                        "application_name = 'lockkeeper'");
    QTest::newRow("postgresql, its limit")
        << QStringLiteral("postgresql")
        << QStringLiteral("ALTER DATABASE postgres SET idle_session_timeout = 300") << QString();
    QTest::newRow("postgresql, ended by somebody") << QStringLiteral("postgresql") << QString() << kill;
    QTest::newRow("mariadb, its limit")
        << QStringLiteral("mariadb") << QStringLiteral("SET GLOBAL wait_timeout = 1") << QString();
}

void SqlSightTest::idleLinksGoOn()
{
    QFETCH(QString, limit);
    QFETCH(QString, end);
    TestDatabase *database = m_databases.freshOfRow(kShedlock);
    database->run(kHeld.arg(QStringLiteral("a"), QStringLiteral("h")));
    if (!limit.isEmpty())
        database->exec(limit);
    SourceSpec spec = database->spec();
    spec.locks = {shedlock(QStringLiteral("shedlock"))};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(probe.scan().contains("a"));
    const QDeadlineTimer idle(2'200);
    if (!end.isEmpty())
        database->exec(end);
    QVERIFY(waitFor([&] { return idle.hasExpired(); }));
    QVERIFY(probe.inspect("a").lock.held);
    QVERIFY(probe.scan().contains("a"));
    QVERIFY(probe.failures.isEmpty());
    QCOMPARE(probe.opens, 1);
    if (!limit.isEmpty() && database->dialect() == sql::Dialect::PostgreSql)
        database->exec(QStringLiteral("ALTER DATABASE postgres RESET idle_session_timeout"));
}

LOCKKEEPER_TEST(SqlSightTest)

} // namespace tst_sql_sight

#include "tst_sql_sight.moc"
