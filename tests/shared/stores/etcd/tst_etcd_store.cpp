// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/store/etcd_store.h"
#include "tests/support/etcd_server.h"
#include "tests/support/slow_link.h"
#include "tests/support/store_contract.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_etcd_store {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::etcd;
using namespace lockkeeper::tests;
using domain::ExpiryKind;
using domain::Outcome;

/** The store on a real etcd, with etcdctl as the other side. */
class TestEtcdStore : public StoreContract
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void holderAndWaitersInOrder();
    void plainKeysAndElections();
    void aQueueOfPages();
    void longValuesComeInShortPages();
    void aBreakFreesOneHolder();
    void renewalsCantBeCompared();
    void aTermLeftOutFreesTheWrongOne_data();
    void aTermLeftOutFreesTheWrongOne();
    void aKeyWrittenAgainIsAnotherState();
    void bytesThatAreNoText();
    void aDeadHolderIsGoneAfterItsLease();
    void aLostAnswerIsUnknown();
    void aKeyWithoutALeaseIsStuck();
    void rightsAndPasswords();
    void theNextMemberIsAsked();
    void aMemberThatIsNoneIsPassedBy();
    void withoutAMajorityNothingIsSaid();
    void dangersAreTold();
    void whatElseHangsOnTheLease();

private:
    SourceSpec spec(const QByteArray &match = "lk/*") const
    {
        return sourceOf(m_etcd->url(), "etcd.lease", match);
    }
    SourceSpec source() const override { return spec(); }
    QByteArray lockName() const override { return "lk/a"; }
    bool acquire(const QByteArray &holder) override
    {
        put("lk/a", holder.constData(), m_etcd->grant(600));
        return isAcquired();
    }
    bool giveBack() override
    {
        return m_etcd->ctl({QStringLiteral("del"), QStringLiteral("lk/a")}).startsWith('1');
    }
    bool isAcquired() override { return !get("lk/a").isEmpty(); }
    ServerSwitch server() override { return ServerSwitch::of(*m_etcd); }
    QUrl nobody() const override { return QUrl(QStringLiteral("etcd://127.0.0.1:1")); }
    std::unique_ptr<StoreHarness> harness(const SourceSpec &spec, KeyTerm leftOut = KeyTerm::None) const
    {
        return std::make_unique<StoreHarness>(
            std::make_unique<EtcdStore>(spec, endpointsOf(spec).value(), leftOut));
    }
    void put(const char *key, const char *value, const QByteArray &lease = {}) const
    {
        QStringList arguments{QStringLiteral("put"), QLatin1String(key), QLatin1String(value)};
        if (!lease.isEmpty())
            arguments.append(QLatin1String("--lease=") + QLatin1String(lease));
        QCOMPARE(m_etcd->ctl(arguments), QByteArray("OK"));
    }
    QByteArray get(const char *key) const
    {
        return m_etcd->ctl({QStringLiteral("get"), QLatin1String(key), QStringLiteral("--print-value-only")});
    }

    /** The findings that were reported last. */
    static QByteArray codesOf(const QSignalSpy &findings)
    {
        QByteArrayList all;
        for (const domain::Finding &finding : findings.last().constFirst().value<QList<domain::Finding>>())
            all.append(finding.code + ' ' + finding.value);
        return all.join("; ");
    }

    std::unique_ptr<EtcdServer> m_etcd;
};

void TestEtcdStore::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
}

void TestEtcdStore::init()
{
    m_etcd = std::make_unique<EtcdServer>();
    QVERIFY(m_etcd->start());
}

void TestEtcdStore::cleanup()
{
    m_etcd.reset();
}

