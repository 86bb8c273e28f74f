// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/store/etcd_store.h"
#include "tests/support/etcd_server.h"
#include "tests/support/free_port.h"
#include "tests/support/push_log.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

namespace tst_etcd_watch {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::etcd;
using namespace lockkeeper::tests;

/** Push on a real etcd, whose keys are written through its gateway. */
class TestEtcdWatch : public QObject, protected PushLog
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void anyEventsEndAsAReadingSays_data();
    void anyEventsEndAsAReadingSays();
    void everyShortHoldIsTold();
    void aScanComesAfterWhatItShows();
    void renewalsAreLookedFor();
    void nothingIsLostWhileItIsAway();
    void aRestartedServerIsGoneOnWith();
    void aFrozenServerIsGoneOnWith();
    void whatWasCompactedIsAGap();
    void aRestoredClusterIsReadAnew();
    void twoSets();
    void withoutTheRightItPolls();
    void aMemberThatIsDownIsPassedBy();

private:
    SourceSpec spec() const
    {
        SourceSpec spec = sourceOf(m_etcd->url(), "etcd.lease", "lk/*");
        spec.push = true;
        return spec;
    }
    void watch(const SourceSpec &spec) { watch(spec, *endpointsOf(spec)); }
    void watch(const SourceSpec &spec, const Endpoints &endpoints)
    {
        PushLog::watch(std::make_unique<EtcdStore>(spec, endpoints));
    }
    /** Asks etcd, and waits. */
    QJsonObject ask(const char *path, const QJsonObject &body)
    {
        std::optional<Answer> answer;
        m_gateway->ask(path, body, [&answer](const Answer &got) { answer = got; });
        if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 30'000) || answer->error)
            qFatal("%s: no answer", path);
        return answer->body;
    }
    void put(const QByteArray &key, qint64 lease)
    {
        ask("kv/put", {{QStringLiteral("key"), jsonOf(key)},
                       {QStringLiteral("value"), jsonOf(QByteArray("v"))},
                       {QStringLiteral("lease"), jsonOf(lease)}});
    }
    void remove(const QByteArray &key) { ask("kv/deleterange", {{QStringLiteral("key"), jsonOf(key)}}); }
    qint64 grant(int seconds)
    {
        return int64Of(ask("lease/grant", {{QStringLiteral("TTL"), QString::number(seconds)}})
                           .value(QLatin1String("ID")));
    }
    /** The reported changes of a lock: its holders' fencing tokens, "-" where it went. */
    QByteArrayList lifeOf(const QByteArray &name) const
    {
        QByteArrayList life;
        for (const Change &change : m_told) {
            if (change.lock.name == name)
                life.append(change.lock.present ? change.lock.fencing : QByteArray("-"));
        }
        return life;
    }

    std::unique_ptr<EtcdServer> m_etcd;
    std::unique_ptr<Gateway> m_gateway;
};

void TestEtcdWatch::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
}

void TestEtcdWatch::init()
{
    forget();
    m_etcd = std::make_unique<EtcdServer>();
    QVERIFY(m_etcd->start());
    m_gateway = std::make_unique<Gateway>(*endpointsOf(spec()), QByteArray());
}

void TestEtcdWatch::cleanup()
{
    m_store.reset();
    m_gateway.reset();
    m_etcd.reset();
}

void TestEtcdWatch::anyEventsEndAsAReadingSays_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 6; ++seed)
        QTest::addRow("%u", seed) << seed;
}

