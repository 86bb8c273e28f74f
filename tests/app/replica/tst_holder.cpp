// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/holder.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_holder {

using namespace lockkeeper;
using namespace lockkeeper::app::replica;

class HolderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hosts_data();
    void hosts();
    void clients_data();
    void clients();
    void randomTokens_data();
    void randomTokens();
    void namesOfConnectionsAreOfOneSource();
    void unknownHoldersMatchNobody();
    void waitsAddUp();

private:
    static domain::LockState lock(const QString &source, const QByteArray &scheme, const QByteArray &owner)
    {
        domain::LockState state;
        state.key = {source, scheme, "p", "a"};
        state.phase = domain::Phase::Held;
        state.owner = owner;
        return state;
    }
};

void HolderTest::hosts_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("host");
    const auto row = [](const char *owner, const char *host) {
        QTest::newRow(owner) << QByteArray(owner) << QByteArray(host);
    };
    row("worker-3@10.2.3.17", "10.2.3.17");
    row("worker-3@10.2.3.17:9c1f22aa", "10.2.3.17");
    row("a@b@orders-7f9", "orders-7f9");
    row("worker-3", "");
    row("worker@", "");
    row("worker@localhost", ""); // each machine is its own
    row("worker@127.0.0.1:99", "");
}

void HolderTest::hosts()
{
    QFETCH(QByteArray, owner);
    QTEST(hostOf(owner), "host");
}

void HolderTest::clients_data()
{
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<QByteArray>("host");
    const auto row = [](const char *client, const char *host) {
        QTest::newRow(client) << QByteArray(client) << QByteArray(host);
    };
    row("10.2.3.4:4711", "10.2.3.4");
    row("orders-7f9", "orders-7f9");
    row("[fe80::1]:4711", "fe80::1");
    row("fe80::1", "fe80::1");
    row("localhost:4711", "");
}

void HolderTest::clients()
{
    QFETCH(QByteArray, client);
    domain::LockState state = lock(QStringLiteral("db"), "innodb.row", "17");
    state.session = domain::Session{};
    state.session->id = "17";
    state.session->client = client;
    QTEST(holderOf(state).host, "host");
}

void HolderTest::randomTokens_data()
{
    QTest::addColumn<QString>("owner");
    QTest::addColumn<bool>("isRandom");
    const auto row = [](const char *owner, bool isRandom) {
        QTest::newRow(owner) << QString::fromLatin1(owner) << isRandom;
    };
    row("3b5f9c1e77aa4c1f9a102bb1f0c7d2e1", true);
    row("6f1d2a0e-9d0c-4d3a-8a55-0a1b2c3d4e5f", true);
    row("Zm9vYmFyMTIzNDU2Nzg5MA==", true);
    row("worker-3@10.2.3.17", false);
    row("nightly-report-scheduler", false);
    row("17", false);
}

void HolderTest::randomTokens()
{
    QFETCH(QString, owner);
    QTEST(isRandomToken(owner), "isRandom");
}

/** Connection 17 of another server is another connection. */
void HolderTest::namesOfConnectionsAreOfOneSource()
{
    const QString one = QStringLiteral("one");
    const QString two = QStringLiteral("two");
    domain::LockState here = lock(one, "innodb.row", "17");
    here.session = domain::Session{};
    here.session->id = "17";
    here.session->client = "10.0.0.1:1";
    domain::LockState there = here;
    there.key.source = two;
    const HolderId holder = holderOf(here);
    QCOMPARE(holder.source, one);
    QVERIFY(isHeldBy(holder, HolderReach::Exact, here));
    QVERIFY(!isHeldBy(holder, HolderReach::Exact, there));
    QVERIFY(isHeldBy(holder, HolderReach::Host, there)); // the same host, as the button says
    QVERIFY(isWaiter(holder, HolderReach::Exact, here, {"17", {}, {}, 0}));
    QVERIFY(!isWaiter(holder, HolderReach::Exact, there, {"17", {}, {}, 0}));
    QVERIFY(!isHeldBy(holder, HolderReach::Exact, lock(one, "redis.token", "17"))); // no connection
    QCOMPARE(holderNamed("17", one), (HolderId{"17", one, {}}));
    const HolderId worker = holderNamed("w@h", one);
    QVERIFY(isHeldBy(worker, HolderReach::Exact, lock(two, "redis.token", "w@h")));
    QVERIFY(!isHeldBy(worker, HolderReach::Exact, lock(two, "redis.token", "v@h")));
    QVERIFY(isHeldBy(worker, HolderReach::Host, lock(two, "redis.token", "v@h")));
}

void HolderTest::unknownHoldersMatchNobody()
{
    domain::LockState state = lock(QStringLiteral("one"), "redis.token", "w");
    state.ownerKnown = false;
    QVERIFY(holderOf(state).isEmpty());
    QVERIFY(!isHeldBy({}, HolderReach::Host, state));
    state.ownerKnown = true;
    state.phase = domain::Phase::Free;
    QVERIFY(holderOf(state).isEmpty()); // `owner` is the last holder
    state.phase = domain::Phase::Held;
    state.owner.clear();
    QVERIFY(!isHeldBy({}, HolderReach::Exact, state));
}

void HolderTest::waitsAddUp()
{
    domain::LockState state = lock(QStringLiteral("one"), "redis.token", "w");
    QVERIFY(!waitingCausedUs(state, 100));
    state.waitersVisible = true;
    QCOMPARE(waitingCausedUs(state, 100).value_or(-1), 0);
    state.waiters = {{"a", 40, {}, 0}, {"b", 90, {}, 0}, {"c", {}, {}, 0}, {"d", 300, {}, 0}};
    QCOMPARE(waitingCausedUs(state, 100).value_or(-1), 60 + 10);
}

LOCKKEEPER_TEST(HolderTest)

} // namespace tst_holder

#include "tst_holder.moc"
