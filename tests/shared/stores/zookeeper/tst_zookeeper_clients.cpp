// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_client.h"
#include "shared/locks/factory.h"
#include "shared/stores/zookeeper/store/zookeeper_store.h"
#include "tests/support/foreign_client.h"
#include "tests/support/lock_answers.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QTest>

namespace tst_zookeeper_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::zookeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {

constexpr qint64 kTtlUs = 4'000'000;

ForeignClient foreign(const char *program, const char *language)
{
    ForeignClient client;
    client.name = client.program = program;
    client.language = language;
    return client;
}

} // namespace

/** kazoo and Curator as the store shows and breaks them, and the lock library's side beside them. */
class TestZookeeperClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aQueue_data() { programs(); }
    void aQueue();
    void readersAndWriters_data() { programs(); }
    void readersAndWriters();
    void semaphores_data() { programs(); }
    void semaphores();
    void aLeaseLivesFromAcquisitionToRelease();
    void aBrokenLockIsLost();
    void aRefusalLeavesTheOtherLocks();
    void itFightsFairlyWithKazoo();
    void itReconnectsOnTheNextRequest();

private:
    void programs()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::newRow("kazoo") << QByteArray("kazoo");
        QTest::newRow("curator") << QByteArray("curator");
    }
    std::unique_ptr<ForeignProgram> started(const QByteArray &program)
    {
        auto all = std::make_unique<ForeignProgram>(
            foreign(program.constData(), program == "kazoo" ? "python" : "java"));
        all->start({{QStringLiteral("ZOOKEEPER"), m_server.address()}});
        return all;
    }
    SourceSpec spec() const { return sourceOf(m_server.url(), "zookeeper.sequence", "/*"); }
    std::unique_ptr<StoreHarness> harness() const
    {
        return std::make_unique<StoreHarness>(
            std::make_unique<ZookeeperStore>(spec(), ensembleOf(spec()).value()));
    }
    std::unique_ptr<LockClient> newClient()
    {
        auto client = locks::makeLockClient(spec(), spec().locks.constFirst(), "test@host");
        if (!client)
            return nullptr;
        return std::move(*client);
    }
    AttemptResult acquire(LockClient &client, const QByteArray &name)
    {
        return acquired(client, name, kTtlUs);
    }
    Attempt renew(LockClient &client, const Lease &lease) { return renewed(client, lease, kTtlUs).attempt; }
    Attempt release(LockClient &client, const Lease &lease) { return released(client, lease).attempt; }

    ZookeeperServer m_server;
};

void TestZookeeperClients::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
    QVERIFY(m_server.start());
}

/** After a break, the old holder still believes that it holds the lock, as the documents say. */
void TestZookeeperClients::aQueue()
{
    QFETCH(QByteArray, program);
    const auto clients = started(program);
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const QByteArray name = '/' + program + "/queue";
    const QByteArray first = clients->ask("lock acquire " + name + " 2000").split(' ').value(1);
    QVERIFY(first.startsWith("0x"));
    QCOMPARE(clients->ask("lock#2 acquire " + name + " 2000"), QByteArray("held"));
    QCOMPARE(clients->ask("lock#3 take " + name), QByteArray("waiting"));
    const auto store = harness();
    QVERIFY(store->open());
    QTRY_VERIFY(store->scan() && store->find(name) && store->find(name)->waiters.size() == 1);
    const Observation lock = *store->find(name);
    QCOMPARE(lock.token, first);
    QVERIFY2(lock.owner.endsWith('(' + first + ')'), lock.owner.constData()); // behind its description
    const ReleaseOrder order = orderFor(store->inspect(name));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    const QByteArray next = clients->waited().split(' ').value(1);
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, next);
    QVERIFY(lock.waiters.constFirst().id.endsWith('(' + next + ')'));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(clients->ask("lock release"), QByteArray("released")); // it didn't notice the break
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, next);
    QCOMPARE(clients->ask("lock#3 release"), QByteArray("released"));
    QVERIFY(store->scan() && !store->find(name));
    // When the client is killed, its lock ends with its session.
    QVERIFY(clients->ask("lock acquire " + name + " 2000").startsWith("acquired"));
    clients->kill();
    QVERIFY(store->scan() && store->find(name));
    QTRY_VERIFY_WITH_TIMEOUT(store->scan() && !store->find(name), 15'000);
}

