// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"
#include "shared/locks/store_options.h"
#include "shared/stores/factory.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_registered_waiters {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Lock;
using locks::LockManager;

/** For schemes that hide waiters, the waiters register themselves beside the lock, and the agent's store
 * shows them. */
class RegisteredWaitersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhoWaits_data();
    void showsWhoWaits();
    void warnsWhereTheTableIsMissing();

private:
    /** The row's store, with its table; false: there is no such server. */
    bool prepare();
    std::unique_ptr<LockManager> manager(const QByteArray &owner)
    {
        return std::move(*LockManager::open(m_spec, m_spec.locks.first(), owner));
    }
    /** Registers a waiter by hand, for this number of seconds. */
    void registerAs(const QByteArray &id, int endsInS);
    /** The waiters for "a", as a scan shows them; empty: unknown. */
    std::optional<QByteArrayList> shown();

    TestDatabases m_databases;
    std::unique_ptr<RedisServer> m_redis;
    TestDatabase *m_database = nullptr; ///< null: it is Redis
    SourceSpec m_spec;
    std::unique_ptr<StoreHarness> m_store;
};

void RegisteredWaitersTest::showsWhoWaits_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("scheme");
    QTest::newRow("redis token") << QStringLiteral("redis") << QByteArray("redis.token");
    QTest::newRow("redis json") << QStringLiteral("redis") << QByteArray("redis.json");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        for (const char *scheme : {"sql.shedlock", "sql.insert"})
            QTest::addRow("%s %s", server, scheme) << QString::fromLatin1(server) << QByteArray(scheme);
    }
}

bool RegisteredWaitersTest::prepare()
{
    m_store.reset();
    const QByteArray scheme = *static_cast<QByteArray *>(QTest::qData("scheme", qMetaTypeId<QByteArray>()));
    m_database = nullptr;
    if (scheme.startsWith("redis")) {
        if (!m_redis) {
            m_redis = std::make_unique<RedisServer>();
            if (!m_redis->start())
                return false;
        }
        m_redis->command({"FLUSHALL"});
        m_spec = redisSpec(m_redis->url());
    } else {
        m_database = m_databases.freshOfRow();
        if (!m_database)
            return false;
        m_spec = m_database->spec();
        m_spec.locks = {{}};
    }
    LockSet &set = m_spec.locks.first();
    set.scheme = scheme;
    set.waitersRegistered = true;
    if (scheme == "sql.insert")
        set.preset = QStringLiteral("laravel");
    if (m_database && !locks::sql::createTable(m_spec, set))
        return false;
    m_store = std::make_unique<StoreHarness>(std::move(*makeStore(m_spec)));
    return m_store->open();
}

