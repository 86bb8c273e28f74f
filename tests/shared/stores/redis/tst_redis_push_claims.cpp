// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/read_back.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <deque>

namespace tst_redis_push_claims {

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;
using namespace lockkeeper::stores::redis::push;

namespace {

constexpr char kKey[] = "lock:a";

/**
 * A server with one key, which holders take and give back, and a reader of it as Tracker is one: messages and
 * answers come by connections of their own, each in its order and some time after the fact. Where the server
 * tells of events they come before the message of their turn. Time in steps.
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

    Server(quint32 seed, bool events) : m_random(seed), m_events(events)
    {
        SourceSpec spec;
        spec.locks.emplaceBack().scheme = "redis.token";
        m_mode.schemes = schemesOf(spec);
        m_last.present = false;
    }

    /** `pace`: how long a hold and the pause after it last at most. */
    void run(int steps, int pace)
    {
        qint64 changeAt = 1;
        for (m_now = 1; m_now < steps; ++m_now) {
            if (m_now >= changeAt && (m_held || m_now < steps - 200)) { // in the end all is quiet
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
    int ended = 0;   ///< holds that are told of, by events: seen, claimed or counted
    int counted = 0; ///< changes that nobody read, by `coalesced`

private:
    struct Message
    {
        qint64 atUs = 0; ///< when it comes
        qint64 ofUs = 0;
        QByteArray event; ///< empty: an invalidation
    };

    qint64 later(qint64 after, int most) { return std::max(after, m_now + 1 + m_random.bounded(most)); }

    void send(const QByteArray &event) { m_messages.push_back({m_told = later(m_told, 8), m_now, event}); }
    void change()
    {
        // Changes of one turn of the server's loop are told together.
        const bool handsOver = m_events && m_held && m_random.bounded(4) == 0;
        if (m_held) {
            holds.last().untilUs = m_now;
            if (m_events)
                send("del");
        }
        m_held = !m_held || handsOver;
        if (m_held) {
            holds.append({m_now, 0, false});
            if (m_events)
                send("set");
        }
        send({});
    }
    void hear()
    {
        while (!m_messages.empty() && m_messages.front().atUs <= m_now) {
            const Message message = m_messages.front();
            m_messages.pop_front();
            if (message.event.isEmpty())
                m_dirty.mark(kKey, m_proven);
            else
                m_dirty.note(kKey, message.event, m_proven);
        }
        if (m_provenAt > 0 && m_now >= m_provenAt &&
            (m_messages.empty() || m_messages.front().ofUs > m_candidate)) {
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
        m_dirty.refresh(m_asked.keys.first().asked);
        const Change change =
            changesOf(m_asked, m_page, m_mode, {m_events, true, m_events}, m_members).constFirst();
        const Observation &lock = m_page.locks.at(0);
        m_dirty.answered(kKey, sightOf(m_asked.keys.first(), m_page, 0, m_mode), m_page.endedUs,
                         change.unseen);
        const bool was = m_last.present;
        const bool same = m_last.identity == lock.identity;
        if (change.unseen && !was)
            claims.append({change.timeUs - change.windowUs, change.timeUs, change.coalesced});
        if (const auto &ends = m_asked.keys.constFirst().asked.ends; ends && (!same || change.unseen)) {
            const Sight now = sightOf(m_asked.keys.first(), m_page, 0, m_mode);
            ended += (was && !same ? 1 : 0) + (change.unseen && !was ? 1 : 0);
            ended += int(lock.present ? ends->unread(now) : std::max(ends->unsaid, 1U) - 1);
        }
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
    bool m_events = false;
    ReadMode m_mode;
    DirtyKeys m_dirty;
    KeyMembers m_members;
    ReadBack m_asked;
    KeyPage m_page;
    Observation m_last;
    std::deque<Message> m_messages;
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

/** What is said of holds that nobody could read, held against simulated servers. */
class TestRedisPushClaims : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /** Every claim is a hold that nobody saw, in the claim's window; few holds are passed over where messages
     * alone tell of them, and none where events do. */
    void claimsAreTrue_data()
    {
        QTest::addColumn<int>("pace");
        QTest::addColumn<bool>("events");
        QTest::addColumn<int>("most"); // holds of 1,000 that messages alone say nothing of
        QTest::newRow("slower than the messages") << 40 << false << 20;
        QTest::newRow("as fast") << 10 << false << 130;
        QTest::newRow("much faster") << 3 << false << 0;
        QTest::newRow("slower than the messages, with events") << 40 << true << 1'000;
        QTest::newRow("as fast, with events") << 10 << true << 1'000;
        QTest::newRow("much faster, with events") << 3 << true << 1'000;
    }
    void claimsAreTrue()
    {
        QFETCH(int, pace);
        QFETCH(bool, events);
        QFETCH(int, most);
        qsizetype holds = 0;
        qsizetype said = 0;
        for (quint32 seed = 1; seed <= 200; ++seed) {
            Server server(seed, events);
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
            const auto isOver = [](const Server::Hold &hold) { return hold.untilUs > 0; };
            const auto over =
                std::count_if(server.holds.cbegin(), server.holds.cend(), isOver) - server.ended;
            // Only what the first reading of all may have followed isn't known.
            if (events)
                QVERIFY2(over == 0 || over == 1,
                         qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(over)));
        }
        qInfo("%d holds, %d said", int(holds), int(said));
        QVERIFY2(said * 1'000 >= holds * (1'000 - most), qPrintable(QString::number(said)));
    }
};

LOCKKEEPER_TEST(TestRedisPushClaims)

} // namespace tst_redis_push_claims

#include "tst_redis_push_claims.moc"