void TestEtcdStore::holderAndWaitersInOrder()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    QVERIFY(store->m_info.server.startsWith(QLatin1String("etcd 3.")));
    QVERIFY(!store->m_info.instance.isEmpty());
    QVERIFY(store->scan());
    QVERIFY(store->m_pages.constFirst().locks.isEmpty());
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(!first.key().isEmpty());
    // Each is in the queue before the next one comes.
    const auto waiters = [&] {
        const Observation *lock = store->scan() ? store->find("lk/a") : nullptr;
        return lock ? lock->waiters.size() : -1;
    };
    EtcdctlLock second(*m_etcd, QStringLiteral("lk/a"), 60);
    QTRY_COMPARE(waiters(), 1);
    EtcdctlLock third(*m_etcd, QStringLiteral("lk/a"), 60);
    QTRY_COMPARE(waiters(), 2);
    const Observation lock = *store->find("lk/a");
    QVERIFY(lock.held && lock.waitersVisible);
    QCOMPARE(lock.owner, first.lease());
    QCOMPARE(lock.expiry, ExpiryKind::At);
    const qint64 leftUs = lock.expiresUs - store->m_pages.constFirst().endedUs;
    QVERIFY2(leftUs > 30'000'000 && leftUs <= 60'000'000, qPrintable(QString::number(leftUs)));
    QVERIFY(lock.fencing.toLongLong() > 0);
    first.release();
    QVERIFY(!second.key().isEmpty());
    QVERIFY(store->scan());
    QCOMPARE(store->find("lk/a")->owner, second.lease());
    QCOMPARE(store->find("lk/a")->waiters.constFirst().id, lock.waiters.constLast().id);
    QVERIFY(store->find("lk/a")->fencing.toLongLong() > lock.fencing.toLongLong());
    QVERIFY(store->find("lk/a")->identity != lock.identity);
}

void TestEtcdStore::plainKeysAndElections()
{
    const QByteArray lease = m_etcd->grant(60);
    put("lk/plain", "host-1", lease);
    put("lk/setting", "no lock");
    put("other", "host-2", lease);
    QProcess elect;
    elect.start(QStringLiteral("env"),
                {QStringLiteral("ETCDCTL_API=3"), EtcdServer::program("etcdctl"),
                 QLatin1String("--endpoints=") + m_etcd->clientUrl(), QStringLiteral("elect"),
                 QStringLiteral("lk/leader"), QStringLiteral("node-7")});
    const auto store = harness(spec());
    QVERIFY(store->open());
    QTRY_VERIFY(store->scan() && store->find("lk/leader"));
    const Observation leader = *store->find("lk/leader");
    QCOMPARE(leader.owner, "node-7 (" + leader.token + ')');
    const Observation *plain = store->find("lk/plain");
    QVERIFY(plain);
    QCOMPARE(plain->owner, QByteArray("host-1"));
    QCOMPARE(plain->token.toULongLong(nullptr, 16), lease.toULongLong(nullptr, 16));
    QVERIFY(!plain->waitersVisible);
    QVERIFY(!store->find("lk/setting") && !store->find("other"));
    const QList<Observation> points = store->readPoints({{0, "lk/plain"}, {0, "lk/none"}});
    QCOMPARE(points.size(), 2);
    QVERIFY(points.at(0).present && points.at(0).identity == plain->identity);
    QVERIFY(!points.at(1).present);
    elect.kill();
    elect.waitForFinished();
}

void TestEtcdStore::aQueueOfPages()
{
    const QByteArray lease = m_etcd->grant(60);
    constexpr int kLocks = 25;
    for (int i = 0; i < kLocks; ++i)
        put(QByteArray("lk/n" + QByteArray::number(i)).constData(), "x", lease);
    SourceSpec paged = spec();
    paged.pageSize = 4;
    const auto store = harness(paged);
    QVERIFY(store->open());
    QVERIFY(store->scan());
    QCOMPARE(store->m_pages.constFirst().locks.size(), kLocks);
    QCOMPARE(store->m_ends.constFirst().scanned, kLocks);
}

