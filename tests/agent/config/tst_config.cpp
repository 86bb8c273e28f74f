// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "shared/config/sources.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_config {

using namespace lockkeeper;
using agent::config::Config;
using stores::BreakMode;

/** The configuration file: what is read from it, and the exact line for each mistake. */
class ConfigTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readsAll();
    void fillsDefaults();
    void elections_data();
    void elections();
    void problems_data();
    void problems();
    void restrictionsOfWiderSetsStay();
    void sourcesThatTakeNoLockTwice_data();
    void sourcesThatTakeNoLockTwice();
    void whatMayBeProbed_data();
    void whatMayBeProbed();
    void reportsEveryProblem();
    void secrets_data();
    void secrets();
    void neverRepeatsASecret();
    void hostileFiles_data();
    void hostileFiles();
    void findsLinesOfLockSets();
    void sampleIsValid();
    void documentListsTheKeysOfLockSets();

private:
    QTemporaryDir m_folder;
};

namespace {

const char kWhole[] = R"([agent]
name = "dc1"
data_dir = "data"
listen = ["local:lockkeeper.sock"]
metrics = "127.0.0.1:9720"

[journal]
url = "sqlite:journal.db"
keep_days = 7
keep_mib = 100

[[source]]
name = "orders-redis"
url = "redis://watcher@127.0.0.1:6379/2"
password = "env:LK_TEST_SECRET"
poll_ms = 250
push = true
push_commands_per_second = 20000
reconcile_ms = 30000
renewals = "all"

  [[source.locks]]
  scheme = "redis.token"
  match = "lock:*"
  stuck_after = "10m"
  no_expiry_after = "5s"
  break = "never"
  reaper = "off"

  [[source.locks]]
  scheme = "redis.token"
  match = "job:*"
  reaper = "stuck"
  reaper_delay = "5m"
  reaper_max_per_minute = 3
  reaper_dry_run = true

[[source]]
name = "orders-db"
url = "mysql+unix:///run/db.sock?db=app&user=lk"
time_zone = "Asia/Shanghai"
clock = "client"

  [[source.locks]]
  preset = "shedlock"

  [[source.locks]]
  scheme = "sql.shedlock"
  table = "jobs"
  name = "job"
  holder = "host"
  acquired_at = "since"
  expires_at = "until"
  expires_at_unit = "epoch_ms"
)";

/** A source with `more` in it, then a lock set with `set` in it; the source's keys begin at line 4. */
QByteArray withSource(const char *more, const char *set = "scheme = \"redis.token\"")
{
    return QByteArray("[[source]]\nname = \"s\"\nurl = \"redis://h/0\"\n") + more + "\n[[source.locks]]\n" +
           set + '\n';
}

QStringList problemsOf(const QByteArray &toml)
{
    const auto outcome = agent::config::parse(toml, QStringLiteral("F"));
    QStringList lines;
    if (!outcome) {
        for (const auto &problem : outcome.error())
            lines.append(problem.text());
    }
    return lines;
}

} // namespace

void ConfigTest::initTestCase()
{
    QVERIFY(m_folder.isValid());
    qputenv("LK_TEST_SECRET", "s3cret");
    qunsetenv("LK_TEST_MISSING");
}

void ConfigTest::readsAll()
{
    const auto outcome = agent::config::parse(kWhole, QStringLiteral("/etc/lk/lockkeeper.toml"));
    QVERIFY2(outcome.has_value(), qPrintable(problemsOf(kWhole).join(QLatin1Char('\n'))));
    const Config &config = *outcome;
    QCOMPARE(config.name, QStringLiteral("dc1"));
    QCOMPARE(config.dataDir, QStringLiteral("/etc/lk/data"));
    QCOMPARE(config.journalPath, QStringLiteral("/etc/lk/data/journal.db"));
    QCOMPARE(config.metrics, QStringLiteral("127.0.0.1:9720"));
    QCOMPARE(config.keepDays, 7);
    QCOMPARE(config.keepMib, 100);
    QCOMPARE(config.sources.size(), 2);

    const stores::SourceSpec &redis = config.sources.at(0);
    QCOMPARE(redis.password, QByteArray("s3cret"));
    QCOMPARE(redis.pollMs, 250);
    QVERIFY(redis.push);
    QCOMPARE(redis.pushCommandsPerSecond, 20'000);
    QCOMPARE(redis.reconcileMs, 30'000);
    QVERIFY(redis.journalRenewals);
    QCOMPARE(redis.locks.at(0).match, QByteArray("lock:*"));
    QCOMPARE(redis.locks.at(0).reaper, stores::ReaperPolicy());
    QCOMPARE(redis.locks.at(0).reaper.mode, stores::ReaperMode::Off);
    QCOMPARE(redis.locks.at(1).reaper,
             (stores::ReaperPolicy{stores::ReaperMode::Stuck, 300'000'000, 3, true}));
    QCOMPARE(redis.locks.at(0).stuckAfterUs, 600'000'000);
    QCOMPARE(redis.locks.at(0).noExpiryAfterUs, 5'000'000);
    QVERIFY(redis.locks.at(0).breakMode == BreakMode::Never);

    const stores::SourceSpec &sql = config.sources.at(1);
    QCOMPARE(sql.timeZone, QByteArray("Asia/Shanghai"));
    QVERIFY(sql.clientClock);
    QCOMPARE(sql.locks.at(0).scheme, QByteArray("sql.shedlock"));
    const stores::TableMapping &table = sql.locks.at(1).table;
    QCOMPARE(table.table, QStringLiteral("jobs"));
    QCOMPARE(table.name, QStringList{QStringLiteral("job")});
    QCOMPARE(table.expiresAt, QStringLiteral("until"));
    QCOMPARE(table.units.value(QStringLiteral("expires_at")), QStringLiteral("epoch_ms"));
}

void ConfigTest::fillsDefaults()
{
    const auto outcome = agent::config::parse(withSource(""), QStringLiteral("/etc/lk/lockkeeper.toml"));
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->listen, QStringList{QStringLiteral("local:lockkeeper.sock")});
    QVERIFY(outcome->metrics.isEmpty());
    QVERIFY(!outcome->name.isEmpty());
    QCOMPARE(outcome->keepDays, 30);
    QCOMPARE(outcome->keepRollupsDays, 366);
    QCOMPARE(outcome->keepMib, 4096);
    QCOMPARE(outcome->sources.at(0).pollMs, 500);
    stores::LockSet set;
    set.scheme = "redis.token";
    QVERIFY(outcome->sources.at(0).locks.at(0) == set);
}

void ConfigTest::elections_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("lock");
    QTest::newRow("redis") << QByteArray("redis://h/0") << QByteArray("redis.token")
                           << QByteArray("lockkeeper:agent");
    QTest::newRow("cluster") << QByteArray("redis+cluster://h:1,h:2") << QByteArray("redis.token")
                             << QByteArray("lockkeeper:agent");
    for (const char *url : {"mysql://u@h/d", "postgresql://u@h/d"})
        QTest::newRow(url) << QByteArray(url) << QByteArray("sql.advisory") << QByteArray("lockkeeper:agent");
    QTest::newRow("etcd") << QByteArray("etcd://h:1") << QByteArray("etcd.lease")
                          << QByteArray("lockkeeper:agent");
    QTest::newRow("zookeeper") << QByteArray("zookeeper://h:1") << QByteArray("zookeeper.sequence")
                               << QByteArray("/lockkeeper/agent");
    QTest::newRow("mongodb") << QByteArray("mongodb://h/d") << QByteArray("mongodb.ttl")
                             << QByteArray("lockkeeper:agent");
}

