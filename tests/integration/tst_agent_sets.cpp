// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/etcd_server.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <functional>

namespace tst_agent_sets {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A lock set that can't be read is unseen, and hides nothing that other sets of its source have. */
class TestAgentSets : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        endAgent();
        m_redis.reset();
        m_etcd.reset();
        m_mariadb.reset();
    }
    void oneSetBlindsNoOther_data();
    void oneSetBlindsNoOther();
    void aSetThatIsNoLongerSeenIsUnknown();

private:
    QByteArray redisSource();
    QByteArray etcdSource();
    QByteArray mariaDbSource();
    std::optional<domain::LockState> state(const QByteArray &name) const
    {
        const auto found = std::find_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                        [&name](const auto &lock) { return lock.key.name == name; });
        return found == m_client->table.locks.cend() ? std::nullopt : std::optional(*found);
    }
    QString release(const QByteArray &name, const QByteArray &holder) const
    {
        const Output out = ctl({QStringLiteral("release"), QStringLiteral("s"), QString::fromUtf8(name),
                                QStringLiteral("--holder"), QString::fromUtf8(holder),
                                QStringLiteral("--reason"), QStringLiteral("test"), QStringLiteral("--yes")});
        return QString::fromUtf8(out.out + out.err);
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<EtcdServer> m_etcd;
    std::unique_ptr<MariaDbServer> m_mariadb;
};

/** A user who may read the keys of one set. */
QByteArray TestAgentSets::redisSource()
{
    m_redis = std::make_unique<RedisServer>();
    if (!m_redis->start())
        return {};
    RedisPlain client(m_redis->socketPath());
    client.command({"SET", "good:a", "host", "EX", "3000"});
    client.command({"SET", "blind:b", "host", "EX", "3000"});
    client.command({"ACL", "SETUSER", "lk", "on", "nopass", "~good:*", "&*", "+@all"});
    return "url = \"" + m_redis->url(0, QStringLiteral("lk")).toEncoded() +
           "\"\n[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"good:*\"\n"
           "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"blind:*\"\n";
}

QByteArray TestAgentSets::etcdSource()
{
    m_etcd = std::make_unique<EtcdServer>();
    if (!m_etcd->start())
        return {};
    const QString lease = QString::fromLatin1(m_etcd->grant(3000));
    for (const char *name : {"good:a", "blind:b"})
        m_etcd->ctl({QStringLiteral("put"), QLatin1String("--lease=") + lease,
                     QLatin1String(name) + QLatin1Char('/') + lease, QStringLiteral("host")});
    for (const char *line : {"user add root:root", "user grant-role root root", "role add reader",
                             "role grant-permission --prefix=true reader readwrite good:", "user add lk:lk",
                             "user grant-role lk reader", "auth enable"})
        m_etcd->ctl(QString::fromLatin1(line).split(QLatin1Char(' ')));
    QFile password(m_agent->folder() + QStringLiteral("/password"));
    if (!password.open(QIODevice::WriteOnly) || password.write("lk") != 2)
        return {};
    return "url = \"" + m_etcd->url(QStringLiteral("lk")).toEncoded() +
           "\"\npassword = \"file:" + password.fileName().toUtf8() +
           "\"\n[[source.locks]]\nscheme = \"etcd.lease\"\nmatch = \"good:*\"\n"
           "[[source.locks]]\nscheme = \"etcd.lease\"\nmatch = \"blind:*\"\n";
}

/** As delivered: performance_schema is off, and nothing lists advisory locks. */
QByteArray TestAgentSets::mariaDbSource()
{
    m_mariadb = std::make_unique<MariaDbServer>();
    if (!m_mariadb->start())
        return {};
    m_mariadb->exec(QStringLiteral("CREATE DATABASE app"));
    m_mariadb->exec(QStringLiteral("CREATE TABLE locks (name VARCHAR(64) PRIMARY KEY, owner VARCHAR(64), "
                                   "taken TIMESTAMP(6) NULL);\n"
                                   "INSERT INTO locks VALUES ('good:a', 'host', NOW(6) - INTERVAL 1 MINUTE)"),
                    QStringLiteral("app"));
    return "url = \"" + m_mariadb->url(QStringLiteral("app")).toEncoded() +
           "\"\n[[source.locks]]\nscheme = \"sql.advisory\"\nmatch = \"blind:*\"\n"
           "[[source.locks]]\nscheme = \"sql.insert\"\ntable = \"locks\"\nname = \"name\"\n"
           "holder = \"owner\"\nacquired_at = \"taken\"\n";
}