/** Together, the values are larger than an answer may be. */
void TestEtcdStore::longValuesComeInShortPages()
{
    constexpr int kLocks = 55;
    const qint64 lease = qint64(m_etcd->grant(60).toULongLong(nullptr, 16));
    SourceSpec lasting = spec();
    lasting.statementTimeoutMs = 60'000;
    lasting.pageSize = 100;
    Gateway gateway(endpointsOf(lasting).value(), {});
    gateway.setTimeoutMs(lasting.statementTimeoutMs);
    int put = 0;
    for (int i = 0; i < kLocks; ++i) {
        gateway.ask("kv/put",
                    {{QStringLiteral("key"), jsonOf("lk/" + QByteArray::number(i))},
                     {QStringLiteral("value"), jsonOf(QByteArray(1 << 20, 'x'))},
                     {QStringLiteral("lease"), jsonOf(lease)}},
                    [&put](const Answer &answer) { put += answer.error ? 0 : 1; });
    }
    QTRY_COMPARE_WITH_TIMEOUT(put, kLocks, 60'000);
    const auto store = harness(lasting);
    QVERIFY(store->open());
    QVERIFY(store->scan());
    QCOMPARE(store->m_pages.constFirst().locks.size(), kLocks);
}

void TestEtcdStore::aBreakFreesOneHolder()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(!first.key().isEmpty());
    put("session/data", "of the same session", first.lease());
    EtcdctlLock second(*m_etcd, QStringLiteral("lk/a"), 60);
    QTRY_VERIFY(store->scan() && store->find("lk/a")->waiters.size() == 1);
    const ReleaseOrder order = orderFor(store->inspect("lk/a"));
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QVERIFY(!second.key().isEmpty()); // its turn has come
    QCOMPARE(get("session/data"), QByteArray("of the same session"));
    // The same order frees nothing a second time.
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(store->scan());
    QCOMPARE(store->find("lk/a")->owner, second.lease());
    second.release();
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    ReleaseOrder foreign = order;
    foreign.guard.identity = "0/0/lk/a/x";
    QCOMPARE(store->release(foreign).outcome, Outcome::Refused);
    // The key of another lock, in the state that was seen.
    put("lk/b", "x", m_etcd->grant(60));
    foreign = orderFor(store->inspect("lk/b"));
    foreign.guard.key.name = "lk/a";
    QCOMPARE(store->release(foreign).outcome, Outcome::Refused);
    QCOMPARE(get("lk/b"), QByteArray("x"));
}

/** A keep-alive leaves no trace in the key, so "only if not renewed" can't be promised. */
void TestEtcdStore::renewalsCantBeCompared()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 60);
    QVERIFY(!first.key().isEmpty());
    const ReleaseReport report = store->release(orderFor(store->inspect("lk/a"), true));
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, base::ErrorCode::Unsupported);
    ReleaseOrder expired = orderFor(store->inspect("lk/a"));
    expired.mustBeExpired = true;
    QCOMPARE(store->release(expired).outcome, Outcome::Refused);
    QVERIFY(store->scan() && store->find("lk/a"));
}

void TestEtcdStore::aTermLeftOutFreesTheWrongOne_data()
{
    QTest::addColumn<int>("term");
    QTest::newRow("create_revision") << int(KeyTerm::Create);
    QTest::newRow("mod_revision") << int(KeyTerm::Mod);
    QTest::newRow("lease") << int(KeyTerm::Lease);
}

/** The guard describes a key that differs from the stored key in a single term. */
void TestEtcdStore::aTermLeftOutFreesTheWrongOne()
{
    QFETCH(int, term);
    const QByteArray lease = m_etcd->grant(60);
    put("lk/a", "x", lease);
    const auto whole = harness(spec());
    const auto mutated = harness(spec(), KeyTerm(term));
    QVERIFY(whole->open() && mutated->open());
    ReleaseOrder order = orderFor(whole->inspect("lk/a"));
    QList<QByteArray> parts = order.guard.identity.split('/');
    if (KeyTerm(term) == KeyTerm::Create)
        parts[0] = QByteArray::number(parts.at(0).toLongLong() - 1);
    else if (KeyTerm(term) == KeyTerm::Lease)
        parts[1] = "7";
    else
        order.guard.freshness = QByteArray::number(order.guard.freshness.toLongLong() - 1);
    order.guard.identity = parts.join('/');
    QCOMPARE(whole->release(order).outcome, Outcome::HolderChanged);
    QCOMPARE(get("lk/a"), QByteArray("x"));
    QCOMPARE(mutated->release(order).outcome, Outcome::Released); // without the term it would go
    QCOMPARE(get("lk/a"), QByteArray());
}

