// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/blocking/blocking_lock_manager.h"
#include "shared/locks/lock_manager.h"
#include "tests/support/redis_server.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <future>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tst_blocking_lock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

bool isTrue(const base::Result<bool> &result)
{
    return result && *result;
}

bool isFalse(const base::Result<bool> &result)
{
    return result && !*result;
}

bool isError(const base::Result<bool> &result, base::ErrorCode code)
{
    return !result && result.error().code == code;
}

} // namespace

class BlockingLockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void takesAndGivesBack();
    void takesAgain();
    void endGivesBack();
    void endGivesBackWhatComesLate();
    void threadsTakeTurns();
    void waitingEnds();
    void stopEndsWaiting();
    void signalsDoNotEndWaiting();
    void tellsThatItWasLost();
    void tellsWhoHolds();
    void runsWithTheLock();
    void callbackMayNotWait();
    void endsInAnyOrder();
    void endLeavesTheStoresQueue_data();
    void endLeavesTheStoresQueue();
    void runtimesFollowEachOther();
    void refusals_data();
    void refusals();
    void serverIsAway();
    void takesRowsThroughQtSql();
    void forkedChildHoldsNothing();

private:
    StoreOptions options() const
    {
        StoreOptions options;
        options.url = m_redis.url().toString();
        options.scheme = QStringLiteral("redis.token");
        return options;
    }
    std::unique_ptr<BlockingLockManager> open(Runtime &runtime) const
    {
        return *BlockingLockManager::open(runtime, options());
    }
    bool isThere(const QByteArray &key) { return m_redis.command({"EXISTS", key}).integer == 1; }

    tests::RedisServer m_redis;
};

void BlockingLockTest::initTestCase()
{
    QVERIFY(m_redis.start());
}

void BlockingLockTest::init()
{
    m_redis.command({"FLUSHALL"});
}

void BlockingLockTest::takesAndGivesBack()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto mine = *locks->lock("a");
    const auto other = *locks->lock("a");
    QCOMPARE(mine->name(), std::string("a"));
    QVERIFY(!mine->isHeld());
    QVERIFY(isTrue(mine->tryAcquire()));
    QVERIFY(isThere("a"));
    QVERIFY(mine->isHeld());
    QVERIFY(mine->remaining() > 20s);
    QVERIFY(isFalse(other->tryAcquire()));
    QVERIFY(isTrue(mine->renew()));
    QVERIFY(isTrue(mine->release()));
    QVERIFY(!mine->isHeld());
    QVERIFY(!isThere("a"));
    QVERIFY(isFalse(mine->release()));
    QVERIFY(isFalse(mine->renew()));
    QVERIFY(isTrue(other->tryAcquire()));
}

void BlockingLockTest::takesAgain()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto lock = *locks->lock("a");
    QVERIFY(isTrue(lock->tryAcquire()));
    QVERIFY(isTrue(lock->acquire()));
    QCOMPARE(lock->depth(), 2);
    QVERIFY(isTrue(lock->release()));
    QVERIFY(lock->isHeld());
    QVERIFY(isThere("a"));
    QVERIFY(isTrue(lock->release()));
    QCOMPARE(lock->depth(), 0);
    QVERIFY(!isThere("a"));
}

/** The lock is free when the destructor returns: a thread that learns that the work is done finds it free. */
void BlockingLockTest::endGivesBack()
{
    Runtime runtime;
    const auto locks = open(runtime);
    {
        const auto lock = *locks->lock("a");
        QVERIFY(isTrue(lock->tryAcquire()));
        QVERIFY(isTrue(lock->tryAcquire())); // regardless of the number of acquisitions
        QVERIFY(isThere("a"));
    }
    QVERIFY(!isThere("a"));

    auto lock = *locks->lock("a");
    QVERIFY(isTrue(lock->tryAcquire()));
    m_redis.pause();
    auto ends = std::async(std::launch::async, [&lock] { lock.reset(); });
    const bool waits = ends.wait_for(200ms) == std::future_status::timeout;
    m_redis.resume();
    ends.get();
    QVERIFY(waits);
    QVERIFY(!isThere("a"));
}

