// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Discover over real servers: every table of the corpus made for real, judged through the server's own
// catalogue, and the section that lockkeeperctl prints given to lockkeeper-agent --check.
#include "shared/stores/discover/discoverer.h"
#include "tests/shared/stores/discover/corpus.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/program.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

namespace tst_discover {

using namespace lockkeeper;
using tests::Output;
using tests::run;
using namespace lockkeeper::stores::discover;

namespace {

constexpr int kPatienceMs = 60'000;

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/** The corpus, each name once: PostgreSQL and SQLite have the second spelling as the same or as another
 * table. */
QList<tests::CorpusTable> tablesOnce()
{
    QList<tests::CorpusTable> tables;
    QStringList names;
    for (const tests::CorpusTable &table : tests::corpus()) {
        if (!names.contains(table.facts.name, Qt::CaseInsensitive))
            tables.append(table);
        names.append(table.facts.name);
    }
    return tables;
}

/** SQLite has no row locks. */
bool isRowLock(const tests::CorpusTable &table)
{
    return table.scheme == "sql.row" || table.preset == s("quartz");
}

} // namespace

class TestDiscover : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void corpusOnServers_data();
    void corpusOnServers();
    void sectionPassesTheCheck_data();
    void sectionPassesTheCheck();
    void unitsComeFromValues();
    void wordsOfTextFlags_data();
    void wordsOfTextFlags();
    void missingGrantsAreTold();
    void aMissingGrantIsAStatement();
    void writesNothing();
    void passwordsAreNeverEchoed();
    void exitStatuses_data();
    void exitStatuses();
    void jsonLines();
    void cancelsAtOnce();
    void manyTables();

private:
    Discovery look(const QUrl &url, const QByteArray &password = {});
    void fillMariaDb();
    void createAll(const QString &driver, const QByteArray &store, const QUrl &url);

    std::unique_ptr<tests::MariaDbServer> m_maria;
    std::unique_ptr<tests::PostgresServer> m_postgres;
    QTemporaryDir m_folder;
    QHash<QString, QUrl> m_urls;
};

void TestDiscover::fillMariaDb()
{
    m_maria = std::make_unique<tests::MariaDbServer>(QStringList(), true);
    QVERIFY(m_maria->start());
    m_maria->exec(s("CREATE DATABASE app;\nCREATE DATABASE other;\n"));
    for (const tests::CorpusTable &table : tablesOnce())
        m_maria->exec(tests::createStatement(table, "mysql") + s(";\n"), s("app"));
    m_urls.insert(s("mysql"), m_maria->url(s("app")));
}

