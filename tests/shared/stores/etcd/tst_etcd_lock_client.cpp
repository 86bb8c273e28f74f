// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/stores/host_list.h"
#include "tests/support/etcd_server.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_etcd_lock_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {
constexpr qint64 kTtlUs = 60'000'000;
}

/** The lock library's side, with etcdctl as the other client. */
class TestEtcdLockClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!EtcdServer::isInstalled())
            QSKIP(EtcdServer::absent());
        QVERIFY(m_etcd.start());
    }
    void init()
    {
        m_etcd.ctl({QStringLiteral("del"), QStringLiteral("--prefix"), QString()});
        m_client = newClient();
    }
    void cleanup() { m_client.reset(); }
    void aLeaseLivesFromAcquisitionToRelease();
    void aHeldLockIsNotTaken();
    void aBrokenLockIsLost();
    void itReconnectsOnTheNextRequest();
    void manyWhoFailTogetherLeaveOneMember();
    void itFightsFairlyWithEtcdctl();

private:
    std::unique_ptr<LockClient> newClient() { return newClient(m_etcd.url()); }
    static std::unique_ptr<LockClient> newClient(const QUrl &url)
    {
        SourceSpec spec;
        spec.url = url;
        LockSet set;
        set.scheme = "etcd.lease";
        auto client = locks::makeLockClient(spec, set, "test@host");
        if (!client)
            return nullptr;
        return std::move(*client);
    }
    AttemptResult acquire(const char *name = "lk/a") { return acquired(*m_client, name, kTtlUs); }
    QByteArray keys() const
    {
        return m_etcd.ctl(
            {QStringLiteral("get"), QStringLiteral("--prefix"), QString(), QStringLiteral("--keys-only")});
    }

    EtcdServer m_etcd;
    std::unique_ptr<LockClient> m_client;
};

void TestEtcdLockClient::aLeaseLivesFromAcquisitionToRelease()
{
    const AttemptResult taken = acquire();
    QCOMPARE(taken.attempt, Attempt::Done);
    QVERIFY(!taken.error);
    QCOMPARE(taken.lease.ttlUs, kTtlUs);
    QCOMPARE(keys(), "lk/a/" + taken.lease.token);
    const AttemptResult longer = renewed(*m_client, taken.lease, kTtlUs);
    QCOMPARE(longer.attempt, Attempt::Done);
    QCOMPARE(longer.lease.ttlUs, kTtlUs);
    QCOMPARE(longer.lease.proof, taken.lease.proof);
    QCOMPARE(released(*m_client, longer.lease).attempt, Attempt::Done);
    QCOMPARE(keys(), QByteArray());
    QVERIFY(m_etcd.ctl({QStringLiteral("lease"), QStringLiteral("list")}).contains("found 0 leases"));
    QCOMPARE(released(*m_client, longer.lease).attempt, Attempt::Lost);
    QCOMPARE(renewed(*m_client, longer.lease, kTtlUs).attempt, Attempt::Lost);
    QCOMPARE(acquired(*m_client, "lk/a", 999).error->code, base::ErrorCode::Usage);
}

void TestEtcdLockClient::aHeldLockIsNotTaken()
{
    EtcdctlLock other(m_etcd, QStringLiteral("lk/a"));
    QVERIFY(!other.key().isEmpty());
    const AttemptResult held = acquire();
    QCOMPARE(held.attempt, Attempt::Held);
    QVERIFY(!held.error);
    QCOMPARE(keys(), "lk/a/" + other.lease());
    other.release();
    const AttemptResult taken = acquire();
    QCOMPARE(taken.attempt, Attempt::Done);
    // A client that queues behind the lock acquires it afterwards.
    EtcdctlLock next(m_etcd, QStringLiteral("lk/a"));
    QTRY_COMPARE(keys().count("lk/a/"), 2);
    QVERIFY(!next.holds());
    QCOMPARE(released(*m_client, taken.lease).attempt, Attempt::Done);
    QVERIFY(!next.key().isEmpty());
}