/** The wait reaches its limit, and the program ends while an attempt that acquires the lock is in flight. */
void BlockingLockTest::endGivesBackWhatComesLate()
{
    tests::ProxyThread proxy(m_redis.socketPath());
    QVERIFY(proxy.listen());
    Runtime runtime;
    StoreOptions proxied = options();
    proxied.url = QStringLiteral("redis+unix://") + proxy.path();
    auto locks = *BlockingLockManager::open(runtime, proxied);
    m_redis.command({"SET", "a", "somebody"});
    auto lock = *locks->lock("a");
    QVERIFY(isFalse(lock->tryAcquire())); // opens the link
    proxy.setDelayMs(1'500);
    m_redis.command({"DEL", "a"});
    QVERIFY(isFalse(lock->acquire(200ms)));
    QTRY_VERIFY(isThere("a")); // its answer is on the way
    lock.reset();
    locks.reset();
    QVERIFY(!isThere("a"));
}

void BlockingLockTest::threadsTakeTurns()
{
    Runtime runtime;
    const auto locks = open(runtime);
    std::atomic<int> inside = 0;
    std::atomic<int> turns = 0;
    std::atomic<bool> together = false;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                const auto lock = *locks->lock("a");
                for (int turn = 0; turn < 10; ++turn) {
                    if (!isTrue(lock->acquire()))
                        continue;
                    together = together || ++inside != 1;
                    ++turns;
                    --inside;
                    lock->release();
                }
            });
    }
    QCOMPARE(turns.load(), 80);
    QVERIFY(!together);
}

void BlockingLockTest::waitingEnds()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto mine = *locks->lock("a");
    const auto other = *locks->lock("a");
    QVERIFY(isTrue(mine->tryAcquire()));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(isFalse(other->acquire(150ms)));
    QVERIFY(timer.elapsed() >= 150);
    QVERIFY(isTrue(mine->release()));
    QVERIFY(isTrue(other->acquire(30s)));
}

void BlockingLockTest::stopEndsWaiting()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto mine = *locks->lock("a");
    const auto other = *locks->lock("a");
    QVERIFY(isTrue(mine->tryAcquire()));
    std::stop_source stop;
    auto waits = std::async(std::launch::async, [&] { return other->acquire({}, stop.get_token()); });
    QVERIFY(waits.wait_for(100ms) == std::future_status::timeout);
    stop.request_stop();
    QVERIFY(isFalse(waits.get()));
    QVERIFY(mine->isHeld());
}

void BlockingLockTest::signalsDoNotEndWaiting()
{
    struct sigaction before = {};
    struct sigaction handled = {};
    handled.sa_handler = [](int) {}; // without SA_RESTART: system calls are interrupted
    ::sigaction(SIGUSR1, &handled, &before);
    Runtime runtime;
    const auto locks = open(runtime);
    const auto mine = *locks->lock("a");
    const auto other = *locks->lock("a");
    QVERIFY(isTrue(mine->tryAcquire()));
    std::promise<base::Result<bool>> answer;
    auto answered = answer.get_future();
    std::thread waits([&] { answer.set_value(other->acquire(60s)); });
    for (int i = 0; i < 20; ++i) {
        ::pthread_kill(waits.native_handle(), SIGUSR1);
        ::kill(::getpid(), SIGUSR1);
        if (answered.wait_for(10ms) == std::future_status::ready)
            break;
    }
    const bool stillWaits = answered.wait_for(0ms) == std::future_status::timeout;
    const bool given = isTrue(mine->release());
    waits.join();
    ::sigaction(SIGUSR1, &before, nullptr);
    QVERIFY(stillWaits);
    QVERIFY(given);
    QVERIFY(isTrue(answered.get()));
}

void BlockingLockTest::tellsThatItWasLost()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto lock = *locks->lock("a", {.ttl = 600ms});
    QVERIFY(isTrue(lock->tryAcquire()));
    std::promise<void> told;
    const std::stop_callback onLost(lock->lostToken(), [&told] { told.set_value(); });
    m_redis.command({"DEL", "a"});
    QVERIFY(told.get_future().wait_for(30s) == std::future_status::ready);
    QVERIFY(!lock->isHeld());
    QVERIFY(isFalse(lock->release()));
}