void ConfigTest::elections()
{
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, scheme);
    QFETCH(QByteArray, lock);
    const bool isMongo = scheme == "mongodb.ttl";
    const QByteArray more = isMongo ? "election_collection = \"agents\"\n" : "";
    const auto outcome = agent::config::parse(
        "[agent]\nelection = \"s\"\n" + more + "[[source]]\nname = \"s\"\nurl = \"" + url +
            "\"\npush = " + (url.contains("sql") ? "false" : "true") + "\n[[source.locks]]\nscheme = \"" +
            scheme + "\"\n" + (isMongo ? "table = \"locks\"\n" : ""),
        QStringLiteral("F"));
    QVERIFY2(outcome.has_value(), outcome ? "" : qPrintable(outcome.error().first().text()));
    QVERIFY(outcome->election);
    QCOMPARE(outcome->election->lock, lock);
    QCOMPARE(outcome->election->ttlUs, qint64(15'000'000));
    QCOMPARE(outcome->election->store.locks.size(), 1);
    QCOMPARE(outcome->election->store.locks.first().scheme, scheme);
    QCOMPARE(outcome->election->store.locks.first().table.table,
             isMongo ? QStringLiteral("agents") : QString());
    QCOMPARE(outcome->election->store.locks.first().preset,
             isMongo ? QStringLiteral("mongodb-shedlock") : QString());
    QVERIFY(!outcome->election->store.push);
}

