// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/dirty_keys.h"
#include "shared/stores/redis/push/read_back.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <deque>

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;
using namespace lockkeeper::stores::redis::push;

namespace {

constexpr char kKey[] = "lock:a";

/**
 * A server with one key, which holders take and give back, and a reader of it as Tracker is one: messages and
 * answers come by connections of their own, each in its order and some time after the fact. Time in steps.
 */
class Server
{
public:
    struct Hold
    {
        qint64 fromUs = 0;
        qint64 untilUs = 0;
        bool seen = false;
    };
    struct Claim
    {
        qint64 sinceUs = 0;
        qint64 untilUs = 0;
        qint64 coalesced = 0;
    };

    explicit Server(quint32 seed) : m_random(seed)
    {
        SourceSpec spec;
        spec.locks.emplaceBack().scheme = "redis.token";
        m_mode.schemes = schemesOf(spec);
    }

    /** `pace`: how long a hold and the pause after it last at most. */
    void run(int steps, int pace)
    {
        qint64 changeAt = 1;
        for (m_now = 1; m_now < steps; ++m_now) {
            if (m_now >= changeAt) {
                change();
                changeAt = m_now + 1 + m_random.bounded(pace);
            }
            hear();
            answer();
            read();
        }
    }

    QList<Hold> holds;
    QList<Claim> claims;
    int seen = 0;
    int counted = 0; ///< changes that nobody read, by `coalesced`

private:
    qint64 later(qint64 after, int most) { return std::max(after, m_now + 1 + m_random.bounded(most)); }

    void change()
    {
        m_held = !m_held;
        if (m_held)
            holds.append({m_now, 0, false});
        else
            holds.last().untilUs = m_now;
        // Changes of one turn of the server's loop are told together.
        if (m_messages.empty() || m_messages.back().second != m_now)
            m_messages.emplace_back(m_told = later(m_told, 8), m_now);
    }
    void hear()
    {
        while (!m_messages.empty() && m_messages.front().first <= m_now) {
            m_dirty.mark(kKey, m_proven);
            m_messages.pop_front();
        }
        if (m_provenAt > 0 && m_now >= m_provenAt &&
            (m_messages.empty() || m_messages.front().second > m_candidate)) {
            m_provenAt = 0;
            m_proven = m_candidate;
            m_dirty.proven(m_proven);
        }
    }
    void read()
    {
        if (m_readAt > 0 || m_dirty.waiting() == 0)
            return;
        m_asked = {};
        for (DirtyKeys::Asked &key : m_dirty.take(1))
            m_asked.keys.append({std::move(key), {0}});
        m_readAt = later(0, 4);
    }
    void answer()
    {
        if (m_readAt > 0 && m_now == m_readAt) { // at the server
            m_page = KeyPage{m_now, m_now, m_asked.questions()};
            Observation &lock = m_page.locks[0];
            lock.present = lock.held = m_held;
            lock.identity = m_held ? QByteArray::number(holds.size()) : QByteArray();
            m_answerAt = later(0, 4);
        }
        if (m_answerAt == 0 || m_now < m_answerAt)
            return;
        m_readAt = m_answerAt = 0;
        const Change change = changesOf(m_asked, m_page, m_mode, {false, true}, m_members).constFirst();
        const Observation &lock = m_page.locks.at(0);
        m_dirty.answered(kKey, {lock.present, qHash(lock.identity)}, m_page.endedUs, change.unseen);
        const bool was = m_last.present;
        const bool same = m_last.identity == lock.identity;
        if (change.unseen && !was)
            claims.append({change.timeUs - change.windowUs, change.timeUs, change.coalesced});
        if (!same)
            counted += int(change.coalesced);
        if (lock.present) {
            seen += holds.at(lock.identity.toInt() - 1).seen ? 0 : 1;
            holds[lock.identity.toInt() - 1].seen = true;
        }
        m_last = lock;
        if (m_provenAt == 0) {
            m_candidate = m_page.endedUs;
            m_provenAt = later(0, 12);
        }
    }

    QRandomGenerator m_random;
    ReadMode m_mode;
    DirtyKeys m_dirty;
    KeyMembers m_members;
    ReadBack m_asked;
    KeyPage m_page;
    Observation m_last;
    std::deque<std::pair<qint64, qint64>> m_messages; ///< when it comes, and of when
    qint64 m_now = 0;
    qint64 m_told = 0;
    qint64 m_readAt = 0;
    qint64 m_answerAt = 0;
    qint64 m_proven = 1;
    qint64 m_candidate = 0;
    qint64 m_provenAt = 0;
    bool m_held = false;
};

} // namespace