void RegisteredWaitersTest::registerAs(const QByteArray &id, int endsInS)
{
    const qint64 ms = QDateTime::currentMSecsSinceEpoch() + endsInS * 1'000;
    if (!m_database) {
        m_redis->command({"ZADD", "lockkeeper:waiters:{a}", QByteArray::number(ms), id});
        return;
    }
    m_database->run(
        QStringLiteral("INSERT INTO lockkeeper_waiters (waiter, place, name, since_us, until_us) SELECT "
                       "'%1', place, name, since_us, %2 FROM lockkeeper_waiters LIMIT 1")
            .arg(QString::fromLatin1(id))
            .arg(ms * 1'000));
}

std::optional<QByteArrayList> RegisteredWaitersTest::shown()
{
    const Observation *lock = m_store->scan() ? m_store->find("a") : nullptr;
    if (lock == nullptr || !lock->waitersVisible)
        return std::nullopt;
    QByteArrayList who;
    for (const domain::Waiter &waiter : lock->waiters)
        who.append(waiter.id.split('#').constFirst().trimmed());
    std::sort(who.begin(), who.end());
    return who;
}

void RegisteredWaitersTest::showsWhoWaits()
{
    if (!prepare())
        QSKIP("no such server here");
    for (const domain::Access &access : std::as_const(m_store->m_info.access))
        QVERIFY2(access.granted, access.need.constData());
    const auto mine = manager("me");
    const auto other = manager("host pid 7 user");
    locks::StoreOptions options; // as programs say it
    options.url = QString::fromLatin1(m_spec.url.toEncoded());
    options.password = m_spec.password;
    options.preset = m_spec.locks.first().preset;
    options.scheme = options.preset.isEmpty() ? QString::fromLatin1(m_spec.locks.first().scheme) : QString();
    options.owner = "x";
    options.registersWaiters = true;
    const auto opened = LockManager::open(options);
    QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().line()));
    const auto &third = *opened;
    const auto holder = *mine->lock("a", {.ttl = std::chrono::minutes(1)});
    const auto first = *other->lock("a", {.ttl = std::chrono::minutes(1)});
    const auto second = *other->lock("a", {.ttl = std::chrono::minutes(1)});
    const auto last = *third->lock("a", {.ttl = std::chrono::minutes(1)});
    QList<bool> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result.value_or(false)); };
    holder->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, QList<bool>{true}, 20'000);
    QCOMPARE(shown(), std::optional<QByteArrayList>(QByteArrayList()));

    std::stop_source stop;
    first->acquire({}, note);
    second->acquire({}, note, stop.get_token());
    last->acquire({}, note);
    const QByteArrayList three{"host pid 7 user", "host pid 7 user", "x"};
    QTRY_COMPARE_WITH_TIMEOUT(shown(), std::optional(three), 20'000);
    const Inspection inspected = m_store->inspect("a");
    QVERIFY(!inspected.error && inspected.lock.waitersVisible);
    QCOMPARE(inspected.lock.waiters.size(), 3);
    if (m_database) { // since when
        const domain::TimeUs sinceUs = inspected.lock.waiters.first().sinceUs;
        QVERIFY(sinceUs && inspected.storeUs - *sinceUs < 60'000'000 && *sinceUs <= inspected.storeUs);
    }
    // Other programs' waiters are shown as well; dead waiters no longer are.
    registerAs("theirs", 600);
    registerAs("dead", -1);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), std::optional(QByteArrayList({three[0], three[1], "theirs", "x"})),
                              20'000);
    stop.request_stop();
    QTRY_COMPARE_WITH_TIMEOUT(shown(), std::optional(QByteArrayList({three[0], "theirs", "x"})), 20'000);
    holder->release();
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 3, 20'000);
    QCOMPARE(int(first->isHeld()) + int(last->isHeld()), 1); // registered waiters have no order
    QTRY_COMPARE_WITH_TIMEOUT(shown().value_or(QByteArrayList()).size(), 2, 20'000);
    if (!m_database) { // a key of another type can't be read
        m_redis->command({"SET", "lockkeeper:waiters:{a}", "no set"});
        QVERIFY(!shown());
    }
}

void RegisteredWaitersTest::warnsWhereTheTableIsMissing()
{
    m_store.reset();
    m_database = m_databases.fresh(QStringLiteral("sqlite"));
    m_spec = m_database->spec();
    m_spec.locks = {{}};
    m_spec.locks.first().scheme = "sql.shedlock";
    QVERIFY(locks::sql::createTable(m_spec, m_spec.locks.first()));
    m_spec.locks.first().waitersRegistered = true;
    m_store = std::make_unique<StoreHarness>(std::move(*makeStore(m_spec)));
    QVERIFY(m_store->open());
    const domain::Access access = m_store->m_info.access.last();
    QCOMPARE(access.need, QByteArray("observe:lockkeeper_waiters"));
    QVERIFY(!access.granted && access.remedy.startsWith(QLatin1String("CREATE TABLE")));

    const auto mine = manager("me");
    QSignalSpy warned(mine.get(), &LockManager::warned);
    const auto holder = *mine->lock("a");
    const auto waiter = *mine->lock("a");
    QList<bool> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result.value_or(false)); };
    holder->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    waiter->acquire({}, note);
    QTRY_COMPARE_WITH_TIMEOUT(warned.size(), 1, 20'000);
    const auto why = warned.first().first().value<base::Error>();
    QVERIFY2(why.remedy.contains(access.remedy), qPrintable(why.line()));
    QVERIFY(!shown()); // nothing is claimed
    holder->release();
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, true}), 20'000); // it waits all the same
}

LOCKKEEPER_TEST(RegisteredWaitersTest)

} // namespace tst_registered_waiters

#include "tst_registered_waiters.moc"