void TestZookeeperClients::readersAndWriters()
{
    QFETCH(QByteArray, program);
    const auto clients = started(program);
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const QByteArray name = '/' + program + "/rw";
    const QByteArray first = clients->ask("read acquire " + name + " 2000").split(' ').value(1);
    const QByteArray second = clients->ask("read#2 acquire " + name + " 2000").split(' ').value(1);
    QVERIFY(first.startsWith("0x") && second.startsWith("0x"));
    QCOMPARE(clients->ask("write take " + name), QByteArray("waiting"));
    const auto store = harness();
    QVERIFY(store->open());
    QTRY_VERIFY(store->scan() && store->find(name) && store->find(name)->waiters.size() == 1);
    const Observation lock = *store->find(name);
    QCOMPARE(lock.mode, QByteArray("read"));
    QVERIFY(lock.owner.contains(first) && lock.owner.contains(second));
    QCOMPARE(lock.off, domain::ReleaseOff::SeveralHolders);
    QCOMPARE(clients->ask("read release"), QByteArray("released"));
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->off, domain::ReleaseOff::None);
    QCOMPARE(store->release(orderFor(store->inspect(name))).outcome, Outcome::Released);
    const QByteArray writer = clients->waited().split(' ').value(1);
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, writer);
    QVERIFY(store->find(name)->mode != "read");
}

/** The number of permits isn't known: every client with a permit is a holder. */
void TestZookeeperClients::semaphores()
{
    QFETCH(QByteArray, program);
    const auto clients = started(program);
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const QByteArray path = '/' + program + "/semaphore";
    const QByteArray name = program == "kazoo" ? path : path + "/leases";
    const QByteArray first = clients->ask("semaphore acquire " + path + " 2000").split(' ').value(1);
    const QByteArray second = clients->ask("semaphore#2 acquire " + path + " 2000").split(' ').value(1);
    QVERIFY(first.startsWith("0x") && second.startsWith("0x"));
    QCOMPARE(clients->ask("semaphore#3 acquire " + path + " 2000"), QByteArray("held"));
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find(name));
    const Observation lock = *store->find(name);
    QVERIFY(lock.owner.contains(first) && lock.owner.contains(second));
    QCOMPARE(lock.off, domain::ReleaseOff::SeveralHolders);
    QCOMPARE(clients->ask("semaphore release"), QByteArray("released"));
    QVERIFY(store->scan());
    QCOMPARE(store->find(name)->token, second);
    // kazoo's permits have no number, and may come again under the same name.
    const bool breakable = program != "kazoo";
    QCOMPARE(store->find(name)->off, breakable ? domain::ReleaseOff::None : domain::ReleaseOff::Unsupported);
    QCOMPARE(store->release(orderFor(store->inspect(name))).outcome,
             breakable ? Outcome::Released : Outcome::Refused);
}

void TestZookeeperClients::aLeaseLivesFromAcquisitionToRelease()
{
    const auto client = newClient();
    const auto other = newClient();
    const AttemptResult taken = acquire(*client, "/made/on/the/way");
    QCOMPARE(taken.attempt, Attempt::Done);
    QVERIFY(!taken.error);
    QCOMPARE(taken.lease.ttlUs, kTtlUs);
    QCOMPARE(acquire(*other, "/made/on/the/way").attempt, Attempt::Held);
    QCOMPARE(renew(*client, taken.lease), Attempt::Done);
    QCOMPARE(release(*client, taken.lease), Attempt::Done);
    QCOMPARE(release(*client, taken.lease), Attempt::Lost);
    QCOMPARE(renew(*client, taken.lease), Attempt::Lost);
    QCOMPARE(acquire(*other, "/made/on/the/way").attempt, Attempt::Done);
    for (const char *name : {"", "/", "a", "/a/", "/a//b"})
        QCOMPARE(acquire(*client, name).error.value_or(base::Error()).code, base::ErrorCode::Usage);
}

