// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>
#include <QUrlQuery>

namespace tst_check_grants {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** `--check` prints the statements that are missing, all at once: after them it is content. */
class TestCheckGrants : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void redisRules_data();
    void redisRules();
    void redisRulesOfOnePurpose();
    void postgresGrants_data();
    void postgresGrants();
    void rowsInPostgres();
    void rowsWithoutTheInstrument();

private:
    /** The report of `--check`. */
    QByteArray check(const QByteArray &sources, int status);
    static bool isContent(const QByteArray &report)
    {
        return report.contains("every source can be observed") && !report.contains("MISSING") &&
               !report.contains("FAILED");
    }

    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<RedisServer> m_redis;
    TestDatabases m_databases;
};

QByteArray TestCheckGrants::check(const QByteArray &sources, int status)
{
    m_agent = std::make_unique<AgentProcess>();
    m_agent->configure(sources);
    qputenv("LK_PASSWORD", "pw");
    QByteArray report;
    const int got = m_agent->run({QStringLiteral("--check")}, &report);
    if (got != status)
        qWarning("status %d: %s", got, report.constData());
    return report;
}

/** Like an administrator. */
bool runInShell(const RedisServer &server, const QByteArray &statement)
{
    QProcess shell;
    shell.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), server.socketPath()});
    shell.write(statement + '\n');
    shell.closeWriteChannel();
    return shell.waitForFinished() && shell.readAllStandardOutput().trimmed() == "OK";
}

QByteArrayList statementsOf(const QByteArray &report, const QByteArray &before)
{
    QByteArrayList statements;
    for (const QByteArray &line : report.split('\n')) {
        const qsizetype at = line.indexOf(before);
        if (at >= 0)
            statements.append(line.mid(at + before.size()));
    }
    return statements;
}

void TestCheckGrants::redisRules_data()
{
    QTest::addColumn<QByteArray>("sets");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("granted"); ///< before
    const auto row = [](const char *name, const QByteArray &set, const QByteArray &source = {},
                        const QByteArray &granted = {}) {
        QTest::newRow(name) << QByteArray("[[source.locks]]\n" + set) << source << granted;
    };
    const QByteArray token = "scheme = \"redis.token\"\nmatch = \"lock:*\"\n";
    row("nothing is allowed", token);
    row("the commands are, the keys aren't", token, {}, "+@all");
    row("the keys are, the commands aren't", token, {}, "~lock:*");
    row("all but one", token, {}, "~lock:* +@all -getrange");
    row("push", token, "push = true\n");
    row("another database", token, "db");
    row("registered waiters", token + "waiters = \"registered\"\n");
    row("Spring", "preset = \"spring-redis\"\nmatch = \"orders:*\"\n");
    row("Redisson", "scheme = \"redis.redisson\"\nmatch = \"job:*\"\nfencing = true\n");
    row("semaphores", "scheme = \"redis.semaphore\"\nmatch = \"pool:*\"\nlimit = 3\nlease = \"10s\"\n");
    row("JSON", "scheme = \"redis.json\"\nmatch = \"job:*\"\n");
    row("bytes", "scheme = \"redis.token\"\nmatch = '''\"quoted\" \\[x\\] 锁:*'''\n");
    row("two sets", token + "[[source.locks]]\nscheme = \"redis.redisson\"\nmatch = \"job:*\"\n");
}

void TestCheckGrants::redisRules()
{
    if (RedisServer::version() < 700)
        QSKIP("the rules are those of Redis 7");
    QFETCH(QByteArray, sets);
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, granted);
    m_redis = std::make_unique<RedisServer>();
    QVERIFY(m_redis->start());
    QList<QByteArray> user{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "resetchannels", "-@all"};
    for (const QByteArray &rule : granted.split(' ')) {
        if (!rule.isEmpty())
            user.append(rule);
    }
    QCOMPARE(m_redis->command(user).bytes, QByteArray("OK"));
    const QByteArray sections = "[[source]]\nname = \"s\"\nurl = \"" +
                                m_redis->url(source == "db" ? 1 : 0, QStringLiteral("lk")).toEncoded() +
                                "\"\npassword = \"env:LK_PASSWORD\"\n" + (source == "db" ? "" : source) +
                                sets;
    QByteArray report = check(sections, 1);
    QVERIFY2(!(report.contains("granted") && report.contains("FAILED")), report.constData());
    QVERIFY2(!report.contains("~* ") && !report.contains("~*\n") && !report.contains("+@"),
             report.constData());
    const auto run = [&] {
        QByteArrayList statements = statementsOf(report, "run: ");
        if (statements.isEmpty())
            statements =
                statementsOf(report, "command. "); // the server refused all: the rules stand behind it
        for (const QByteArray &statement : std::as_const(statements)) {
            if (!runInShell(*m_redis, statement))
                return false;
        }
        return !statements.isEmpty();
    };
    QVERIFY2(run(), report.constData());
    report = check(sections, 0);
    if (source == "db") { // to break wasn't asked for
        QVERIFY2(!report.contains("FAILED"), report.constData());
        QVERIFY2(run(), report.constData());
        report = check(sections, 0);
    }
    QVERIFY2(isContent(report), report.constData());
}

