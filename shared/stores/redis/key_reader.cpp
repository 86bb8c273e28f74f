// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/key_reader.h"

#include "shared/stores/redis/connection.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Evidence;
using domain::ExpiryKind;

namespace {

constexpr qint64 kLastSaneMs = 253'402'300'799'999; ///< the end of the year 9999
constexpr int kMostRounds = 5;
/** Of a value that is too long to guard with, so much is kept to be shown. */
constexpr qsizetype kShownOfLongValue = 1024;
constexpr QByteArrayView kLastByte("65535");

struct Job
{
    Connection *connection;
    ReadMode mode;
    KeyPage page;
    QList<qsizetype> doubtful; ///< to be read again, with their length
    int round = 1;
    std::function<void(KeyPage &)> done;
};

void setValue(Observation &lock, QByteArrayView value)
{
    lock.held = true;
    lock.ownerKnown = !value.isEmpty();
    lock.flaw = value.isEmpty() ? Flaw::NullIdentity : Flaw::None;
    lock.identity = value.toByteArray();
    lock.owner = lock.identity;
    lock.token = lock.identity;
}

void setUnreadable(Observation &lock, Flaw flaw)
{
    lock.held = false;
    lock.ownerKnown = false;
    lock.flaw = flaw;
    lock.identity.clear();
    lock.owner.clear();
    lock.token.clear();
}

void setTruncated(Observation &lock)
{
    lock.flaw = Flaw::Truncated;
    lock.identity.clear();
    lock.owner = lock.owner.first(qMin(lock.owner.size(), kShownOfLongValue));
    lock.token = lock.owner;
}

/** `ms` is PEXPIRETIME's answer, or PTTL's: then the deadline is put right by settle() at the end. */
void setDeadline(Observation &lock, qint64 ms)
{
    lock.present = ms != -2;
    lock.expiresBy = Evidence::Ttl;
    if (ms == -1) {
        lock.expiry = ExpiryKind::None;
        lock.freshness = QByteArrayLiteral("-1");
    } else if (ms < 0 || ms > kLastSaneMs) {
        lock.expiry = ExpiryKind::Unknown;
        lock.flaw = lock.flaw == Flaw::None ? Flaw::BadTime : lock.flaw;
        lock.freshness = QByteArray::number(ms);
    } else {
        lock.expiry = ExpiryKind::At;
        lock.expiresUs = ms * 1000;
        lock.freshness = QByteArray::number(ms);
    }
}

/** Turns a time to live, read at some time in the page, into a deadline. Redis counts whole milliseconds. */
void settle(Observation &lock, qint64 beganUs, qint64 endedUs)
{
    if (lock.expiry != ExpiryKind::At)
        return;
    const qint64 beganMs = beganUs / 1000 - 1;
    const qint64 slackMs = endedUs / 1000 - beganMs + 1;
    const qint64 lowMs = beganMs + lock.expiresUs / 1000;
    lock.expiresUs = lowMs * 1000;
    lock.expirySlackUs = slackMs * 1000;
    lock.freshness = '~' + QByteArray::number(lowMs) + '+' + QByteArray::number(slackMs);
}

void clearAbsent(Observation &lock)
{
    Observation empty;
    empty.set = lock.set;
    empty.name = std::move(lock.name);
    empty.present = false;
    lock = std::move(empty);
}

void finish(Job &job)
{
    for (Observation &lock : job.page.locks) {
        if (!lock.present)
            clearAbsent(lock);
        else if (!job.mode.exactDeadlines)
            settle(lock, job.page.beganUs, job.page.endedUs);
    }
    job.done(job.page);
}

void note(Job &job, const Error &error)
{
    if (!job.page.error)
        job.page.error = error;
}

/** The bytes of GETRANGE into `lock`; false for an error that spoils the page. */
bool takeValue(Job &job, Observation &lock, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_STRING)
        setValue(lock, bytesOf(reply));
    else if (isError(reply, "WRONGTYPE"))
        setUnreadable(lock, Flaw::WrongType);
    else
        note(job, errorOf(reply, job.mode.asker));
    return !job.page.error;
}

bool takeDeadline(Job &job, Observation &lock, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        setDeadline(lock, reply->integer);
    else
        note(job, errorOf(reply, job.mode.asker));
    return !job.page.error;
}

void takeTime(Job &job, qint64 &time, const redisReply *reply)
{
    const auto us = timeOf(reply);
    if (us)
        time = *us;
    else
        note(job, errorOf(reply, job.mode.asker));
}

void readAgain(Job job);

/** First reading: TIME, (GETRANGE, deadline) for each lock, TIME. */
class FirstRead final : public ReplySink
{
public:
    explicit FirstRead(Job job) : m_job(std::move(job)) {}