void BlockingLockTest::tellsWhoHolds()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto free = locks->readHolder("a");
    QVERIFY(free && !*free);
    const auto lock = *locks->lock("a");
    QVERIFY(isTrue(lock->tryAcquire()));
    const auto held = locks->readHolder("a");
    QVERIFY(held && *held);
    QCOMPARE((*held)->token, m_redis.command({"GET", "a"}).bytes);
    QVERIFY((*held)->remaining > 20s && (*held)->remaining <= 30s);
    m_redis.command({"SET", "a", "worker-7@host:9f"});
    const auto other = locks->readHolder("a");
    QVERIFY(other && *other);
    QCOMPARE((*other)->token, QByteArray("worker-7@host:9f"));
    QVERIFY(!(*other)->remaining);
    m_redis.kill();
    QVERIFY(!locks->readHolder("a"));
    QVERIFY(m_redis.restart());
    const auto again = locks->readHolder("a");
    QVERIFY(again && !*again);
}

void BlockingLockTest::runsWithTheLock()
{
    Runtime runtime;
    const auto locks = open(runtime);
    QVERIFY(locks->traits().fencing);
    std::optional<quint64> token;
    const auto look = [&](const BlockingLock &lock) {
        QVERIFY(lock.isHeld());
        QCOMPARE(m_redis.command({"EXISTS", "a"}).integer, 1);
        token = lock.fencingToken();
    };
    QVERIFY(isTrue(locks->withLock("a", 5s, look)));
    QVERIFY(token);
    QCOMPARE(m_redis.command({"EXISTS", "a"}).integer, 0);
    const auto fails = [](BlockingLock &) { throw std::runtime_error("on purpose"); };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)locks->withLock("a", 5s, fails));
    QCOMPARE(m_redis.command({"EXISTS", "a"}).integer, 0);
    m_redis.command({"SET", "a", "somebody", "PX", "60000"});
    bool ran = false;
    QVERIFY(isFalse(locks->withLock("a", 100ms, [&ran](BlockingLock &) { ran = true; })));
    QVERIFY(
        isError(locks->withLock("", 100ms, [&ran](BlockingLock &) { ran = true; }), base::ErrorCode::Usage));
    QVERIFY(!ran);
}

void BlockingLockTest::callbackMayNotWait()
{
    Runtime runtime;
    const auto locks = open(runtime);
    const auto lock = *locks->lock("a", {.ttl = 600ms});
    QVERIFY(isTrue(lock->tryAcquire()));
    std::promise<base::Result<bool>> within;
    const std::stop_callback onLost(lock->lostToken(), [&] { within.set_value(lock->tryAcquire()); });
    m_redis.command({"DEL", "a"});
    auto answer = within.get_future();
    QVERIFY(answer.wait_for(30s) == std::future_status::ready);
    QVERIFY(isError(answer.get(), base::ErrorCode::Usage));
}

void BlockingLockTest::endsInAnyOrder()
{
    auto runtime = std::make_unique<Runtime>();
    auto locks = open(*runtime);
    const auto held = *locks->lock("a");
    const auto waiting = *locks->lock("a");
    QVERIFY(isTrue(held->tryAcquire()));
    auto waits = std::async(std::launch::async, [&] { return waiting->acquire(); });
    QVERIFY(waits.wait_for(100ms) == std::future_status::timeout);
    const std::stop_token lost = held->lostToken();
    QVERIFY(!lost.stop_requested());

    locks.reset();
    QVERIFY(lost.stop_requested());
    QVERIFY(!held->isHeld());
    QVERIFY(isError(waits.get(), base::ErrorCode::Shutdown));
    QVERIFY(isError(held->tryAcquire(), base::ErrorCode::Shutdown));

    locks = open(*runtime);
    const auto next = *locks->lock("b");
    QVERIFY(isTrue(next->tryAcquire()));
    const auto given = *locks->lock("c");
    QVERIFY(isTrue(given->tryAcquire()) && isTrue(given->release()));
    auto queued = *locks->lock("b");
    QTest::failOnWarning(QRegularExpression(QStringLiteral("Timers cannot")));
    auto queues = std::async(std::launch::async, [&] { return queued->acquire(); });
    QVERIFY(queues.wait_for(100ms) == std::future_status::timeout);
    runtime.reset();
    QVERIFY(isError(queues.get(), base::ErrorCode::Shutdown));
    QVERIFY(!next->isHeld());
    QVERIFY(isError(next->release(), base::ErrorCode::Shutdown));
    QVERIFY(!locks->lock("c"));
}

