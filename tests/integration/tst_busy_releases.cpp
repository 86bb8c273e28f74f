// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>
#include <QUuid>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tst_busy_releases {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

QByteArray newToken()
{
    return QUuid::createUuid().toRfc4122().toHex();
}

/** One connection to a store whose locks are passed on: each always has a holder, unless it was broken. */
class Baton
{
public:
    virtual ~Baton() = default;
    /** Gives the lock back and takes it for `token` in one operation; the holder before, or empty. */
    virtual QByteArray handOver(const QByteArray &lock, const QByteArray &token) = 0;
    virtual bool isHeld(const QByteArray &lock) = 0;
};

class RedisBaton final : public Baton
{
public:
    explicit RedisBaton(const RedisServer &server) : m_redis(server.socketPath()) {}

    QByteArray handOver(const QByteArray &lock, const QByteArray &token) override
    {
        static const QByteArray kScript("local before = redis.call('GET', KEYS[1])\n"
                                        "redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000)\n"
                                        "return before");
        return m_redis.command({"EVAL", kScript, "1", lock, token}).bytes;
    }
    bool isHeld(const QByteArray &lock) override { return m_redis.command({"EXISTS", lock}).integer == 1; }

private:
    RedisPlain m_redis;
};

/** ShedLock's table. */
class TableBaton final : public Baton
{
public:
    explicit TableBaton(const MariaDbServer &server) : m_name(QString::fromLatin1(newToken()))
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), m_name);
        database.setDatabaseName(QStringLiteral("app"));
        database.setUserName(QStringLiteral("root"));
        database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + server.socketPath());
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
    }
    ~TableBaton() override { QSqlDatabase::removeDatabase(m_name); }

    QByteArray handOver(const QByteArray &lock, const QByteArray &token) override
    {
        const QString name = QString::fromLatin1(lock);
        QSqlDatabase database = QSqlDatabase::database(m_name);
        QSqlQuery query(database);
        run(query, QStringLiteral("INSERT IGNORE INTO shedlock VALUES ('%1', NOW(6), NOW(6), '')").arg(name));
        database.transaction();
        run(query,
            QStringLiteral("SELECT IF(lock_until > NOW(6), locked_by, '') FROM shedlock WHERE name = '%1' "
                           "FOR UPDATE")
                .arg(name));
        const QByteArray before = query.next() ? query.value(0).toByteArray() : QByteArray();
        run(query, QStringLiteral(
                       "UPDATE shedlock SET lock_until = NOW(6) + INTERVAL 60 SECOND, locked_at = NOW(6), "
                       "locked_by = '%2' WHERE name = '%1'")
                       .arg(name, QString::fromLatin1(token)));
        database.commit();
        return before;
    }
    bool isHeld(const QByteArray &lock) override
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        run(query, QStringLiteral("SELECT 1 FROM shedlock WHERE name = '%1' AND lock_until > NOW(6)")
                       .arg(QString::fromLatin1(lock)));
        return query.next();
    }

private:
    static void run(QSqlQuery &query, const QString &sql)
    {
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
    }

    QString m_name;
};

/** A client that passes one lock on from holder to holder. */
class Runner
{
public:
    Runner(QByteArray lock, int paceMs) : m_lock(std::move(lock)), m_paceMs(paceMs) {}

    const QByteArray &lock() const { return m_lock; }
    void start(std::function<std::unique_ptr<Baton>()> connect)
    {
        m_thread = std::jthread([this, connect = std::move(connect)](const std::stop_token &stop) {
            const auto baton = connect();
            std::mutex mutex;
            std::unique_lock holds(mutex);
            const auto never = [] { return false; };
            while (!stop.stop_requested()) {
                take(*baton);
                m_over.wait_for(holds, stop, std::chrono::milliseconds(m_paceMs), never); // it has it so long
            }
            take(*baton); // so that a break of the last one is seen, too
        });
    }
    void stop()
    {
        m_thread.request_stop();
        m_thread.join();
    }
    /** Once it has stopped: every holder in turn, and those that lost the lock to a break. */
    const QList<QByteArray> &holders() const { return m_holders; }
    const QList<QByteArray> &broken() const { return m_broken; }

private:
    void take(Baton &baton)
    {
        const QByteArray token = newToken();
        const QByteArray before = baton.handOver(m_lock, token);
        if (!m_holders.isEmpty() && before != m_holders.constLast())
            m_broken.append(m_holders.constLast());
        m_holders.append(token);
    }