void ConfigTest::problems_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const QByteArray &toml, const char *line) {
        QTest::newRow(name) << toml << QString::fromUtf8(line);
    };
    row("nothing", "",
        "F: there is no [[source]], so there is nothing to watch. Add one with a name, a url and "
        "[[source.locks]].");
    row("unknown section", withSource("") + "[jurnal]\n",
        "F:7: the file has no key \"jurnal\". Did you mean \"journal\"?");
    row("unknown key", withSource("pol_ms = 3"),
        "F:4: [[source]] has no key \"pol_ms\". Did you mean \"poll_ms\"?");
    row("unknown key of a lock set", withSource("", "scheme = \"redis.token\"\nmacth = \"a\""),
        "F:7: [[source.locks]] has no key \"macth\". Did you mean \"match\"?");
    row("wrong type", withSource("poll_ms = \"fast\""),
        "F:4: \"poll_ms\" of [[source]] has to be a whole number from 10 to 3600000");
    row("out of range", withSource("poll_ms = 0"),
        "F:4: \"poll_ms\" of [[source]] has to be a whole number from 10 to 3600000");
    row("a number for a text", "[agent]\nname = 5\n" + withSource(""),
        "F:2: \"name\" of [agent] has to be a text in quotes");
    const auto elects = [&row](const char *name, const char *agent, const char *source, const char *line) {
        row(name, QByteArray("[agent]\n") + agent + '\n' + withSource(source), line);
    };
    elects("an election nowhere", "election = \"r\"", "",
           "F:2: \"election\" of [agent]: no source is named \"r\". Did you mean \"s\"?");
    elects("a lease without an election", "election_ttl = \"5s\"", "",
           "F:2: \"election_ttl\" of [agent] has no effect without election. Remove it, or add election = "
           "\"SOURCE\".");
    elects("a short lease", "election = \"s\"\nelection_ttl = \"2s\"", "statement_timeout_ms = 1000",
           "F:3: \"election_ttl\" of [agent] has to be from 3s to 1h");
    elects("a lease shorter than a release", "election = \"s\"\nelection_ttl = \"5s\"", "",
           "F:3: \"election_ttl\" of [agent]: a lease of 5 s leaves too little time for a release in \"s\", "
           "which may take 5000 ms. Write at least \"8s\", or a shorter statement_timeout_ms.");
    elects("a collection in Redis", "election = \"s\"\nelection_collection = \"agents\"", "",
           "F:3: \"election_collection\" of [agent] is for MongoDB alone. Remove it.");
    row("an election in a file",
        "[agent]\nelection = \"s\"\n[[source]]\nname = \"s\"\nurl = \"sqlite:/tmp/a.db\"\n[[source.locks]]\n"
        "scheme = \"sql.shedlock\"\ntable = \"shedlock\"\n",
        "F:2: \"election\" of [agent]: a store of the kind \"sqlite\" has no leases that expire "
        "automatically. "
        "Name a "
        "source of Redis, MySQL, MariaDB, PostgreSQL, etcd, ZooKeeper or MongoDB.");
    row("an election in a Redlock",
        "[agent]\nelection = \"s\"\n[[source]]\nname = \"s\"\nurl = \"redlock://h:1,h:2,h:3/0\"\n"
        "[[source.locks]]\nscheme = \"redis.redlock\"\n",
        "F:2: \"election\" of [agent]: a Redlock's lease is safe against neither restarts nor clocks that "
        "jump. "
        "Name a source of Redis, MySQL, MariaDB, PostgreSQL, etcd, ZooKeeper or MongoDB.");
    row("a section that is a value", "agent = 5\n" + withSource(""),
        "F:1: \"agent\" has to be a table. Write it as [agent].");
    row("a duration without unit", withSource("", "scheme = \"redis.token\"\nstuck_after = \"10\""),
        "F:7: \"stuck_after\" of [[source.locks]]: \"10\" is not a duration. "
        "Write a number and a unit: 500ms, 30s, 10m, 2h or 7d.");
    row("a duration that is a number", withSource("", "scheme = \"redis.token\"\nstuck_after = 10"),
        "F:7: \"stuck_after\" of [[source.locks]] has to be a duration in quotes, such as \"30s\"");
    row("a duration too short", withSource("", "scheme = \"redis.token\"\nno_expiry_after = \"5ms\""),
        "F:7: \"no_expiry_after\" of [[source.locks]] has to be from 1s to 366d");
    row("the same name twice", withSource("") + withSource(""),
        "F:8: the name \"s\" is taken by the source at line 2. Give each source a unique name.");
    row("no name", "[[source]]\nurl = \"redis://h\"\n[[source.locks]]\nscheme = \"redis.token\"\n",
        "F:1: \"name\" of [[source]] has to be 1 to 64 visible characters. Give each source a short, unique "
        "name.");
    row("a name with an escape",
        "[[source]]\nname = \"a\\u001bb\"\nurl = \"redis://h\"\n[[source.locks]]\nscheme = \"redis.token\"\n",
        "F:2: \"name\" of [[source]] has to be 1 to 64 visible characters. Give each source a short, unique "
        "name.");
    const auto access = [&row](const char *name, const QByteArray &entry, const char *line) {
        row(name, withSource("") + "[[access]]\n" + entry + '\n', line);
    };
    access("an access without anybody", "role = \"viewer\"",
           "F:7: \"who\" of [[access]] names nobody. Write who = [\"user:NAME\"] or [\"group:NAME\"].");
    access("an access without a role", "who = [\"user:a\"]",
           "F:7: an [[access]] has no \"role\". Use one of: viewer, operator, approver, admin.");
    access("a mistyped role", "who = \"user:a\"\nrole = \"opertor\"",
           "F:9: \"role\" of [[access]] can't be \"opertor\". Did you mean \"operator\"?");
    access("the agent's own role", "who = \"user:a\"\nrole = \"policy\"",
           "F:9: \"role\" of [[access]] can't be \"policy\". Use one of: viewer, operator, approver, admin.");
    access("a bare name", "who = [\"alice\"]\nrole = \"viewer\"",
           "F:8: \"who\" of [[access]]: \"alice\" is neither a user nor a group. Write \"user:alice\" or "
           "\"group:alice\".");
    access(
        "a mistyped kind", "who = [\"gruop:ops\"]\nrole = \"viewer\"",
        "F:8: \"who\" of [[access]]: \"gruop:ops\" is neither a user nor a group. Did you mean \"group\"?");
    access("an empty name", "who = [\"user:\"]\nrole = \"viewer\"",
           "F:8: \"who\" of [[access]]: \"user:\" is neither a user nor a group. Write \"user:NAME\" or "
           "\"group:NAME\".");
    access("an unknown key of an access", "who = \"user:a\"\nrole = \"operator\"\nsource = \"s\"",
           "F:10: [[access]] has no key \"source\". Did you mean \"sources\"?");
    access("a source that isn't", "who = \"user:a\"\nrole = \"operator\"\nsources = [\"t*\"]",
           "F:10: \"sources\" of [[access]]: no source matches \"t*\". Use one of: s.");
    access("an empty glob of a viewer", "who = \"user:a\"\nrole = \"viewer\"\nlocks = [\"o*\", \"\"]",
           "F:10: \"locks\" of [[access]] is empty and would allow nothing. Remove it to allow all.");
    access("a viewer of no source", "who = \"user:a\"\nrole = \"viewer\"\nsources = [\"t*\"]",
           "F:10: \"sources\" of [[access]]: no source matches \"t*\". Use one of: s.");
    access("an empty list of locks", "who = \"user:a\"\nrole = \"operator\"\nlocks = []",
           "F:10: \"locks\" of [[access]] is empty and would allow nothing. Remove it to allow all.");
    row("an access that is a table", withSource("") + "[access]\nwho = \"user:a\"\nrole = \"viewer\"\n",
        "F:7: \"access\" of the file has to be written as [[access]] sections");
    row("an approval that isn't", withSource("", "scheme = \"redis.token\"\napproval = \"allways\""),
        "F:7: \"approval\" of [[source.locks]] can't be \"allways\". Did you mean \"always\"?");
    const auto two = [&row](const char *name, const char *url, const char *first, const char *second,
                            const char *line) {
        row(name,
            QByteArray("[[source]]\nname = \"s\"\nurl = \"") + url + "\"\n[[source.locks]]\n" + first +
                "\n[[source.locks]]\n" + second + '\n',
            line);
    };
    two("two sets of the same keys", "redis://h/0", "scheme = \"redis.token\"", "scheme = \"redis.redisson\"",
        "F:6: the lock sets of lines 4 and 6 match the same locks: \"*\". Remove one of them, or narrow its "
        "\"match\".");
    two("two sets with some keys in common", "redis://h/0", "scheme = \"redis.token\"\nmatch = \"lock:*\"",
        "scheme = \"redis.token\"\nmatch = \"*:pay\"",
        "F:9: \"lock:*\" (line 6) and \"*:pay\" (line 9) overlap, and neither contains the other. Narrow one "
        "\"match\": each lock belongs to one lock set.");
    two("two sets of one table", "mysql://u@h/d", "scheme = \"sql.shedlock\"\ntable = \"t\"",
        "scheme = \"sql.shedlock\"\ntable = \"t\"",
        "F:7: the lock sets of lines 4 and 7 match the same locks: \"*\". Remove one of them, or narrow its "
        "\"match\".");
    two("one table by two names", "mysql://u@h/d", "scheme = \"sql.shedlock\"\ntable = \"t\"\nname = \"a\"",
        "scheme = \"sql.shedlock\"\ntable = \"t\"\nname = \"b\"\nmatch = \"b*\"",
        "F:11: the lock sets of lines 7 and 11 name the rows of one table by other columns. Give both the "
        "same "
        "\"name\", or remove one of them.");
    two("a break that weakens", "redis://h/0", "scheme = \"redis.token\"\nbreak = \"never\"",
        "scheme = \"redis.token\"\nmatch = \"a*\"\nbreak = \"guarded\"",
        "F:10: break = \"guarded\" would weaken break = \"never\" of line 6, whose \"match\" covers these "
        "locks too. Remove it, or narrow the other \"match\".");
    two("an approval that weakens", "redis://h/0",
        "scheme = \"redis.token\"\nmatch = \"a*\"\napproval = \"live\"",
        "scheme = \"redis.redisson\"\napproval = \"always\"",
        "F:7: approval = \"live\" would weaken approval = \"always\" of line 10, whose \"match\" covers "
        "these locks too. Remove it, or narrow the other \"match\".");
    two("a reaper of what another set keeps", "redis://h/0", "scheme = \"redis.token\"\nbreak = \"never\"",
        "scheme = \"redis.token\"\nmatch = \"a*\"\nreaper = \"expired\"",
        "F:10: \"reaper\" contradicts break = \"never\" of line 6, whose \"match\" covers these locks too. "
        "Remove one of them, or narrow the other \"match\".");
    const auto twoSources = [&row](const char *name, const char *url, const char *first, const char *other,
                                   const char *second, const char *line) {
        row(name,
            QByteArray("[[source]]\nname = \"a\"\nurl = \"") + url + "\"\n[[source.locks]]\n" + first +
                "\n[[source]]\nname = \"b\"\nurl = \"" + other + "\"\n[[source.locks]]\n" + second + '\n',
            line);
    };
    twoSources(
        "another source breaks what one never does", "redis://localhost/0",
        "scheme = \"redis.token\"\nbreak = \"never\"", "redis://127.0.0.1:6379",
        "scheme = \"redis.token\"\nmatch = \"a*\"",
        "F:10: break = \"never\" of line 6 would have no effect: the source \"b\" has the same server, and "
        "its \"a*\" matches these locks too. Write it in both lock sets, or put both into one source.");
    twoSources(
        "one source releases with a second person alone", "etcd://h1,h2,h3",
        "scheme = \"etcd.lease\"\nmatch = \"a/*\"\napproval = \"live\"", "etcds://H3:2379,h4",
        "scheme = \"etcd.lease\"\nmatch = \"a/b\"\napproval = \"always\"",
        "F:7: approval = \"always\" of line 14 would have no effect: the source \"a\" has the same server, "
        "and its \"a/*\" matches these locks too. Write it in both lock sets, or put both into one source.");
    twoSources(
        "one table of a preset and by its name", "mysql://u@h/d", "preset = \"shedlock\"\nbreak = \"never\"",
        "mysql://v@h:3306/d", "scheme = \"sql.shedlock\"\ntable = \"shedlock\"",
        "F:10: break = \"never\" of line 6 would have no effect: the source \"b\" has the same server, and "
        "its \"*\" matches these locks too. Write it in both lock sets, or put both into one source.");
    twoSources(
        "an advisory lock of a server by two databases", "mysql://u@h/d",
        "scheme = \"sql.advisory\"\nbreak = \"never\"", "mysql://u@h/e", "scheme = \"sql.advisory\"",
        "F:10: break = \"never\" of line 6 would have no effect: the source \"b\" has the same server, and "
        "its \"*\" matches these locks too. Write it in both lock sets, or put both into one source.");
    row("an approval of what is never broken",
        withSource("", "scheme = \"redis.token\"\nbreak = \"never\"\napproval = \"live\""),
        "F:8: \"approval\" of [[source.locks]] contradicts break = \"never\". Remove one of them.");
    row("no url", "[[source]]\nname = \"s\"\n[[source.locks]]\nscheme = \"redis.token\"\n",
        "F:1: \"url\" of [[source]] is missing. Write for example url = \"redis://127.0.0.1:6379/0\".");
    row("no lock set", "[[source]]\nname = \"s\"\nurl = \"redis://h\"\n",
        "F:1: the source \"s\" has no lock set. Add [[source.locks]] with a scheme.");
    row("unknown scheme", withSource("", "scheme = \"redis.tokn\""),
        "F:6: there is no scheme \"redis.tokn\". Did you mean \"redis.token\"?");
    row("no scheme", withSource("", "match = \"a\""),
        "F:5: a lock set has no \"scheme\". Use one of: redis.token, redis.redlock, redis.json, "
        "redis.redisson, "
        "redis.semaphore, sql.shedlock, sql.insert, sql.lease, sql.reentrant, sql.row, sql.version, "
        "sql.advisory, mongodb.ttl, etcd.lease, zookeeper.sequence.");
    row("a scheme of another store", withSource("", "scheme = \"sql.shedlock\""),
        "F:6: the scheme \"sql.shedlock\" doesn't belong to a redis store. Move it to a source of its kind.");
    row("documents of no collection",
        "[[source]]\nname = \"s\"\nurl = \"mongodb://h/app\"\n[[source.locks]]\nscheme = \"mongodb.ttl\"\n",
        "F:5: the lock set names no collection. Write the collection of the locks: table = \"…\".");
    row("another scheme's field", withSource("", "scheme = \"redis.token\"\nowner_field = \"o\""),
        "F:7: \"owner_field\" doesn't apply to redis.token. It takes: fencing, serializer, waiters.");
    row("a field without a name", withSource("", "scheme = \"redis.json\"\nowner_field = \"\""),
        "F:7: \"owner_field\" of [[source.locks]] is empty. Omit it for the default.");
    row("held and idle alike", withSource("", "scheme = \"redis.json\"\nheld_value = \"wait\""),
        "F:7: \"held_value\" of [[source.locks]] and \"idle_value\" are the same. Specify the values of "
        "\"state_field\" for a held and for a free lock.");
    row("a lease of deadlines", withSource("", "preset = \"redisson-permits\"\nlease = \"9s\""),
        "F:7: \"lease\" of [[source.locks]] applies only where \"scores\" is \"refreshed\". Remove "
        "it.");
    row("a preset of another store", withSource("", "preset = \"shedlock\""),
        "F:6: the scheme \"sql.shedlock\" doesn't belong to a redis store. Move it to a source of its kind.");
    row("a preset of a queue", withSource("", "preset = \"curator\""),
        "F:6: the scheme \"zookeeper.sequence\" doesn't belong to a redis store. Move it to a source of its "
        "kind.");
    row("unknown preset", withSource("", "preset = \"shedlok\""),
        "F:6: there is no preset \"shedlok\". Did you mean \"shedlock\"?");
    const auto sql = [&row](const char *name, const QByteArray &lockSet, const char *line) {
        row(name, "[[source]]\nname = \"s\"\nurl = \"mysql://u@h/d\"\n[[source.locks]]\n" + lockSet + "\n",
            line);
    };
    sql("a mapping without a name", "scheme = \"sql.insert\"\ntable = \"t\"",
        "F:5: sql.insert needs the column \"name\". Map the columns of your table, or name a preset.");
    sql("a mapping without a table", "scheme = \"sql.insert\"\nname = \"n\"",
        "F:5: sql.insert needs a \"table\". Map the columns of your table, or name a preset.");
    sql("nothing tells held from free", "scheme = \"sql.lease\"\ntable = \"t\"\nname = \"n\"",
        "F:5: sql.lease needs one of \"holder\", \"acquired_at\", \"renewed_at\", \"expires_at\" or "
        "\"status\" to distinguish held from free. Map the columns of your table, or name a preset.");
    sql("no version", "scheme = \"sql.version\"\ntable = \"t\"\nname = \"n\"",
        "F:5: sql.version needs the column \"version\". Map the columns of your table, or name a preset.");
    sql("a column of another scheme",
        "scheme = \"sql.version\"\ntable = \"t\"\nname = \"n\"\nversion = \"v\"\nholder = \"h\"",
        "F:9: \"holder\" doesn't apply to sql.version. It takes: table, name, version.");
    sql("a unit misspelt",
        "scheme = \"sql.insert\"\ntable = \"t\"\nname = \"n\"\nacquired_at = \"a\"\n"
        "acquired_at_unit = \"epoch_msec\"",
        "F:9: \"acquired_at_unit\" of [[source.locks]] can't be \"epoch_msec\". Did you mean \"epoch_ms\"?");
    sql("unsafe for rows with an identity", "preset = \"lock-holder\"\nbreak = \"unsafe\"",
        "F:6: \"break\" of [[source.locks]]: \"unsafe\" is only for rows without an identity, and these have "
        "\"id\". Write \"guarded\" or \"never\".");
    sql("breaking what would be done twice", "preset = \"pg-boss\"\nbreak = \"guarded\"",
        "F:6: locks of the preset \"pg-boss\" are never broken: their application would do the work a second "
        "time. Write \"never\", or nothing.");
    row("breaking a key of what would be done twice", withSource("", "preset = \"arq\"\nbreak = \"guarded\""),
        "F:7: locks of the preset \"arq\" are never broken: their application would do the work a second "
        "time. Write \"never\", or nothing.");
    const auto anchors = [&sql](const char *name, const QByteArray &lockSet, const char *table,
                                const char *preset) {
        sql(name, lockSet,
            (QByteArray("F:6: the rows of \"") + table +
             "\" are always there, whoever holds the lock: its application locks them with SELECT … FOR "
             "UPDATE, and without its row nothing is locked. Write preset = \"" +
             preset + "\" instead; its rows are never deleted.")
                .constData());
    };
    anchors("anchors as locks", "scheme = \"sql.insert\"\ntable = \"XXL_JOB_LOCK\"\nname = \"lock_name\"",
            "XXL_JOB_LOCK", "xxl-job");
    anchors("anchors by another preset",
            "preset = \"t-lock\"\ntable = \"xxl_job_lock\"\nname = \"lock_name\"", "xxl_job_lock", "xxl-job");
    anchors("anchors to be broken without identity",
            "scheme = \"sql.insert\"\ntable = \"xxl_job_lock\"\nname = \"lock_name\"\nbreak = \"unsafe\"",
            "xxl_job_lock", "xxl-job");
    anchors("anchors by another column", "scheme = \"sql.insert\"\ntable = \"xxl_job_lock\"\nname = \"id\"",
            "xxl_job_lock", "xxl-job");
    anchors("anchors by one more column",
            "scheme = \"sql.insert\"\ntable = \"xxl_job_lock\"\nname = [\"lock_name\", \"tenant\"]\n"
            "holder = \"owner\"\nacquired_at = \"created\"",
            "xxl_job_lock", "xxl-job");
    anchors("anchors by a part of their name",
            "scheme = \"sql.insert\"\ntable = \"QRTZ_LOCKS\"\nname = \"LOCK_NAME\"", "QRTZ_LOCKS", "quartz");
    anchors("anchors by their id", "scheme = \"sql.insert\"\ntable = \"slot_pool\"\nname = \"id\"",
            "slot_pool", "airflow");
    anchors("anchors under another prefix",
            "scheme = \"sql.insert\"\ntable = \"app_LOCKS\"\nname = [\"SCHED_NAME\", \"LOCK_NAME\"]",
            "app_LOCKS", "quartz");
    sql("a reaper of what would be done twice", "preset = \"quartz-scheduler-state\"\nreaper = \"expired\"",
        "F:6: \"reaper\" of [[source.locks]] contradicts break = \"never\". Remove one of them.");
    sql("a preset misspelt", "preset = \"liquibse\"",
        "F:5: there is no preset \"liquibse\". Did you mean \"liquibase\"?");
    sql("push of a database",
        "preset = \"shedlock\"\n[[source]]\nname = \"t\"\nurl = \"mysql://h/app\"\npush = "
        "true\n[[source.locks]]\npreset = \"shedlock\"",
        "F:9: \"push\" of [[source]] is for Redis, MongoDB, etcd and ZooKeeper. Write binlog = true "
        "instead.");
    row("a limit of nothing", withSource("push_commands_per_second = 5000"),
        "F:4: \"push_commands_per_second\" of [[source]] has no effect without push = true. Remove it, or "
        "add "
        "push = true.");
    row("a limit too low", withSource("push = true\npush_commands_per_second = 10"),
        "F:5: \"push_commands_per_second\" of [[source]] has to be a whole number from 1000 to 10000000");
    row("reaper misspelt", withSource("", "scheme = \"redis.token\"\nreaper = \"stukc\""),
        "F:7: \"reaper\" of [[source.locks]] can't be \"stukc\". Did you mean \"stuck\"?");
    row("reaper of what is never broken",
        withSource("", "scheme = \"redis.token\"\nbreak = \"never\"\nreaper = \"stuck\""),
        "F:8: \"reaper\" of [[source.locks]] contradicts break = \"never\". Remove one of them.");
    row("reaper of sessions",
        "[[source]]\nname = \"s\"\nurl = \"mysql://h/app\"\n[[source.locks]]\nscheme = "
        "\"sql.advisory\"\nreaper "
        "= \"stuck\"\n",
        "F:6: \"reaper\" of [[source.locks]] doesn't apply to sql.advisory: its locks live as long as their "
        "connections, and those are never killed by a policy. Write \"off\" or remove it.");
    row("permits of a lock",
        "[[source]]\nname = \"s\"\nurl = \"zookeeper://h\"\n[[source.locks]]\npreset = \"curator\"\nlimit = "
        "2\n",
        "F:6: \"limit\" of [[source.locks]] applies only to the preset \"curator-semaphore\". "
        "Remove it.");
    row("a policy for sessions of etcd",
        "[[source]]\nname = \"s\"\nurl = \"etcd://h\"\n[[source.locks]]\nscheme = \"etcd.lease\"\nreaper = "
        "\"stuck\"\n",
        "F:6: \"reaper\" of [[source.locks]] doesn't apply to etcd.lease: etcd itself removes what has "
        "expired, "
        "and a live session is never broken by a policy. Write \"off\" or remove it.");
    row("a policy for sessions of ZooKeeper",
        "[[source]]\nname = \"s\"\nurl = \"zookeeper://h\"\n[[source.locks]]\nscheme = "
        "\"zookeeper.sequence\"\nreaper = \"stuck\"\n",
        "F:6: \"reaper\" of [[source.locks]] doesn't apply to zookeeper.sequence: ZooKeeper itself removes "
        "what "
        "its sessions leave, and a live session is never broken by a policy. Write \"off\" or remove it.");
    row("TLS for ZooKeeper",
        "[[source]]\nname = \"s\"\nurl = \"zookeeper://h\"\ntls_verify = \"ca\"\n[[source.locks]]\nscheme = "
        "\"zookeeper.sequence\"\n",
        "F:4: TLS doesn't apply to zookeeper. ZooKeeper's client library is built without TLS: remove the "
        "keys that begin with tls_, and use a tunnel.");
    row("TLS without it",
        "[[source]]\nname = \"s\"\nurl = \"etcd://h\"\ntls_verify = \"ca\"\n[[source.locks]]\nscheme = "
        "\"etcd.lease\"\n",
        "F:4: TLS doesn't apply to etcd. Write etcds:// for TLS, or remove the keys that begin with tls_.");
    row("reaper without a delay",
        withSource("", "scheme = \"redis.token\"\nreaper = \"stuck\"\nreaper_delay = \"0s\""),
        "F:8: \"reaper_delay\" of [[source.locks]] has to be from 1s to 366d");
    row("binlog of redis", withSource("binlog = true"),
        "F:4: \"binlog\" of [[source]] is for MySQL and MariaDB. Remove it: the source is polled every "
        "poll_ms.");
    row("reconcile without push", withSource("reconcile_ms = 5000"),
        "F:4: \"reconcile_ms\" of [[source]] has no effect without push or binlog. Remove it: the source is "
        "polled every "
        "poll_ms.");
    row("break misspelt", withSource("", "scheme = \"redis.token\"\nbreak = \"gaurded\""),
        "F:7: \"break\" of [[source.locks]] can't be \"gaurded\". Did you mean \"guarded\"?");
    row("break unsafe",
        "[[source]]\nname = \"s\"\nurl = \"etcd://h\"\n[[source.locks]]\nscheme = \"etcd.lease\"\n"
        "break = \"unsafe\"\n",
        "F:6: \"break\" of [[source.locks]]: \"unsafe\" is only for locks without an identity, and those of "
        "etcd.lease have one. Write \"guarded\" or \"never\".");
    row("a table for keys", withSource("", "scheme = \"redis.token\"\ntable = \"t\""),
        "F:7: \"table\" doesn't apply to redis.token. It takes: fencing, serializer, waiters.");
    row("waiters that are seen anyway",
        withSource("", "scheme = \"redis.redisson\"\nwaiters = \"registered\""),
        "F:7: \"waiters\" doesn't apply to redis.redisson. It takes: fencing, fair.");
    row("waiters misspelt", withSource("", "scheme = \"redis.token\"\nwaiters = \"registred\""),
        "F:7: \"waiters\" of [[source.locks]] can't be \"registred\". Did you mean \"registered\"?");
    row("an empty glob", withSource("", "scheme = \"redis.token\"\nmatch = \"\""),
        "F:7: \"match\" of [[source.locks]] is empty and would match nothing. Write \"*\" for every lock.");
    row("a password in clear", withSource("password = \"hunter2\""),
        "F:4: \"password\" of [[source]]: a password is written in clear. Write where it is: env:NAME or "
        "file:PATH.");
    row("an unset variable", withSource("password = \"env:LK_TEST_MISSING\""),
        "F:4: \"password\" of [[source]]: the environment variable LK_TEST_MISSING isn't set. "
        "Set it for the agent, for example in its service unit.");
    row("keychain", withSource("password = \"keychain:x\""),
        "F:4: \"password\" of [[source]]: \"keychain:\" is not available in this version. Use env:NAME or "
        "file:PATH.");
    row("a bad zone", withSource("time_zone = \"Asia/Shangai\""),
        "F:4: \"time_zone\" of [[source]]: \"Asia/Shangai\" is not a time zone. Did you mean "
        "\"Asia/Shanghai\"?");
    row("TLS on a name", "[agent]\nlisten = [\"tls://db1:7420\"]\n" + withSource(""),
        "F:2: \"listen\" of [agent]: tls://db1:7420 is not a number of this machine's. "
        "Write \"tls://0.0.0.0:7420\", \"tls://[::]:7420\" or one address.");
    row("TCP", "[agent]\nlisten = [\"tcp://0.0.0.0:7420\"]\n" + withSource(""),
        "F:2: \"listen\" of [agent]: 'tcp://0.0.0.0:7420' is refused: Lockkeeper never listens on or "
        "connects "
        "to an unprotected network socket. Write \"local:NAME\", \"local:/PATH\" or \"tls://ADDRESS:PORT\".");
    row("ssh", "[agent]\nlisten = [\"ssh://db1\"]\n" + withSource(""),
        "F:2: \"listen\" of [agent]: no server can listen on ssh://db1. "
        "Clients come by ssh:// to a local socket, \"local:NAME\".");
    row("a login by nothing", "[tls]\nlogin = \"none\"\n" + withSource(""),
        "F:2: \"login\" of [tls] has no \"none\". Write \"users\", \"pam:SERVICE\" or \"certificate\".");
    row("certificates of nobody", "[tls]\nlogin = \"certificate\"\n" + withSource(""),
        "F:2: \"login\" of [tls] is \"certificate\", but no certificates are accepted. Write client_ca = "
        "\"FILE\" as "
        "well.");
    row("a relative service", "[tls]\nlogin = \"pam:a/b\"\n" + withSource(""),
        "F:2: \"login\" of [tls]: a service of PAM is a name or an absolute path. Write \"pam:lockkeeper\".");
    row("an unknown key of [tls]", "[tls]\ncert = \"a\"\n" + withSource(""),
        "F:2: [tls] has no key \"cert\". Did you mean \"certificate\"?");
    row("listen is a text", "[agent]\nlisten = \"local:a\"\n" + withSource(""),
        "F:2: \"listen\" of [agent] has to be a list of texts, such as [\"a\", \"b\"]");
    row("metrics for all", "[agent]\nmetrics = \"0.0.0.0:9720\"\n" + withSource(""),
        "F:2: \"metrics\" of [agent]: 0.0.0.0 is not a loopback address, and the endpoint has no login. "
        "Use 127.0.0.1 and a proxy with a login in front of it.");
    row("metrics without port", "[agent]\nmetrics = \"127.0.0.1\"\n" + withSource(""),
        "F:2: \"metrics\" of [agent]: 127.0.0.1 is not ADDRESS:PORT. Write for example \"127.0.0.1:9720\".");
    row("a journal on a server", "[journal]\nurl = \"postgresql://h/d\"\n" + withSource(""),
        "F:2: \"url\" of [journal]: a journal on a server is not available in this version. Write "
        "\"sqlite:PATH\".");
    row("a section twice", "[agent]\n[agent]\n" + withSource(""), nullptr);

    const auto url = [&row](const char *name, const char *text, const char *line) {
        row(name,
            QByteArray("[[source]]\nname = \"s\"\nurl = \"") + text +
                "\"\n[[source.locks]]\nscheme = \"redis.token\"\n",
            line);
    };
    url("a password in the URL", "redis://u:hunter2@h/0",
        "F:3: \"url\" of [[source]] contains a password. Take it out and add password = \"env:NAME\" or "
        "\"file:PATH\".");
    url("no database of MongoDB", "mongodb://a,b",
        "F:3: \"url\" of [[source]] names no database. Write mysql://USER@HOST:PORT/DATABASE, "
        "mysql+unix:///PATH?db=DATABASE, postgresql://USER@HOST:PORT/DATABASE, mongodb://HOST:PORT/DATABASE "
        "or "
        "sqlite:/PATH.");
    url("a node twice", "redlock://a,b,a:6379",
        "F:3: \"url\" of [[source]]: the node a:6379 is listed twice. Each node of a Redlock must be a "
        "separate server.");
    url("too many nodes", "redlock://a,b,c,d,e,f,g,h,i,j",
        "F:3: \"url\" of [[source]]: a redlock:// URL names 1 to 9 nodes. Write "
        "redlock://HOST:PORT,HOST:PORT,HOST:PORT.");
    url("one server's scheme on a Redlock", "redlock://a,b,c",
        "F:5: the scheme \"redis.token\" doesn't belong to a redlock store. Move it to a source of its "
        "kind.");
    row("TLS keys on a plain URL", withSource("tls_verify = \"full\"\n", "scheme = \"redis.token\""),
        "F:4: TLS doesn't apply to redis. Write rediss:// for TLS, or remove the keys that begin with tls_.");
    row("a probe of a Redlock",
        "[[source]]\nname = \"s\"\nurl = \"redlock://a,b,c\"\nprobe = true\n[[source.locks]]\n"
        "scheme = \"redis.redlock\"\n",
        "F:4: \"probe\" of [[source]]: redlock can't be probed. Remove it; for a Redlock, probe one node "
        "through a separate [[source]].");
    url("a URL of nothing known", "redes://h/0",
        "F:3: \"url\" of [[source]]: \"redes\" is not a kind of store. Did you mean \"redis\"?");
    url("not a URL", "h:p:q", nullptr);
    QTest::newRow("no database")
        << QByteArray(
               "[[source]]\nname = \"s\"\nurl = \"mysql://u@h\"\n[[source.locks]]\npreset = \"shedlock\"\n")
        << QStringLiteral(
               "F:3: \"url\" of [[source]] names no database. "
               "Write mysql://USER@HOST:PORT/DATABASE, mysql+unix:///PATH?db=DATABASE, "
               "postgresql://USER@HOST:PORT/DATABASE, mongodb://HOST:PORT/DATABASE or sqlite:/PATH.");
    QTest::newRow("SQL in a table's name")
        << QByteArray(
               "[[source]]\nname = \"s\"\nurl = \"mysql://u@h/d\"\n[[source.locks]]\npreset = \"shedlock\"\n"
               "table = \"lk`; DROP TABLE t; -- \"\n")
        << QString();
}

