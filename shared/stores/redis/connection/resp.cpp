// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/resp.h"

#include <algorithm>
#include <charconv>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

namespace {

constexpr QByteArrayView kAsking("*1\r\n$6\r\nASKING\r\n");
constexpr qsizetype kMostHeader = 24; ///< bytes of a length, with its type and end

char *put(char *to, QByteArrayView bytes)
{
    return std::copy(bytes.begin(), bytes.end(), to);
}

char *putHeader(char *to, char type, qsizetype number)
{
    *to++ = type;
    return put(std::to_chars(to, to + kMostHeader, number).ptr, "\r\n");
}

} // namespace

template <typename Arguments> void CommandBatch::addAll(const Arguments &arguments)
{
    const qsizetype before = m_wire.size();
    qsizetype most = before + kAsking.size() + kMostHeader;
    for (const QByteArrayView argument : arguments)
        most += kMostHeader + argument.size() + 2;
    m_wire.resize(most);
    char *to = m_wire.data() + before;
    if (m_asking) {
        to = put(to, kAsking);
        m_ends.append(before + kAsking.size());
    }
    to = putHeader(to, '*', qsizetype(arguments.size()));
    for (const QByteArrayView argument : arguments)
        to = put(put(putHeader(to, '$', argument.size()), argument), "\r\n");
    m_wire.resize(to - m_wire.constData());
    m_ends.append(m_wire.size());
    m_monitor = arguments.size() == 1 && QByteArrayView(*arguments.begin()) == "MONITOR";
}

void CommandBatch::add(std::initializer_list<QByteArrayView> arguments)
{
    addAll(arguments);
}

void CommandBatch::add(const QList<QByteArray> &arguments)
{
    addAll(arguments);
}

void CommandBatch::add(std::span<const QByteArrayView> arguments)
{
    addAll(arguments);
}

void CommandBatch::clear()
{
    m_wire.resize(0);
    m_ends.resize(0);
    m_monitor = false;
}

void CommandBatch::reserve(qsizetype commands, qsizetype bytes)
{
    m_ends.reserve(commands);
    m_wire.reserve(bytes);
}

QByteArrayView CommandBatch::command(qsizetype index) const
{
    const qsizetype begin = index == 0 ? 0 : m_ends.at(index - 1);
    return QByteArrayView(m_wire).sliced(begin, m_ends.at(index) - begin);
}

QByteArrayView bytesOf(const redisReply *reply)
{
    if (reply == nullptr)
        return {};
    switch (reply->type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
        return {reply->str, qsizetype(reply->len)};
    default:
        return {};
    }
}

bool isError(const redisReply *reply)
{
    return reply != nullptr && reply->type == REDIS_REPLY_ERROR;
}

bool isError(const redisReply *reply, QByteArrayView code)
{
    if (!isError(reply) || !bytesOf(reply).startsWith(code))
        return false;
    return bytesOf(reply).size() == code.size() || bytesOf(reply)[code.size()] == ' ';
}

std::optional<qint64> timeOf(const redisReply *reply)
{
    if (reply == nullptr || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2)
        return std::nullopt;
    return timeOf(reply->element[0], reply->element[1]);
}

std::optional<qint64> timeOf(const redisReply *seconds, const redisReply *microseconds)
{
    bool ok = false;
    bool okToo = false;
    const qint64 whole = bytesOf(seconds).toByteArray().toLongLong(&ok);
    const qint64 rest = bytesOf(microseconds).toByteArray().toLongLong(&okToo);
    if (!ok || !okToo || whole < 0 || whole > 253'402'300'799 || rest < 0 || rest >= 1'000'000)
        return std::nullopt;
    return whole * 1'000'000 + rest;
}

} // namespace lockkeeper::stores::redis
