// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/time_columns.h"
#include "shared/stores/sql/tables/row_identity.h"
#include "shared/stores/sql/tables/statements.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

namespace tst_sql_layouts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;

/** The presets' statements in every dialect, compared with tests/data/sql, and statements that may never be
 * made. No server. */
class SqlLayoutsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void presetsAreComplete_data();
    void presetsAreComplete();
    void statementsAreAsKept_data();
    void statementsAreAsKept();
    void longTextsAreCut_data();
    void longTextsAreCut();
    void noUnguardedStatement();
    void joinedNames_data();
    void joinedNames();
    void values();
    void badValues_data();
    void badValues();
    void wallTimes_data();
    void wallTimes();
};

namespace {
Column columnOf(const QString &name, const QByteArray &key, Dialect dialect)
{
    Column column;
    column.name = name;
    column.unique = true;
    column.charset = "utf8mb4";
    column.collation = "utf8mb4_general_ci";
    column.precision = 6;
    column.isLong = dialect == Dialect::Sqlite;
    column.kind = ColumnKind::Text;
    column.typeText = QStringLiteral("character varying(64)");
    if (isTimeKey(key)) {
        column.kind = ColumnKind::DateTime;
        column.typeText = QStringLiteral("timestamp without time zone");
    } else if (key == "id" || key == "count" || key == "version" || key == "timeout" || key == "status") {
        column.kind = ColumnKind::Epoch;
        column.typeText =
            dialect == Dialect::PostgreSql ? QStringLiteral("bigint") : QStringLiteral("bigint(20)");
        column.ascends = dialect == Dialect::MySql && key == "id";
    }
    return column;
}

/** A catalogue in which the layout's table is as the layout says. */
Catalogue catalogueOf(const TablePreset &layout, Dialect dialect)
{
    CatalogueTable table;
    table.schema = dialect == Dialect::PostgreSql ? QStringLiteral("public") : QString();
    for (const QString &name : layout.names)
        table.columns.append(columnOf(name, "name", dialect));
    for (const ColumnPreset &column : layout.columns)
        table.columns.append(columnOf(column.column, column.key, dialect));
    table.uniqueKeys = {layout.names};
    Catalogue catalogue;
    catalogue.database = QStringLiteral("app");
    catalogue.found.insert(layout.tables.first(), table);
    return catalogue;
}

/** Every statement of a preset as text: "[name]", the SQL, and the values' names in order. */
QByteArray shown(const TablePreset &layout, Dialect dialect)
{
    const auto table = resolve(layout, {}, catalogueOf(layout, dialect), dialect);
    if (!table)
        return table.error().line().toUtf8();
    const auto statements = Statements::build(*statementText(layout.scheme), *table);
    if (!statements)
        return statements.error().line().toUtf8();
    QByteArrayList names = statements->names();
    std::sort(names.begin(), names.end());
    QByteArray out;
    for (const QByteArray &name : std::as_const(names)) {
        const Statement statement = statements->statement(name);
        out += '[' + name + "]\n" + statement.sql + "\n  " + statement.binds.join(' ') + '\n';
    }
    return out;
}
} // namespace

void SqlLayoutsTest::presetsAreComplete_data()
{
    QTest::addColumn<QString>("preset");
    for (const QString &preset : presetIds())
        QTest::newRow(qPrintable(preset)) << preset;
}

/** Its example is what the tests on servers and of discovery use, and operators find it in both references.
 */
void SqlLayoutsTest::presetsAreComplete()
{
    QFETCH(QString, preset);
    QFile file(QStringLiteral(":/lockkeeper/schemes/%1.json").arg(preset));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject example = root.value(QLatin1String("example")).toObject();
    static const QStringList kOfPermanentRows{QStringLiteral("sql.row"), QStringLiteral("sql.version")};
    if (!kOfPermanentRows.contains(root.value(QLatin1String("scheme")).toString())) {
        for (const char *key : {"create", "rows", "held"})
            QVERIFY2(!example.value(QLatin1String(key)).toString().isEmpty(), key);
    }
    QFile document(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
                   QStringLiteral("/resources/docs/operators/configuration.md"));
    QVERIFY(document.open(QIODevice::ReadOnly));
    QVERIFY2(document.readAll().contains('`' + preset.toUtf8() + '`'), "operators find no row of it");
}

