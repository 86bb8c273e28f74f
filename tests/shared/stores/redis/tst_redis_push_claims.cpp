// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/read_back.h"
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
 * A server with one key, which holders acquire and release, and a reader of the key that works like Tracker.
 * Notifications and answers come over separate connections, each in order and some time after the fact.
 * If the server sends events, they come before the notification of their turn. Time is in steps.
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
    };

    Server(quint32 seed, bool events) : m_random(seed), m_events(events)
    {
        m_spec.locks.emplaceBack().scheme = "redis.token";
        m_spec.locks[0].match = kKey;
        m_mode.schemes = schemesOf(m_spec);
    }

    /** `pace`: the longest time of a hold and of the pause after it. */
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
    bool shown = false; ///< the result of the last read
    QString wrong;      ///< a change outside of its window

private:
    struct Message
    {
        qint64 atUs = 0; ///< when it comes
        qint64 ofUs = 0;
        QByteArray event; ///< empty: a notification
    };

    qint64 later(qint64 after, int most) { return std::max(after, m_now + 1 + m_random.bounded(most)); }

    void send(const QByteArray &event) { m_messages.push_back({m_told = later(m_told, 8), m_now, event}); }
    void change()
    {
        // The server reports the changes of one turn of its loop together.
        const bool handsOver = m_held && m_random.bounded(4) == 0;
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
                m_changed.mark(kKey, m_proven);
            else
                m_changed.note(kKey, message.event);
        }
        if (m_provenAt > 0 && m_now >= m_provenAt &&
            (m_messages.empty() || m_messages.front().ofUs > m_candidate)) {
            m_provenAt = 0;
            m_proven = m_candidate;
            m_changed.proven(m_proven);
        }
    }
    void read()
    {
        if (m_readAt > 0 || m_changed.waiting() == 0)
            return;
        m_asked = m_changed.take(1);
        m_readAt = later(0, 4);
    }
    void answer()
    {
        if (m_readAt > 0 && m_now == m_readAt) { // at the server
            m_page = KeyPage{m_now, m_now, questionsOf(m_asked, m_spec, *m_mode.schemes)};
            Observation &lock = m_page.locks[0];
            lock.present = lock.held = m_held;
            lock.identity = m_held ? QByteArray::number(holds.size()) : QByteArray();
            m_answerAt = later(0, 4);
        }
        if (m_answerAt == 0 || m_now < m_answerAt)
            return;
        m_readAt = m_answerAt = 0;
        // Where there are events other databases are in use.
        const Change change = changesOf(m_asked, m_page, m_mode, !m_events, m_members).constFirst();
        m_changed.answered(kKey, m_page.endedUs);
        const qint64 sinceUs = change.timeUs - change.windowUs;
        if (change.unseen && !shown)
            claims.append({sinceUs, change.timeUs});
        shown = change.lock.present;
        if (shown) {
            Hold &hold = holds[change.lock.identity.toInt() - 1];
            if (!hold.seen && (hold.fromUs < sinceUs || hold.fromUs > change.timeUs))
                wrong = QStringLiteral("%1 not in %2 to %3").arg(hold.fromUs).arg(sinceUs).arg(change.timeUs);
            hold.seen = true;
        }
        if (m_provenAt == 0) {
            m_candidate = m_page.endedUs;
            m_provenAt = later(0, 12);
        }
    }

    QRandomGenerator m_random;
    bool m_events = false;
    SourceSpec m_spec;
    ReadMode m_mode;
    ChangedKeys m_changed;
    KeyMembers m_members;
    QList<ChangedKey> m_asked;
    KeyPage m_page;
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

/** Claims about holds, readable or not, compared with simulated servers. */
class TestRedisPushClaims : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void claimsAreTrue_data()
    {
        QTest::addColumn<int>("pace");
        QTest::addColumn<bool>("events");
        QTest::newRow("slower than the notifications") << 40 << false;
        QTest::newRow("as fast") << 10 << false;
        QTest::newRow("much faster") << 3 << false;
        QTest::newRow("slower than the notifications, with events") << 40 << true;
        QTest::newRow("as fast, with events") << 10 << true;
        QTest::newRow("much faster, with events") << 3 << true;
    }
    /** Every claim is an unseen hold within the claim's window. Every shown hold began in the window of its
     * change. The last state is always read. */
    void claimsAreTrue()
    {
        QFETCH(int, pace);
        QFETCH(bool, events);
        qsizetype holds = 0;
        qsizetype seen = 0;
        qsizetype claims = 0;
        for (quint32 seed = 1; seed <= 60; ++seed) {
            Server server(seed, events);
            server.run(2'000, pace);
            QVERIFY2(server.wrong.isEmpty(), qPrintable(server.wrong));
            QVERIFY(!server.shown);
            QList<Server::Hold> unseen;
            for (const Server::Hold &hold : std::as_const(server.holds)) {
                if (!hold.seen)
                    unseen.append(hold);
            }
            holds += server.holds.size();
            seen += server.holds.size() - unseen.size();
            claims += server.claims.size();
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
            }
        }
        qInfo("%d holds, %d read, %d claimed unseen", int(holds), int(seen), int(claims));
        QVERIFY(claims > 0);
    }
};

LOCKKEEPER_TEST(TestRedisPushClaims)

} // namespace tst_redis_push_claims

#include "tst_redis_push_claims.moc"