void BlockingLockTest::endLeavesTheStoresQueue_data()
{
    QTest::addColumn<bool>("withItsRuntime");
    QTest::newRow("of the manager") << false;
    QTest::newRow("of its runtime") << true;
}

/** The place is left at once, although a call waits for ever. A leftover place would block all clients for
 * minutes. */
void BlockingLockTest::endLeavesTheStoresQueue()
{
    QFETCH(bool, withItsRuntime);
    StoreOptions fair = options();
    fair.scheme = QStringLiteral("redis.redisson");
    fair.keys = QVariantMap{{QStringLiteral("fair"), true}};
    fair.statementTimeout = 60s; // what the end would wait for
    auto runtime = std::make_unique<Runtime>();
    auto locks = *BlockingLockManager::open(*runtime, fair);
    m_redis.command({"HSET", "a", "somebody:1", "1"});
    const auto waiting = *locks->lock("a");
    auto waits = std::async(std::launch::async, [&] { return waiting->acquire(); });
    const auto length = [this] { return int(m_redis.command({"LLEN", "redisson_lock_queue:{a}"}).integer); };
    QTRY_COMPARE_WITH_TIMEOUT(length(), 1, 20'000);
    QElapsedTimer timer;
    timer.start();
    if (withItsRuntime)
        runtime.reset();
    locks.reset();
    QVERIFY2(timer.elapsed() < 30'000, QByteArray::number(timer.elapsed()).constData());
    QVERIFY(isError(waits.get(), base::ErrorCode::Shutdown));
    QTRY_COMPARE_WITH_TIMEOUT(length(), 0, 20'000);
}

void BlockingLockTest::runtimesFollowEachOther()
{
    for (int i = 0; i < 3; ++i) {
        Runtime runtime;
        const Runtime beside;
        const auto locks = open(runtime);
        const auto lock = *locks->lock("a");
        QVERIFY(isTrue(lock->tryAcquire()));
    }
}

void BlockingLockTest::refusals_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QVariantMap>("keys");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("ttlMs");
    QTest::addColumn<QString>("cause");
    const QString redis = QStringLiteral("redis://127.0.0.1:1/0");
    const QString token = QStringLiteral("redis.token");
    QTest::newRow("no URL") << QString() << token << QVariantMap() << QByteArray("a") << 1'000 << "missing";
    QTest::newRow("not a URL") << "a b" << token << QVariantMap() << QByteArray("a") << 1'000 << "URL";
    QTest::newRow("password in the URL")
        << "redis://u:p@h/0" << token << QVariantMap() << QByteArray("a") << 1'000 << "contains a password";
    QTest::newRow("no scheme") << redis << QString() << QVariantMap() << QByteArray("a") << 1'000 << "scheme";
    QTest::newRow("another store's scheme")
        << redis << "sql.row" << QVariantMap() << QByteArray("a") << 1'000 << "doesn't belong";
    QTest::newRow("unknown key") << redis << token << QVariantMap{{QStringLiteral("tabel"), 1}}
                                 << QByteArray("a") << 1'000 << "no key \"tabel\"";
    QTest::newRow("another scheme's key") << redis << token << QVariantMap{{QStringLiteral("limit"), 3}}
                                          << QByteArray("a") << 1'000 << "doesn't apply";
    QTest::newRow("wrong type") << redis << "redis.semaphore"
                                << QVariantMap{{QStringLiteral("limit"), QStringLiteral("three")}}
                                << QByteArray("a") << 1'000 << "whole number";
    QTest::newRow("empty name") << redis << token << QVariantMap() << QByteArray() << 1'000 << "needs a name";
    QTest::newRow("TTL 0") << redis << token << QVariantMap() << QByteArray("a") << 0 << "TTL";
    QTest::newRow("negative TTL") << redis << token << QVariantMap() << QByteArray("a") << -1 << "TTL";
}

void BlockingLockTest::refusals()
{
    QFETCH(QString, url);
    QFETCH(QString, scheme);
    QFETCH(QVariantMap, keys);
    QFETCH(QByteArray, name);
    QFETCH(int, ttlMs);
    QFETCH(QString, cause);
    Runtime runtime;
    StoreOptions options;
    options.url = url;
    options.scheme = scheme;
    options.keys = keys;
    const auto locks = BlockingLockManager::open(runtime, options);
    base::Error error;
    if (locks) {
        const auto lock = (*locks)->lock(name.toStdString(), {.ttl = std::chrono::milliseconds(ttlMs)});
        QVERIFY(!lock);
        error = lock.error();
    } else {
        error = locks.error();
    }
    QCOMPARE(error.code, base::ErrorCode::Usage);
    QVERIFY2(error.line().contains(cause), qPrintable(error.line()));
    QVERIFY2(!error.line().contains(QLatin1String("u:p")), qPrintable(error.line()));
}

void BlockingLockTest::serverIsAway()
{
    Runtime runtime;
    StoreOptions away = options();
    away.url = QStringLiteral("redis+unix:///nowhere/redis.sock");
    const auto locks = *BlockingLockManager::open(runtime, away);
    const auto lock = *locks->lock("a");
    QVERIFY(isError(lock->tryAcquire(), base::ErrorCode::Unreachable));
    QVERIFY(isError(lock->acquire(100ms), base::ErrorCode::Unreachable));
}

void BlockingLockTest::takesRowsThroughQtSql()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("locks.db"));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("setup"));
        database.setDatabaseName(path);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(
            query.exec(QStringLiteral("CREATE TABLE jobs (job TEXT PRIMARY KEY, who TEXT, since INTEGER)")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("setup"));
    Runtime runtime;
    StoreOptions rows;
    rows.url = QStringLiteral("sqlite:") + path;
    rows.scheme = QStringLiteral("sql.insert");
    rows.table = QStringLiteral("jobs");
    rows.keys = {{QStringLiteral("name"), QStringLiteral("job")},
                 {QStringLiteral("holder"), QStringLiteral("who")},
                 {QStringLiteral("acquired_at"), QStringLiteral("since")},
                 {QStringLiteral("lease"), QStringLiteral("30s")}};
    const auto locks = BlockingLockManager::open(runtime, rows);
    QVERIFY2(locks, qPrintable(locks ? QString() : locks.error().line()));
    const auto mine = *(*locks)->lock("nightly");
    const auto other = *(*locks)->lock("nightly");
    const auto taken = mine->tryAcquire();
    QVERIFY2(taken, qPrintable(taken ? QString() : taken.error().line()));
    QVERIFY(*taken);
    QVERIFY(isFalse(other->tryAcquire()));
    QVERIFY(isTrue(mine->release()));
    QVERIFY(isTrue(other->tryAcquire()));
}

void BlockingLockTest::forkedChildHoldsNothing()
{
    auto runtime = std::make_unique<Runtime>();
    auto locks = open(*runtime);
    auto lock = *locks->lock("a");
    QVERIFY(isTrue(lock->tryAcquire()));
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        const bool held = lock->isHeld();
        const bool shutDown = isError(lock->release(), base::ErrorCode::Shutdown) && !locks->lock("b");
        lock.reset(); // as the child's main() would
        locks.reset();
        runtime.reset();
        ::_exit(held ? 1 : shutDown ? 0 : 2);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QVERIFY(lock->isHeld());
    QVERIFY(isThere("a"));
    QVERIFY(isTrue(lock->release()));
}

LOCKKEEPER_TEST(BlockingLockTest)

} // namespace tst_blocking_lock

#include "tst_blocking_lock.moc"