void TestZookeeperClients::aBrokenLockIsLost()
{
    const auto client = newClient();
    const AttemptResult taken = acquire(*client, "/broken");
    QCOMPARE(taken.attempt, Attempt::Done);
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find("/broken")->owner.startsWith("test@host (0x"));
    QCOMPARE(store->release(orderFor(store->inspect("/broken"))).outcome, Outcome::Released);
    QCOMPARE(renew(*client, taken.lease), Attempt::Lost);
    QCOMPARE(release(*client, taken.lease), Attempt::Lost);
}

/** The locks share a session: a refused lock may not end the session. */
void TestZookeeperClients::aRefusalLeavesTheOtherLocks()
{
    const auto client = newClient();
    const AttemptResult taken = acquire(*client, "/kept");
    QCOMPARE(taken.attempt, Attempt::Done);
    const AttemptResult below = acquire(*client, "/kept/" + taken.lease.token); // may have no children
    QVERIFY(below.error);
    QCOMPARE(renew(*client, taken.lease), Attempt::Done);
    QCOMPARE(acquire(*newClient(), "/kept").attempt, Attempt::Held);
}

/** Each client holds the lock alone, and no client waits for ever. */
void TestZookeeperClients::itFightsFairlyWithKazoo()
{
    const auto clients = started("kazoo");
    if (!clients->isReady())
        QSKIP(qPrintable(clients->why));
    const auto client = newClient();
    int ours = 0;
    int theirs = 0;
    int held = 0;
    for (int round = 0; round < 60; ++round) {
        const AttemptResult mine = acquire(*client, "/fight");
        QVERIFY(!mine.error);
        const bool got = clients->ask("lock acquire /fight 2000").startsWith("acquired");
        QVERIFY(!(got && mine.attempt == Attempt::Done));
        ours += mine.attempt == Attempt::Done ? 1 : 0;
        theirs += got ? 1 : 0;
        if (mine.attempt == Attempt::Done && round % 3 == 0) {
            // A client that queues behind us gets the lock when we release it, and we don't get it before.
            QCOMPARE(clients->ask("lock#2 take /fight"), QByteArray("waiting"));
            QCOMPARE(renew(*client, mine.lease), Attempt::Done);
            QCOMPARE(release(*client, mine.lease), Attempt::Done);
            QVERIFY(clients->waited().startsWith("got 0x"));
            held += acquire(*client, "/fight").attempt == Attempt::Held ? 1 : 0;
            QCOMPARE(clients->ask("lock#2 release"), QByteArray("released"));
        } else if (mine.attempt == Attempt::Done && round % 3 == 1) {
            QCOMPARE(release(*client, mine.lease), Attempt::Done);
            QVERIFY(clients->ask("lock acquire /fight 2000").startsWith("acquired"));
            QCOMPARE(acquire(*client, "/fight").attempt, Attempt::Held);
            QCOMPARE(clients->ask("lock release"), QByteArray("released"));
            ++theirs;
        } else if (mine.attempt == Attempt::Done) {
            QCOMPARE(release(*client, mine.lease), Attempt::Done);
        }
    }
    QVERIFY(ours == 60 && theirs == 20 && held == 20);
}

void TestZookeeperClients::itReconnectsOnTheNextRequest()
{
    const auto client = newClient();
    const AttemptResult taken = acquire(*client, "/again");
    QCOMPARE(taken.attempt, Attempt::Done);
    m_server.kill();
    const AttemptResult none = acquire(*client, "/other");
    QVERIFY(none.error && base::isTransient(none.error->code));
    QVERIFY(m_server.restart());
    int tries = 0; // the macro checks once more after a success
    QTRY_VERIFY(acquire(*client, "/other" + QByteArray::number(++tries)).attempt == Attempt::Done);
    QCOMPARE(renew(*client, taken.lease), Attempt::Lost); // its session ended with the connection
}

LOCKKEEPER_TEST(TestZookeeperClients)

} // namespace tst_zookeeper_clients

#include "tst_zookeeper_clients.moc"