void ConfigTest::problems()
{
    QFETCH(QByteArray, toml);
    QFETCH(QString, line);
    const QStringList got = problemsOf(toml);
    QCOMPARE(got.size(), 1);
    if (!line.isEmpty())
        QCOMPARE(got.first(), line);
    QVERIFY2(!got.first().contains(QLatin1String("hunter2")), "a secret was repeated");
    QVERIFY(!got.first().contains(QLatin1Char('\n')));
}

/** The narrower set has the lock, and never fewer restrictions than the wider one. */
void ConfigTest::restrictionsOfWiderSetsStay()
{
    const auto outcome = agent::config::parse(
        "[[source]]\nname = \"s\"\nurl = \"redis://h/0\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:pay:eu:*\"\nstuck_after = \"5m\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:*\"\napproval = \"live\"\n"
        "[[source.locks]]\nscheme = \"redis.redisson\"\nmatch = \"lock:pay:*\"\napproval = \"always\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:seed:*\"\nbreak = \"never\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:seed:a\"\n"
        "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"job:*\"\n",
        QStringLiteral("F"));
    QVERIFY2(outcome.has_value(), outcome ? "" : qPrintable(outcome.error().first().text()));
    using stores::ApprovalMode;
    const QList<stores::LockSet> &sets = outcome->sources.first().locks;
    const QList<ApprovalMode> approvals{ApprovalMode::Always, ApprovalMode::Live,  ApprovalMode::Always,
                                        ApprovalMode::Never,  ApprovalMode::Never, ApprovalMode::Never};
    const QList<BreakMode> breaks{BreakMode::Guarded, BreakMode::Guarded, BreakMode::Guarded,
                                  BreakMode::Never,   BreakMode::Never,   BreakMode::Guarded};
    for (qsizetype i = 0; i < sets.size(); ++i) {
        QVERIFY2(sets.at(i).approval == approvals.at(i), sets.at(i).match.constData());
        QVERIFY2(sets.at(i).breakMode == breaks.at(i), sets.at(i).match.constData());
    }
}