void TestDiscover::createAll(const QString &driver, const QByteArray &store, const QUrl &url)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(driver, s("fill"));
        database.setDatabaseName(store == "sqlite" ? url.path() : url.path().mid(1));
        database.setHostName(url.host());
        database.setPort(url.port());
        database.setUserName(url.userName());
        QVERIFY2(database.open(), qPrintable(database.lastError().text()));
        for (const tests::CorpusTable &table : tablesOnce()) {
            QSqlQuery query(database);
            QVERIFY2(query.exec(tests::createStatement(table, store)), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(s("fill"));
    m_urls.insert(QString::fromLatin1(store), url);
}

void TestDiscover::initTestCase()
{
    fillMariaDb();
    m_postgres = std::make_unique<tests::PostgresServer>();
    QVERIFY(m_postgres->start());
    createAll(s("QPSQL"), "postgresql", m_postgres->tcpUrl());
    createAll(s("QSQLITE"), "sqlite", QUrl(s("sqlite:") + m_folder.filePath(s("app.db"))));
}

Discovery TestDiscover::look(const QUrl &url, const QByteArray &password)
{
    stores::SourceSpec spec;
    spec.url = url;
    spec.password = password;
    auto discoverer = makeDiscoverer(spec);
    if (!discoverer)
        qFatal("%s", qPrintable(discoverer.error().line()));
    std::optional<Discovery> found;
    connect(discoverer->get(), &Discoverer::found, this,
            [&](const Discovery &discovery) { found = discovery; });
    connect(discoverer->get(), &Discoverer::failed, this,
            [](const base::Error &error) { qWarning("%s", qPrintable(error.line())); });
    QSignalSpy done(discoverer->get(), &Discoverer::found);
    (*discoverer)->start();
    if (!done.wait(kPatienceMs))
        qFatal("no answer");
    return *found;
}

void TestDiscover::corpusOnServers_data()
{
    QTest::addColumn<QString>("store");
    for (const char *store : {"mysql", "postgresql", "sqlite"})
        QTest::newRow(store) << s(store);
}

void TestDiscover::corpusOnServers()
{
    QFETCH(QString, store);
    const Discovery discovery = look(m_urls.value(store));
    const auto tables = tablesOnce();
    QCOMPARE(discovery.tables, tables.size());
    QStringList found;
    for (const Candidate &candidate : discovery.found)
        found.append(candidate.table);
    int right = 0, locks = 0;
    QStringList wrong;
    for (const tests::CorpusTable &table : tables) {
        const bool proposed = found.contains(table.facts.name);
        const bool expected = table.isLock && !(store == s("sqlite") && isRowLock(table));
        locks += expected;
        right += expected && proposed;
        if (proposed != expected)
            wrong.append(table.facts.name);
    }
    for (const Candidate &candidate : discovery.near) {
        if (wrong.contains(candidate.table) && !candidate.refusal.cause.isEmpty())
            qInfo("%s: %s", qPrintable(candidate.table), qPrintable(candidate.refusal.line()));
    }
    qInfo("%s: precision %.3f, recall %.3f", qPrintable(discovery.server),
          double(right) / double(found.size()), double(right) / locks);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char(' '))));
    for (const Candidate &candidate : discovery.found)
        QVERIFY2(!candidate.access.isEmpty(), qPrintable(candidate.table));
}

void TestDiscover::sectionPassesTheCheck_data()
{
    corpusOnServers_data();
}

