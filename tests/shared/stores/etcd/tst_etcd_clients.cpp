// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/store/etcd_store.h"
#include "tests/support/etcd_server.h"
#include "tests/support/foreign_client.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_etcd_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::etcd;
using namespace lockkeeper::tests;
using domain::Outcome;

/** Foreign etcd clients, and how they notice that their lock was broken. */
class TestEtcdClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aQueue_data();
    void aQueue();
    void aPlainKey_data();
    void aPlainKey();

private:
    std::unique_ptr<ForeignProgram> started(const QByteArray &program, const QByteArray &language)
    {
        auto all = std::make_unique<ForeignProgram>(program, language);
        all->start({{QStringLiteral("ETCD"), QUrl(m_etcd.clientUrl()).authority()}});
        return all;
    }
    std::unique_ptr<StoreHarness> harness() const
    {
        SourceSpec spec = sourceOf(m_etcd.url(), "etcd.lease", "*");
        return std::make_unique<StoreHarness>(std::make_unique<EtcdStore>(spec, endpointsOf(spec).value()));
    }

    EtcdServer m_etcd;
};

void TestEtcdClients::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
    QVERIFY(m_etcd.start());
}

void TestEtcdClients::aQueue_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("kind");
    for (const char *kind : {"lock", "election"}) {
        QTest::addRow("jetcd %s", kind) << QByteArray("jetcd") << QByteArray("java") << QByteArray(kind);
        QTest::addRow("Go %s", kind) << QByteArray("concurrency") << QByteArray("go") << QByteArray(kind);
    }
}

/** After a break, the old holder still believes that it holds the lock, as the documents say. */
void TestEtcdClients::aQueue()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, kind);
    const auto clients = started(program, language);
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const QByteArray name = program + '-' + kind;
    const QByteArray first = clients->ask(kind + " acquire " + name + " 2000").split(' ').value(1);
    QVERIFY(!first.isEmpty());
    const auto store = harness();
    QVERIFY(store->open());
    const auto waiters = [&] {
        const Observation *lock = store->scan() ? store->find(name) : nullptr;
        return lock ? lock->waiters.size() : -1;
    };
    QCOMPARE(waiters(), 0);
    for (int i = 2; i <= 3; ++i) { // each is in the queue before the next one comes
        QCOMPARE(clients->ask(kind + '#' + QByteArray::number(i) + " take " + name), QByteArray("waiting"));
        QTRY_COMPARE(waiters(), i - 1);
    }
    const Observation lock = *store->find(name);
    const QByteArray said = kind == "election" ? QByteArray("node-1 (" + first + ')') : first;
    QCOMPARE(lock.owner, said);
    QCOMPARE(lock.token, first);
    QCOMPARE(lock.expiry, domain::ExpiryKind::At);
    const ReleaseOrder order = orderFor(store->inspect(name));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    const QByteArray second = clients->waited().split(' ').value(1);
    QVERIFY(lock.waiters.constFirst().id.contains(second));
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, second);
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(clients->ask(kind + " release"), QByteArray("released")); // it noticed nothing
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, second);
    QCOMPARE(clients->ask(kind + "#2 release"), QByteArray("released"));
    const QByteArray third = clients->waited().split(' ').value(1);
    QVERIFY(lock.waiters.constLast().id.contains(third));
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, third);
    QCOMPARE(store->find(name)->waiters.size(), 0);
    // When the client is killed, its lock ends with its lease.
    clients->kill();
    QTRY_VERIFY_WITH_TIMEOUT(store->scan() && !store->find(name), 20'000);
}

void TestEtcdClients::aPlainKey_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<bool>("isText");
    QTest::newRow("etcd3") << QByteArray("etcd3") << false;
    QTest::newRow("etcd3gw") << QByteArray("etcd3gw") << true;
}

/** The client compares the key's value when it releases the lock, and detects the break there. */
void TestEtcdClients::aPlainKey()
{
    QFETCH(QByteArray, program);
    QFETCH(bool, isText);
    const auto clients = started(program, "python");
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const QByteArray key = "/locks/" + program;
    const QByteArray first = clients->ask("lock acquire " + program + " 60000").split(' ').value(1);
    QVERIFY(!first.isEmpty());
    QCOMPARE(clients->ask("lock#2 acquire " + program + " 60000"), QByteArray("held"));
    const auto store = harness();
    QVERIFY(store->open() && store->scan() && store->find(key));
    const Observation lock = *store->find(key);
    QCOMPARE(lock.owner, isText ? first : QByteArray::fromHex(first));
    QVERIFY(!lock.waitersVisible);
    QCOMPARE(lock.expiry, domain::ExpiryKind::At);
    QCOMPARE(clients->ask("lock renew 60000"), QByteArray("renewed"));
    const ReleaseOrder order = orderFor(store->inspect(key));
    QCOMPARE(order.guard.identity, lock.identity); // a renewal leaves no trace
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    const QByteArray second = clients->ask("lock#2 acquire " + program + " 2000").split(' ').value(1);
    QVERIFY(!second.isEmpty() && second != first);
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(clients->ask("lock renew 60000"), QByteArray("renewed")); // its lease, which has no keys
    QCOMPARE(clients->ask("lock release"), QByteArray("lost"));
    QVERIFY(store->scan());
    QCOMPARE(store->find(key)->owner, isText ? second : QByteArray::fromHex(second));
    clients->kill();
    QTRY_VERIFY_WITH_TIMEOUT(store->scan() && !store->find(key), 20'000);
}

LOCKKEEPER_TEST(TestEtcdClients)

} // namespace tst_etcd_clients

#include "tst_etcd_clients.moc"