void ConfigTest::sourcesThatTakeNoLockTwice_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("another port") << QByteArray("redis://h/0") << QByteArray("redis://h:6380/0");
    QTest::newRow("another database") << QByteArray("redis://h/0") << QByteArray("redis://h/1");
    QTest::newRow("another host") << QByteArray("redis://h") << QByteArray("redis://i");
    QTest::newRow("another socket") << QByteArray("redis+unix:///a?db=0")
                                    << QByteArray("redis+unix:///b?db=0");
    QTest::newRow("a Redlock of which it is a node")
        << QByteArray("redis://h1:1/0") << QByteArray("redlock://h1:1,h2:2,h3:3/0");
}

void ConfigTest::sourcesThatTakeNoLockTwice()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const QByteArray scheme = second.startsWith("redlock") ? "redis.redlock" : "redis.token";
    QCOMPARE(problemsOf("[[source]]\nname = \"a\"\nurl = \"" + first +
                        "\"\n[[source.locks]]\nscheme = \"redis.token\"\nbreak = \"never\"\n"
                        "[[source]]\nname = \"b\"\nurl = \"" +
                        second + "\"\n[[source.locks]]\nscheme = \"" + scheme + "\"\n"),
             QStringList());
}

void ConfigTest::whatMayBeProbed_data()
{
    QTest::addColumn<QByteArray>("url");
    for (const char *url :
         {"redis://h/0", "rediss://h/0", "redis+unix:///s", "redis+sentinel://a,b/g", "redis+cluster://a,b"})
        QTest::newRow(url) << QByteArray(url);
}