void SqlLayoutsTest::statementsAreAsKept_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<Dialect>("dialect");
    for (const QString &preset : presetIds()) {
        for (const Dialect dialect : {Dialect::MySql, Dialect::PostgreSql, Dialect::Sqlite}) {
            if (presetNamed(preset)->scheme != "sql.row")
                QTest::addRow("%s %s", qPrintable(preset), dialectName(dialect)) << preset << dialect;
        }
    }
}

void SqlLayoutsTest::statementsAreAsKept()
{
    QFETCH(QString, preset);
    QFETCH(Dialect, dialect);
    const QByteArray made = shown(*presetNamed(preset), dialect);
    const QString fault = tests::compareWithGolden(
        QStringLiteral("tests/data/sql/%1.%2.txt").arg(preset, QLatin1String(dialectName(dialect))), made);
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
    for (const QByteArray &line : made.split('\n'))
        QVERIFY2(!line.contains('{') && !line.contains("--"), line.constData());
}

namespace {
/** The writes in a file of statements that name neither a guard nor the client's own acquisition. */
QStringList unguardedWrites(const QString &file)
{
    static const QRegularExpression proof(QStringLiteral(
        "\\{guard\\}|\\{include:guard\\}|\\{include:own\\}|\\{include:free\\}|\\{same:version:|"
        "\\{bytes:holder\\} =|\\{col:expires_at\\} <= \\{now"));
    QStringList found;
    for (const QString &section : file.split(QStringLiteral("\n-- ["))) {
        QStringList lines;
        for (const QString &line : section.split(QLatin1Char('\n')).mid(1)) {
            if (!line.startsWith(QLatin1String("--")))
                lines.append(line);
        }
        const QString body = lines.join(QLatin1Char(' '));
        const bool writes =
            body.contains(QLatin1String("DELETE ")) || body.contains(QLatin1String("UPDATE {"));
        if (body.contains(QLatin1String("REPLACE")) || (writes && !proof.match(body).hasMatch()))
            found.append(section.section(QLatin1Char(']'), 0, 0));
    }
    return found;
}
} // namespace

void SqlLayoutsTest::longTextsAreCut_data()
{
    QTest::addColumn<Dialect>("dialect");
    QTest::addColumn<QByteArray>("cut");
    QTest::newRow("mysql") << Dialect::MySql << QByteArray("LEFT(CAST(`owner` AS BINARY), 65537), ");
    QTest::newRow("postgresql") << Dialect::PostgreSql
                                << QByteArray("LEFT(CAST(\"owner\" AS text) COLLATE \"C\", 65537), ");
    QTest::newRow("sqlite") << Dialect::Sqlite << QByteArray("substr(CAST(\"owner\" AS BLOB), 1, 65537), ");
}

/** Long texts are cut where they are read, but compared whole. */
void SqlLayoutsTest::longTextsAreCut()
{
    QFETCH(Dialect, dialect);
    QFETCH(QByteArray, cut);
    const TablePreset layout = *presetNamed(QStringLiteral("laravel"));
    Catalogue catalogue = catalogueOf(layout, dialect);
    for (Column &column : catalogue.found.begin()->columns)
        column.isLong = column.name == QLatin1String("owner");
    const auto table = resolve(layout, {}, catalogue, dialect);
    QVERIFY(table);
    const auto statements = Statements::build(*statementText(layout.scheme), *table);
    QVERIFY(statements);
    for (const char *read : {"first_page", "next_page", "one"})
        QVERIFY2(statements->statement(read).sql.contains(cut), statements->statement(read).sql.constData());
    QVERIFY(!statements->statement("release").sql.contains("65537"));
}

void SqlLayoutsTest::noUnguardedStatement()
{
    const QString root = qEnvironmentVariable("LOCKKEEPER_SOURCE");
    QVERIFY(!root.isEmpty());
    static const QRegularExpression writes(
        QStringLiteral("\\b(DELETE\\s+FROM|REPLACE\\s+INTO|TRUNCATE|DROP\\s+TABLE|UPDATE\\s+[`{])"));
    int files = 0;
    for (const char *folder : {"/shared/stores/sql", "/resources/sql/store"}) {
        QDirIterator it(root + QString::fromLatin1(folder), QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            ++files;
            const QString text = QString::fromUtf8(file.readAll());
            if (!file.fileName().endsWith(QLatin1String(".sql")))
                QVERIFY2(!writes.match(text).hasMatch(),
                         qPrintable(file.fileName())); // writes live in the .sql files alone
            else
                QCOMPARE(unguardedWrites(text), QStringList());
        }
    }
    QVERIFY(files > 20);
    QCOMPARE(unguardedWrites(QStringLiteral("x\n-- [bad]\nDELETE FROM {table} WHERE {this}\n-- [good]\n"
                                            "DELETE FROM {table} WHERE {this} AND {guard}\n")),
             QStringList{QStringLiteral("bad")});
}