    QByteArray m_lock;
    int m_paceMs;
    std::condition_variable_any m_over;
    QList<QByteArray> m_holders;
    QList<QByteArray> m_broken;
    std::jthread m_thread;
};

/** One `lockkeeperctl release`, and the acquisition that it was meant for. */
struct Request
{
    QByteArray lock;
    QByteArray owner;   ///< as the agent showed it with the guard
    bool isNew = false; ///< taken a moment before: the agent has hardly polled since
    QProcess program;
    int status = -1;
    QByteArray said;
};

} // namespace

/**
 * 300 releases by the built programs against busy clients of a polled source, each by the guard that the
 * agent showed a moment ago. Somebody holds each lock at any time, so that "already free" is false whenever
 * it is said; the clients themselves report which of their acquisitions was broken.
 */
class TestBusyReleases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noFalseAnswer_data();
    void noFalseAnswer();

private:
    bool startStore(const QByteArray &store);
    std::unique_ptr<Baton> connected() const;
    void ask(Request &request, const domain::LockState &shown);
    void judge(const Request &request, const Runner &runner);

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<MariaDbServer> m_mariadb;
    std::unique_ptr<AgentProcess> m_agent;
};

bool TestBusyReleases::startStore(const QByteArray &store)
{
    m_agent = std::make_unique<AgentProcess>();
    QByteArray url;
    QByteArray locks = "scheme = \"redis.token\"\n  match = \"lock:*\"\n";
    m_redis.reset();
    m_mariadb.reset();
    if (store == "redis") {
        m_redis = std::make_unique<RedisServer>();
        if (!m_redis->start())
            return false;
        url = m_redis->url().toEncoded();
    } else {
        m_mariadb = std::make_unique<MariaDbServer>();
        if (!m_mariadb->start())
            return false;
        m_mariadb->exec(
            QStringLiteral("CREATE DATABASE app;\nCREATE TABLE app.shedlock (name VARCHAR(64) "
                           "PRIMARY KEY, lock_until TIMESTAMP(6) NOT NULL, locked_at TIMESTAMP(6) "
                           "NOT NULL, locked_by VARCHAR(255) NOT NULL)"));
        url = m_mariadb->url(QStringLiteral("app")).toEncoded();
        locks = "preset = \"shedlock\"\n  table = \"shedlock\"\n";
    }
    m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + url +
                       "\"\npoll_ms = 300\n  [[source.locks]]\n  " + locks);
    return m_agent->start();
}

std::unique_ptr<Baton> TestBusyReleases::connected() const
{
    if (m_redis)
        return std::make_unique<RedisBaton>(*m_redis);
    return std::make_unique<TableBaton>(*m_mariadb);
}

void TestBusyReleases::ask(Request &request, const domain::LockState &shown)
{
    QStringList arguments{QStringLiteral("--agent"),
                          QStringLiteral("local:") + m_agent->socket(),
                          QStringLiteral("release"),
                          QStringLiteral("s"),
                          QString::fromLatin1(request.lock),
                          QStringLiteral("--reason"),
                          QStringLiteral("test"),
                          QStringLiteral("--yes")};
    arguments += request.isNew ? QStringList{QStringLiteral("--holder"), QString::fromLatin1(request.owner)}
                               : QStringList{QStringLiteral("--guard"), QString::fromLatin1(shown.guard)};
    connect(&request.program, &QProcess::finished, this, [&request](int status) {
        request.status = status;
        request.said = request.program.readAllStandardError();
    });
    request.program.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                          arguments);
}

/** A holder that the answer names instead has held the lock, and later than the guard's acquisition. */
void TestBusyReleases::judge(const Request &request, const Runner &runner)
{
    static const QRegularExpression kNamed(QStringLiteral("its holder is ([0-9a-f]{32})"));
    static const QList<int> kReleasedOrChanged{0, 5};
    QVERIFY2(kReleasedOrChanged.contains(request.status), request.said.constData());
    const bool broken = runner.broken().contains(request.owner);
    QCOMPARE(broken, request.status == 0);
    if (broken)
        return;
    const auto named = kNamed.match(QString::fromUtf8(request.said));
    QVERIFY2(named.hasMatch(), request.said.constData());
    QVERIFY(runner.holders().indexOf(named.captured(1).toLatin1()) > runner.holders().indexOf(request.owner));
}

