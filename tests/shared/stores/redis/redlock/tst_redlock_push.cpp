// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_program.h"

#include <QPointer>
#include <QTest>

namespace tst_redlock_push {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using push::waitFor;

namespace {

const QByteArray kLock("lock:a");
const QByteArray kToken("8f14e45fceea167a5a36dedd4bea2543");
const QByteArray kOther("c9f0f895fb98ab9159f51fd0297e236d");

/** A Redlock source with push, and everything that it has reported. */
class Watch : public QObject
{
public:
    explicit Watch(SourceSpec spec)
    {
        spec.push = true;
        m_store = std::move(*redis::makeRedlockStore(spec));
        connect(m_store.get(), &Store::opened, this, [this](const ServerInfo &) { ++openings; });
        connect(m_store.get(), &Store::failed, this,
                [this](const base::Error &error) { failures.append(error); });
        connect(m_store.get(), &Store::pushStateChanged, this,
                [this](const PushState &state) { states.append(state); });
        connect(m_store.get(), &Store::shardChanged, this,
                [this](const ShardState &part) { parts.append(part); });
        connect(m_store.get(), &Store::findingsRead, this,
                [this](const QList<domain::Finding> &found) { findings = found; });
        connect(m_store.get(), &Store::pushed, this, [this](const Push &push) {
            if (push.everything)
                everythingSince.append(push.sinceUs);
            changes += push.changes;
        });
        connect(m_store.get(), &Store::pageTold, this, [this](const Page &page) {
            if (page.locks.isEmpty())
                toldUs = page.endedUs;
            else
                read += page.locks;
        });
    }
    void scan()
    {
        const QPointer<Watch> self(this);
        m_store->scan(
            [self](const Page &page) {
                if (!self.isNull())
                    self->read += page.locks;
            },
            [self](const ScanEnd &end) {
                if (!self.isNull())
                    self->ends.append(end);
            });
    }
    bool open()
    {
        m_store->open();
        return waitFor([this] { return !states.isEmpty() || !failures.isEmpty(); }) && failures.isEmpty();
    }
    /** "held TOKEN", "free" or "left" (something on a minority), for each change in turn. */
    QByteArray story(const QByteArray &name = kLock) const
    {
        QList<QByteArray> words;
        for (const Change &change : changes) {
            if (change.lock.name != name)
                continue;
            const QByteArray word = change.lock.flaw != Flaw::None ? QByteArray("unknown")
                                    : change.lock.held             ? "held " + change.lock.token.first(4)
                                    : change.lock.present          ? QByteArray("left")
                                                                   : QByteArray("free");
            // A lock that may have changed after a read is read again, sometimes without a change.
            if (words.isEmpty() || words.constLast() != word)
                words.append(word);
        }
        return words.join(", ");
    }
    /** True if the window of the first change to held, or to free, overlaps the range. */
    bool isWithin(bool held, qint64 fromUs, qint64 toUs) const
    {
        const auto change = std::find_if(changes.cbegin(), changes.cend(),
                                         [held](const Change &one) { return one.lock.held == held; });
        return change != changes.cend() && change->timeUs >= fromUs &&
               change->timeUs - change->windowUs <= toUs;
    }
    Store &store() { return *m_store; }

