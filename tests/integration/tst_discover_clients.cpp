// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Discover on stores that hold the locks of many clients at once, laid out as those clients lay them out
// (tests/data/discover/clients.*.sql, and the keys below), beside tables and keys of other kinds: each is
// proposed rightly, and nothing else is.
#include "shared/stores/discover/discoverer.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace tst_discover_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores::discover;
using tests::Output;
using tests::run;

namespace {

constexpr int kPatienceMs = 60'000;
const QByteArray kUuid("285475da-9152-4c83-822a-67ee2f116a79");
const QByteArray kHex("8f14e45fceea167a5a36dedd4bea2543");

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

Discovery look(const QUrl &url)
{
    stores::SourceSpec spec;
    spec.url = url;
    auto discoverer = makeDiscoverer(spec);
    if (!discoverer)
        qFatal("%s", qPrintable(discoverer.error().line()));
    std::optional<Discovery> found;
    QObject::connect(discoverer->get(), &Discoverer::found, discoverer->get(),
                     [&](const Discovery &discovery) { found = discovery; });
    QSignalSpy done(discoverer->get(), &Discoverer::found);
    (*discoverer)->start();
    if (!done.wait(kPatienceMs))
        qFatal("no answer");
    return *found;
}

/** The proposals, a line each: "graphile_worker._private_job_queues graphile-worker". */
QStringList proposals(const Discovery &discovery)
{
    QStringList lines;
    for (const Candidate &candidate : discovery.found)
        lines.append(candidate.subject() + QLatin1Char(' ') +
                     (candidate.preset.isEmpty() ? QString::fromLatin1(candidate.scheme) : candidate.preset));
    lines.sort();
    return lines;
}

/** The statements of a script: each ends with ';' at the end of a line. */
QStringList statementsOf(const char *store)
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
               s("/tests/data/discover/clients.%1.sql").arg(s(store)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    QStringList statements;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        if (!line.startsWith(QLatin1String("--")) && !line.trimmed().isEmpty())
            statements.append(line);
    }
    return statements;
}

bool has(const Discovery &discovery, const char *subject, ReasonCode code)
{
    for (const Candidate &candidate : discovery.found) {
        if (candidate.subject() == s(subject))
            return std::any_of(candidate.reasons.begin(), candidate.reasons.end(),
                               [code](const Reason &one) { return one.code == code; });
    }
    return false;
}

/** The agent's own check of lockkeeperctl's output for `urls`. */
Output checked(const QStringList &urls)
{
    const Output section = run("lockkeeperctl", QStringList{s("discover")} + urls);
    if (section.status != 0)
        return section;
    QTemporaryDir folder;
    QFile file(folder.filePath(s("agent.toml")));
    file.open(QIODevice::WriteOnly);
    file.write("[agent]\nname = \"t\"\ndata_dir = \"" + folder.path().toUtf8() + "\"\n" + section.out);
    file.close();
    Output check = run("lockkeeper-agent", {s("--config"), file.fileName(), s("--check")});
    check.err += section.out;
    return check;
}

} // namespace

class TestDiscoverClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tablesOfPostgreSql();
    void tablesOfMariaDb();
    void keysOfRedis();
    void tokensUnderAnyName();
    void severalUrlsAreARedlock();
};