/** For observing alone, the check asks for no further rights. */
void TestCheckGrants::redisRulesOfOnePurpose()
{
    if (RedisServer::version() < 700)
        QSKIP("the rules are those of Redis 7");
    m_redis = std::make_unique<RedisServer>();
    QVERIFY(m_redis->start());
    m_redis->command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "resetchannels", "-@all"});
    const QByteArray report =
        check("[[source]]\nname = \"s\"\nurl = \"" + m_redis->url(0, QStringLiteral("lk")).toEncoded() +
                  "\"\npassword = \"env:LK_PASSWORD\"\n[[source.locks]]\nscheme = \"redis.token\"\n"
                  "match = \"lock:*\"\n",
              1);
    const QByteArrayList statements = statementsOf(report, "run: ");
    QCOMPARE(statements.size(), 2);
    QCOMPARE(statements.at(0),
             QByteArray("ACL SETUSER lk %R~lock:* +scan +getrange +strlen +pexpiretime +time +info"));
    QCOMPARE(statements.at(1), QByteArray("ACL SETUSER lk ~lock:* +type +del +eval +evalsha +wait +info"));
}

void TestCheckGrants::postgresGrants_data()
{
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<QByteArray>("given"); ///< before
    QTest::addColumn<QByteArray>("first"); ///< the statements of the first report
    QTest::newRow("no USAGE, no SELECT")
        << QByteArray("watcher") << QByteArray()
        << QByteArray(
               "GRANT USAGE ON SCHEMA \"App Locks\" TO \"watcher\"; GRANT SELECT ON \"App "
               "Locks\".shedlock TO \"watcher\"; GRANT SELECT ON \"App Locks\".\"Lock\" TO \"watcher\";");
    QTest::newRow("no USAGE") << QByteArray("reader")
                              << QByteArray("GRANT SELECT ON ALL TABLES IN SCHEMA \"App Locks\" TO ")
                              << QByteArray("GRANT USAGE ON SCHEMA \"App Locks\" TO \"reader\";");
    QTest::newRow("no SELECT, a role with a quote")
        << QByteArray("odd\"role") << QByteArray("GRANT USAGE ON SCHEMA \"App Locks\" TO ")
        << QByteArray("GRANT SELECT ON \"App Locks\".shedlock TO \"odd\"\"role\"; GRANT SELECT ON \"App "
                      "Locks\".\"Lock\" TO \"odd\"\"role\";");
}