void TestEtcdStore::aKeyWrittenAgainIsAnotherState()
{
    const QByteArray lease = m_etcd->grant(60);
    put("lk/a", "x", lease);
    const auto store = harness(spec());
    QVERIFY(store->open());
    const Inspection before = store->inspect("lk/a");
    put("lk/a", "y", lease);
    QCOMPARE(store->release(orderFor(before)).outcome, Outcome::HolderChanged);
    const Inspection after = store->inspect("lk/a");
    QCOMPARE(after.guard.digest(), before.guard.digest()); // the same acquisition still
    QCOMPARE(store->release(orderFor(after)).outcome, Outcome::Released);
}

void TestEtcdStore::bytesThatAreNoText()
{
    const auto store = harness(spec("*"));
    QVERIFY(store->open());
    const QByteArray lease = m_etcd->grant(60);
    QProcess put;
    put.start(QStringLiteral("sh"),
              {QStringLiteral("-c"),
               QStringLiteral("printf 'v\\377\\n' | ETCDCTL_API=3 etcdctl --endpoints=%1 put --lease=%2 -- "
                              "\"$(printf 'lk/\\377\\001')\"")
                   .arg(m_etcd->clientUrl(), QLatin1String(lease))});
    put.waitForFinished();
    QVERIFY(store->scan());
    const QByteArray name("lk/\xff\x01");
    const Observation *lock = store->find(name);
    QVERIFY(lock);
    QCOMPARE(lock->owner, QByteArray("v\xff\n"));
    QCOMPARE(store->release(orderFor(store->inspect(name))).outcome, Outcome::Released);
    QVERIFY(store->scan());
    QVERIFY(!store->find(name));
}

void TestEtcdStore::aDeadHolderIsGoneAfterItsLease()
{
    const auto store = harness(spec());
    QVERIFY(store->open());
    EtcdctlLock first(*m_etcd, QStringLiteral("lk/a"), 2);
    QVERIFY(!first.key().isEmpty());
    first.kill();
    QVERIFY(store->scan());
    const Observation lock = *store->find("lk/a");
    QTRY_VERIFY_WITH_TIMEOUT(store->scan() && !store->find("lk/a"), 15'000);
    QVERIFY(store->m_pages.constFirst().endedUs >= lock.expiresUs);
}

/** The release reaches etcd, but etcd's answer is lost. */
void TestEtcdStore::aLostAnswerIsUnknown()
{
    QTcpServer relay;
    QVERIFY(relay.listen(QHostAddress::LocalHost));
    bool cut = false;
    int answersCut = 0;
    connect(&relay, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *client = relay.nextPendingConnection();
        auto *server = new QTcpSocket(client);
        server->connectToHost(QHostAddress(QHostAddress::LocalHost), quint16(m_etcd->url().port()));
        connect(client, &QTcpSocket::readyRead, server, [=] { server->write(client->readAll()); });
        connect(server, &QTcpSocket::readyRead, client, [=, &cut, &answersCut] {
            const QByteArray answer = server->readAll();
            if (cut) {
                ++answersCut;
                client->abort();
            } else {
                client->write(answer);
            }
        });
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    });
    const QByteArray lease = m_etcd->grant(600);
    put("lk/a", "x", lease);
    SourceSpec relayed = spec();
    relayed.url.setPort(relay.serverPort());
    const auto store = harness(relayed);
    QVERIFY(store->open());
    const ReleaseOrder order = orderFor(store->inspect("lk/a"));
    cut = true;
    const ReleaseReport report = store->release(order);
    QCOMPARE(report.outcome, Outcome::Unknown);
    QCOMPARE(answersCut, 1); // it wasn't sent a second time
    QCOMPARE(get("lk/a"), QByteArray());
}

