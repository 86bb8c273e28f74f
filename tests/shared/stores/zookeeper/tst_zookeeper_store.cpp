// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_client.h"
#include "shared/stores/zookeeper/store/zookeeper_store.h"
#include "tests/support/foreign_client.h"
#include "tests/support/slow_link.h"
#include "tests/support/store_contract.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QSignalSpy>
#include <QTest>
#include <QUrlQuery>

namespace tst_zookeeper_store {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::zookeeper;
using namespace lockkeeper::tests;
using domain::ExpiryKind;
using domain::Outcome;

/** The store on a real ZooKeeper; the foreign clients have a separate test. */
class TestZookeeperStore : public StoreContract
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void holderAndWaitersInOrder();
    void whatIsNoLock();
    void threadsOfOneClient();
    void aZnodeThatStays();
    void belowAChroot();
    void addressesOfClients();
    void aBreakFreesOneHolder();
    void whatCantBeComparedIsRefused();
    void aTermLeftOutFreesTheWrongOne_data();
    void aTermLeftOutFreesTheWrongOne();
    void aDeadHolderIsGoneWithItsSession();
    void rightsAndPasswords();
    void aRightThatIsTakenAwayIsSaid();
    void aZnodeThatMayNotBeReadIsAPart();
    void grantsShowZnodesToOthers();
    void aChrootThatIsMissing();
    void aHolderThatMayNotBeRead();
    void nobodyKnowsTheHost();
    void dataOfAnyBytes_data();
    void dataOfAnyBytes();
    void bigDataAndManyChildren();
    void aPageShowsWhatWasReadSinceItsScanBegan();
    void dangersAreTold();
    void theNextServerIsAsked();
    void whoOnlyReadsIsNoSource();

private:
    SourceSpec spec(const QByteArray &match = "/lk/*") const
    {
        return sourceOf(m_server->url(), "zookeeper.sequence", match);
    }
    SourceSpec source() const override { return spec(); }
    QByteArray lockName() const override { return "/lk/a"; }
    bool acquire(const QByteArray &) override { return m_client->make("/lk/a/x-0000000000"); }
    bool giveBack() override { return m_client->remove("/lk/a/x-0000000000"); }
    bool isAcquired() override { return !m_client->get("/lk/a/x-0000000000").missing; }
    ServerSwitch server() override { return ServerSwitch::of(*m_server); }
    QUrl nobody() const override { return QUrl(QStringLiteral("zookeeper://127.0.0.1:1")); }
    std::unique_ptr<StoreHarness> harness(const SourceSpec &spec, ZnodeTerm leftOut = ZnodeTerm::None) const
    {
        return std::make_unique<StoreHarness>(
            std::make_unique<ZookeeperStore>(spec, ensembleOf(spec).value(), leftOut));
    }

    /** The findings that were reported last. */
    static QByteArray codesOf(const QSignalSpy &findings)
    {
        QByteArrayList all;
        for (const domain::Finding &finding : findings.last().constFirst().value<QList<domain::Finding>>())
            all.append(finding.code + ' ' + finding.value);
        return all.join("; ");
    }

    std::unique_ptr<ZookeeperServer> m_server;
    std::unique_ptr<QueueClient> m_client; ///< has made /lk and /lk/a
};

void TestZookeeperStore::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
}

void TestZookeeperStore::init()
{
    if (!m_server) {
        m_server = std::make_unique<ZookeeperServer>();
        QVERIFY(m_server->start());
    }
    m_client = std::make_unique<QueueClient>(m_server->url());
    QVERIFY(m_client->isOpen());
    QVERIFY(m_client->make("/lk"));
    QVERIFY(m_client->make("/lk/a"));
}

/** Gives the next test an empty tree. Most tests leave a server that can be emptied; a new server takes a
 * second. */
void TestZookeeperStore::cleanup()
{
    m_client.reset();
    const bool again = m_server && !QTest::currentTestFailed() && QueueClient(m_server->url()).clear();
    if (!again)
        m_server.reset();
}