void TestBusyReleases::noFalseAnswer_data()
{
    QTest::addColumn<QByteArray>("store");
    QTest::newRow("redis") << QByteArray("redis");
    QTest::newRow("mariadb") << QByteArray("mariadb");
}

void TestBusyReleases::noFalseAnswer()
{
    QFETCH(QByteArray, store);
    constexpr int kRequests = 300;
    constexpr int kNewOnes = 6; ///< one in so many
    constexpr int kAtOnce = 6;
    if (!startStore(store))
        QSKIP("no such server here");
    std::vector<std::unique_ptr<Runner>> runners;
    for (const int paceMs : {1, 2, 5, 10, 20, 50, 100, 500, 3'000})
        runners.push_back(std::make_unique<Runner>("lock:" + QByteArray::number(paceMs), paceMs));
    for (const auto &runner : runners)
        runner->start([this] { return connected(); });
    TestClient client;
    QVERIFY(client.open(m_agent->socket()));
    client.subscribe(0, true);
    const auto shown = [&client](const QByteArray &lock) {
        for (const domain::LockState &state : std::as_const(client.table.locks)) {
            if (state.key.name == lock)
                return state;
        }
        return domain::LockState();
    };
    QTRY_VERIFY(std::all_of(runners.begin(), runners.end(),
                            [&](const auto &runner) { return shown(runner->lock()).isHeld(); }));

    const auto eye = connected();
    std::vector<std::unique_ptr<Request>> requests;
    const auto isBusy = [&requests](const QByteArray &lock) {
        return std::any_of(requests.begin(), requests.end(), [&lock](const auto &request) {
            return request->lock == lock && request->status < 0;
        });
    };
    size_t turn = 0; // a lock that can't be asked for now doesn't keep the next one waiting
    const auto askNext = [&] {
        auto request = std::make_unique<Request>();
        const size_t number = requests.size();
        request->isNew = number % kNewOnes == 0;
        request->lock = request->isNew ? "lock:new-" + QByteArray::number(number)
                                       : runners.at(++turn % runners.size())->lock();
        const domain::LockState state = shown(request->lock);
        request->owner = request->isNew ? newToken() : state.owner;
        if (request->isNew)
            eye->handOver(request->lock, request->owner);
        // Nobody but this release may free it from here on.
        else if (isBusy(request->lock) || !state.isHeld() || !eye->isHeld(request->lock))
            return false;
        ask(*request, state);
        requests.push_back(std::move(request));
        return true;
    };
    const auto underWay = [&requests] {
        return std::count_if(requests.begin(), requests.end(),
                             [](const auto &request) { return request->status < 0; });
    };
    const auto allAnswered = [&] {
        while (requests.size() < kRequests && underWay() < kAtOnce && askNext()) {
        }
        return requests.size() == kRequests && underWay() == 0;
    };
    QVERIFY(QTest::qWaitFor(allAnswered, 60'000));
    for (const auto &runner : runners)
        runner->stop();
    int released = 0;
    for (const auto &request : requests) {
        if (request->isNew) {
            QVERIFY2(request->status == 0, request->said.constData());
            QVERIFY(!eye->isHeld(request->lock));
            continue;
        }
        const auto runner = std::find_if(runners.begin(), runners.end(),
                                         [&](const auto &one) { return one->lock() == request->lock; });
        judge(*request, **runner);
        released += request->status == 0;
    }
    qsizetype broken = 0;
    for (const auto &runner : runners)
        broken += runner->broken().size();
    QCOMPARE(broken, released); // and nothing else was
    qInfo("%d of the guarded ones released, %d not", released, kRequests - kRequests / kNewOnes - released);
    QVERIFY(released > 0 && released < kRequests / 2);
}

LOCKKEEPER_TEST(TestBusyReleases)

} // namespace tst_busy_releases

#include "tst_busy_releases.moc"