/** Every client of the concurrency package waits behind this key for ever. */
void TestEtcdStore::aKeyWithoutALeaseIsStuck()
{
    put("lk/a/forgotten", "");
    EtcdctlLock waiter(*m_etcd, QStringLiteral("lk/a"), 60);
    const auto store = harness(spec());
    QVERIFY(store->open());
    QTRY_VERIFY(store->scan() && store->find("lk/a"));
    const Observation *lock = store->find("lk/a");
    QCOMPARE(lock->owner, QByteArray("forgotten"));
    QCOMPARE(lock->expiry, ExpiryKind::None);
    QCOMPARE(lock->waiters.size(), 1);
    QVERIFY(!waiter.holds());
    // That it has no lease is compared, and so "stuck" can be promised.
    const ReleaseOrder order = orderFor(store->inspect("lk/a"), true);
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QVERIFY(!waiter.key().isEmpty());
}

void TestEtcdStore::rightsAndPasswords()
{
    const auto ctl = [this](const char *line) {
        m_etcd->ctl(QString::fromLatin1(line).split(QLatin1Char(' ')));
    };
    put("lk/a", "x", m_etcd->grant(600));
    ctl("user add root:secret");
    ctl("user add watcher:secret");
    ctl("user add nobody:secret");
    ctl("role add observe");
    ctl("role grant-permission observe --prefix=true read lk/");
    ctl("user grant-role watcher observe");
    ctl("user grant-role root root");
    ctl("auth enable");
    const auto as = [this](const char *user, const char *password) {
        SourceSpec own = spec();
        own.url.setUserName(QLatin1String(user));
        own.password = password;
        return own;
    };
    const auto anonymous = harness(spec());
    QVERIFY(!anonymous->open());
    QCOMPARE(anonymous->m_failures.constFirst().code, base::ErrorCode::Authentication);
    const auto wrong = harness(as("watcher", "wrong"));
    QVERIFY(!wrong->open());
    QCOMPARE(wrong->m_failures.constFirst().code, base::ErrorCode::Authentication);
    const auto watcher = harness(as("watcher", "secret"));
    QVERIFY(watcher->open());
    QCOMPARE(watcher->m_info.access.size(), 2);
    QVERIFY(watcher->m_info.access.at(0).granted);
    QVERIFY(!watcher->m_info.access.at(1).granted);
    QVERIFY(watcher->m_info.access.at(1).remedy.contains(QLatin1String("readwrite --prefix=true 'lk/'")));
    QVERIFY(watcher->scan() && watcher->find("lk/a"));
    QCOMPARE(watcher->find("lk/a")->expiry, ExpiryKind::At);
    QCOMPARE(watcher->release(orderFor(watcher->inspect("lk/a"))).outcome, Outcome::Refused);
    const auto nobody = harness(as("nobody", "secret"));
    QVERIFY(nobody->open());
    QVERIFY(!nobody->m_info.access.at(0).granted);
    QVERIFY(!nobody->scan());
    QCOMPARE(nobody->m_ends.constFirst().error.code, base::ErrorCode::PermissionDenied);
    // A restart forgets the tokens that it gave out: the store logs in again by itself.
    QVERIFY(m_etcd->restart());
    QTRY_VERIFY(watcher->scan());
    const auto root = harness(as("root", "secret"));
    QVERIFY(root->open());
    QCOMPARE(root->release(orderFor(root->inspect("lk/a"))).outcome, Outcome::Released);
}