    void take(const redisReply *reply) override
    {
        const qsizetype at = m_at++;
        const qsizetype last = 2 * m_job.page.locks.size() + 1;
        if (reply == nullptr)
            note(m_job, m_job.connection->failure());
        else if (at == 0)
            takeTime(m_job, m_job.page.beganUs, reply);
        else if (at == last)
            takeTime(m_job, m_job.page.endedUs, reply);
        else
            takeKey(at - 1, reply);
        if (at == last)
            end();
    }

private:
    void takeKey(qsizetype at, const redisReply *reply)
    {
        Observation &lock = m_job.page.locks[at / 2];
        if (at % 2 == 0) {
            takeValue(m_job, lock, reply);
        } else if (takeDeadline(m_job, lock, reply) && lock.present) {
            // An empty answer is an empty value or none; a full one may be the beginning of more.
            if (lock.flaw != Flaw::WrongType &&
                (lock.identity.isEmpty() || lock.identity.size() >= kLongestValue))
                m_job.doubtful.append(at / 2);
        }
    }

    void end()
    {
        if (m_job.doubtful.isEmpty() || m_job.page.error)
            finish(m_job);
        else
            readAgain(std::move(m_job));
    }

    Job m_job;
    qsizetype m_at = 0;
};

/** Another reading of the doubtful ones: (STRLEN, GETRANGE, deadline) for each, TIME. */
class SecondRead final : public ReplySink
{
public:
    explicit SecondRead(Job job) : m_job(std::move(job)) {}

    void take(const redisReply *reply) override
    {
        const qsizetype at = m_at++;
        const qsizetype last = 3 * m_job.doubtful.size();
        if (reply == nullptr)
            note(m_job, m_job.connection->failure());
        else if (at == last)
            takeTime(m_job, m_job.page.endedUs, reply);
        else
            takeKey(m_job.page.locks[m_job.doubtful.at(at / 3)], int(at % 3), reply);
        if (at == last)
            end();
    }

private:
    void takeKey(Observation &lock, int question, const redisReply *reply)
    {
        switch (question) {
        case 0:
            m_length = reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
            if (m_length < 0 && !isError(reply, "WRONGTYPE"))
                note(m_job, errorOf(reply, m_job.mode.asker));
            break;
        case 1:
            takeValue(m_job, lock, reply);
            break;
        default:
            if (takeDeadline(m_job, lock, reply) && lock.present)
                judge(lock);
        }
    }

    void judge(Observation &lock)
    {
        if (lock.flaw == Flaw::WrongType)
            return;
        if (m_length > kLongestValue && lock.identity.size() == kLongestValue)
            setTruncated(lock);
        else if (m_length != lock.identity.size())
            m_again.append(&lock - m_job.page.locks.data()); // it changed between the two questions
    }

    void end()
    {
        m_job.doubtful = std::move(m_again);
        if (!m_job.doubtful.isEmpty() && !m_job.page.error && ++m_job.round <= kMostRounds) {
            readAgain(std::move(m_job));
            return;
        }
        for (const qsizetype index : std::as_const(m_job.doubtful))
            setUnreadable(m_job.page.locks[index], Flaw::Malformed);
        finish(m_job);
    }

    Job m_job;
    QList<qsizetype> m_again;
    qint64 m_length = 0;
    qsizetype m_at = 0;
};

QByteArrayView deadlineCommand(const ReadMode &mode)
{
    return mode.exactDeadlines ? QByteArrayView("PEXPIRETIME") : QByteArrayView("PTTL");
}

void readAgain(Job job)
{
    CommandBatch batch;
    for (const qsizetype index : std::as_const(job.doubtful)) {
        const QByteArray &name = job.page.locks.at(index).name;
        batch.add({"STRLEN", name});
        batch.add({"GETRANGE", name, "0", kLastByte});
        batch.add({deadlineCommand(job.mode), name});
    }
    batch.add({"TIME"});
    Connection *connection = job.connection;
    if (connection->isOpen()) {
        connection->send(std::make_unique<SecondRead>(std::move(job)), batch);
        return;
    }
    note(job, connection->failure());
    finish(job);
}

} // namespace

bool readKeys(Connection &connection, const ReadMode &mode, QList<Observation> locks,
              std::function<void(KeyPage &)> done)
{
    CommandBatch batch;
    qsizetype bytes = 64;
    for (const Observation &lock : std::as_const(locks))
        bytes += 96 + 2 * lock.name.size();
    batch.reserve(2 * locks.size() + 2, bytes);
    const QByteArrayView deadline = deadlineCommand(mode);
    batch.add({"TIME"});
    for (const Observation &lock : std::as_const(locks)) {
        batch.add({"GETRANGE", lock.name, "0", kLastByte});
        batch.add({deadline, lock.name});
    }
    batch.add({"TIME"});
    Job job{&connection, mode, {}, {}, 1, std::move(done)};
    job.page.locks = std::move(locks);
    return connection.send(std::make_unique<FirstRead>(std::move(job)), batch);
}

} // namespace lockkeeper::stores::redis
