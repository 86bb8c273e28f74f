// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/reading/scan_run.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/redis_connection.h"

#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;

ScanRun::ScanRun(RedisConnection &connection, const SourceSpec &spec, ReadMode mode, bool scanTypes,
                 ScanSink report)
    : m_connection(connection),
      m_spec(spec),
      m_mode(std::move(mode)),
      m_scanTypes(scanTypes),
      m_report(std::move(report))
{
    m_mode.wholeKeys = true;
}

ReadMode ScanRun::modeOfSet() const
{
    ReadMode mode = m_mode;
    if (m_set >= m_spec.locks.size())
        return mode;
    mode.asker.keys = m_spec.locks.at(m_set).match;
    mode.asker.observeRules = scheme().observeRules();
    return mode;
}

void ScanRun::start()
{
    askTime();
    if (m_spec.locks.isEmpty())
        m_scanned = true;
    else
        scan("0");
}

/** The first answer begins the scan, the last one ends it. */
void ScanRun::askTime()
{
    const bool sent = m_connection.send({"TIME"}, [self = shared_from_this()](const redisReply *reply) {
        const auto us = timeOf(reply);
        if (reply == nullptr)
            self->end(self->m_connection.failure());
        else if (!us)
            self->end(errorOf(reply, self->m_mode.asker));
        else if (self->m_end.beganUs == 0)
            self->m_end.beganUs = *us;
        else
            self->m_scanned = true;
        if (us)
            self->m_end.endedUs = std::max(self->m_end.endedUs, *us);
        self->endIfDone();
    });
    if (!sent)
        end(m_connection.failure());
}

void ScanRun::setPaused(bool paused)
{
    m_paused = paused;
    if (!paused && !m_held.isEmpty() && !m_over)
        sendScan(std::exchange(m_held, {}));
}

void ScanRun::scan(const QByteArray &cursor)
{
    if (m_paused)
        m_held = cursor;
    else
        sendScan(cursor);
}

void ScanRun::sendScan(const QByteArray &cursor)
{
    const QByteArray &match = m_spec.locks.at(m_set).match;
    const QByteArray count = QByteArray::number(qMax(1, m_spec.pageSize));
    const auto handler = [self = shared_from_this()](const redisReply *reply) { self->takeScan(reply); };
    // Where no match says which keys are locks, their type does.
    const QByteArrayView type = m_scanTypes ? scheme().scanType() : QByteArrayView();
    const bool sent =
        match != "*"     ? m_connection.send({"SCAN", cursor, "MATCH", match, "COUNT", count}, handler)
        : type.isEmpty() ? m_connection.send({"SCAN", cursor, "COUNT", count}, handler)
                         : m_connection.send({"SCAN", cursor, "COUNT", count, "TYPE", type}, handler);
    if (!sent)
        end(m_connection.failure());
}

void ScanRun::takeScan(const redisReply *reply)
{
    if (m_over)
        return;
    if (reply == nullptr) {
        end(m_connection.failure());
        return;
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[1]->type != REDIS_REPLY_ARRAY) {
        end(errorOf(reply, modeOfSet().asker));
        return;
    }
    QList<Observation> locks = freshNames(reply->element[1]);
    const ReadMode mode = modeOfSet();
    const QByteArray cursor = bytesOf(reply->element[0]).toByteArray();
    bool last = false;
    if (cursor != "0") {
        scan(cursor);
    } else if (++m_set < m_spec.locks.size()) {
        m_seen.clear();
        scan("0");
    } else {
        last = true;
    }
    if (!locks.isEmpty() && !m_over) {
        const bool sent = readKeys(m_connection, mode, std::move(locks),
                                   [self = shared_from_this()](KeyPage &page) { self->takePage(page); });
        m_pages += sent ? 1 : 0;
        if (!sent)
            end(m_connection.failure());
    }
    if (last && !m_over)
        askTime();
}

/** The names of a SCAN page that belong to the set and weren't in an earlier page. */
QList<Observation> ScanRun::freshNames(const redisReply *names)
{
    const QByteArray &match = m_spec.locks.at(m_set).match;
    const bool all = match == "*";
    QList<Observation> locks;
    locks.reserve(qsizetype(names->elements));
    for (size_t i = 0; i < names->elements; ++i) {
        const QByteArrayView name = bytesOf(names->element[i]);
        if ((!all && !base::globMatches(match, name)) || !scheme().isLock(name) || !m_seen.insert(name))
            continue;
        Observation &lock = locks.emplaceBack();
        lock.set = quint16(m_set);
        lock.name = name.toByteArray();
    }
    m_end.scanned += qint64(names->elements);
    return locks;
}

void ScanRun::takePage(KeyPage &read)
{
    --m_pages;
    if (m_over)
        return;
    if (read.error) {
        end(read.error);
        return;
    }
    read.locks.removeIf([](const Observation &lock) { return !lock.present; });
    m_end.endedUs = std::max(m_end.endedUs, read.endedUs);
    for (const Subject &key : std::as_const(read.partial))
        m_partial.insert(key);
    if (!read.locks.isEmpty() || !read.elsewhere.isEmpty())
        m_report.page(read);
    for (const Elsewhere &key : std::as_const(read.elsewhere))
        m_partial.insert(key.lock);
    endIfDone();
}

void ScanRun::endIfDone()
{
    if (m_scanned && m_pages == 0)
        end(std::nullopt);
}

void ScanRun::end(const std::optional<Error> &error)
{
    if (m_over)
        return;
    m_over = true;
    m_end.complete = !error;
    m_end.error = error.value_or(Error{});
    if (!m_partial.isEmpty())
        m_end.covers = [partial = m_partial, schemes = m_mode](const Subject &lock) {
            return !partial.contains({lock.set, schemeFor(schemes, lock.set).keyOf(lock.name).toByteArray()});
        };
    m_report.end(m_end);
}

} // namespace lockkeeper::stores::redis
