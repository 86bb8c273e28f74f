// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/reading/key_reader.h"

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/schemes/deadline.h"

#include <algorithm>
#include <functional>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis {

namespace {

constexpr int kMostReadRounds = 5;

/** A lock that isn't read to its end yet. */
struct PendingLock
{
    qsizetype index = 0;
    KeyReading reading;
};

struct ReadJob
{
    RedisConnection *connection;
    ReadMode mode;
    KeyPage page;
    QHash<qsizetype, std::optional<Redirect>> elsewhere; ///< by index: locks that another node has
    QList<PendingLock> pending; ///< after the first round, which is about all of them
    bool first = true;
    std::function<void(KeyPage &)> done;

    qsizetype size() const { return first ? page.locks.size() : pending.size(); }
    qsizetype indexOf(qsizetype at) const { return first ? at : pending.at(at).index; }
};

void clearAbsent(Observation &lock)
{
    Observation empty;
    empty.set = lock.set;
    empty.name = std::move(lock.name);
    empty.present = false;
    empty.server = lock.server;
    empty.waiting = lock.waiting; // a queue stays while the lock isn't held
    lock = std::move(empty);
}

void finish(ReadJob &job)
{
    QList<qsizetype> gone = job.elsewhere.keys();
    std::sort(gone.begin(), gone.end(), std::greater<>());
    for (const qsizetype index : std::as_const(gone)) {
        const Observation &lock = job.page.locks.at(index);
        job.page.elsewhere.append({{lock.set, lock.name}, job.elsewhere.value(index)});
        job.page.locks.removeAt(index);
    }
    for (Observation &lock : job.page.locks) {
        lock.server = job.mode.server;
        if (!lock.present) {
            if (!lock.waiters.isEmpty()) // between two holders
                lock.waiting = quint32(lock.waiters.size());
            clearAbsent(lock);
            continue;
        }
        if (!job.mode.exactDeadlines)
            settleDeadline(lock, job.page.beganUs, job.page.endedUs);
        schemeFor(job.mode, lock.set).explain(lock);
    }
    job.done(job.page);
}

void takeTime(PageReading &page, qint64 &time, const redisReply *reply)
{
    const auto us = timeOf(reply);
    if (us)
        time = *us;
    else
        page.note(errorOf(reply, page.mode.asker));
}

/** In bytes; a larger set of registered waiters isn't read. */
constexpr qint64 kMostWaitersBytes = 256 * 1'024;

/** The answer to MEMORY USAGE. */
void takeWaitersBytes(Observation &lock, KeyReading &reading, const redisReply *reply)
{
    lock.waitersVisible = reply->type == REDIS_REPLY_NIL;
    if (reply->type == REDIS_REPLY_INTEGER && reply->integer <= kMostWaitersBytes)
        reading.waitersBytes = reply->integer;
}

/** ZRANGE WITHSCORES: the members, and until when each counts. A key of another type shows no member. */
void takeWaiters(Observation &lock, const redisReply *reply, qint64 nowUs)
{
    lock.waitersVisible = reply->type == REDIS_REPLY_ARRAY;
    for (size_t i = 0; lock.waitersVisible && i + 1 < reply->elements; i += 2) {
        if (bytesOf(reply->element[i + 1]).toByteArray().toDouble() * 1'000 > double(nowUs))
            lock.waiters.append({bytesOf(reply->element[i]).toByteArray(), {}, {}});
    }
}

/** ACL rules may allow some keys and not others. */
bool deniesKey(const redisReply *reply)
{
    const QByteArrayView said = bytesOf(reply);
    return isError(reply, "NOPERM") && (said.contains(" of the keys") || said.contains(" access a key"));
}

bool sendRound(ReadJob job);

/** The answers of one round: TIME in the first one, those of each lock in turn, TIME. */
class ReadRound final : public ReplySink
{
public:
    ReadRound(ReadJob job, QList<quint8> questions)
        : m_job(std::move(job)), m_page{m_job.mode}, m_questions(std::move(questions))
    {
        m_timed = !m_job.first;
        m_page.beganUs = m_job.page.beganUs;
        begin();
    }

    void take(const redisReply *reply) override
    {
        // Where ASKING was refused, the answer to the question itself shows it.
        if (m_job.mode.asking && std::exchange(m_asked, !m_asked))
            return;
        const bool last = m_timed && m_at == m_job.size();
        if (reply == nullptr)
            m_page.note(m_job.connection->failure());
        else if (!m_timed)
            takeTime(m_page, m_job.page.beganUs, reply);
        else if (last)
            takeTime(m_page, m_job.page.endedUs, reply);
        else
            takeAnswer(reply);
        if (last)
            end();
        else if (!std::exchange(m_timed, true))
            m_page.beganUs = m_job.page.beganUs;
        else if (++m_question == m_questions.at(m_at))
            next();
    }

private:
    /** Sets up the state of the lock whose answers come now. */
    void begin()
    {
        m_question = 0;
        m_elsewhere = m_denied = false;
        if (m_at >= m_job.size())
            return;
        m_reading = m_job.first ? KeyReading{} : m_job.pending.at(m_at).reading;
        m_reading.again = false;
        m_scheme = &schemeFor(m_job.mode, m_job.page.locks.at(m_job.indexOf(m_at)).set);
    }

    void takeAnswer(const redisReply *reply)
    {
        if (m_elsewhere || m_denied)
            return;
        if (m_job.mode.leaveElsewhere && isError(reply) && sendsElsewhere(bytesOf(reply)) &&
            !isAboutWaiters() && m_scheme->isOfLock(m_reading, m_question)) {
            m_elsewhere = true;
            m_job.elsewhere.insert(m_job.indexOf(m_at), redirectOf(bytesOf(reply)));
            return;
        }
        Observation &lock = m_job.page.locks[m_job.indexOf(m_at)];
        m_denied = deniesKey(reply) && !isAboutWaiters() && m_scheme->isOfLock(m_reading, m_question);
        if (m_denied)
            leaveUnread(lock);
        else if (!isAboutWaiters())
            m_scheme->take(lock, m_reading, m_question, reply, m_page);
        else if (m_reading.asksWaiters)
            takeWaiters(lock, reply, m_page.beganUs);
        else
            takeWaitersBytes(lock, m_reading, reply);
    }

    /** Its name is all that is known of it. A key of many locks is shown in their place. */
    void leaveUnread(Observation &lock)
    {
        m_reading.again = false;
        setRefused(lock);
        if (!m_scheme->manyPerKey() || !m_job.mode.wholeKeys)
            return;
        m_page.partial.append({lock.set, lock.name});
        lock.name.prepend('/');
    }

    /** The last question of a lock's first round, and the only one of its last. */
    bool isAboutWaiters() const
    {
        return m_reading.asksWaiters ||
               (m_job.first && m_scheme->waitersRegister() && m_question + 1 == m_questions.at(m_at));
    }

    void next()
    {
        if (!m_reading.again && m_reading.waitersBytes > 0 && !m_reading.asksWaiters)
            m_reading.again = m_reading.asksWaiters = true;
        if (m_reading.again && !m_elsewhere && !m_page.error) {
            ++m_reading.round;
            m_again.append({m_job.indexOf(m_at), m_reading});
        }
        ++m_at;
        begin();
    }

    void end()
    {
        m_job.page.locks += m_page.members;
        m_job.page.partial += m_page.partial;
        m_job.page.error = m_page.error;
        m_job.pending = std::move(m_again);
        m_job.first = false;
        const bool enough =
            !m_job.pending.isEmpty() && m_job.pending.first().reading.round >= kMostReadRounds;
        if (m_page.error || m_job.pending.isEmpty() || enough) {
            for (const PendingLock &pending : std::as_const(m_job.pending)) {
                if (!pending.reading.asksWaiters)
                    setUnreadable(m_job.page.locks[pending.index], Flaw::Malformed);
            }
            finish(m_job);
        } else {
            sendRound(std::move(m_job));
        }
    }

    ReadJob m_job;
    PageReading m_page;
    QList<quint8> m_questions; ///< how many, by lock
    QList<PendingLock> m_again;
    KeyReading m_reading;
    const KeyScheme *m_scheme = nullptr;
    qsizetype m_at = 0;
    int m_question = 0;
    bool m_asked = true;      ///< the next answer is ASKING's, where each question has one
    bool m_denied = false;    ///< the user may not read the key of the lock whose answers come now
    bool m_elsewhere = false; ///< another node has the lock whose answers come now
    bool m_timed;             ///< the first TIME is answered, or wasn't asked
};

/** False, and nothing happens, where the link is down at the first round; later that is the page's error. */
bool sendRound(ReadJob job)
{
    CommandBatch batch;
    QList<quint8> questions;
    questions.reserve(job.size());
    qsizetype bytes = 64;
    for (qsizetype at = 0; at < job.size(); ++at)
        bytes += 96 + 2 * job.page.locks.at(job.indexOf(at)).name.size();
    batch.reserve(2 * job.size() + 2, bytes);
    batch.setAsking(job.mode.asking);
    if (job.first)
        batch.add({"TIME"});
    for (qsizetype at = 0; at < job.size(); ++at) {
        const Observation &lock = job.page.locks.at(job.indexOf(at));
        const KeyReading reading = job.first ? KeyReading{} : job.pending.at(at).reading;
        if (reading.asksWaiters) {
            batch.add({"ZRANGE", waitersKeyOf(lock.name), "0", "-1", "WITHSCORES"});
            questions.append(1);
            continue;
        }
        const KeyScheme &scheme = schemeFor(job.mode, lock.set);
        int asked = scheme.ask(batch, lock, reading, job.mode);
        if (job.first && scheme.waitersRegister()) {
            batch.add({"MEMORY", "USAGE", waitersKeyOf(lock.name), "SAMPLES", "64"});
            ++asked;
        }
        questions.append(quint8(asked));
    }
    batch.add({"TIME"});
    job.page.commands += batch.size();
    RedisConnection *connection = job.connection;
    if (connection->isOpen())
        return connection->send(std::make_unique<ReadRound>(std::move(job), std::move(questions)), batch);
    if (job.first)
        return false;
    job.page.error = connection->failure();
    finish(job);
    return true;
}

} // namespace

bool readKeys(RedisConnection &connection, const ReadMode &mode, QList<Observation> locks,
              std::function<void(KeyPage &)> done)
{
    ReadJob job{&connection, mode, {}, {}, {}, true, std::move(done)};
    job.page.locks = std::move(locks);
    return sendRound(std::move(job));
}

} // namespace lockkeeper::stores::redis