void TestZookeeperStore::holderAndWaitersInOrder()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QVERIFY2(store->m_info.server.startsWith(QLatin1String("ZooKeeper 3.")),
             qPrintable(store->m_info.server));
    QVERIFY(!store->m_info.instance.isEmpty());
    QVERIFY(store->scan());
    QVERIFY(store->m_pages.constFirst().locks.isEmpty());
    QueueClient second(m_server->url());
    QueueClient third(m_server->url());
    const QByteArray first = m_client->place("/lk/a/x-", "host-1");
    QVERIFY(!second.place("/lk/a/x-").isEmpty());
    QVERIFY(!third.place("/lk/a/x-", "host-3").isEmpty());
    QVERIFY(store->scan());
    const Observation lock = *store->find("/lk/a");
    QVERIFY(lock.held && lock.waitersVisible);
    QCOMPARE(lock.owner, "host-1 (" + m_client->session() + ')');
    QCOMPARE(lock.token, m_client->session());
    QCOMPARE(lock.expiry, ExpiryKind::Unknown);
    QCOMPARE(lock.waiters.size(), 2);
    QCOMPARE(lock.waiters.at(0).id, second.session());
    QCOMPARE(lock.waiters.at(1).id, "host-3 (" + third.session() + ')');
    QCOMPARE(lock.fencing, QByteArray::number(m_client->get(first).stat.czxid));
    QVERIFY(m_client->remove(first));
    QVERIFY(store->scan());
    const Observation next = *store->find("/lk/a");
    QCOMPARE(next.owner, second.session());
    QVERIFY(next.identity != lock.identity);
    QVERIFY(next.fencing.toLongLong() > lock.fencing.toLongLong());
    const QList<Observation> points = store->readPoints({{0, "/lk/a"}, {0, "/lk/none"}});
    QCOMPARE(points.size(), 2);
    QCOMPARE(points.at(0).identity, next.identity);
    QVERIFY(!points.at(1).present);
}

void TestZookeeperStore::whatIsNoLock()
{
    QVERIFY(m_client->make("/lk/settings") && m_client->make("/lk/settings/size"));
    QVERIFY(m_client->make("/lk/deep") && m_client->make("/lk/deep/er"));
    QVERIFY(m_client->make("/other") && !m_client->place("/other/x-").isEmpty());
    QVERIFY(!m_client->place("/lk/deep/er/x-").isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->m_pages.constFirst().locks.size(), 1);
    QVERIFY(store->find("/lk/deep/er"));
    const auto all = harness(spec("*"));
    QVERIFY(all->open() && all->scan());
    QCOMPARE(all->m_pages.constFirst().locks.size(), 2);
}

/** Threads share a session, but the store distinguishes them as long as they wait. */
void TestZookeeperStore::threadsOfOneClient()
{
    QList<QByteArray> places;
    for (int i = 0; i < 3; ++i)
        places.append(m_client->place("/lk/a/x-"));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    const Observation lock = *store->find("/lk/a");
    QCOMPARE(lock.waiters.size(), 2);
    QVERIFY(lock.waiters.at(0).id != lock.waiters.at(1).id && lock.waiters.at(0).id != lock.owner);
    QVERIFY(m_client->remove(places.at(1)));
    QVERIFY(store->scan());
    QCOMPARE(store->find("/lk/a")->waiters.size(), 1);
    QCOMPARE(store->find("/lk/a")->waiters.at(0).id, lock.waiters.at(1).id);
    // Another hold by the same session is another acquisition.
    QVERIFY(m_client->remove(places.at(0)));
    QVERIFY(store->scan());
    QVERIFY(store->find("/lk/a")->identity != lock.identity);
}

/** kazoo's acquire(ephemeral=False): no session ends it. */
void TestZookeeperStore::aZnodeThatStays()
{
    QVERIFY(m_client->make("/lk/a/x-0000000000"));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QCOMPARE(store->find("/lk/a")->expiry, ExpiryKind::None);
    // That it has no session is compared, and so "stuck" can be promised.
    QCOMPARE(store->release(orderFor(store->inspect("/lk/a"), true)).outcome, Outcome::Released);
    QVERIFY(store->scan() && !store->find("/lk/a"));
}