void TestDiscover::sectionPassesTheCheck()
{
    QFETCH(QString, store);
    const Output section =
        run("lockkeeperctl", {s("discover"), m_urls.value(store).toString(QUrl::FullyEncoded)});
    QCOMPARE(section.err, QByteArray());
    QCOMPARE(section.status, 0);
    QVERIFY(section.out.count("[[source.locks]]") > 30);
    QFile file(m_folder.filePath(store + s(".toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" + section.out);
    file.close();
    const Output check = run("lockkeeper-agent", {s("--config"), file.fileName(), s("--check")});
    QVERIFY2(check.status == 0, (check.out + check.err).constData());
    QVERIFY2(!check.out.contains("FAILED"), check.out.constData());
}

void TestDiscover::unitsComeFromValues()
{
    m_maria->exec(s("INSERT INTO sys_locks VALUES('a', 'w', UNIX_TIMESTAMP() * 1000 + 60000);\n"
                    "INSERT INTO entity_lock VALUES('a', 't', UNIX_TIMESTAMP() + 60);\n"),
                  s("app"));
    const Discovery discovery = look(m_urls.value(s("mysql")));
    QHash<QString, QString> units;
    for (const Candidate &candidate : discovery.found)
        units.insert(candidate.table, candidate.config.units.value(s("expires_at"), s("epoch_s")));
    QCOMPARE(units.value(s("sys_locks")), s("epoch_ms"));
    QCOMPARE(units.value(s("entity_lock")), s("epoch_s"));
    m_maria->exec(s("DELETE FROM sys_locks;\nDELETE FROM entity_lock;\n"), s("app"));
}

void TestDiscover::wordsOfTextFlags_data()
{
    QTest::addColumn<QUrl>("url");
    const QStringList tables{
        s("CREATE TABLE flags.import_lock (id INT PRIMARY KEY, locked CHAR(1) NOT NULL, locked_by "
          "VARCHAR(20), locked_at TIMESTAMP NULL)"),
        s("INSERT INTO flags.import_lock VALUES (1, 'Y', 'h', CURRENT_TIMESTAMP)"),
        s("CREATE TABLE flags.job_lock (name VARCHAR(20) PRIMARY KEY, state VARCHAR(9), taken_by "
          "VARCHAR(20), taken_at TIMESTAMP NULL)"),
        s("INSERT INTO flags.job_lock VALUES ('a', 'LOCKED', 'h', CURRENT_TIMESTAMP), ('b', 'FREE', NULL, "
          "NULL)"),
        s("CREATE TABLE flags.odd_lock (name VARCHAR(20) PRIMARY KEY, state VARCHAR(9), taken_by "
          "VARCHAR(20), taken_at TIMESTAMP NULL)"),
        s("INSERT INTO flags.odd_lock VALUES ('a', 'STALE', 'h', CURRENT_TIMESTAMP)")};
    m_maria->exec(s("CREATE DATABASE flags;\n") + tables.join(s(";\n")) +
                  s(";\nCREATE TABLE flags.enum_lock (name VARCHAR(20) PRIMARY KEY, state ENUM('free', "
                    "'held') NOT NULL, taken_by VARCHAR(20), taken_at TIMESTAMP NULL);\n"));
    (void)m_postgres->exec(s("CREATE SCHEMA flags"));
    for (const QString &statement : tables)
        (void)m_postgres->exec(statement);
    QTest::newRow("mysql") << m_maria->url(s("flags"));
    QUrl postgres = m_postgres->tcpUrl();
    postgres.setQuery(s("schema=flags"));
    QTest::newRow("postgresql") << postgres;
}

/** The agent accepts the section with the words that discover found. */
void TestDiscover::wordsOfTextFlags()
{
    QFETCH(QUrl, url);
    const Discovery discovery = look(url);
    QHash<QString, QString> words;
    for (const Candidate &candidate : discovery.found)
        words.insert(candidate.table, s("%1 %2 %3/%4")
                                          .arg(QString::fromLatin1(candidate.scheme), candidate.config.status,
                                               candidate.config.heldValue, candidate.config.freeValue));
    QCOMPARE(words.value(s("import_lock")), s("sql.lease locked Y/N"));
    QCOMPARE(words.value(s("job_lock")), s("sql.lease state LOCKED/FREE"));
    if (QTest::currentDataTag() == QByteArray("mysql"))
        QCOMPARE(words.value(s("enum_lock")), s("sql.lease state held/free"));
    QVERIFY(!words.contains(s("odd_lock")));
    const auto odd = std::find_if(discovery.near.begin(), discovery.near.end(), [](const Candidate &one) {
        return one.table == QLatin1String("odd_lock");
    });
    QVERIFY(odd != discovery.near.end() && odd->refusal.cause.contains(s("\"STALE\"")));
    const Output section = run("lockkeeperctl", {s("discover"), url.toString(QUrl::FullyEncoded)});
    QVERIFY2(section.out.contains("held_value = \"LOCKED\"\n  free_value = \"FREE\""),
             section.out.constData());
    QFile file(m_folder.filePath(s("flags.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\ndata_dir = \"data\"\n" + section.out);
    file.close();
    const Output check = run("lockkeeper-agent", {s("--config"), file.fileName(), s("--check")});
    QVERIFY2(check.status == 0 && !check.out.contains("FAILED"), (check.out + check.err).constData());
}

void TestDiscover::missingGrantsAreTold()
{
    m_maria->exec(s("CREATE USER 'seer'@'localhost' IDENTIFIED BY 'pw';\n"
                    "GRANT SELECT ON app.shedlock TO 'seer'@'localhost';\n"
                    "GRANT INSERT ON app.job_locks TO 'seer'@'localhost';\n"));
    const Discovery discovery = look(m_maria->url(s("app"), s("seer")), "pw");
    QCOMPARE(discovery.found.size(), 2); // without the tables that this user may not see
    for (const Candidate &candidate : discovery.found) {
        const bool observes = candidate.table == s("shedlock");
        QStringList remedies;
        for (const domain::Access &one : candidate.access) {
            if (!one.granted)
                remedies.append((one.forBreaking ? s("break: ") : s("observe: ")) + one.remedy);
        }
        const QString all = remedies.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(observes ? s("break: ") : s("observe: ")), qPrintable(candidate.table + all));
        QVERIFY2(all.contains(s("GRANT")) && all.contains(s("'seer'@'localhost'")), qPrintable(all));
    }
}

/** A table that a role of PostgreSQL may not read: the statement is printed as it is run. */
void TestDiscover::aMissingGrantIsAStatement()
{
    m_postgres->exec(s("CREATE ROLE seer LOGIN; GRANT USAGE ON SCHEMA public TO seer"));
    QUrl url = m_postgres->tcpUrl();
    url.setUserName(s("seer"));
    const Output out = run("lockkeeperctl", {s("discover"), QString::fromUtf8(url.toEncoded())});
    QVERIFY2(out.out.contains("run: GRANT SELECT ON "), (out.out + out.err).constData());
    QVERIFY2(!out.out.contains("Run: "), out.out.constData());
}

void TestDiscover::writesNothing()
{
    const auto counters = [this] {
        QByteArray text;
        for (const tests::Row &row : m_maria->exec(
                 s("SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_update', 'Com_delete', "
                   "'Com_replace', 'Com_create_table', 'Com_alter_table', 'Com_drop_table', "
                   "'Com_create_db', 'Com_grant', 'Handler_write');\n")))
            text += row.value(0) == "Handler_write" ? QByteArray() : row.join(' ') + '\n';
        return text;
    };
    const QByteArray before = counters();
    QVERIFY(before.contains("Com_insert"));
    look(m_urls.value(s("mysql")));
    QCOMPARE(counters(), before);
}

void TestDiscover::passwordsAreNeverEchoed()
{
    const QString secret = s("s3cr3t-w0rd");
    m_maria->exec(
        s("CREATE USER 'quiet'@'127.0.0.1' IDENTIFIED BY '%1';\nCREATE USER 'quiet'@'localhost' "
          "IDENTIFIED BY '%1';\nGRANT SELECT ON app.* TO 'quiet'@'127.0.0.1';\nGRANT SELECT ON app.* TO "
          "'quiet'@'localhost';\n")
            .arg(secret));
    const QString url = m_maria->tcpUrl(s("app"), s("quiet")).toString();
    const Output good =
        run("lockkeeperctl", {s("discover"), url, s("--password"), s("env:PW")}, {s("PW=") + secret});
    QCOMPARE(good.status, 0);
    QVERIFY(good.out.contains("password = \"env:PW\""));
    const Output inUrl = run("lockkeeperctl", {s("discover"), s("mysql://u:%1@127.0.0.1/app").arg(secret)});
    QCOMPARE(inUrl.status, 2);
    const Output clear = run("lockkeeperctl", {s("discover"), url, s("--password"), secret});
    QCOMPARE(clear.status, 2);
    for (const Output &output : {good, inUrl, clear})
        QVERIFY(!(output.out + output.err).contains(secret.toUtf8()));
}

void TestDiscover::exitStatuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("no url") << QStringList() << 2;
    QTest::newRow("no store") << QStringList{s("ftp://h/x")} << 2;
    QTest::newRow("no database") << QStringList{s("mysql://u@127.0.0.1:1/")} << 2;
    QTest::newRow("no such database") << QStringList{s("redis://127.0.0.1:1/x")} << 2;
    QTest::newRow("no redis there") << QStringList{s("redis://127.0.0.1:1/0")} << 3;
    QTest::newRow("nobody there") << QStringList{s("mysql://u@127.0.0.1:1/app")} << 3;
    QTest::newRow("no file") << QStringList{s("sqlite:/nowhere/x.db")} << 1;
    QTest::newRow("no secret") << QStringList{s("mysql://u@127.0.0.1:1/app"), s("--password"),
                                              s("env:NOT_SET_X")}
                               << 2;
    QTest::newRow("refused") << QStringList{s("REFUSED")} << 4;
}

void TestDiscover::exitStatuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    if (arguments == QStringList{s("REFUSED")})
        arguments = {m_maria->tcpUrl(s("app"), s("nobody-such")).toString()};
    const Output output = run("lockkeeperctl", QStringList{s("discover")} + arguments);
    QVERIFY2(output.status == status, (QByteArray::number(output.status) + output.err).constData());
    QCOMPARE(output.err.count('\n'), 1);
    QVERIFY(output.out.isEmpty());
}

void TestDiscover::jsonLines()
{
    const Output output =
        run("lockkeeperctl", {s("--json"), s("discover"), m_urls.value(s("sqlite")).toString(), s("--all")});
    QCOMPARE(output.status, 0);
    const QList<QByteArray> lines = output.out.trimmed().split('\n');
    QCOMPARE(lines.size(), tablesOnce().size());
    int proposed = 0;
    for (const QByteArray &line : lines) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        QCOMPARE(object.value(s("store")).toString(), s("sqlite"));
        QVERIFY(object.contains(s("reasons")) && object.contains(s("missing")) &&
                object.contains(s("mapping")));
        proposed += object.value(s("proposed")).toBool();
    }
    QVERIFY(proposed > 30);
}