void ConfigTest::whatMayBeProbed()
{
    QFETCH(QByteArray, url);
    const QByteArray toml = "[[source]]\nname = \"s\"\nurl = \"" + url +
                            "\"\nprobe = true\n[[source.locks]]\nscheme = \"redis.token\"\n";
    const auto outcome = agent::config::parse(toml, QStringLiteral("F"));
    QVERIFY2(outcome.has_value(), qPrintable(problemsOf(toml).join(QLatin1Char('\n'))));
    QVERIFY(outcome->sources.at(0).probe);
}

void ConfigTest::reportsEveryProblem()
{
    const QStringList got =
        problemsOf(withSource("pol_ms = 3\nreconcile_ms = 5000", "scheme = \"redis.tokn\"\nbreak = 5"));
    QCOMPARE(got.size(), 4);
    QVERIFY(got.at(0).startsWith(QLatin1String("F:4: ")));
    QVERIFY(got.at(1).startsWith(QLatin1String("F:5: ")));
    QVERIFY(got.at(2).startsWith(QLatin1String("F:7: ")));
    QVERIFY(got.at(3).startsWith(QLatin1String("F:8: ")));
}

void ConfigTest::secrets_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("secret");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray("abc");
    QTest::newRow("trailing newline") << QByteArray("abc\n") << QByteArray("abc");
    QTest::newRow("DOS newline") << QByteArray("abc\r\n") << QByteArray("abc");
    QTest::newRow("only one newline goes") << QByteArray("abc\n\n") << QByteArray("abc\n");
    QTest::newRow("spaces stay") << QByteArray(" abc ") << QByteArray(" abc ");
    QTest::newRow("any bytes") << QByteArray("\xff\x00z", 3) << QByteArray("\xff\x00z", 3);
}