void TestZookeeperStore::belowAChroot()
{
    QVERIFY(!m_client->place("/lk/a/x-", "host-1").isEmpty());
    SourceSpec below = spec("/a");
    below.url.setPath(QStringLiteral("/lk"));
    const auto store = harness(below);
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find("/a"));
    QCOMPARE(store->release(orderFor(store->inspect("/a"))).outcome, Outcome::Released);
    SourceSpec all = below;
    all.locks.first().match = "*";
    const auto whole = harness(all);
    QVERIFY(whole->open() && whole->scan());
    QVERIFY(whole->m_pages.constFirst().locks.isEmpty());
    // The chroot may be a lock.
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    all.url.setPath(QStringLiteral("/lk/a"));
    const auto itself = harness(all);
    QVERIFY(itself->open() && itself->scan());
    QVERIFY(itself->find("/"));
    QCOMPARE(itself->release(orderFor(itself->inspect("/"))).outcome, Outcome::Released);
}

void TestZookeeperStore::addressesOfClients()
{
    QVERIFY(!m_client->place("/lk/a/x-", "host-1").isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open());
    const auto client = [&] {
        const Observation *lock = store->scan() ? store->find("/lk/a") : nullptr;
        return lock && lock->session ? lock->session->client : QByteArray();
    };
    QTRY_VERIFY(client().startsWith("127.0.0.1:"));
    QVERIFY2(client().endsWith(" (10000 ms)"), client().constData());
    QCOMPARE(store->find("/lk/a")->session->id, m_client->session());
    // A server that doesn't report its clients is assumed to have its reasons.
    m_server.reset();
    m_server = std::make_unique<ZookeeperServer>();
    QVERIFY(m_server->start("4lw.commands.whitelist=srvr\n"));
    QueueClient other(m_server->url());
    QVERIFY(other.make("/lk") && other.make("/lk/a") && !other.place("/lk/a/x-").isEmpty());
    const auto silent = harness(spec());
    QVERIFY(silent->open() && silent->scan() && silent->scan());
    QCOMPARE(silent->find("/lk/a")->session->client, QByteArray());
    m_server.reset(); // it stays silent
}

void TestZookeeperStore::aBreakFreesOneHolder()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QueueClient second(m_server->url());
    const QByteArray first = m_client->place("/lk/a/x-");
    const QByteArray next = second.place("/lk/a/x-");
    const ReleaseOrder order = orderFor(store->inspect("/lk/a"));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QVERIFY(m_client->get(first).missing);
    // The same order frees nothing a second time.
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(store->scan());
    QCOMPARE(store->find("/lk/a")->owner, second.session());
    QVERIFY(second.remove(next));
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    ReleaseOrder foreign = order;
    foreign.guard.identity = "1/0x1/lk/a/fixed";
    QCOMPARE(store->release(foreign).outcome, Outcome::Refused);
}

void TestZookeeperStore::whatCantBeComparedIsRefused()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    QCOMPARE(store->release(orderFor(store->inspect("/lk/a"), true)).outcome, Outcome::Refused);
    ReleaseOrder expired = orderFor(store->inspect("/lk/a"));
    expired.mustBeExpired = true;
    QCOMPARE(store->release(expired).outcome, Outcome::Refused);
    QVERIFY(store->scan() && store->find("/lk/a"));
}

void TestZookeeperStore::aTermLeftOutFreesTheWrongOne_data()
{
    QTest::addColumn<int>("term");
    QTest::newRow("czxid") << int(ZnodeTerm::Created);
    QTest::newRow("session") << int(ZnodeTerm::Session);
    QTest::newRow("version") << int(ZnodeTerm::Version);
}