/** Queues beside and below each other, plain keys and foreign ones, several of them in one revision. */
void TestEtcdWatch::anyEventsEndAsAReadingSays()
{
    QFETCH(quint32, seed);
    QRandomGenerator random(seed);
    QMap<QByteArray, KeyValue> keys;
    const QByteArrayList prefixes{"q", "q/a", "q/b", "p"};
    KeyMirror mirror;
    mirror.fill({}, 1);
    QMap<QByteArray, Queue> view; // what the changes add up to
    for (qint64 revision = 2; revision < 400; ++revision) {
        QMap<QByteArray, KeyEvent> events;
        for (int i = random.bounded(1, 4); i > 0; --i) {
            const qint64 lease = random.bounded(4);
            const QByteArray prefix = prefixes.at(random.bounded(prefixes.size()));
            const QByteArray key = random.bounded(3) == 0 ? prefix : prefix + '/' + leaseHex(lease);
            const auto old = keys.constFind(key);
            const bool deleted = old != keys.cend() && random.bounded(2) == 0;
            const qint64 create = old != keys.cend() ? old->create : revision;
            events.insert(
                key, {{key, deleted ? QByteArray() : QByteArray("v"), create, revision, deleted ? 0 : lease},
                      deleted});
        }
        for (const KeyEvent &event : std::as_const(events)) {
            if (event.deleted)
                keys.remove(event.key.key);
            else
                keys.insert(event.key.key, event.key);
        }
        for (const Turned &turned : mirror.apply(events.values())) {
            if (turned.queue)
                view.insert(turned.name, *turned.queue);
            else
                QCOMPARE(view.remove(turned.name), 1);
        }
        QVERIFY(mirror.apply(events.values()).isEmpty()); // a repeated event changes nothing
        QCOMPARE(mirror.size(), keys.size());
        QMap<QByteArray, Queue> truth;
        for (const Queue &queue : queuesOf(keys.values()))
            truth.insert(queue.name, queue);
        QCOMPARE(view.keys(), truth.keys());
        for (auto it = truth.cbegin(); it != truth.cend(); ++it)
            QCOMPARE(view.value(it.key()).keys, it->keys);
    }
}

/** Holds too short for any poll: each is reported with a window that contains the write. */
void TestEtcdWatch::everyShortHoldIsTold()
{
    constexpr int kHolds = 100;
    watch(spec());
    QVERIFY(opened());
    QVERIFY(m_states.constLast().blind); // nothing is known of before
    QCOMPARE(m_everything, 1);           // nor by a scan that was under way
    const qint64 lease = grant(600);
    const base::SystemClock clock;
    QList<std::pair<qint64, qint64>> writes;
    for (int i = 0; i < kHolds; ++i) {
        qint64 beganUs = clock.wallUs();
        put("lk/a", lease);
        writes.append({beganUs, clock.wallUs()});
        beganUs = clock.wallUs();
        remove("lk/a");
        writes.append({beganUs, clock.wallUs()});
    }
    QTRY_COMPARE(m_told.size(), 2 * kHolds);
    for (int i = 0; i < 2 * kHolds; ++i) {
        const Change &change = m_told.at(i);
        QCOMPARE(change.lock.name, QByteArray("lk/a"));
        QCOMPARE(change.lock.present, i % 2 == 0);
        QVERIFY(!change.unseen && change.coalesced == 0);
        QCOMPARE(change.deleted, !change.lock.present); // the lease is alive still
        if (change.lock.present)
            QCOMPARE(change.lock.expiry, domain::ExpiryKind::At);
        // Some time of the write lies in the window.
        QVERIFY(change.timeUs >= writes.at(i).first);
        QVERIFY(change.timeUs - change.windowUs <= writes.at(i).second);
        QVERIFY2(change.windowUs < 2'500'000, qPrintable(QString::number(change.windowUs)));
    }
    const qint64 lastUs = m_told.constLast().timeUs;
    QTRY_VERIFY(m_seenUs > lastUs); // and that there is no more
    QCOMPARE(m_told.size(), 2 * kHolds);
}

/** The watch reports a change before a scan shows it. */
void TestEtcdWatch::aScanComesAfterWhatItShows()
{
    watch(spec());
    QVERIFY(opened());
    const qint64 lease = grant(600);
    for (int i = 0; i < 20; ++i) {
        put("lk/n" + QByteArray::number(i), lease);
        QVERIFY(m_store->scan());
        QVERIFY(m_store->find("lk/n" + QByteArray::number(i)));
        QCOMPARE(m_told.size(), i + 1);
    }
}