void TestDiscover::cancelsAtOnce()
{
    m_maria->freeze();
    stores::SourceSpec spec;
    spec.url = m_maria->tcpUrl(s("app"));
    auto discoverer = makeDiscoverer(spec);
    QSignalSpy found(discoverer->get(), &Discoverer::found);
    QSignalSpy failed(discoverer->get(), &Discoverer::failed);
    (*discoverer)->start();
    QVERIFY(!found.wait(200)); // during the connection attempt without an answer
    QElapsedTimer clock;
    clock.start();
    (*discoverer)->cancel();
    discoverer->reset();
    const qint64 elapsedMs = clock.elapsed();
    m_maria->thaw();
    QVERIFY2(elapsedMs < 100, qPrintable(QString::number(elapsedMs)));
    QVERIFY(!found.wait(200));
    QCOMPARE(found.size() + failed.size(), 0);
}

/** A database of a thousand tables is looked at within seconds, with progress. */
void TestDiscover::manyTables()
{
    QString sql;
    for (int i = 0; i < 1'000; ++i)
        sql += s("CREATE TABLE t%1(id int primary key, v varchar(20));\n").arg(i);
    m_maria->exec(sql, s("other"));
    m_maria->exec(
        s("CREATE TABLE job_locks(resource varchar(99) primary key, owner varchar(99), locked_until "
          "datetime);\n"),
        s("other"));
    stores::SourceSpec spec;
    spec.url = m_maria->url(s("other"));
    auto discoverer = makeDiscoverer(spec);
    QSignalSpy progress(discoverer->get(), &Discoverer::progressed);
    QSignalSpy found(discoverer->get(), &Discoverer::found);
    QElapsedTimer clock;
    clock.start();
    (*discoverer)->start();
    QVERIFY(found.wait(kPatienceMs));
    qInfo("1,001 tables in %lld ms", clock.elapsed());
    QVERIFY(progress.size() > 10);
}

LOCKKEEPER_TEST(TestDiscover)

} // namespace tst_discover

#include "tst_discover.moc"