/** The guard describes a znode that differs from the stored znode in a single term. */
void TestZookeeperStore::aTermLeftOutFreesTheWrongOne()
{
    QFETCH(int, term);
    const QByteArray place = m_client->place("/lk/a/x-");
    const auto whole = harness(spec());
    const auto mutated = harness(spec(), ZnodeTerm(term));
    QVERIFY(whole->open() && mutated->open());
    ReleaseOrder order = orderFor(whole->inspect("/lk/a"));
    const Stat seen = m_client->get(place).stat;
    if (ZnodeTerm(term) == ZnodeTerm::Created)
        order.guard.identity = QByteArray::number(seen.czxid - 1) + '/' + m_client->session() + place;
    else if (ZnodeTerm(term) == ZnodeTerm::Session)
        order.guard.identity = QByteArray::number(seen.czxid) + "/0x7" + place;
    else
        order.guard.freshness = QByteArray::number(seen.version + 1);
    QCOMPARE(whole->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(!m_client->get(place).missing);
    QCOMPARE(mutated->release(order).outcome, Outcome::Released); // without the term it would go
    QVERIFY(m_client->get(place).missing);
}

void TestZookeeperStore::aDeadHolderIsGoneWithItsSession()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    QVERIFY(store->scan() && store->find("/lk/a"));
    m_client->close();
    QTRY_VERIFY(store->scan() && !store->find("/lk/a"));
}

void TestZookeeperStore::rightsAndPasswords()
{
    QueueClient owner(m_server->url(QStringLiteral("app")), "secret");
    QVERIFY(owner.make("/lk/own"));
    QVERIFY(!owner.place("/lk/own/x-").isEmpty());
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    const auto as = [this](const char *password) {
        SourceSpec own = spec();
        own.url.setUserName(QStringLiteral("app"));
        own.password = password;
        return own;
    };
    for (const char *password : {"", "wrong"}) {
        const auto store = harness(as(password));
        QVERIFY(store->open());
        const auto missing = std::find_if(store->m_info.access.cbegin(), store->m_info.access.cend(),
                                          [](const domain::Access &access) { return !access.granted; });
        QVERIFY(missing != store->m_info.access.cend());
        QVERIFY2(missing->remedy.contains(QLatin1String("/lk/own")), qPrintable(missing->remedy));
        QVERIFY(!missing->forBreaking);
        QVERIFY(store->scan() && store->find("/lk/a") && !store->find("/lk/own"));
        const ScanEnd end = store->m_ends.constFirst();
        QVERIFY(end.covers && end.covers({0, "/lk/a"}) && !end.covers({0, "/lk/own"}) &&
                !end.covers({0, "/lk/own/x"}));
        QVERIFY(store->inspect("/lk/own").error);
    }
    const auto right = harness(as("secret"));
    QVERIFY(right->open());
    QVERIFY(std::all_of(right->m_info.access.cbegin(), right->m_info.access.cend(),
                        [](const domain::Access &access) { return access.granted; }));
    QVERIFY(right->scan() && right->find("/lk/own"));
    const ReleaseOrder order = orderFor(right->inspect("/lk/own"));
    const auto stranger = harness(as("wrong"));
    QVERIFY(stranger->open());
    const ReleaseReport report = stranger->release(order);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, base::ErrorCode::PermissionDenied);
    QVERIFY(report.error.remedy.contains(QLatin1String("/lk/own")));
    QCOMPARE(right->release(order).outcome, Outcome::Released);
}

/** Otherwise its last shown state would stay for ever: the source opens again, and names the znode. */
void TestZookeeperStore::aRightThatIsTakenAwayIsSaid()
{
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan() && store->find("/lk/a"));
    QVERIFY(m_client->clear("/lk/a") && m_client->remove("/lk/a"));
    QueueClient owner(m_server->url(QStringLiteral("app")), "secret");
    QVERIFY(owner.make("/lk/a"));
    QVERIFY(store->scan());
    QVERIFY(store->waitForFailure());
    QVERIFY(base::isTransient(store->m_failures.constLast().code));
    QVERIFY(store->m_failures.constLast().cause.contains(QLatin1String("/lk/a")));
    QVERIFY(store->open());
    QVERIFY(std::any_of(store->m_info.access.cbegin(), store->m_info.access.cend(),
                        [](const domain::Access &access) {
                            return !access.granted && access.remedy.contains(QLatin1String("/lk/a"));
                        }));
    store->m_failures.clear();
    QVERIFY(store->scan() && store->scan());
    QVERIFY(store->m_failures.isEmpty());
    QVERIFY(owner.remove("/lk/a"));
}

