// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/reply_reader.h"

#include "shared/base/text.h"

#include <QtGlobal>

#include <new>

namespace lockkeeper::stores::redis {

namespace {

/** An idle buffer larger than this is freed. */
constexpr size_t kIdleBuffer = 64 * 1024;

/** The only types of RESP2. Others would come after HELLO 3, which is never sent. */
bool isKnown(int type)
{
    return type >= REDIS_REPLY_STRING && type <= REDIS_REPLY_ERROR;
}

/** How many arrays deep the reader is. hiredis before 1.0 stops at 7 levels, later versions at none. */
int depthOf(const redisReadTask *task)
{
    int depth = 0;
    for (; task != nullptr; task = task->parent)
        ++depth;
    return depth;
}

} // namespace

/** A template for its second parameter: an int before hiredis 1.0, a size_t since. */
template <typename Count> void *ReplyReader::createArray(const redisReadTask *task, Count count)
{
    auto *self = static_cast<ReplyReader *>(task->privdata);
    self->m_elements += qint64(count);
    self->m_tooDeep = depthOf(task) > self->m_limits.depth;
    if (self->m_elements > self->m_limits.elements || self->m_tooDeep || !isKnown(task->type))
        return nullptr;
    return self->m_standard->createArray(task, count);
}

ReplyReader::ReplyReader(const ReplyLimits &limits)
    : m_limits(limits), m_reader(redisReaderCreate()), m_standard(nullptr), m_functions{}
{
    if (m_reader == nullptr)
        throw std::bad_alloc();
    m_standard = m_reader->fn;
    m_functions = *m_standard;
    m_functions.createArray = &ReplyReader::createArray;
    m_reader->fn = &m_functions;
    m_reader->privdata = this;
    m_reader->maxbuf = kIdleBuffer;
}

ReplyReader::~ReplyReader()
{
    redisReaderFree(m_reader);
}

qsizetype ReplyReader::pending() const
{
    return qsizetype(m_reader->len - m_reader->pos);
}

void ReplyReader::feed(QByteArrayView bytes)
{
    if (failed() || bytes.isEmpty())
        return;
    m_bytes += bytes.size();
    if (redisReaderFeed(m_reader, bytes.data(), size_t(bytes.size())) != REDIS_OK)
        m_error = QStringLiteral("out of memory");
}

ReplyPtr ReplyReader::next()
{
    if (failed())
        return {};
    void *raw = nullptr;
    const int status = redisReaderGetReply(m_reader, &raw);
    ReplyPtr reply(static_cast<redisReply *>(raw));
    if (status != REDIS_OK) {
        if (m_elements > m_limits.elements)
            m_error = QStringLiteral("an array of more than %1 elements").arg(m_limits.elements);
        else if (m_tooDeep)
            m_error = QStringLiteral("arrays nested more than %1 deep").arg(m_limits.depth);
        else
            m_error = base::displayText(QByteArrayView(m_reader->errstr));
        return {};
    }
    if (!reply) {
        checkSize();
        return {};
    }
    m_elements = 0;
    m_bytes = pending();
    if (!isKnown(reply->type)) {
        m_error = QStringLiteral("a reply of an unknown type");
        return {};
    }
    return reply;
}

/** The bytes left in the reader's buffer belong to one string or line that isn't whole yet. */
void ReplyReader::checkSize()
{
    if (pending() > m_limits.item)
        m_error = QStringLiteral("a string of more than %1 bytes").arg(m_limits.item);
    else if (m_bytes > m_limits.reply)
        m_error = QStringLiteral("a reply of more than %1 bytes").arg(m_limits.reply);
}

} // namespace lockkeeper::stores::redis