void TestEtcdWatch::renewalsAreLookedFor()
{
    watch(spec());
    QVERIFY(opened());
    const qint64 lease = grant(8);
    put("lk/a", lease);
    QTRY_COMPARE(m_told.size(), 1);
    const qint64 firstUs = m_told.constFirst().lock.expiresUs;
    QTRY_VERIFY(m_seenUs > firstUs - 7'000'000);
    ask("lease/keepalive", {{QStringLiteral("ID"), jsonOf(lease)}});
    const auto renewed = [this, firstUs] {
        return m_told.size() > 1 && m_told.constLast().lock.expiresUs > firstUs + 500'000;
    };
    QTRY_VERIFY(renewed());
    QCOMPARE(m_told.constLast().lock.identity, m_told.constFirst().lock.identity);
    // Nobody renews the lease any more: it expires, and the watch reports that, too.
    QTRY_VERIFY_WITH_TIMEOUT(!m_told.constLast().lock.present, 30'000);
    QVERIFY(!m_told.constLast().deleted);
}

void TestEtcdWatch::nothingIsLostWhileItIsAway()
{
    watch(spec());
    QVERIFY(opened());
    const qint64 lease = grant(600);
    put("lk/a", lease);
    QTRY_COMPARE(m_told.size(), 1);
    const qint64 beforeUs = m_told.constFirst().timeUs;
    m_store->store().close();
    remove("lk/a");
    put("lk/b", lease);
    put("lk/a", lease);
    QVERIFY(opened(m_position));
    QVERIFY(!m_states.constLast().blind);
    QCOMPARE(m_everything, 1);
    QTRY_COMPARE(m_told.size(), 4);
    QVERIFY(!m_told.at(1).lock.present);
    QCOMPARE(m_told.at(2).lock.name, QByteArray("lk/b"));
    QVERIFY(m_told.at(3).lock.fencing.toLongLong() > m_told.at(0).lock.fencing.toLongLong());
    QVERIFY(m_told.at(1).timeUs - m_told.at(1).windowUs <= beforeUs);
    // Another cluster's position says nothing here.
    m_store->store().close();
    QVERIFY(opened("1" + m_position));
    QVERIFY(m_states.constLast().blind);
}

void TestEtcdWatch::aRestartedServerIsGoneOnWith()
{
    watch(spec());
    QVERIFY(opened());
    const qint64 lease = grant(600);
    put("lk/a", lease);
    QTRY_COMPARE(m_told.size(), 1);
    m_etcd->kill();
    QVERIFY(!m_store->scan());
    QVERIFY(m_store->hasFailed());
    QVERIFY(m_etcd->restart());
    remove("lk/a");
    QVERIFY(opened(m_position));
    QVERIFY(!m_states.constLast().blind);
    QTRY_COMPARE(m_told.size(), 2);
    QVERIFY(!m_told.constLast().lock.present);
}

/** A frozen server sends nothing. The store detects that, and doesn't mistake it for a release. */
void TestEtcdWatch::aFrozenServerIsGoneOnWith()
{
    SourceSpec hasty = spec();
    hasty.statementTimeoutMs = 500;
    watch(hasty);
    QVERIFY(opened());
    put("lk/a", grant(600));
    QTRY_COMPARE(m_told.size(), 1);
    m_etcd->pause();
    QVERIFY(m_store->waitForFailure());
    QCOMPARE(m_told.size(), 1);
    m_etcd->resume();
    remove("lk/a");
    QVERIFY(opened(m_position));
    QVERIFY(!m_states.constLast().blind);
    QTRY_COMPARE(m_told.size(), 2);
    QVERIFY(!m_told.constLast().lock.present);
}

void TestEtcdWatch::whatWasCompactedIsAGap()
{
    watch(spec());
    QVERIFY(opened());
    const qint64 lease = grant(600);
    put("lk/a", lease);
    QTRY_COMPARE(m_told.size(), 1);
    m_store->store().close();
    remove("lk/a");
    put("lk/b", lease);
    const qint64 now = int64Of(ask("kv/range", {{QStringLiteral("key"), jsonOf(QByteArray("lk/b"))}})
                                   .value(QLatin1String("header"))
                                   .toObject()
                                   .value(QLatin1String("revision")));
    ask("kv/compaction", {{QStringLiteral("revision"), jsonOf(now)}});
    QVERIFY(opened(m_position));
    QVERIFY(m_states.constLast().blind);
    QVERIFY2(m_states.constLast().why.cause.contains(QLatin1String("compacted")),
             qPrintable(m_states.constLast().why.line()));
    put("lk/c", lease);
    QTRY_COMPARE(m_told.size(), 2);
    QCOMPARE(m_told.constLast().lock.name, QByteArray("lk/c"));
}

/** Under the same names and ids: its revision alone says so, and a watch from one to come is silent. */
void TestEtcdWatch::aRestoredClusterIsReadAnew()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("snapshot"));
    const qint64 lease = grant(3000);
    put("lk/before", lease);
    QVERIFY(m_etcd->save(file));
    for (int i = 0; i < 20; ++i)
        put("other", lease);
    put("lk/after", lease);
    watch(spec());
    QList<Standing> standings;
    connect(&m_store->store(), &Store::standingRead, this,
            [&standings](const Standing &standing) { standings.append(standing); });
    QVERIFY(opened());
    QVERIFY(m_store->scan() && m_store->find("lk/after"));
    const Standing before = standings.isEmpty() ? m_store->m_info.standing : standings.constLast();
    QVERIFY(before.reached.value("revision") >= 22);
    m_states.clear();
    QVERIFY(m_etcd->restore(file));
    const auto signs = [this] { return m_states.size() + m_store->m_failures.size(); };
    QTRY_VERIFY_WITH_TIMEOUT(signs() > 0, 15'000);
    if (!m_store->m_failures.isEmpty()) // the link had noticed its end first
        QVERIFY(opened(m_position));
    QVERIFY(m_states.constLast().on && m_states.constLast().blind);
    QVERIFY(m_store->scan() && m_store->find("lk/before") && !m_store->find("lk/after"));
    QVERIFY(before.mayHaveLost(standings.isEmpty() ? m_store->m_info.standing : standings.constLast()));
    put("lk/new", grant(3000));
    QTRY_VERIFY(!lifeOf("lk/new").isEmpty());
}