void TestCheckGrants::postgresGrants()
{
    QFETCH(QByteArray, role);
    QFETCH(QByteArray, given);
    QFETCH(QByteArray, first);
    TestDatabase *database = m_databases.fresh(QStringLiteral("postgresql"));
    if (database == nullptr)
        QSKIP("there is no PostgreSQL");
    const QByteArray quoted = '"' + QByteArray(role).replace('"', "\"\"") + '"';
    const auto exec = [database](const QByteArray &sql) {
        for (const QByteArray &one : sql.split(';')) {
            if (!one.trimmed().isEmpty())
                database->exec(QString::fromUtf8(one));
        }
    };
    exec("DROP SCHEMA IF EXISTS \"App Locks\" CASCADE; CREATE SCHEMA \"App Locks\"; CREATE TABLE \"App "
         "Locks\".shedlock (name varchar(64) PRIMARY KEY, "
         "lock_until timestamp NOT NULL, locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL); "
         "CREATE TABLE \"App Locks\".\"Lock\" (lock_key varchar(64) PRIMARY KEY, holder varchar(64), "
         "created timestamp); CREATE ROLE " +
         quoted + " LOGIN");
    if (!given.isEmpty())
        exec(given + quoted);
    QUrl url = database->spec().url;
    QUrlQuery query(url);
    query.removeAllQueryItems(QStringLiteral("user"));
    query.addQueryItem(QStringLiteral("user"), QString::fromUtf8(role));
    query.addQueryItem(QStringLiteral("schema"), QStringLiteral("App Locks"));
    url.setQuery(query);
    const QByteArray sections =
        "[[source]]\nname = \"s\"\nurl = \"" + url.toEncoded() +
        "\"\n[[source.locks]]\npreset = \"shedlock\"\n[[source.locks]]\nscheme = \"sql.insert\"\ntable = "
        "\"Lock\"\nname = \"lock_key\"\nholder = \"holder\"\nacquired_at = \"created\"\n";
    QByteArray report = check(sections, 1);
    QVERIFY2(!report.contains("granted") && !report.contains("\\x0a"), report.constData());
    QByteArrayList statements = statementsOf(report, "Run: ");
    QCOMPARE(statements.join('|'), first);
    exec(statements.join(' '));
    report = check(sections, 0);
    if (first.contains("USAGE") && !first.contains("SELECT"))
        QVERIFY2(report.contains("sees     0 locks"), report.constData());
    statements = statementsOf(report, "run: "); // to break
    QCOMPARE(statements.size(), 2);
    exec(statements.join(' '));
    report = check(sections, 0);
    QVERIFY2(isContent(report), report.constData());
}

/** Without SELECT on the table, its locked rows can't be named. */
void TestCheckGrants::rowsInPostgres()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("postgresql"));
    if (database == nullptr)
        QSKIP("there is no PostgreSQL");
    for (const char *statement :
         {"DROP TABLE IF EXISTS jobs", "CREATE TABLE jobs (name varchar(64) PRIMARY KEY)",
          "INSERT INTO jobs VALUES ('orders')", "CREATE ROLE rows_only LOGIN"})
        database->exec(QLatin1String(statement));
    QUrl url = database->spec().url;
    QUrlQuery query(url);
    query.removeAllQueryItems(QStringLiteral("user"));
    query.addQueryItem(QStringLiteral("user"), QStringLiteral("rows_only"));
    url.setQuery(query);
    const QByteArray sections = "[[source]]\nname = \"s\"\nurl = \"" + url.toEncoded() +
                                "\"\n[[source.locks]]\nscheme = \"sql.row\"\ntable = \"jobs\"\n";
    database->exec(QStringLiteral("GRANT USAGE ON SCHEMA public TO rows_only"));
    QByteArray report = check(sections, 1);
    const auto run = [&](const QByteArray &before) {
        for (const QByteArray &statement : statementsOf(report, before))
            database->exec(QString::fromUtf8(statement));
    };
    run("Run: ");
    report = check(sections, 0);
    QVERIFY2(report.contains("GRANT SELECT ON public.jobs TO rows_only;"), report.constData());
    run("Run: ");
    report = check(sections, 0);
    QVERIFY2(isContent(report) && !report.contains("GRANT"), report.constData());
}

void TestCheckGrants::rowsWithoutTheInstrument()
{
    MariaDbServer server; // as delivered: without performance_schema
    if (!server.start())
        QSKIP("there is no MariaDB");
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(QStringLiteral("CREATE TABLE jobs (name VARCHAR(64) PRIMARY KEY)"), QStringLiteral("app"));
    const QByteArray report =
        check("[[source]]\nname = \"s\"\nurl = \"" + server.url(QStringLiteral("app")).toEncoded() +
                  "\"\n[[source.locks]]\nscheme = \"sql.row\"\ntable = \"jobs\"\n",
              0);
    QVERIFY2(report.contains("MISSING  instrument:sql.row"), report.constData());
    QVERIFY2(report.contains("granted  observe:sql.row"), report.constData());
    QVERIFY2(!report.contains("granted  break:sql.row"), report.constData());
}

LOCKKEEPER_TEST(TestCheckGrants)

} // namespace tst_check_grants

#include "tst_check_grants.moc"