void ConfigTest::secrets()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, secret);
    QFile file(m_folder.filePath(QStringLiteral("secret")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    const auto outcome = agent::config::parse(withSource("password = \"file:secret\""),
                                              m_folder.filePath(QStringLiteral("lockkeeper.toml")));
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->sources.at(0).password, secret);
}

void ConfigTest::neverRepeatsASecret()
{
    for (const char *more :
         {"password = \"hunter2\"", "password = [\"hunter2\"]", "password = \"env:hunter\""}) {
        for (const QString &line : problemsOf(withSource(more)))
            QVERIFY2(!line.contains(QLatin1String("hunter2")), qPrintable(line));
    }
}

void ConfigTest::hostileFiles_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<int>("line");
    QTest::newRow("not UTF-8") << QByteArray("[agent]\nname = \"\xff\xfe\"\n") << 2;
    QTest::newRow("doubled key") << QByteArray("[agent]\nname = \"a\"\nname = \"b\"\n") << 3;
    QTest::newRow("2,000 nested arrays") << "a = " + QByteArray(2'000, '[') + QByteArray(2'000, ']') << 1;
    QTest::newRow("a number too large") << QByteArray("[journal]\nkeep_days = 99999999999999999999\n") << 2;
    QTest::newRow("an unclosed text") << QByteArray("[agent]\nname = \"a\n") << 2;
    QTest::newRow("NUL") << QByteArray("[agent]\nname = \"a\0b\"\n", 20) << 2;
    QTest::newRow("binary") << QByteArray("\x7f"
                                          "ELF\x02\x01",
                                          6)
                            << 1;
}