void TestEtcdLockClient::aBrokenLockIsLost()
{
    const AttemptResult taken = acquire();
    QCOMPARE(taken.attempt, Attempt::Done);
    const QString key = QLatin1String("lk/a/") + QLatin1String(taken.lease.token);
    m_etcd.ctl({QStringLiteral("del"), key});
    EtcdctlLock other(m_etcd, QStringLiteral("lk/a"));
    QVERIFY(!other.key().isEmpty());
    QCOMPARE(renewed(*m_client, taken.lease, kTtlUs).attempt, Attempt::Lost);
    // The same key again, from another acquisition.
    m_etcd.ctl({QStringLiteral("put"), key, QStringLiteral("x")});
    QCOMPARE(renewed(*m_client, taken.lease, kTtlUs).attempt, Attempt::Lost);
    QCOMPARE(released(*m_client, taken.lease).attempt, Attempt::Lost);
    QVERIFY(keys().contains(key.toLatin1()) && keys().contains(other.lease()));
}

void TestEtcdLockClient::itReconnectsOnTheNextRequest()
{
    const AttemptResult taken = acquire();
    m_etcd.kill();
    const AttemptResult none = acquire("lk/b");
    QVERIFY(none.error && base::isTransient(none.error->code));
    QVERIFY(m_etcd.restart());
    QCOMPARE(acquire("lk/b").attempt, Attempt::Done);
    QCOMPARE(renewed(*m_client, taken.lease, kTtlUs).attempt, Attempt::Done);
}

/** Two requests fail at one member of two. The client moves on once, not to the second member and back. */
void TestEtcdLockClient::manyWhoFailTogetherLeaveOneMember()
{
    m_client = newClient(urlOf(QStringLiteral("etcd://127.0.0.1:1,127.0.0.1:%1").arg(m_etcd.url().port())));
    const auto bothTook = [this] {
        const auto answers = std::make_shared<QList<AttemptResult>>();
        for (const char *name : {"lk/a", "lk/b"}) {
            m_client->enqueue({.name = name, .token = name, .ttlUs = kTtlUs, .proof = {}, .fencing = {}},
                              [answers](const AttemptResult &result) { answers->append(result); });
        }
        return QTest::qWaitFor([&] { return answers->size() == 2; }, 30'000) && !answers->at(0).error &&
               !answers->at(1).error;
    };
    QVERIFY(!bothTook());
    QVERIFY(bothTook());
}

/** Both increment a number in a file while they hold the lock; no increment is ever lost. */
void TestEtcdLockClient::itFightsFairlyWithEtcdctl()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("counter"));
    const auto read = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    };
    constexpr int kTheirs = 20;
    constexpr int kOurs = 20;
    QProcess theirs;
    theirs.start(
        QStringLiteral("sh"),
        {QStringLiteral("-c"),
         QStringLiteral("for i in $(seq %1); do ETCDCTL_API=3 etcdctl --endpoints=%2 lock lk/a -- sh -c "
                        "'n=$(cat %3 2>/dev/null || echo 0); sleep 0.01; echo $((n + 1)) > %3' "
                        "|| exit 1; done")
             .arg(kTheirs)
             .arg(m_etcd.clientUrl(), path)});
    int ours = 0;
    QElapsedTimer timer;
    timer.start();
    while (ours < kOurs && timer.elapsed() < 60'000) {
        const AttemptResult taken = acquire();
        if (taken.attempt != Attempt::Done) {
            QVERIFY(!taken.error);
            continue;
        }
        const int number = read();
        QCOMPARE(renewed(*m_client, taken.lease, kTtlUs).attempt, Attempt::Done);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray::number(number + 1) + '\n');
        file.close();
        ++ours;
        QCOMPARE(released(*m_client, taken.lease).attempt, Attempt::Done);
    }
    QTRY_COMPARE_WITH_TIMEOUT(theirs.state(), QProcess::NotRunning, 60'000);
    QCOMPARE(theirs.exitCode(), 0);
    QCOMPARE(ours, kOurs);
    QCOMPARE(read(), kTheirs + kOurs);
}

LOCKKEEPER_TEST(TestEtcdLockClient)

} // namespace tst_etcd_lock_client

#include "tst_etcd_lock_client.moc"
