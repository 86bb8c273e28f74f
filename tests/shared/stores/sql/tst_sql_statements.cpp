// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/sql/mapped_client.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/sets/table_set.h"
#include "shared/stores/sql/sql_stores.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_statements {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using base::ErrorCode;

namespace {
Column column(const QString &name, ColumnKind kind, bool unique = false)
{
    Column c;
    c.name = name;
    c.kind = kind;
    c.typeText = QStringLiteral("some type");
    c.unique = unique;
    c.charset = "utf8mb4";
    c.collation = "utf8mb4_bin";
    return c;
}

Catalogue shedlockCatalogue()
{
    Catalogue catalogue;
    catalogue.database = QStringLiteral("app");
    catalogue.account = QStringLiteral("'lk'@'%'");
    catalogue.seesWholeDatabase = true;
    catalogue.found.insert(QStringLiteral("shedlock"),
                           {{},
                            {column(QStringLiteral("name"), ColumnKind::Text, true),
                             column(QStringLiteral("lock_until"), ColumnKind::Timestamp),
                             column(QStringLiteral("locked_at"), ColumnKind::DateTime),
                             column(QStringLiteral("locked_by"), ColumnKind::Bytes)},
                            {{QStringLiteral("name")}}});
    return catalogue;
}

Statements shedlockStatements(const ResolvedTable &table, const QSet<QByteArray> &without = {})
{
    return Statements::build(*statementText("sql.shedlock"), table, without).value_or(Statements{});
}

TablePreset shedlock()
{
    return *presetNamed(QStringLiteral("shedlock"));
}
} // namespace

/** Names, presets, the catalogue and the statements made of them: no server. */
class SqlStatementsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void identifiers_data();
    void identifiers();
    void quoting_data();
    void quoting();
    void accounts_data();
    void accounts();
    void urls_data();
    void urls();
    void storesAreRefusedBeforeAnySql_data();
    void storesAreRefusedBeforeAnySql();
    void presets_data();
    void presets();
    void resolves();
    void refusesTheCatalogue_data();
    void refusesTheCatalogue();
    void grants();
    void fillsStatements();
    void dropsTerms();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void likePrefixes_data();
    void likePrefixes();
    void holderTextFits();
    void clientTraits_data();
    void clientTraits();
};

void SqlStatementsTest::identifiers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << QStringLiteral("fem_shedlock") << true;
    QTest::newRow("spaces inside") << QStringLiteral("my locks") << true;
    QTest::newRow("quote") << QStringLiteral("o'brien") << true;
    QTest::newRow("64") << QString(64, QLatin1Char('a')) << true;
    QTest::newRow("65") << QString(65, QLatin1Char('a')) << false;
    QTest::newRow("empty") << QString() << false;
    QTest::newRow("space at the end") << QStringLiteral("lock ") << false;
    QTest::newRow("backtick") << QStringLiteral("lk`; DROP TABLE t; --") << false;
    QTest::newRow("two names") << QStringLiteral("`a` or `b`") << false;
    QTest::newRow("nul") << QString(QChar(0)) << false;
    QTest::newRow("newline") << QStringLiteral("a\nb") << false;
}

void SqlStatementsTest::identifiers()
{
    QFETCH(QString, name);
    QFETCH(bool, good);
    const auto checked = checkIdentifier(name, QStringLiteral("table"));
    QCOMPARE(checked.has_value(), good);
    if (!good) {
        QCOMPARE(checked.error().code, ErrorCode::SchemaMismatch);
        QVERIFY(!checked.error().line().contains(QLatin1Char('\n')));
    }
}

void SqlStatementsTest::quoting_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("quoted");
    QTest::addColumn<QString>("readable");
    QTest::newRow("plain") << QStringLiteral("a_1") << QStringLiteral("`a_1`") << QStringLiteral("a_1");
    QTest::newRow("digit first") << QStringLiteral("1a") << QStringLiteral("`1a`") << QStringLiteral("`1a`");
    QTest::newRow("backtick") << QStringLiteral("a`b") << QStringLiteral("`a``b`")
                              << QStringLiteral("`a``b`");
    QTest::newRow("quoted already") << QStringLiteral("`a`") << QStringLiteral("```a```")
                                    << QStringLiteral("```a```");
}