void TestDiscoverClients::tablesOfPostgreSql()
{
    tests::PostgresServer server;
    QVERIFY(server.start());
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(s("QPSQL"), s("clients"));
        database.setDatabaseName(s("postgres"));
        database.setHostName(s("127.0.0.1"));
        database.setPort(server.port());
        database.setUserName(s("root"));
        QVERIFY2(database.open(), qPrintable(database.lastError().text()));
        for (const QString &statement : statementsOf("postgresql")) {
            QSqlQuery query(database);
            QVERIFY2(query.exec(statement), qPrintable(query.lastError().text() + statement));
        }
        QStringList expected{s("_private_job_queues graphile-worker"),
                             s("cache_locks laravel"),
                             s("dag_run airflow-dag-run"),
                             s("databasechangeloglock liquibase"),
                             s("int_lock spring-integration-7"),
                             s("knex_migrations_lock knex"),
                             s("lock_keys symfony"),
                             s("locks pglock"),
                             s("pgboss.job pg-boss"),
                             s("qrtz_fired_triggers quartz-fired-triggers"),
                             s("qrtz_locks quartz"),
                             s("qrtz_scheduler_state quartz-scheduler-state"),
                             s("scheduled_tasks db-scheduler"),
                             s("shedlock shedlock"),
                             s("slot_pool airflow"),
                             s("task_instance airflow-task-instance"),
                             s("hangfire.lock hangfire"),
                             s("act_ru_job flowable"),
                             s("activemq_lock activemq-row"),
                             s("aps.jobs apscheduler"),
                             s("aps.schedules apscheduler"),
                             s("bun_migration_locks bun"),
                             s("jobrunr_jobs jobrunr"),
                             s("locking medusa"),
                             s("oban_peers oban"),
                             s("procrastinate_jobs procrastinate"),
                             s("region_locks sql.insert"),
                             s("river_leader river"),
                             s("solid_queue_semaphores solid-queue"),
                             s("tokenentry axon")};
        expected.replaceInStrings(QRegularExpression(s("^_private")), s("graphile_worker._private"));
        expected.sort();
        Discovery discovery = look(server.tcpUrl());
        QCOMPARE(proposals(discovery).join(QLatin1Char('\n')), expected.join(QLatin1Char('\n')));
        QVERIFY(has(discovery, "knex_migrations_lock", ReasonCode::NoIdentity));
        QVERIFY(has(discovery, "pgboss.job", ReasonCode::NeverBroken));
        // Flyway, Rails and pg-boss: visible while held.
        QSqlQuery query(database);
        QVERIFY(query.exec(s("SELECT pg_advisory_lock(77431708279161), pg_advisory_lock(1, 2), "
                             "pg_advisory_lock(72707369)")));
        expected.append(s("sql.advisory sql.advisory"));
        expected.sort();
        discovery = look(server.tcpUrl());
        QCOMPARE(proposals(discovery), expected);
        QCOMPARE(discovery.found.last().scheme, QByteArray("sql.advisory"));
        QCOMPARE(discovery.found.last().reasons.first().value,
                 s("1,2, 72707369 (Prisma Migrate), 77431708279161 (Flyway)"));
        const Output check = checked({server.tcpUrl().toString()});
        QVERIFY2(check.status == 0, (check.err + check.out).constData());
        QVERIFY2(!check.out.contains("FAILED"), (check.err + check.out).constData());
        QCOMPARE(check.err.count("[[source]]"), 5);
        constexpr int kJobs = 4 + 7; // Quartz (2), pg-boss, db-scheduler; those of the last ones
        QCOMPARE(check.err.count("break = \"never\""), 2 * kJobs); // a line each, and why before it
        QVERIFY(check.err.contains("lease = \"30m\""));
        QVERIFY(check.err.contains("name = \"postgres-graphile_worker\"") &&
                check.err.contains("?schema=graphile_worker\""));
        // Only the schema that a URL names.
        QUrl one = server.tcpUrl();
        one.setQuery(s("schema=hangfire"));
        QCOMPARE(proposals(look(one)).filter(s("hangfire")), QStringList{s("lock hangfire")});
    }
    QSqlDatabase::removeDatabase(s("clients"));
}

void TestDiscoverClients::tablesOfMariaDb()
{
    tests::MariaDbServer server({}, true);
    QVERIFY(server.start());
    server.exec(s("CREATE DATABASE app;\n"));
    server.exec(statementsOf("mysql").join(QLatin1Char('\n')) + QLatin1Char('\n'), s("app"));
    const Discovery discovery = look(server.url(s("app")));
    QCOMPARE(proposals(discovery),
             (QStringList{s("ACT_RU_JOB camunda"), s("HangfireDistributedLock hangfire-mysql"),
                          s("INT_LOCK spring-integration"), s("billing_lock sql.row"),
                          s("distribute_lock distribute-lock-lease"), s("distributed_lock seata"),
                          s("lock_table seata-lock"), s("mdl_lock_db moodle"), s("oc_file_locks nextcloud"),
                          s("oms_lock powerjob"), s("semaphore drupal"),
                          s("t_ds_jdbc_registry_lock dolphinscheduler"), s("xxl_job_lock xxl-job")}));
    QVERIFY(has(discovery, "billing_lock", ReasonCode::RowLocks));
    QVERIFY(has(discovery, "distribute_lock", ReasonCode::GivenBack));
    // Users of GET_LOCK are invisible without the instrument, and discovery says so.
    QCOMPARE(discovery.near.size(), 1);
    QCOMPARE(discovery.near.first().scheme, QByteArray("sql.advisory"));
    QVERIFY(discovery.near.first().missing.contains(Missing::Unseen));
    const QString remedy = discovery.near.first().refusal.remedy;
    QVERIFY2(remedy.contains(s("wait/lock/metadata/sql/mdl")) && !remedy.contains(s("INSTALL SONAME")),
             qPrintable(remedy));
    const Output check = checked({server.tcpUrl(s("app")).toString()});
    QVERIFY2(check.status == 0, (check.err + check.out).constData());
}

