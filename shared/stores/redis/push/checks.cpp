// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What no message tells: a redirection that the server has dropped, and databases that were swapped.
#include "shared/stores/redis/push/one_database.h"
#include "shared/stores/redis/push/tracker.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

using base::ErrorCode;

namespace {

/** The flags of CLIENT TRACKINGINFO: a list of names and values. */
QList<QByteArray> flagsOf(const redisReply *reply)
{
    QList<QByteArray> flags;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i + 1 < reply->elements; i += 2) {
        if (bytesOf(reply->element[i]) != "flags")
            continue;
        for (size_t j = 0; j < reply->element[i + 1]->elements; ++j)
            flags.append(bytesOf(reply->element[i + 1]->element[j]).toByteArray());
    }
    return flags;
}

} // namespace

void Tracker::check()
{
    const quint64 link = m_links;
    m_data.send({"CLIENT", "TRACKINGINFO"}, [this, link](const redisReply *reply) {
        if (reply != nullptr && isCurrent(link))
            takeTracking(reply);
    });
    const auto sinceUs = std::make_shared<qint64>(0);
    const auto info = std::make_shared<QByteArray>();
    m_data.send({"TIME"}, [sinceUs](const redisReply *reply) { *sinceUs = timeOf(reply).value_or(0); });
    const auto add = [info](const redisReply *reply) {
        if (reply != nullptr && !isError(reply))
            *info += bytesOf(reply);
    };
    m_data.send({"INFO", "keyspace"}, add);
    if (m_countsHere)
        m_data.send({"INFO", "server"}, add);
    m_data.send({"INFO", "commandstats"}, [this, link, sinceUs, info](const redisReply *reply) {
        if (reply != nullptr && !isError(reply) && isCurrent(link))
            takeDatabases(*info + bytesOf(reply).toByteArray(), *sinceUs);
    });
}

void Tracker::takeTracking(const redisReply *reply)
{
    if (isError(reply))
        return; // forbidden, or a server before 6.2: the subscriber's own PING is what is left
    const QList<QByteArray> flags = flagsOf(reply);
    if (!flags.contains("on") || flags.contains("broken_redirect"))
        m_subscriber.fail({ErrorCode::ConnectionLost,
                           QStringLiteral("the server has ended the tracking of changed keys"),
                           {}});
}

void Tracker::takeDatabases(const QByteArray &info, qint64 sinceUs)
{
    const Databases found = databasesOf(info);
    m_evidence.oneDatabase = found.onlyFirst && m_data.endpoint().database == 0;
    // SWAPDB changes everything and tells nobody.
    const bool swapped = m_swaps >= 0 && found.swaps != m_swaps;
    m_swaps = found.swaps;
    const qint64 before = std::exchange(m_checkedUs, sinceUs);
    if (swapped)
        everything(before);
}

} // namespace lockkeeper::stores::redis::push