void SqlStatementsTest::quoting()
{
    QFETCH(QString, name);
    QTEST(quotedIdentifier(name), "quoted");
    QTEST(readableIdentifier(name), "readable");
}

void SqlStatementsTest::accounts_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("usual") << QStringLiteral("lk@10.0.0.%") << QStringLiteral("'lk'@'10.0.0.%'");
    QTest::newRow("at in the name") << QStringLiteral("a@b@%") << QStringLiteral("'a@b'@'%'");
    QTest::newRow("quote") << QStringLiteral("o'x@%") << QStringLiteral("'o''x'@'%'");
    QTest::newRow("backslash") << QStringLiteral("o\\@%") << QStringLiteral("'o\\\\'@'%'");
    QTest::newRow("no host") << QStringLiteral("lk") << QStringLiteral("'lk'");
}

void SqlStatementsTest::accounts()
{
    QFETCH(QString, user);
    QTEST(quotedAccount(user), "quoted");
}

void SqlStatementsTest::urls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("shown"); // host|port|socket|user|database, or empty where refused
    QTest::newRow("tcp") << QStringLiteral("mysql://lk@db.example:3307/app")
                         << QStringLiteral("db.example|3307||lk|app");
    QTest::newRow("default port") << QStringLiteral("mysql://lk@10.0.0.1/app")
                                  << QStringLiteral("10.0.0.1|3306||lk|app");
    QTest::newRow("localhost is TCP too")
        << QStringLiteral("mysql://lk@localhost/app") << QStringLiteral("127.0.0.1|3306||lk|app");
    QTest::newRow("socket") << QStringLiteral("mysql+unix:///run/my%20sql.sock?db=app&user=lk")
                            << QStringLiteral("|3306|/run/my sql.sock|lk|app");
    QTest::newRow("no database") << QStringLiteral("mysql://lk@db") << QString();
    QTest::newRow("no socket") << QStringLiteral("mysql+unix://?db=app") << QString();
    QTest::newRow("an option in the path")
        << QStringLiteral("mysql+unix:///s;MYSQL_OPT_RECONNECT=1?db=app") << QString();
    QTest::newRow("no host") << QStringLiteral("mysql:///app") << QString();
}

void SqlStatementsTest::urls()
{
    QFETCH(QString, url);
    const auto to = endpointOf(QUrl(url));
    const QString shown = to ? QStringLiteral("%1|%2|%3|%4|%5")
                                   .arg(to->host)
                                   .arg(to->port)
                                   .arg(to->socket, to->user, to->database)
                             : QString();
    QTEST(shown, "shown");
}

void SqlStatementsTest::storesAreRefusedBeforeAnySql_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("column");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("table") << QStringLiteral("lk`; DROP TABLE t; --") << QString() << QByteArray("UTC")
                           << ErrorCode::SchemaMismatch;
    QTest::newRow("column") << QString() << QStringLiteral("`a` or `b`") << QByteArray("UTC")
                            << ErrorCode::SchemaMismatch;
    QTest::newRow("zone") << QString() << QString() << QByteArray("Mars/Olympus") << ErrorCode::Usage;
}

void SqlStatementsTest::storesAreRefusedBeforeAnySql()
{
    QFETCH(QString, table);
    QFETCH(QString, column);
    QFETCH(QByteArray, zone);
    QFETCH(ErrorCode, code);
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("mysql://lk@127.0.0.1:1/app"));
    spec.timeZone = zone;
    LockSet set;
    set.scheme = "sql.shedlock";
    set.table.table = table;
    set.table.holder = column;
    spec.locks = {set};
    const auto store = sql::makeStore(spec);
    QVERIFY(!store);
    QCOMPARE(store.error().code, code);
    const auto client = locks::sql::makeLockClient(spec, set, "me");
    QVERIFY(!client);
    QCOMPARE(client.error().code, code);
}

