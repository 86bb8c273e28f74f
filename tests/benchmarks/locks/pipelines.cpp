// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/locks/pipelines.h"

#include "shared/locks/redis/token_client.h"
#include "shared/stores/redis/connection/script.h"

#include <QUuid>

namespace lockkeeper::tests {

namespace {
constexpr int kLocks = 64;
constexpr const char *kTtlMs = "30000";
} // namespace

RawPairs::RawPairs(const QString &socketPath, bool fencing)
    : m_context(redisConnectUnix(socketPath.toUtf8().constData())), m_fencing(fencing), m_tokens(kLocks)
{
    for (int i = 0; i < kLocks; ++i) {
        m_names.push_back("raw:" + QByteArray::number(i));
        m_counters.push_back(locks::redis::fencingKeyOf(m_names.back()));
    }
    const stores::redis::Script acquire = stores::redis::clientScript("token_acquire");
    const stores::redis::Script unlock = stores::redis::clientScript("token_unlock");
    for (const auto &script : {acquire, unlock})
        freeReplyObject(
            redisCommand(m_context, "SCRIPT LOAD %b", script.text.constData(), size_t(script.text.size())));
    m_acquire = acquire.sha;
    m_unlock = unlock.sha;
}

RawPairs::~RawPairs()
{
    redisFree(m_context);
}

void RawPairs::appendAcquire(int lock)
{
    const size_t at = size_t(lock);
    m_tokens[at] = QUuid::createUuid().toByteArray(QUuid::Id128);
    if (m_fencing) {
        const char *words[] = {"EVALSHA",
                               m_acquire.constData(),
                               "2",
                               m_names[at].constData(),
                               m_counters[at].constData(),
                               m_tokens[at].constData(),
                               kTtlMs};
        redisAppendCommandArgv(m_context, 7, words, nullptr);
    } else {
        const char *words[] = {"SET", m_names[at].constData(), m_tokens[at].constData(), "NX", "PX", kTtlMs};
        redisAppendCommandArgv(m_context, 6, words, nullptr);
    }
}

void RawPairs::appendRelease(int lock)
{
    const size_t at = size_t(lock);
    const char *words[] = {"EVALSHA", m_unlock.constData(), "1", m_names[at].constData(),
                           m_tokens[at].constData()};
    redisAppendCommandArgv(m_context, 5, words, nullptr);
}

void RawPairs::take()
{
    void *reply = nullptr;
    if (redisGetReply(m_context, &reply) != REDIS_OK)
        qFatal("the server went away");
    const auto *answer = static_cast<const redisReply *>(reply);
    if (answer->type != REDIS_REPLY_STATUS && answer->type != REDIS_REPLY_INTEGER)
        qFatal("a lock that nobody holds wasn't taken, or not given back");
    freeReplyObject(reply);
}

void RawPairs::oneByOne(int pairs)
{
    for (int i = 0; i < pairs; ++i) {
        appendAcquire(0);
        take();
        appendRelease(0);
        take();
    }
}

void RawPairs::pipelined(int pairs, int atOnce)
{
    for (int done = 0; done < pairs; done += atOnce) {
        for (int i = 0; i < atOnce; ++i)
            appendAcquire(i);
        for (int i = 0; i < atOnce; ++i)
            take();
        for (int i = 0; i < atOnce; ++i)
            appendRelease(i);
        for (int i = 0; i < atOnce; ++i)
            take();
    }
}

} // namespace lockkeeper::tests