void SqlLayoutsTest::joinedNames_data()
{
    QTest::addColumn<QList<QByteArray>>("parts");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("one") << QList<QByteArray>{"a/b\\c"} << QByteArray("a/b\\c");
    QTest::newRow("two") << QList<QByteArray>{"a", "b"} << QByteArray("a/b");
    QTest::newRow("a slash inside") << QList<QByteArray>{"a/b", "c"} << QByteArray("a\\/b/c");
    QTest::newRow("a backslash at the end") << QList<QByteArray>{"a\\", "b"} << QByteArray("a\\\\/b");
    QTest::newRow("empty parts") << QList<QByteArray>{"", ""} << QByteArray("/");
}

void SqlLayoutsTest::joinedNames()
{
    QFETCH(QList<QByteArray>, parts);
    QFETCH(QByteArray, name);
    QCOMPARE(joinedName(parts), name);
    QVERIFY(splitName(name, parts.size()) == parts);
    QVERIFY(!splitName(name + "/x/y", 2));
}

void SqlLayoutsTest::values()
{
    const QList<SeenValue> values{{"id", "7"}, {"holder", QByteArrayLiteral("")}, {"request", QByteArray()}};
    const auto again = decodedValues(encodedValues(values));
    QVERIFY(again && *again == values);
    QVERIFY(again->at(2).value.isNull() && !again->at(1).value.isNull());
    QVERIFY(encodedValues({{"a", "b"}}) != encodedValues({{"a", QByteArray()}}));
    QVERIFY(encodedValues({{"a", QByteArray()}}) != encodedValues({{"a", QByteArrayLiteral("")}}));
}

void SqlLayoutsTest::badValues_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray good = encodedValues({{"id", "1234"}});
    for (qsizetype i = 1; i < good.size(); ++i)
        QTest::addRow("cut at %d", int(i)) << good.first(i);
    QTest::newRow("a NULL with a value") << QByteArray("\x01"
                                                       "a\x01\0\0\0\x01z",
                                                       8);
    QTest::newRow("a length past the end") << QByteArray("\x01"
                                                         "a\0\x7f\xff\xff\xff",
                                                         7);
}

void SqlLayoutsTest::badValues()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(!decodedValues(bytes));
}

void SqlLayoutsTest::wallTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("us");            ///< -1: refused
    QTest::addColumn<qint64>("offsetUs");      ///< -1: none
    const qint64 noon = 1'795'003'200'000'000; // 2026-11-18 12:00:00
    QTest::newRow("plain") << QByteArray("2026-11-18 12:00:00") << noon << qint64(-1);
    QTest::newRow("T and milliseconds")
        << QByteArray("2026-11-18T12:00:00.123") << noon + 123'000 << qint64(-1);
    QTest::newRow("nanoseconds") << QByteArray("2026-11-18 12:00:00.123456789") << noon + 123'456
                                 << qint64(-1);
    QTest::newRow("no seconds") << QByteArray("2026-11-18 12:00") << noon << qint64(-1);
    QTest::newRow("Z") << QByteArray("2026-11-18T12:00:00Z") << noon << qint64(0);
    QTest::newRow("offset") << QByteArray("2026-11-18 12:00:00.0 +08:00") << noon << qint64(28'800'000'000);
    QTest::newRow("offset without colon")
        << QByteArray("2026-11-18 12:00:00-0130") << noon << qint64(-5'400'000'000);
    for (const char *bad :
         {"", "never", "2026-13-01 00:00:00", "2026-02-30 00:00:00", "2026-11-18", "1795003200",
          "2026-11-18 25:00:00", "2026-11-18 12:00:00 x", "2026-11-18 12:00:00+8"})
        QTest::addRow("refused %s", bad) << QByteArray(bad) << qint64(-1) << qint64(-1);
}

void SqlLayoutsTest::wallTimes()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, us);
    QFETCH(qint64, offsetUs);
    const auto wall = parseWallTime(text);
    QCOMPARE(wall.has_value(), us >= 0);
    if (!wall)
        return;
    QCOMPARE(wall->us, us);
    QCOMPARE(wall->offsetUs.value_or(-1), offsetUs);
}

LOCKKEEPER_TEST(SqlLayoutsTest)

} // namespace tst_sql_layouts

#include "tst_sql_layouts.moc"