void SqlStatementsTest::presets_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<bool>("good");
    QTest::newRow("whole")
        << QByteArray(R"({"preset":"x","scheme":"sql.x","tables":["t"],"name":["n"],"columns":{"id":"i"}})")
        << true;
    QTest::newRow("not JSON") << QByteArray("{") << false;
    QTest::newRow("no tables") << QByteArray(R"({"preset":"x","scheme":"sql.x","name":["n"]})") << false;
    QTest::newRow("strange key")
        << QByteArray(R"({"preset":"x","scheme":"sql.x","tables":["t"],"columns":{"colour":"c"}})") << false;
    QTest::newRow("unknown key")
        << QByteArray(R"({"preset":"x","scheme":"sql.x","tables":["t"],"name":["n"],"relase":"delete"})")
        << false;
    QTest::newRow("writes what it hasn't")
        << QByteArray(R"({"preset":"x","scheme":"sql.x","tables":["t"],"release":{"holder":null}})") << false;
    QTest::newRow("writes nonsense")
        << QByteArray(
               R"({"preset":"x","scheme":"sql.x","tables":["t"],"columns":{"id":"i"},"release":{"id":"soon"}})")
        << false;
}

void SqlStatementsTest::presets()
{
    QFETCH(QByteArray, json);
    QTEST(parsePreset(json).has_value(), "good");
}

void SqlStatementsTest::resolves()
{
    const auto table = resolve(shedlock(), {}, shedlockCatalogue());
    QVERIFY(table);
    QCOMPARE(table->place(), "app.shedlock");
    QCOMPARE(table->written(), QStringList{QStringLiteral("lock_until")});
    QCOMPARE(table->column("acquired_at").kind, ColumnKind::DateTime);
}

void SqlStatementsTest::refusesTheCatalogue_data()
{
    QTest::addColumn<QString>("break_"); // what is wrong with it
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("table misspelt") << QStringLiteral("misspelt") << ErrorCode::SchemaMismatch
                                    << QStringLiteral("Did you mean \"shedlok\"?");
    QTest::newRow("table hidden") << QStringLiteral("hidden") << ErrorCode::PermissionDenied
                                  << QStringLiteral(
                                         "If it exists, run: GRANT SELECT ON app.fem_shedlock TO 'lk'@'%';");
    QTest::newRow("column misspelt") << QStringLiteral("column") << ErrorCode::SchemaMismatch
                                     << QStringLiteral("Did you mean \"lock_untill\"?");
    QTest::newRow("type") << QStringLiteral("type") << ErrorCode::SchemaMismatch << QString();
    QTest::newRow("not unique") << QStringLiteral("unique") << ErrorCode::SchemaMismatch
                                << QStringLiteral(
                                       "Make it the primary key, as the scheme's clients need it.");
    QTest::newRow("case") << QStringLiteral("case") << ErrorCode::SchemaMismatch
                          << QStringLiteral("Did you mean \"Name\"?");
    QTest::newRow("unit") << QStringLiteral("unit") << ErrorCode::SchemaMismatch
                          << QStringLiteral("Use epoch_s, epoch_ms or epoch_us.");
}

void SqlStatementsTest::refusesTheCatalogue()
{
    QFETCH(QString, break_);
    Catalogue catalogue = shedlockCatalogue();
    TableMapping mapping;
    CatalogueTable &table_ = catalogue.found[QStringLiteral("shedlock")];
    QList<Column> &columns = table_.columns;
    if (break_ == QLatin1String("misspelt")) {
        catalogue.found.clear();
        catalogue.tables = {QStringLiteral("orders"), QStringLiteral("shedlok")};
    } else if (break_ == QLatin1String("hidden")) {
        catalogue.found.clear();
        catalogue.seesWholeDatabase = false;
    } else if (break_ == QLatin1String("column")) {
        columns[1].name = QStringLiteral("lock_untill");
    } else if (break_ == QLatin1String("type")) {
        columns[1].kind = ColumnKind::Text;
    } else if (break_ == QLatin1String("unique")) {
        table_.uniqueKeys.clear();
    } else if (break_ == QLatin1String("case")) {
        mapping.name = {QStringLiteral("name")}; // the configuration's own names are taken byte for byte
        columns[0].name = QStringLiteral("Name");
    } else {
        columns[1].kind = ColumnKind::Epoch;
        mapping.units.insert(QStringLiteral("expires_at"), QStringLiteral("fortnights"));
    }
    LockSet set;
    set.scheme = "sql.shedlock";
    set.table = mapping;
    const auto table = resolve(*layoutOf(set), mapping, catalogue);
    QVERIFY(!table);
    QTEST(table.error().code, "code");
    QTEST(table.error().remedy, "remedy");
}