void TestZookeeperStore::aZnodeThatMayNotBeReadIsAPart()
{
    const auto store = harness(spec());
    QList<ShardState> parts;
    connect(&store->store(), &Store::shardChanged, this,
            [&parts](const ShardState &part) { parts.append(part); });
    QVERIFY(store->open() && store->scan());
    QCOMPARE(parts.size(), 0);
    QueueClient owner(m_server->url(QStringLiteral("app")), "secret");
    QVERIFY(owner.make("/lk/own"));
    QVERIFY(store->scan());
    QCOMPARE(parts.size(), 1);
    const ShardState part = parts.constFirst();
    QCOMPARE(part.node, QByteArray("/lk/own"));
    QVERIFY(!part.up && !part.polled);
    QCOMPARE(part.error.code, base::ErrorCode::PermissionDenied);
    QVERIFY(part.error.remedy.contains(QLatin1String("setAcl /lk/own")));
    QVERIFY(part.holds({0, "/lk/own/a"}) && !part.holds({0, "/lk/owner"}));
    QVERIFY(store->scan());
    QCOMPARE(parts.size(), 1);
    QVERIFY(owner.remove("/lk/own"));
    QVERIFY(store->scan());
    QCOMPARE(parts.size(), 2);
    QVERIFY(parts.constLast().up);
    QCOMPARE(parts.constLast().node, QByteArray("/lk/own"));
}

void TestZookeeperStore::grantsShowZnodesToOthers()
{
    QUrl url = m_server->url(QStringLiteral("app"));
    QUrlQuery query(url);
    query.addQueryItem(QStringLiteral("acl"), QStringLiteral("world:anyone:r"));
    url.setQuery(query);
    QueueClient owner(url, "secret");
    QVERIFY(owner.make("/lk/own") && !owner.place("/lk/own/x-", "host-1").isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    QVERIFY(store->find("/lk/own"));
    QCOMPARE(store->find("/lk/own")->owner, "host-1 (" + owner.session() + ')');
    QVERIFY(owner.clear("/lk/own") && owner.remove("/lk/own"));
}

void TestZookeeperStore::aChrootThatIsMissing()
{
    SourceSpec elsewhere = spec();
    elsewhere.url.setPath(QStringLiteral("/none"));
    const auto store = harness(elsewhere);
    QVERIFY(!store->open());
    QCOMPARE(store->m_failures.constLast().code, base::ErrorCode::NotFound);
    QVERIFY(store->m_failures.constLast().cause.contains(QLatin1String("/none")));
    QVERIFY(m_client->make("/none"));
    QVERIFY(store->open() && store->scan());
}

/** The holder's place is visible, but its identity isn't: nothing could be compared. */
void TestZookeeperStore::aHolderThatMayNotBeRead()
{
    QueueClient owner(m_server->url(QStringLiteral("app")), "secret");
    QVERIFY(!owner.place("/lk/a/x-", "w1").isEmpty());
    QVERIFY(!m_client->place("/lk/a/x-", "w2").isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan() && store->find("/lk/a"));
    const Observation lock = *store->find("/lk/a");
    QVERIFY(lock.held && !lock.ownerKnown && lock.identity.isEmpty());
    QCOMPARE(lock.waiters.size(), 1);
    QCOMPARE(store->release(orderFor(store->inspect("/lk/a"))).outcome, Outcome::Refused);
    owner.close();
    QTRY_VERIFY(store->scan() && store->find("/lk/a") && store->find("/lk/a")->owner.startsWith("w2"));
}

void TestZookeeperStore::nobodyKnowsTheHost()
{
    SourceSpec unknown = spec();
    unknown.url.setHost(QStringLiteral("no-such-host.invalid"));
    const auto store = harness(unknown);
    QVERIFY(!store->open());
    QCOMPARE(store->m_failures.constFirst().code, base::ErrorCode::Unreachable);
    // One known host is enough.
    SourceSpec two = spec();
    Ensemble ensemble = ensembleOf(two).value();
    ensemble.servers.prepend({QStringLiteral("no-such-host.invalid"), 2181});
    StoreHarness other(std::make_unique<ZookeeperStore>(two, ensemble));
    QVERIFY(other.open() && other.scan());
}

void TestZookeeperStore::dataOfAnyBytes_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("lines and an escape") << QByteArray("a\r\nb\x1b[2J");
    QTest::newRow("a serialised object") << QByteArray("\xac\xed\0\x05t\0\x06host-1", 13);
}