void TestEtcdStore::theNextMemberIsAsked()
{
    SourceSpec two = spec();
    const auto dead = harness(two);
    Endpoints endpoints = endpointsOf(two).value();
    endpoints.members.prepend(QUrl(QStringLiteral("http://127.0.0.1:1")));
    StoreHarness store(std::make_unique<EtcdStore>(two, endpoints));
    QVERIFY(store.open());
    QVERIFY(store.scan());
}

/** A wait doesn't help with such a member; the next open asks the other member. */
void TestEtcdStore::aMemberThatIsNoneIsPassedBy()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    connect(&other, &QTcpServer::newConnection, &other, [&other] {
        QTcpSocket *client = other.nextPendingConnection();
        connect(client, &QTcpSocket::readyRead, client,
                [client] { client->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"); });
    });
    Endpoints endpoints = endpointsOf(spec()).value();
    endpoints.members.prepend(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(other.serverPort())));
    StoreHarness store(std::make_unique<EtcdStore>(spec(), endpoints));
    QVERIFY(!store.open());
    QCOMPARE(store.m_failures.constLast().code, base::ErrorCode::Protocol);
    QVERIFY(store.open());
}

/** A member that is cut off from the others could show a lock that is long gone. */
void TestEtcdStore::withoutAMajorityNothingIsSaid()
{
    m_etcd.reset();
    auto members = EtcdServer::cluster(3);
    QCOMPARE(members.size(), 3U);
    const auto leader =
        std::find_if(members.begin(), members.end(), [](const auto &member) { return member->isLeader(); });
    QVERIFY(leader != members.end());
    std::iter_swap(members.begin(), leader); // which is asked first, and ends first
    m_etcd = std::move(members.at(2));       // that one stays
    const QByteArray lease = m_etcd->grant(600);
    put("lk/a", "x", lease);
    SourceSpec all = spec();
    all.statementTimeoutMs = 2'000;
    all.connectTimeoutMs = 2'000;
    Endpoints endpoints = endpointsOf(all).value();
    endpoints.members = {QUrl(members.at(0)->clientUrl()), QUrl(members.at(1)->clientUrl()),
                         QUrl(m_etcd->clientUrl())};
    all.push = true;
    StoreHarness store(std::make_unique<EtcdStore>(all, endpoints));
    all.push = false;
    QByteArray position;
    int told = 0;
    connect(&store.store(), &Store::pushed, this, [&](const Push &push) {
        position = push.position;
        told += int(push.changes.size());
    });
    QList<PushState> states;
    connect(&store.store(), &Store::pushStateChanged, this,
            [&states](const PushState &state) { states.append(state); });
    QVERIFY(store.open());
    QTRY_VERIFY_WITH_TIMEOUT(!states.isEmpty() && states.constLast().on, 90'000);
    put("lk/b", "x", lease);
    QTRY_COMPARE_WITH_TIMEOUT(told, 1, 90'000);
    const ReleaseOrder order = orderFor(store.inspect("lk/a"));
    SourceSpec one = all;
    one.url = m_etcd->url();
    const auto alone = harness(one);
    QVERIFY(alone->open());
    QSignalSpy found(&alone->store(), &Store::findingsRead);
    QVERIFY(alone->scan());
    QVERIFY(found.wait());
    QCOMPARE(codesOf(found), QByteArray());
    members.at(0)->kill();
    QVERIFY(!store.scan());
    QVERIFY(store.m_pages.isEmpty());
    states.clear();
    const auto resumed = [&store, position] {
        store.store().resumeAfter(position);
        return store.open();
    };
    QVERIFY(QTest::qWaitFor(resumed, 90'000)); // at another member, once there is a leader again
    QVERIFY(store.scan() && store.find("lk/a"));
    QCOMPARE(store.inspect("lk/a").guard, order.guard);
    // The watch at this member resumes where the earlier watch ended.
    QTRY_VERIFY_WITH_TIMEOUT(!states.isEmpty() && states.constLast().on, 90'000);
    QVERIFY(!states.constLast().blind);
    QCOMPARE(told, 1);
    put("lk/b", "y", lease);
    QTRY_COMPARE_WITH_TIMEOUT(told, 2, 90'000);
    members.at(1)->kill();
    QTRY_VERIFY_WITH_TIMEOUT(!store.scan(), 90'000);
    QVERIFY(store.m_pages.isEmpty());
    // The member that is left may need a moment to find out.
    const auto saysWhy = [&store] {
        return !store.open() &&
               std::any_of(store.m_failures.cbegin(), store.m_failures.cend(), [](const base::Error &error) {
                   return error.cause.contains(QLatin1String("no majority"));
               });
    };
    QVERIFY2(QTest::qWaitFor(saysWhy, 90'000), qPrintable(store.m_failures.constFirst().cause));
    QVERIFY(store.release(order).outcome != Outcome::Released);
    QVERIFY(!alone->scan());
    QVERIFY(alone->waitForFailure());
    const QString address = QUrl(m_etcd->clientUrl()).authority();
    QCOMPARE(codesOf(found), "no_leader " + address.toUtf8());
    QVERIFY(alone->m_failures.constFirst().cause.contains(address));
    QVERIFY(members.at(0)->restart());
    QVERIFY(QTest::qWaitFor([&] { return store.open(); }, 90'000));
    QVERIFY(store.scan() && store.find("lk/a"));
    QCOMPARE(store.release(order).outcome, Outcome::Released);
}

void TestEtcdStore::dangersAreTold()
{
    EtcdctlLock holder(*m_etcd, QStringLiteral("lk/a"), 2);
    QVERIFY(!holder.key().isEmpty());
    SlowLink link(quint16(m_etcd->url().port()));
    SourceSpec slow = spec();
    slow.url.setPort(link.port());
    slow.push = true;
    const auto store = harness(slow);
    QSignalSpy found(&store->store(), &Store::findingsRead);
    QVERIFY(store->open() && store->scan());
    QVERIFY(found.wait());
    QCOMPARE(codesOf(found), QByteArray("single_member "));
    link.setDelayMs(700);
    for (int i = 0; i < 2; ++i) { // of three answers the one in the middle counts
        found.clear();
        QVERIFY(store->scan());
        QVERIFY(found.wait());
    }
    QVERIFY2(codesOf(found).startsWith("single_member ; short_lease 2000 7"), codesOf(found).constData());
    QVERIFY(codesOf(found).endsWith(" lk/a"));
    link.setDelayMs(2'100);
    found.clear();
    QVERIFY(store->scan()); // which waits for a proof
    QVERIFY(found.wait(15'000));
    QVERIFY2(codesOf(found).contains("; watch_lag 2"), codesOf(found).constData());
}

/** A break leaves the other keys on the lease: the session's other locks, and its program's keys. */
void TestEtcdStore::whatElseHangsOnTheLease()
{
    const QByteArray lease = m_etcd->grant(600);
    put(("lk/a/" + lease).constData(), "", lease);
    const auto store = harness(spec());
    QVERIFY(store->open());
    QCOMPARE(store->inspect("lk/a").companions, domain::Companions());
    for (int i = 8; i > 0; --i)
        put(("app/" + QByteArray::number(i)).constData(), "x", lease);
    put("app/of another", "x", m_etcd->grant(600));
    put("app/of nobody", "x");
    const Inspection seen = store->inspect("lk/a");
    QCOMPARE(seen.companions.count, 8);
    QCOMPARE(seen.companions.names, (QList<QByteArray>{"app/1", "app/2", "app/3", "app/4", "app/5"}));
    QCOMPARE(store->release(orderFor(seen)).outcome, Outcome::Released);
    QCOMPARE(get("app/8"), QByteArray("x"));
    put("lk/forever", "x");
    QCOMPARE(store->inspect("lk/forever").companions, domain::Companions());
}

LOCKKEEPER_TEST(TestEtcdStore)

} // namespace tst_etcd_store

#include "tst_etcd_store.moc"