void TestDiscoverClients::keysOfRedis()
{
    tests::RedisServer server;
    QVERIFY(server.start());
    const auto set = [&server](const QByteArray &key, const QByteArray &value, const char *ms = "300000") {
        server.command({"SET", key, value, "PX", ms});
    };
    const auto hash = [&server](const QByteArray &key, const QByteArray &field, const char *count = "1") {
        server.command({"HSET", key, field, count});
        server.command({"PEXPIRE", key, "30000"});
    };
    const QByteArray nowMs = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    // Redisson: plain, fenced, fair; its semaphore is a counter and no lock. A port of it.
    hash("inventory:1", kUuid + ":52");
    hash("inventory:2", kUuid + ":53");
    server.command({"SET", "redisson_lock_token:{inventory:1}", "17"});
    server.command({"RPUSH", "redisson_lock_queue:{inventory:2}", kUuid + ":54"});
    server.command({"SET", "semaphore:export", "2"});
    hash("checkout:7", kUuid + ':' + kUuid);
    // redis-semaphore, ShedLock, Laravel, django-redis, celery_once, redbeat, Sidekiq, Hangfire
    server.command({"ZADD", "slots-semaphore:mail", nowMs, kUuid});
    server.command({"PEXPIRE", "slots-semaphore:mail", "10000"});
    set("job-lock:prod:report", "ADDED:2026-11-23T08:00:00.123Z@web-1");
    set("shop_database_shop_cache_:orders", "pFx7Kq2LmZ9aT0bQ");
    set(":1:catalogue", kHex);
    set("qo_tasks.import_customer-7", kHex);
    set("qo_mail.send_user-4", kHex);
    set("redbeat::lock", kHex);
    set("uniquejobs:3c59dc048e8850243be8079a5c74d079", "5b1f8e0b2a7d4c3e9f60a1b2");
    set("dear-leader", "web-1:4711:0a1b2c3d4e5f");
    set("{hangfire}:lock:recurring-jobs", kUuid);
    // node-redlock, python-redis-lock, Spring, SET NX by hand, a JSON lease
    set("locks:orders", kHex);
    set("lock:stock", "Zm9vYmFyYmF6cXV4MTIzNDU2");
    server.command({"RPUSH", "lock-signal:stock", "1"});
    set("spring-locks:orders", kUuid);
    set("cron-lock:backup", "1");
    set("agent-lease:web", "{\"owner\":\"w1\",\"state\":\"execute\",\"lastSync\":" + nowMs + '}');
    // Other things
    for (int i = 0; i < 30; ++i) {
        const QByteArray n = QByteArray::number(i);
        set("laravel_session:" + n, "a:1:{s:6:\"_token\";s:4:\"" + n + "\";}");
        set("views:page:" + n, "<html>" + n);
        server.command({"INCR", "hits:" + n});
        server.command({"HSET", "bull:mail:" + n, "data", "{}", "opts", "{}"});
    }
    server.command({"LPUSH", "queue:default", "{}"});
    server.command({"SADD", "queues", "default"});
    // huey's locks are beside its results; sidekiq-unique-jobs from 7 on with what it keeps beside the lock
    server.command({"HSET", "huey.results.app", "huey.lock.import", "1", kUuid, "result"});
    // … or each by itself, the pickled constant "1"; Django's cache.add() of a lock
    const QByteArray one("\x80\x05\x95\x05\0\0\0\0\0\0\0\x8c\x01\x31\x94.", 16);
    server.command({"SET", "huey.r.app.app.lock.export", one});
    server.command({"SET", "huey.r.app.285475da-9152-4c83-822a-67ee2f116a79", one});
    set(":1:lock-nightly", "1");
    const QByteArray digest("uniquejobs:77de68daecd823babbb58edb1c8e14d7");
    server.command({"HSET", digest + ":LOCKED", "5b1f8e0b2a7d4c3e9f60a1b2", "1795000000.5"});
    server.command({"SET", digest, "5b1f8e0b2a7d4c3e9f60a1b2"});
    server.command({"SET", digest + ":INFO", "{}"});
    server.command({"ZADD", "uniquejobs:digests", "1795000000.5", digest});
    // Symfony: a writer, and a reader of the same random kind; a set of times that isn't one
    const QByteArray untilMs = QByteArray::number(nowMs.toLongLong() + 300'000);
    const QByteArray token = QCryptographicHash::hash("a", QCryptographicHash::Sha256).toBase64();
    server.command({"ZADD", "import-catalogue", untilMs, token, untilMs, "__write__"});
    server.command({"PEXPIREAT", "import-catalogue", untilMs});
    server.command({"ZADD", "seen:digests", untilMs, token});
    server.command({"ZADD", "redbeat::schedule", "1795000000", "redbeat:nightly"});
    const Discovery discovery = look(server.url());
    QStringList expected{s("inventory:* redis.redisson"),
                         s("checkout:* redis.redisson"),
                         s("slots-semaphore:mail redis.semaphore"),
                         s("job-lock:* shedlock-redis"),
                         s("shop_database_shop_cache_:orders laravel-redis"),
                         s(":* django-redis"),
                         s("qo_* celery-once"),
                         s("redbeat::lock redbeat"),
                         s("uniquejobs:") + QString(32, QLatin1Char('?')) + s(" sidekiq-unique-jobs"),
                         s("dear-leader sidekiq-leader"),
                         s("huey.results.* huey"),
                         s("huey.r.*.lock.* huey-expire"),
                         s(":*:lock-* redis.token"),
                         s("uniquejobs:*:LOCKED sidekiq-unique-jobs-7"),
                         s("import-catalogue symfony-redis"),
                         s("{hangfire}:lock:recurring-jobs hangfire-redis"),
                         s("locks:* redis.token"),
                         s("lock:* python-redis-lock"),
                         s("spring-locks:orders spring-redis"),
                         s("cron-lock:backup redis.token"),
                         s("agent-lease:web redis.json")};
    expected.sort();
    QCOMPARE(proposals(discovery), expected);
    QStringList near;
    for (const Candidate &candidate : discovery.near)
        near.append(candidate.subject());
    QVERIFY2(near.contains(s("semaphore:*")), qPrintable(near.join(QLatin1Char(' '))));
    const Output check = checked({server.url().toString(QUrl::FullyEncoded)});
    QVERIFY2(check.status == 0, (check.err + check.out).constData());
    QVERIFY2(check.err.contains("preset = \"shedlock-redis\"") && check.err.contains("count something"),
             check.err.constData());
}

/**
 * redis-py, bsm/redislock and the like under any name: discovery recognizes them by a lease that is renewed.
 */
void TestDiscoverClients::tokensUnderAnyName()
{
    tests::RedisServer server;
    QVERIFY(server.start());
    for (const char *name : {"import-catalogue", "nightly"})
        server.command({"SET", name, kHex, "PX", "10000"});
    QTimer renewer;
    QObject::connect(&renewer, &QTimer::timeout, &renewer, [&server] {
        server.command({"PEXPIRE", "import-catalogue", "10000"});
    });
    renewer.start(100);
    const Discovery discovery = look(server.url());
    QCOMPARE(proposals(discovery), QStringList{s("import-catalogue redis.token")});
    QVERIFY(has(discovery, "import-catalogue", ReasonCode::KeyRenewed));
}

/** redlock-py on three servers: the same token on most of them is one source. */
void TestDiscoverClients::severalUrlsAreARedlock()
{
    tests::RedisServer nodes[3];
    QStringList urls;
    int at = 0;
    for (tests::RedisServer &node : nodes) {
        QVERIFY(node.start({}, true));
        urls.append(node.tcpUrl().toString());
        for (int i = 0; i < 4; ++i) {
            const QByteArray n = QByteArray::number(i);
            node.command({"SET", "lock:" + n, kHex, "PX", "60000"});
            // Every server's own locks, under names that the others have, too.
            node.command({"SET", "mutex:" + n, kHex.left(30) + QByteArray::number(10 + at), "PX", "60000"});
        }
        ++at;
    }
    const Output check = checked(urls);
    QVERIFY2(check.status == 0, (check.err + check.out).constData());
    QCOMPARE(check.err.count("[[source.locks]]"), 1);
    QVERIFY2(check.err.contains("url = \"redlock://") && check.err.contains("match = \"lock:*\""),
             check.err.constData());
    const Output mixed = run("lockkeeperctl", {s("discover"), urls.first(), s("sqlite:/x.db")});
    QCOMPARE(mixed.status, 2);
}

LOCKKEEPER_TEST(TestDiscoverClients)

} // namespace tst_discover_clients

#include "tst_discover_clients.moc"