    int openings = 0;
    QList<qint64> everythingSince;
    qint64 toldUs = 0;
    QList<base::Error> failures;
    QList<PushState> states;
    QList<ShardState> parts;
    QList<domain::Finding> findings;
    QList<Change> changes;
    QList<Observation> read;
    QList<ScanEnd> ends;

private:
    std::unique_ptr<Store> m_store;
};

} // namespace

/** A Redlock source that five real servers notify of changes. */
class TestRedlockPush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        QVERIFY(m_nodes.start(5));
    }
    void init()
    {
        m_nodes.clear();
        m_watch = std::make_unique<Watch>(m_nodes.spec());
    }
    void cleanup()
    {
        m_watch.reset();
        for (const int node : RedlockNodes::all()) {
            if (m_nodes.at(node).pid() == 0 || m_nodes.at(node).command({"PING"}).type == 0)
                QVERIFY(m_nodes.at(node).restart());
            m_nodes.at(node).command({"ACL", "SETUSER", "default", "+client|tracking"});
        }
    }

    void anAcquisitionIsToldOnce_data()
    {
        QTest::addColumn<QList<int>>("nodes");
        QTest::newRow("all") << RedlockNodes::all();
        QTest::newRow("a bare majority") << QList<int>{0, 2, 4};
    }
    void anAcquisitionIsToldOnce()
    {
        QFETCH(QList<int>, nodes);
        QVERIFY(m_watch->open());
        QVERIFY(m_watch->states.constFirst().on && m_watch->states.constFirst().blind);
        for (const int node : nodes) // as a client does, one after the other
            QVERIFY(m_nodes.set({node}, kLock, kToken));
        QVERIFY(waitFor([this] { return m_watch->story().contains("held"); }));
        m_nodes.remove(nodes, kLock);
        QVERIFY(waitFor([this] { return m_watch->story().endsWith("free"); }));
        // While a client goes from node to node, its locks on a minority may be reported, too.
        QByteArrayList holds = m_watch->story().split(',');
        holds.removeIf([](const QByteArray &word) { return word.trimmed() == "left"; });
        QCOMPARE(holds.join(','), "held " + kToken.first(4) + ", free");
        QCOMPARE(m_watch->changes.constFirst().lock.nodes.size(), 5);
        QVERIFY(m_watch->read.isEmpty());
    }

    /** Nodes are read at once or after each other, and notify sooner or later: the windows say so. */
    void windowsHoldWhatHappened()
    {
        QVERIFY(m_watch->open());
        QVERIFY(waitFor([this] { return m_watch->toldUs > 0; }));
        const base::SystemClock clock; // the nodes' own: they run here
        for (int i = 0; i < 40; ++i) {
            m_watch->changes.clear();
            const qint64 askedUs = clock.wallUs();
            QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
            const qint64 takenUs = clock.wallUs();
            QVERIFY(waitFor([this] { return m_watch->story().contains("held"); }));
            QVERIFY2(m_watch->isWithin(true, askedUs, takenUs), m_watch->story().constData());
            m_watch->changes.clear();
            const qint64 givenUs = clock.wallUs();
            m_nodes.remove(RedlockNodes::all(), kLock);
            const qint64 goneUs = clock.wallUs();
            QVERIFY(waitFor([this] { return m_watch->story().endsWith("free"); }));
            QVERIFY2(m_watch->isWithin(false, givenUs, goneUs), m_watch->story().constData());
        }
    }

    void aClientThatFailsIsNoHolder()
    {
        QVERIFY(m_watch->open());
        // Two clients race, neither gets a majority, and both release their nodes.
        QVERIFY(m_nodes.set({0, 1}, kLock, kToken));
        QVERIFY(m_nodes.set({2, 3}, kLock, kOther));
        m_nodes.remove(RedlockNodes::all(), kLock);
        QVERIFY(m_nodes.set(RedlockNodes::all(), "lock:z", kToken)); // reported after the other lock
        QVERIFY(waitFor([this] { return m_watch->story("lock:z").contains("held"); }));
        QVERIFY(waitFor([this] { return m_watch->story().endsWith("free"); }));
        QVERIFY2(!m_watch->story().contains("held"), m_watch->story().constData());
    }

    void leftoversAreTold()
    {
        QVERIFY(m_watch->open());
        QVERIFY(m_nodes.set({1, 3}, kLock, kToken, 0));
        QVERIFY(waitFor([this] {
            return !m_watch->changes.isEmpty() &&
                   domain::holdersOf(m_watch->changes.constLast().lock.nodes, kToken) == 2;
        }));
        QCOMPARE(m_watch->story(), QByteArray("left"));
        m_nodes.remove({1, 3}, kLock);
        QVERIFY(waitFor([this] { return m_watch->story() == "left, free"; }));
    }

    /** A node that is slow to answer leaves the others the time to change again. */
    void whatWasOverBeforeItCouldBeReadIsNotClaimed()
    {
        QVERIFY(m_watch->open());
        m_nodes.at(4).pause();
        QVERIFY(m_nodes.set({0, 1, 2, 3}, kLock, kToken));
        m_nodes.remove({0, 1, 2, 3}, kLock);
        m_nodes.at(4).resume();
        QVERIFY(m_nodes.set(RedlockNodes::all(), "lock:z", kToken)); // read after it
        QVERIFY(waitFor([this] { return m_watch->story("lock:z").contains("held"); }));
        QVERIFY2(!m_watch->story().contains("held"), m_watch->story().constData());
        QVERIFY(std::none_of(m_watch->changes.cbegin(), m_watch->changes.cend(),
                             [](const Change &change) { return change.unseen || change.coalesced > 0; }));
        QVERIFY(m_watch->failures.isEmpty());
    }

    /** A lock that changes during a read is read again, so that its last state is always reported. */
    void theLastStateIsTold()
    {
        QVERIFY(m_watch->open());
        for (int i = 0; i < 200; ++i) {
            QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, "token-" + QByteArray::number(i)));
            QCoreApplication::processEvents(); // answers are taken in between
        }
        QVERIFY(waitFor([this] {
            return !m_watch->changes.isEmpty() && m_watch->changes.constLast().lock.token == "token-199";
        }));
        QVERIFY(m_watch->changes.size() < 1'000); // N nodes have notified 200 times
    }

    void aScanEndsAfterTheChangesBeforeIt()
    {
        QVERIFY(m_watch->open());
        for (int i = 0; i < 50; ++i)
            QVERIFY(m_nodes.set({0, 1, 2}, "lock:" + QByteArray::number(i), kToken));
        m_watch->scan();
        QVERIFY(waitFor([this] { return !m_watch->ends.isEmpty(); }));
        QVERIFY(m_watch->ends.constFirst().complete);
        for (int i = 0; i < 50; ++i)
            QVERIFY(m_watch->story("lock:" + QByteArray::number(i)).startsWith("held"));
        // Also after those that are waited for.
        QVERIFY(m_nodes.set({1}, "lock:left", kToken));
        waitFor([] { return false; }, 30);
        m_watch->scan();
        QVERIFY(waitFor([this] { return m_watch->ends.size() == 2; }));
        QCOMPARE(m_watch->story("lock:left"), QByteArray("left"));
    }

    void aNodeThatGoesAndComesIsPassedOver()
    {
        QVERIFY(m_watch->open());
        QVERIFY(waitFor([this] { return m_watch->toldUs > 0; }));
        const qsizetype states = m_watch->states.size();
        m_nodes.at(4).kill();
        QVERIFY(waitFor([this] { return m_watch->everythingSince.size() == 1; }));
        QCOMPARE(m_watch->parts.size(), 1);
        QVERIFY(m_nodes.set({0, 1, 2, 3}, kLock, kToken));
        QVERIFY(waitFor([this] { return m_watch->story().contains("held"); }));
        // Locks that depend on the lost node may have changed at any time since its loss.
        const qint64 awayUs = base::SystemClock().wallUs();
        QVERIFY(waitFor([&] { return m_watch->toldUs > awayUs; }));
        QVERIFY(m_nodes.at(4).restart());
        QVERIFY(waitFor([this] { return m_watch->everythingSince.size() == 2; }));
        QVERIFY(m_watch->everythingSince.constLast() > 0);
        QVERIFY(m_watch->everythingSince.constLast() < awayUs);
        QVERIFY(m_nodes.set({4}, "lock:b", kToken));
        QVERIFY(waitFor([this] { return m_watch->story("lock:b") == "left"; }));
        QCOMPARE(m_watch->states.size(), states); // it was pushed to all the time
        QVERIFY(m_watch->failures.isEmpty());
    }

    void aNodeWithoutTheRightIsPolled()
    {
        m_nodes.at(2).command({"ACL", "SETUSER", "default", "-client|tracking"});
        if (m_nodes.at(2).command({"CLIENT", "TRACKING", "OFF"}).type != 6) // REDIS_REPLY_ERROR
            QSKIP("this server can't forbid it");
        QVERIFY(m_watch->open());
        const PushState state = m_watch->states.constFirst();
        QVERIFY(!state.on && !state.blind);
        QVERIFY2(state.why.cause.contains(QString::fromUtf8(m_nodes.address(2))),
                 qPrintable(state.why.cause));
        QVERIFY(waitFor([this] {
            return std::any_of(
                m_watch->findings.cbegin(), m_watch->findings.cend(), [this](const auto &finding) {
                    return finding.code == "node_polled" && finding.value == m_nodes.address(2);
                });
        }));
        // Changes that the other nodes report are still read at once.
        QVERIFY(m_nodes.set({0, 1, 2}, kLock, kToken));
        QVERIFY(waitFor([this] { return !m_watch->read.isEmpty() && m_watch->read.constLast().held; }));
        QVERIFY(m_watch->changes.isEmpty());
    }

    void aLostSubscriptionIsAGap()
    {
        QVERIFY(m_watch->open());
        const qsizetype states = m_watch->states.size();
        const QByteArray clients = m_nodes.at(1).command({"CLIENT", "LIST", "TYPE", "PUBSUB"}).bytes;
        const qsizetype at = clients.indexOf("id=") + 3;
        m_nodes.at(1).command({"CLIENT", "KILL", "ID", clients.mid(at, clients.indexOf(' ', at) - at)});
        QVERIFY(waitFor([&] {
            return m_watch->states.size() > states && m_watch->states.constLast().on &&
                   m_watch->states.constLast().blind;
        }));
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(waitFor([this] { return m_watch->story().contains("held"); }));
    }

    void anEmptiedNodeCallsForAScan()
    {
        QVERIFY(m_nodes.set(RedlockNodes::all(), kLock, kToken));
        QVERIFY(m_watch->open());
        m_nodes.at(0).command({"FLUSHALL"});
        QVERIFY(waitFor([this] { return m_watch->everythingSince.size() == 1; }));
    }

    void saysUntilWhenAllWasTold()
    {
        QVERIFY(m_watch->open());
        QVERIFY(waitFor([this] { return m_watch->toldUs > 0; }));
        const qint64 first = m_watch->toldUs;
        QVERIFY(waitFor([&] { return m_watch->toldUs > first; }));
    }

private:
    RedlockNodes m_nodes;
    std::unique_ptr<Watch> m_watch;
};

LOCKKEEPER_TEST(TestRedlockPush)

} // namespace tst_redlock_push

#include "tst_redlock_push.moc"
