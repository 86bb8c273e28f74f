// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/foreign_client.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

namespace tst_redis_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace std::chrono_literals;
using locks::Lock;

namespace {

/** A handle that takes its lock so often, as a foreign client's "fight" does. */
class Fighter : public QObject
{
    Q_OBJECT

public:
    Fighter(std::unique_ptr<Lock> lock, QString folder, int rounds)
        : m_lock(std::move(lock)), m_folder(std::move(folder)), m_left(rounds)
    {
        next();
    }

    bool isDone = false;
    int overlaps = 0;
    int failures = 0;

private:
    void next()
    {
        isDone = m_left-- == 0;
        if (!isDone)
            m_lock->acquire({}, [this](const base::Result<bool> &result) { onAcquired(result); });
    }
    void onAcquired(const base::Result<bool> &result)
    {
        if (!result || !*result) {
            ++failures;
            next();
            return;
        }
        if (!QDir().mkdir(inside()))
            ++overlaps;
        QFile holders(m_folder + QStringLiteral("/holders"));
        if (!holders.open(QIODevice::Append) || holders.write("O") != 1)
            ++failures;
        QTimer::singleShot(1ms, this, &Fighter::leave);
    }
    void leave()
    {
        QDir().rmdir(inside());
        m_lock->release([this](const base::Result<bool> &given) {
            if (!given || !*given)
                ++failures;
            QTimer::singleShot(20ms, this, &Fighter::next);
        });
    }
    QString inside() const { return m_folder + QStringLiteral("/inside"); }

    std::unique_ptr<Lock> m_lock;
    QString m_folder;
    int m_left;
};

} // namespace

/** Other people's clients and the lock library fight for the same lock. */
class TestRedisLockFights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({}, true)); }
    void init() { m_server.command({"FLUSHALL"}); }

    void oneAtATime_data()
    {
        QTest::addColumn<QByteArray>("client");
        QTest::addColumn<QByteArray>("who");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("preset");
        const auto row = [](const char *name, const char *client, const char *who, const char *kind,
                            const char *preset = "") {
            QTest::newRow(name) << QByteArray(client) << QByteArray(who) << QByteArray(kind)
                                << QString::fromLatin1(preset);
        };
        row("Redisson", "redisson lock", "lock", "redis.redisson");
        row("Redisson, fair", "redisson fair", "fair", "redis.redisson/fair");
        row("Redisson, fenced", "redisson fenced", "fenced", "redis.redisson");
        row("redis-py", "redis-py", "lock", "redis.token");
        row("node-redlock", "node-redlock", "lock", "redis.token");
        row("redis-semaphore, mutex", "redis-semaphore mutex", "mutex", "redis.token");
        row("redis-semaphore", "redis-semaphore semaphore", "semaphore", "redis.semaphore");
        row("python-redis-lock", "python-redis-lock", "lock", "redis.token", "python-redis-lock");
    }
    void oneAtATime()
    {
        QFETCH(QByteArray, client);
        QFETCH(QByteArray, who);
        QFETCH(QByteArray, kind);
        QFETCH(QString, preset);
        constexpr int kRounds = 50;
        const ForeignClient foreign = ForeignClient::named(client);
        ForeignProgram theirs(foreign);
        theirs.start({{QStringLiteral("REDIS_SOCKET"), m_server.socketPath()},
                      {QStringLiteral("REDIS_PORT"), QString::number(m_server.port())}});
        if (!theirs.isReady())
            QSKIP(qPrintable(theirs.why));
        QTemporaryDir folder;
        SourceSpec spec = lockSpec(m_server.url(), kind);
        spec.locks.first().preset = preset;
        LockSide side(spec);
        const QByteArray fight = " fight " + foreign.lockOf("fight") + " 10000 " +
                                 QByteArray::number(2 * kRounds) + ' ' + folder.path().toUtf8();
        QCOMPARE(theirs.ask(who + "#1" + fight), QByteArray("waiting"));
        QCOMPARE(theirs.ask(who + "#2" + fight), QByteArray("waiting"));
        QFile file(folder.filePath(QStringLiteral("holders")));
        QTRY_VERIFY_WITH_TIMEOUT(file.exists(), 30'000); // they have begun
        const QByteArray key = foreign.keyOf("fight");
        Fighter one(side.lock(key), folder.path(), kRounds);
        Fighter two(side.lock(key), folder.path(), kRounds);
        QTRY_VERIFY_WITH_TIMEOUT(one.isDone && two.isDone, 120'000);
        QCOMPARE(theirs.waited(), QByteArray("got 0"));
        QCOMPARE(theirs.waited(), QByteArray("got 0"));
        QCOMPARE(one.overlaps + two.overlaps, 0);
        QCOMPARE(one.failures + two.failures, 0);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray holders = file.readAll();
        QCOMPARE(holders.size(), 6 * kRounds);
        const qsizetype handOvers = holders.count("TO") + holders.count("OT");
        qInfo() << handOvers << "hand-overs between the two";
        QVERIFY(handOvers > (kind.endsWith("/fair") ? kRounds : 2)); // in turns where it is fair
    }

private:
    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisLockFights)

} // namespace tst_redis_lock_fights

#include "tst_redis_lock_fights.moc"