/** A holder is shown with the bytes that its client wrote, and can be released by them. */
void TestZookeeperStore::dataOfAnyBytes()
{
    QFETCH(QByteArray, data);
    QVERIFY(!m_client->place("/lk/a/x-", data).isEmpty());
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    const Observation lock = *store->find("/lk/a");
    QVERIFY(lock.held);
    QCOMPARE(lock.owner, data + " (" + m_client->session() + ')');
    QCOMPARE(store->release(orderFor(store->inspect("/lk/a"))).outcome, Outcome::Released);
    QVERIFY(store->scan());
    if (const Observation *left = store->find("/lk/a")) // an empty znode may stay
        QVERIFY(!left->held);
}

void TestZookeeperStore::bigDataAndManyChildren()
{
    QVERIFY(!m_client->place("/lk/a/x-", QByteArray(1'048'000, 'd')).isEmpty()); // past it the server refuses
    constexpr int kWaiters = 70'000; // an answer of more than a mebibyte
    QVERIFY(m_client->crowd("/lk/a/x-", kWaiters));
    const auto store = harness(spec());
    QVERIFY(store->open() && store->scan());
    const Observation lock = *store->find("/lk/a");
    QVERIFY(lock.owner.size() < 2'000);
    QVERIFY(!lock.waitersVisible && lock.waiters.isEmpty());
    QCOMPARE(lock.waiting.value_or(0), quint32(kWaiters));
    QCOMPARE(store->release(orderFor(store->inspect("/lk/a"))).outcome, Outcome::Released);
    m_server.reset(); // its end is quicker than theirs
}

/** The store reads some hundred locks at once: a lock's queue is known before its holder is, and the page of
 * another lock may be reported in between. */
void TestZookeeperStore::aPageShowsWhatWasReadSinceItsScanBegan()
{
    QVERIFY(m_client->make("/lk/b"));
    QVERIFY(!m_client->place("/lk/a/x-").isEmpty());
    QVERIFY(!m_client->place("/lk/b/x-").isEmpty());
    SourceSpec small = spec();
    small.pageSize = 1;
    const auto store = harness(small);
    QVERIFY(store->open());
    QVERIFY(store->scan());
    QVERIFY(store->m_pages.size() >= 2);
    for (const Page &page : std::as_const(store->m_pages))
        QCOMPARE(page.beganUs, store->m_ends.constLast().beganUs);
}

void TestZookeeperStore::dangersAreTold()
{
    QueueClient hasty(m_server->url(), {}, 4'000);
    QVERIFY(!hasty.place("/lk/a/x-").isEmpty());
    SlowLink link(quint16(m_server->url().port()));
    SourceSpec slow = spec();
    slow.url.setPort(link.port());
    slow.push = true;
    const auto store = harness(slow);
    QSignalSpy found(&store->store(), &Store::findingsRead);
    QVERIFY(store->open() && store->scan());
    QVERIFY(found.wait());
    QCOMPARE(codesOf(found), QByteArray("single_member "));
    const auto knowsTheSession = [&store] {
        const Observation *lock = store->scan() ? store->find("/lk/a") : nullptr;
        return lock && lock->session && lock->session->client.contains("(4000 ms)");
    };
    QTRY_VERIFY(knowsTheSession()); // it is asked for beside
    link.setDelayMs(2'100);
    found.clear();
    QVERIFY(store->scan());
    QVERIFY(found.wait(15'000));
    QVERIFY2(codesOf(found).startsWith("single_member ; short_lease 4000 2"), codesOf(found).constData());
    QVERIFY2(codesOf(found).contains(" /lk/a; watch_lag 2"), codesOf(found).constData());
}

/** A state that one server has shown isn't forgotten at another server. */
void TestZookeeperStore::theNextServerIsAsked()
{
    m_client.reset();
    m_server.reset();
    auto servers = ZookeeperServer::ensemble(3);
    QCOMPARE(servers.size(), 3U);
    SourceSpec all;
    all.name = QStringLiteral("s");
    LockSet set;
    set.scheme = "zookeeper.sequence";
    set.match = "/lk/*";
    all.locks = {set};
    all.url = urlOf(QStringLiteral("zookeeper://") + servers.at(0)->address() + QLatin1Char(',') +
                    servers.at(1)->address() + QLatin1Char(',') + servers.at(2)->address());
    all.connectTimeoutMs = 10'000;
    all.push = true;
    const auto leader =
        std::find_if(servers.begin(), servers.end(), [](const auto &server) { return server->isLeader(); });
    QVERIFY(leader != servers.end());
    const auto store = harness(all);
    QList<PushState> states;
    connect(&store->store(), &Store::pushStateChanged, this,
            [&states](const PushState &state) { states.append(state); });
    int gone = 0;
    connect(&store->store(), &Store::pushed, this, [&gone](const Push &push) {
        gone += int(std::count_if(push.changes.cbegin(), push.changes.cend(),
                                  [](const Change &change) { return !change.lock.present; }));
    });
    QVERIFY(store->open());
    {
        QueueClient client(all.url);
        QVERIFY(client.make("/lk") && client.make("/lk/a") && client.make("/lk/a/x-0000000000"));
    }
    const ReleaseOrder order = orderFor(store->inspect("/lk/a"));
    (*leader)->kill();
    QTRY_VERIFY_WITH_TIMEOUT((store->scan() || store->open()) && store->scan() && store->find("/lk/a"),
                             30'000);
    QCOMPARE(store->inspect("/lk/a").guard, order.guard);
    QVERIFY(states.constLast().blind); // its watches ended with the other server
    // Without a majority the store reports nothing.
    const auto second =
        std::find_if(servers.begin(), servers.end(), [&](const auto &server) { return server != *leader; });
    const auto last = std::find_if(servers.begin(), servers.end(), [&](const auto &server) {
        return server != *leader && server != *second;
    });
    SourceSpec one = all;
    one.url = (*last)->url();
    const auto alone = harness(one);
    QVERIFY(QTest::qWaitFor([&] { return alone->open() && alone->scan(); }, 30'000));
    QSignalSpy found(&alone->store(), &Store::findingsRead);
    (*second)->kill();
    QVERIFY(alone->waitForFailure());
    QCOMPARE(codesOf(found), "no_leader " + (*last)->address().toUtf8());
    QTRY_VERIFY_WITH_TIMEOUT(!store->scan(), 30'000);
    QVERIFY(store->m_pages.isEmpty());
    QVERIFY(store->release(order).outcome != Outcome::Released);
    QVERIFY(!store->open());
    QVERIFY2(store->m_failures.constFirst().cause.contains(QLatin1String("no majority")),
             qPrintable(store->m_failures.constFirst().cause));
    QVERIFY((*second)->restart());
    QVERIFY(QTest::qWaitFor([&] { return store->open() && store->scan() && store->find("/lk/a"); }, 30'000));
    QCOMPARE(gone, 0);
    QCOMPARE(store->release(order).outcome, Outcome::Released);
}

/** A read-only server could show locks that are long gone. Clients have to request that mode, and ours
 * doesn't. */
void TestZookeeperStore::whoOnlyReadsIsNoSource()
{
    m_client.reset();
    m_server = std::make_unique<ZookeeperServer>();
    QVERIFY(m_server->startReadOnly());
    QTRY_VERIFY_WITH_TIMEOUT(m_server->word("srvr").contains("Mode: read-only"), 30'000);
    SourceSpec hasty = spec();
    hasty.connectTimeoutMs = 1'000;
    const auto store = harness(hasty);
    QVERIFY(!store->open());
    QVERIFY2(store->m_failures.constFirst().cause.contains(
                 QLatin1String("no majority: ") + m_server->address() + QLatin1String(" knows of no leader")),
             qPrintable(store->m_failures.constFirst().cause));
    m_server.reset(); // nothing can be removed from it
}

LOCKKEEPER_TEST(TestZookeeperStore)

} // namespace tst_zookeeper_store

#include "tst_zookeeper_store.moc"