void SqlStatementsTest::grants()
{
    ResolvedTable table;
    table.database = QStringLiteral("app");
    table.schema = QStringLiteral("public");
    table.name = QStringLiteral("shedlock");
    const QString who = QStringLiteral("'lk'@'%'");
    QCOMPARE(grantStatement(table, TableRight::Observe, who),
             QStringLiteral("GRANT SELECT ON app.shedlock TO 'lk'@'%'"));
    table.columns.insert("expires_at", column(QStringLiteral("lock_until"), ColumnKind::Timestamp));
    table.writes.insert("expires_at", {ColumnWrite::Now, {}});
    table.database = QStringLiteral("my app");
    table.name = QStringLiteral("lo`ck");
    QCOMPARE(grantStatement(table, TableRight::Break, who),
             QStringLiteral("GRANT SELECT, UPDATE (lock_until) ON `my app`.`lo``ck` TO 'lk'@'%'"));
    table.dialect = Dialect::PostgreSql;
    table.deletes = true;
    QCOMPARE(grantStatement(table, TableRight::Break, QStringLiteral("\"lk\"")),
             QStringLiteral("GRANT SELECT, DELETE ON public.\"lo`ck\" TO \"lk\""));
    table.dialect = Dialect::Sqlite;
    QVERIFY(grantStatement(table, TableRight::Break, {}).isEmpty());
}

void SqlStatementsTest::fillsStatements()
{
    Catalogue catalogue = shedlockCatalogue();
    CatalogueTable &columns = catalogue.found[QStringLiteral("shedlock")];
    columns.columns[0].name = QStringLiteral("na`me");
    columns.uniqueKeys = {{QStringLiteral("na`me")}};
    TablePreset layout = shedlock();
    layout.names = {QStringLiteral("na`me")};
    const auto table = resolve(layout, {}, catalogue);
    QVERIFY(table);
    const Statements statements = shedlockStatements(*table);
    const Statement release = statements.statement("release");
    QCOMPARE(release.sql, "UPDATE `app`.`shedlock` SET `lock_until` = (UTC_TIMESTAMP(0)) "
                          "WHERE `na``me` = CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin "
                          "AND CAST(`na``me` AS BINARY) <=> ? AND CAST(`locked_by` AS BINARY) <=> ? "
                          "AND CAST(CAST(`locked_at` AS CHAR) AS BINARY) <=> ? AND CAST(CAST(`lock_until` AS "
                          "CHAR) AS BINARY) <=> ? "
                          "AND CAST(UNIX_TIMESTAMP(UTC_TIMESTAMP(6)) * 1000000 AS SIGNED) >= ? "
                          "AND CAST(UNIX_TIMESTAMP(UTC_TIMESTAMP(6)) * 1000000 AS SIGNED) < ?");
    QCOMPARE(release.binds, (QList<QByteArray>{"name", "name", "holder", "acquired_at", "expires_at",
                                               "expired_at_us", "deadline_us"}));
    QVERIFY(statements.statement("no such statement").sql.isEmpty());
    for (const QByteArray &name : statements.names()) {
        const Statement statement = statements.statement(name);
        QCOMPARE(statement.sql.count('?'), statement.binds.size());
        QVERIFY2(!statement.sql.contains('{') && !statement.sql.contains("--"), statement.sql.constData());
    }
}

