// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/reading/key_reader.h"
#include "shared/stores/redis/reading/seen_names.h"

#include <QSet>

#include <memory>

struct redisReply;

namespace lockkeeper::stores::redis {

class RedisConnection;

/** Where a scan reports to. */
struct ScanSink
{
    /** Takes the locks that exist, in `locks`. The scan covers keys of another node only if the taker sees to
     * them and removes them from `elsewhere`. */
    std::function<void(KeyPage &)> page;
    std::function<void(const ScanEnd &)> end; ///< called once
};

/**
 * One scan: SCAN through every lock set in turn, and the keys of each of its pages read by readKeys().
 * The next SCAN is sent before the reads of the page that has just come, so the server works while this side
 * takes the answers in. Never more than two pages are under way. Keeps itself alive until its last answer.
 */
class ScanRun : public std::enable_shared_from_this<ScanRun>
{
public:
    /** `scanTypes`: the server knows SCAN … TYPE (Redis 6). */
    ScanRun(RedisConnection &connection, const SourceSpec &spec, ReadMode mode, bool scanTypes,
            ScanSink report);

    void start();
    /** While paused, no further SCAN is sent; the keys that earlier SCANs found are still read. */
    void setPaused(bool paused);
    /** The link is lost; without effect if a pending question has already reported it. */
    void lose(const base::Error &error) { end(error); }

private:
    void scan(const QByteArray &cursor);
    void sendScan(const QByteArray &cursor);
    void takeScan(const redisReply *reply);
    void askTime();
    void takePage(KeyPage &page);
    void end(const std::optional<base::Error> &error);
    void endIfDone();
    QList<Observation> freshNames(const redisReply *names);
    ReadMode modeOfSet() const;
    const KeyScheme &scheme() const { return schemeFor(m_mode, quint16(m_set)); }

    RedisConnection &m_connection;
    const SourceSpec &m_spec;
    ReadMode m_mode;
    bool m_scanTypes;
    ScanSink m_report;
    ScanEnd m_end;
    SeenNames m_seen;
    QSet<Subject> m_partial; ///< keys with more locks than were read
    qsizetype m_set = 0;
    int m_pages = 0;   ///< under way
    QByteArray m_held; ///< where to continue once it isn't paused; empty: it has continued
    bool m_paused = false;
    bool m_scanned = false; ///< every set, and the closing time is known
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