/** The keys that wait to be read, and what messages about them prove. */
class TestRedisDirtyKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readInTheOrderTold()
    {
        DirtyKeys dirty;
        for (const char *key : {"a", "b", "a", "c", "a"})
            dirty.mark(key, 10);
        QCOMPARE(dirty.waiting(), 3);
        const quint64 mark = dirty.lastMark();
        const QList<DirtyKeys::Asked> first = dirty.take(2);
        QCOMPARE(first.at(0).key, QByteArray("a"));
        QCOMPARE(first.at(0).dirt.told, 3U);
        QCOMPARE(first.at(1).key, QByteArray("b"));
        QVERIFY(dirty.isOpen("a") && dirty.isOpen("c") && !dirty.isOpen("d"));
        dirty.answered("a");
        dirty.answered("b");
        QVERIFY(!dirty.isReadUpTo(mark));
        QCOMPARE(dirty.take(5).size(), 1);
        dirty.answered("c");
        QVERIFY(dirty.isReadUpTo(mark));
        QCOMPARE(dirty.size(), 0);
    }

    /** What is told during a reading is read after it, with a bound of its own. */
    void toldWhileRead()
    {
        DirtyKeys dirty;
        dirty.mark("a", 10);
        dirty.take(1);
        dirty.mark("a", 20);
        dirty.mark("b", 25);
        dirty.mark("a", 30);
        const quint64 mark = dirty.lastMark();
        QCOMPARE(dirty.waiting(), 1); // never twice at a time
        dirty.answered("a");
        const QList<DirtyKeys::Asked> next = dirty.take(5);
        QCOMPARE(next.size(), 2);
        QCOMPARE(next.at(1).key, QByteArray("a"));
        QCOMPARE(next.at(1).dirt.sinceUs, 20);
        QCOMPARE(next.at(1).dirt.told, 2U);
        dirty.answered("b");
        QVERIFY(!dirty.isReadUpTo(mark));
        dirty.answered("a");
        QVERIFY(dirty.isReadUpTo(mark));
    }

    /** That a key was absent is known until all up to then was told. */
    void absentKeys()
    {
        DirtyKeys dirty;
        dirty.mark("a", 10);
        dirty.take(1);
        dirty.markBeside("a", 11);
        dirty.answered("a");
        QCOMPARE(dirty.take(1).constFirst().dirt.told, 0U);
        dirty.answered("a", {}, 15, false);
        dirty.mark("a", 12); // may be of before the reading
        QCOMPARE(dirty.take(1).constFirst().absentAtUs, 15);
        dirty.answered("a", {}, 16, false);
        dirty.wasAbsent("b", 17);
        QCOMPARE(dirty.size(), 2);
        dirty.proven(15);
        QCOMPARE(dirty.size(), 2);
        dirty.mark("b", 15);
        dirty.proven(20);
        QCOMPARE(dirty.take(1).constFirst().absentAtUs, 17); // marked before the proof
        dirty.answered("b");
        QCOMPARE(dirty.size(), 0);
    }

    /** A message more than the readings' differences take is a hold that nobody saw, however soon it comes.
     */
    void debts_data()
    {
        QTest::addColumn<QList<int>>("told");  // messages before each reading
        QTest::addColumn<QByteArray>("shown"); // who has it: a letter, or '-'; '*': told as unseen
        QTest::addColumn<quint32>("debt");
        const auto row = [](const char *name, const QList<int> &told, const QByteArray &shown, quint32 debt) {
            QTest::newRow(name) << told << shown << debt;
        };
        row("what was before isn't known", {1}, "a", 1);
        // From here on the first reading settles all that was before.
        row("taken and given back", {2, 1, 1}, "*a-", 0);
        row("handed over in one turn, or half told", {2, 1, 1}, "*ab", 1);
        row("handed over", {2, 1, 2}, "*ab", 0);
        row("renewed", {2, 1, 1}, "*aa", 0);
        row("read before it was told", {2, 1, 0}, "*a-", 1);
        row("told later", {2, 1, 0, 1}, "*a--", 0);
        row("unseen, and its end may still be told", {2, 1}, "**", 1);
        row("unseen, its end was told", {2, 1, 1}, "**-", 0);
        row("one more before what was read: it is counted", {2, 2}, "*a", 1);
        row("two more", {2, 3}, "*a", 0);
    }
    void debts()
    {
        QFETCH(QList<int>, told);
        QFETCH(QByteArray, shown);
        DirtyKeys dirty;
        for (qsizetype i = 0; i < told.size(); ++i) {
            for (int message = 0; message < told.at(i); ++message)
                dirty.mark(kKey, 10);
            if (told.at(i) == 0)
                dirty.markBeside(kKey, 10);
            QCOMPARE(dirty.take(1).size(), 1);
            const char who = shown.at(i);
            dirty.answered(kKey, {who != '-' && who != '*', size_t(who)}, 20 + i, who == '*');
        }
        QTEST(dirty.debt(kKey), "debt");
        dirty.proven(100);
        QCOMPARE(dirty.size(), 0);
    }

    void whatOthersReadIsNoBalance()
    {
        DirtyKeys dirty;
        dirty.wasAbsent(kKey, 15);
        dirty.mark(kKey, 10);
        QCOMPARE(dirty.take(1).constFirst().debt, DirtyKeys::kUnknown);
        dirty.answered(kKey, {}, 20, false);
        QCOMPARE(dirty.debt(kKey), DirtyKeys::kUnknown);
        dirty.proven(20);
        QCOMPARE(dirty.size(), 0);
    }

    void whatOthersReadIsKnown()
    {
        DirtyKeys dirty;
        dirty.mark(kKey, 10);
        QCOMPARE(dirty.take(1).constFirst().readUs, 0);
        dirty.wasRead(kKey, 15);
        QCOMPARE(dirty.readUs(kKey), 15);
        QCOMPARE(dirty.absentAtUs(kKey), 0);
        dirty.answered(kKey, {true, 1}, 20, false);
        dirty.mark(kKey, 16);
        QCOMPARE(dirty.take(1).constFirst().readUs, 20);
        dirty.answered(kKey, {true, 1}, 22, false);
        dirty.proven(22);
        QCOMPARE(dirty.size(), 0);
    }

    /** Nothing would ever be proven of what was read before. */
    void aClockThatIsSetBack()
    {
        DirtyKeys dirty;
        for (const char *key : {"a", "b", "c"})
            dirty.mark(key, 9'000'000);
        dirty.take(2);
        dirty.answered("a", {true, 1}, 9'000'010, false);
        dirty.answered("b", {}, 9'000'020, false);
        QCOMPARE(dirty.size(), 3);
        dirty.take(1);
        dirty.answered("c", {}, 1'000'000, false);
        QCOMPARE(dirty.size(), 1);
        QCOMPARE(dirty.readUs("c"), 1'000'000);
        dirty.proven(1'000'000);
        QCOMPARE(dirty.size(), 0);
    }

    /** Every claim is a hold that nobody saw, in the claim's window; and few holds are passed over. */
    void claimsAreTrue_data()
    {
        QTest::addColumn<int>("pace");
        QTest::addColumn<int>("most"); // holds of 1,000 that are neither seen, claimed nor counted
        QTest::newRow("slower than the messages") << 40 << 20;
        QTest::newRow("as fast") << 10 << 130;
        QTest::newRow("much faster") << 3 << 0;
    }
    void claimsAreTrue()
    {
        QFETCH(int, pace);
        QFETCH(int, most);
        qsizetype holds = 0;
        qsizetype said = 0;
        for (quint32 seed = 1; seed <= 200; ++seed) {
            Server server(seed);
            server.run(3'000, pace);
            QList<Server::Hold> unseen;
            for (const Server::Hold &hold : std::as_const(server.holds)) {
                if (!hold.seen && hold.untilUs > 0)
                    unseen.append(hold);
            }
            for (const Server::Claim &claim : std::as_const(server.claims)) {
                const auto hold =
                    std::find_if(unseen.cbegin(), unseen.cend(), [&claim](const Server::Hold &one) {
                        return one.fromUs >= claim.sinceUs && one.untilUs <= claim.untilUs;
                    });
                QVERIFY2(
                    hold != unseen.cend(),
                    qPrintable(
                        QStringLiteral("seed %1: %2 to %3").arg(seed).arg(claim.sinceUs).arg(claim.untilUs)));
                unseen.erase(hold);
                said += 1 + claim.coalesced / 2;
            }
            holds += server.holds.size();
            said += server.seen + server.counted / 2;
        }
        qInfo("%d holds, %d said", int(holds), int(said));
        QVERIFY2(said * 1'000 >= holds * (1'000 - most), qPrintable(QString::number(said)));
    }
};

QTEST_APPLESS_MAIN(TestRedisDirtyKeys)
#include "tst_redis_dirty_keys.moc"