void SqlStatementsTest::dropsTerms()
{
    const auto table = resolve(shedlock(), {}, shedlockCatalogue());
    const Statement whole = shedlockStatements(*table).statement("release");
    for (const QByteArray term : {"name", "holder", "acquired_at", "expires_at", "not_expired"}) {
        const Statement less = shedlockStatements(*table, {term}).statement("release");
        QCOMPARE(less.binds.size(), whole.binds.size() - 1);
    }
}

void SqlStatementsTest::refusesBadFiles_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("unknown placeholder") << QByteArray("-- [a]\nSELECT {what:name}");
    QTest::newRow("unknown column") << QByteArray("-- [a]\nSELECT {col:version}");
    QTest::newRow("open brace") << QByteArray("-- [a]\nSELECT {col:name");
    QTest::newRow("includes itself") << QByteArray("-- [a]\nSELECT {include:a}");
    QTest::newRow("includes nothing") << QByteArray("-- [a]\nSELECT {include:b}");
}

void SqlStatementsTest::refusesBadFiles()
{
    QFETCH(QByteArray, file);
    const auto table = resolve(shedlock(), {}, shedlockCatalogue());
    QVERIFY(!Statements::build(file, *table));
}

void SqlStatementsTest::likePrefixes_data()
{
    QTest::addColumn<QByteArray>("glob");
    QTest::addColumn<QByteArray>("prefix");
    QTest::newRow("all") << QByteArray("*") << QByteArray();
    QTest::newRow("plain") << QByteArray("job:*") << QByteArray("job:%");
    QTest::newRow("underscore") << QByteArray("a_b?") << QByteArray("a\\_b%");
    QTest::newRow("percent ends it") << QByteArray("50%*") << QByteArray("50%");
    QTest::newRow("quoted ends it") << QByteArray("a\\*") << QByteArray("a%");
    QTest::newRow("not ASCII ends it") << QByteArray("caf\xc3\xa9*") << QByteArray("caf%");
}

void SqlStatementsTest::likePrefixes()
{
    QFETCH(QByteArray, glob);
    QTEST(likePrefix(glob), "prefix");
}

void SqlStatementsTest::clientTraits_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<bool>("expires");
    QTest::addColumn<bool>("reenters");
    const auto row = [](const char *scheme, const char *preset, bool expires, bool reenters) {
        QTest::addRow("%s %s", scheme, preset)
            << QByteArray(scheme) << QString::fromLatin1(preset) << expires << reenters;
    };
    row("sql.shedlock", "", true, false);
    row("sql.version", "optimistic-lock", false, false);
    row("sql.reentrant", "t-tag-lock", true, true);
    row("sql.insert", "t-lock", false, false);
    row("sql.row", "", false, false);
    row("sql.advisory", "", false, false);
}

void SqlStatementsTest::clientTraits()
{
    QFETCH(QByteArray, scheme);
    QFETCH(QString, preset);
    SourceSpec spec;
    spec.url = QUrl(QStringLiteral("mysql://lk@127.0.0.1:1/app"));
    LockSet set;
    set.scheme = scheme;
    set.preset = preset;
    if (preset.isEmpty())
        set.table.table = QStringLiteral("t");
    const auto client = locks::sql::makeLockClient(spec, set, "me");
    QVERIFY2(client, client ? "" : qPrintable(client.error().line()));
    QTEST((*client)->traits().expires, "expires");
    QTEST((*client)->traits().reenters, "reenters");
    QVERIFY(!(*client)->traits().binaryNames);
}

void SqlStatementsTest::holderTextFits()
{
    const QByteArray one = locks::sql::holderText("me");
    QVERIFY(one.startsWith("me:"));
    QCOMPARE(one.size(), 35);
    QVERIFY(one != locks::sql::holderText("me"));
    const QByteArray cut = locks::sql::holderText(QByteArray("\xe2\x82\xac").repeated(100));
    QVERIFY(cut.size() <= 255);
    QVERIFY(QString::fromUtf8(cut).toUtf8() == cut &&
            !QString::fromUtf8(cut).contains(QChar::ReplacementCharacter));
}

LOCKKEEPER_TEST(SqlStatementsTest)

} // namespace tst_sql_statements

#include "tst_sql_statements.moc"