void ConfigTest::hostileFiles()
{
    QFETCH(QByteArray, toml);
    QFETCH(int, line);
    const auto outcome = agent::config::parse(toml, QStringLiteral("F"));
    QVERIFY(!outcome.has_value());
    QCOMPARE(outcome.error().size(), 1);
    QCOMPARE(outcome.error().first().line, line);
    QVERIFY(outcome.error().first().text().startsWith(QStringLiteral("F:%1: not valid TOML: ").arg(line)));
}

void ConfigTest::findsLinesOfLockSets()
{
    QCOMPARE(agent::config::lineOfLockSet(kWhole, QStringLiteral("orders-redis"), 0), 22);
    QCOMPARE(agent::config::lineOfLockSet(kWhole, QStringLiteral("orders-db"), 1), 47);
    QCOMPARE(agent::config::lineOfLockSet(kWhole, QStringLiteral("orders-db"), 2), 0);
    QCOMPARE(agent::config::lineOfLockSet(kWhole, QStringLiteral("nobody"), 0), 0);
    QCOMPARE(agent::config::lineOfLockSet("[", QStringLiteral("nobody"), 0), 0);
}

void ConfigTest::sampleIsValid()
{
    qputenv("ORDERS_REDIS", "x");
    qputenv("ORDERS_DB", "y");
    const QString path =
        qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/resources/config/lockkeeper.toml");
    const auto outcome = agent::config::read(path);
    QVERIFY2(outcome.has_value(), outcome ? "" : qPrintable(outcome.error().first().text()));
    QCOMPARE(outcome->sources.size(), 2);
    const auto missing = agent::config::read(m_folder.filePath(QStringLiteral("none.toml")));
    QVERIFY(!missing.has_value());
    QVERIFY(missing.error().first().text().contains(QLatin1String("can't be read")));
}

void ConfigTest::documentListsTheKeysOfLockSets()
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
               QStringLiteral("/resources/docs/operators/configuration.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString document =
        QString::fromUtf8(file.readAll()).section(QStringLiteral("\n## [[source.locks]]\n"), 1);
    const QStringList lines = document.split(QLatin1Char('\n'));
    for (const QString &key : lockkeeper::config::lockSetKeys()) {
        if (key.endsWith(QLatin1String("_unit")))
            continue; // one row for all
        const QString quoted = QStringLiteral("`%1`").arg(key);
        const bool listed = std::ranges::any_of(lines, [&quoted](const QString &line) {
            return line.startsWith(QLatin1Char('|')) &&
                   line.section(QLatin1String(" |"), 0, 0).contains(quoted); // the first cell
        });
        QVERIFY2(listed, qPrintable(key));
    }
}

LOCKKEEPER_TEST(ConfigTest)

} // namespace tst_config

#include "tst_config.moc"