void TestEtcdWatch::twoSets()
{
    SourceSpec two = spec();
    LockSet other = two.locks.constFirst();
    other.match = "jobs/*";
    two.locks.append(other);
    watch(two);
    QVERIFY(opened());
    const qint64 lease = grant(600);
    put("jobs/x", lease);
    put("lk/x", lease);
    put("elsewhere", lease);
    remove("jobs/x");
    QTRY_COMPARE(m_told.size(), 3);
    QCOMPARE(lifeOf("jobs/x").size(), 2);
    for (const Change &change : std::as_const(m_told))
        QCOMPARE(change.lock.set, quint16(change.lock.name == "jobs/x" ? 1 : 0));
    const qint64 lastUs = m_told.constLast().timeUs;
    QTRY_VERIFY(m_seenUs > lastUs);
    m_store->store().close();
    put("jobs/x", lease);
    QVERIFY(opened(m_position));
    QVERIFY(!m_states.constLast().blind);
    QTRY_COMPARE(lifeOf("jobs/x").size(), 3);
}

void TestEtcdWatch::withoutTheRightItPolls()
{
    for (const char *line :
         {"user add root:secret", "user add nobody:secret", "user grant-role root root", "auth enable"})
        m_etcd->ctl(QString::fromLatin1(line).split(QLatin1Char(' ')));
    SourceSpec own = spec();
    own.url.setUserName(QStringLiteral("nobody"));
    own.password = "secret";
    watch(own);
    QVERIFY(m_store->open());
    QTRY_VERIFY_WITH_TIMEOUT(!m_states.isEmpty(), 15'000);
    QVERIFY(!m_states.constLast().on);
    QCOMPARE(m_states.constLast().why.code, base::ErrorCode::PermissionDenied);
}

/** Each open asks the dead member first. The store then resumes its watch at the next member. */
void TestEtcdWatch::aMemberThatIsDownIsPassedBy()
{
    Endpoints endpoints = *endpointsOf(spec());
    QUrl dead = endpoints.members.constFirst();
    dead.setPort(freePort());
    endpoints.members.prepend(dead);
    watch(spec(), endpoints);
    QVERIFY(opened());
    put("lk/a", grant(600));
    QTRY_COMPARE(m_told.size(), 1);
    const QByteArray position = m_position;
    m_store.reset();
    put("lk/b", grant(600));
    watch(spec(), endpoints);
    QVERIFY(opened(position));
    QVERIFY(!m_states.constLast().blind);
    QTRY_COMPARE(lifeOf("lk/b").size(), 1);
    QCOMPARE(m_told.size(), 2);
}

LOCKKEEPER_TEST(TestEtcdWatch)

} // namespace tst_etcd_watch

#include "tst_etcd_watch.moc"