void TestAgentSets::oneSetBlindsNoOther_data()
{
    QTest::addColumn<std::function<QByteArray()>>("source");
    QTest::addColumn<bool>("named");  ///< its locks are known by name
    QTest::addColumn<bool>("breaks"); ///< the rights to break are reported by lock set
    const auto row = [](const char *name, std::function<QByteArray()> source, bool named, bool breaks) {
        QTest::newRow(name) << std::move(source) << named << breaks;
    };
    row(
        "Redis", [this] { return redisSource(); }, true, false);
    if (EtcdServer::isInstalled())
        row(
            "etcd", [this] { return etcdSource(); }, false, false);
    row(
        "MariaDB", [this] { return mariaDbSource(); }, false, true);
}

void TestAgentSets::oneSetBlindsNoOther()
{
    QFETCH(std::function<QByteArray()>, source);
    QFETCH(bool, named);
    QFETCH(bool, breaks);
    const QByteArray lines = source();
    QVERIFY(!lines.isEmpty());
    m_agent->configure("[[source]]\nname = \"s\"\npoll_ms = 100\n" + lines);
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
    m_client->subscribe(0, true);
    QTRY_VERIFY(state("good:a") && state("good:a")->phase == domain::Phase::Held);
    const auto isPart = [](const LockEvent &event) {
        return event.kind == EventKind::GapOpened && event.detail.partial;
    };
    if (named)
        QTRY_VERIFY(state("blind:b") && state("blind:b")->phase == domain::Phase::Unknown);
    else
        QVERIFY(m_client->waitForEvent(isPart));
    QTRY_COMPARE(m_client->sources.value(QStringLiteral("s")).link, domain::Link::Up);
    const QString refused = release("blind:b", "host");
    QVERIFY2(!refused.contains(QLatin1String("already free")), qPrintable(refused));
    QVERIFY2(!refused.contains(QLatin1String("released")), qPrintable(refused));
    if (breaks) {
        QTRY_VERIFY(state("good:a")->release.possible());
        const QString released = release("good:a", state("good:a")->owner);
        QTRY_VERIFY2(m_client->count(EventKind::ForceReleased, "good:a") == 1, qPrintable(released));
    }
    QCOMPARE(m_client->count(EventKind::SourceDown), 0);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Lost), 0);
}

/** The table of one set is missing for a while. During this time its locks aren't shown as held, and none has
 * ended.
 */
void TestAgentSets::aSetThatIsNoLongerSeenIsUnknown()
{
    m_mariadb = std::make_unique<MariaDbServer>();
    QVERIFY(m_mariadb->start());
    m_mariadb->exec(QStringLiteral("CREATE DATABASE app"));
    QByteArray sets;
    for (const char *table : {"stays", "goes"}) {
        m_mariadb->exec(QStringLiteral("CREATE TABLE %1 (name VARCHAR(64) PRIMARY KEY, owner VARCHAR(64)); "
                                       "INSERT INTO %1 VALUES ('%1', 'host')")
                            .arg(QLatin1String(table)),
                        QStringLiteral("app"));
        sets += QByteArray("[[source.locks]]\nscheme = \"sql.insert\"\ntable = \"") + table +
                "\"\nname = \"name\"\nholder = \"owner\"\n";
    }
    m_agent->configure("[[source]]\nname = \"s\"\npoll_ms = 100\nurl = \"" +
                       m_mariadb->url(QStringLiteral("app")).toEncoded() + "\"\n" + sets);
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
    m_client->subscribe(0, true);
    QTRY_VERIFY(state("goes") && state("goes")->phase == domain::Phase::Held);
    m_mariadb->exec(QStringLiteral("RENAME TABLE goes TO elsewhere"), QStringLiteral("app"));
    QTRY_COMPARE(state("goes")->phase, domain::Phase::Unknown);
    QCOMPARE(state("goes")->release.why, domain::ReleaseOff::SourceDown);
    QCOMPARE(state("goes")->owner, QByteArray("host")); // the holder at the last sighting
    QCOMPARE(state("stays")->phase, domain::Phase::Held);
    m_mariadb->exec(QStringLiteral("RENAME TABLE elsewhere TO goes"), QStringLiteral("app"));
    QTRY_COMPARE_WITH_TIMEOUT(state("goes")->phase, domain::Phase::Held, 15'000);
    QTRY_COMPARE(m_client->count(EventKind::GapClosed), m_client->count(EventKind::GapOpened));
    QCOMPARE(m_client->count(EventKind::Acquired), 2);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Lost), 0);
}

LOCKKEEPER_TEST(TestAgentSets)

} // namespace tst_agent_sets

#include "tst_agent_sets.moc"
