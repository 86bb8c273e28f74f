// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/source_engine.h"
#include "shared/events/apply.h"

#include <QHash>
#include <QStringList>

namespace lockkeeper::tests {

/** Microseconds since the epoch at which the scripts' clock shows 0. */
inline constexpr qint64 kT0 = 1'795'000'000'000'000;

/**
 * Drives a SourceEngine with a fake store by a text of one command a line, and prints what it answers, one
 * line each. Times are milliseconds since kT0 by the store's clock.
 *
 *   dead a               a probe found the present holder dead       alive a   or alive
 *   at 1000              both clocks move on to 1000        skew -5000     the store's clock alone is moved
 *   up [RUN]             connected (to that run of it)      down [CODE]    the link failed
 *   standing A 7         the server's data are A's, its writes have come to 7: of the next `up`, or read now;
 *                        behind it `replica 500` (all up to 500 was repeated), `replica ?`, `stalled 500`
 *   scan LOCK …          one page, then the scan's end      page LOCK …    a page alone
 *   partial LOCK …       a page and an incomplete scan      look LOCK …    answers to look()
 *   unread LOCK …        look() ended, and left these out
 *   span 5               pages take 5 ms from now on        slack 2        deadlines are that vague
 *   tick                 the engine's tick                  forced a A c1  a force-release succeeded
 *   sent a A             a force-release of A's goes out    answered a     its outcome is known
 *   lost a A c1          its answer never came           late a A released   or came after all
 *   knew run1 A 7        `restore` knows: it was that run of the server, and its data were A's, come to 7
 *   now                  an operator asks for a scan        restore LOCK … started with these, seen at `at`
 *
 *   pushing on|afresh|off|lost   the store pushes: from where it ended, from now on; not any more, having
 * lost some, having reported all up to 400: `pushing lost 400`
 *   change 300 LOCK …    pushed now: it happened in the last 300 ms (0: exactly now); behind a LOCK |n=3 (so
 * many more that weren't read), |unseen, |expired, |deleted
 *   moving a             no push covers locks that begin with a       resting a      not so any more
 *   hidden a             the server with the locks that begin with a isn't seen       shown a    it is again
 *   everything 5         all may have changed in the last 5 ms      resume LOCK …    restore, with a position
 *
 * LOCK of a key:  name;holder;ttl     ttl in ms, `-` none, `?` unknown; `name` alone: absent; holder NULL
 *      with a flaw: name;!truncated (wrongtype, malformed, badtime)
 * LOCK of a row:  name;holder;locked_at;until   held where `until` is ahead, by the store's clock
 *      behind an absent one: |q=2   two queue for it still
 *      behind any: |w=B@400,C       B waits since 400, C since nobody knows; |w= nobody waits, and that is
 * seen |v=41            optimistic, at that version     |s=7@900  of session 7, idle since (`-` busy)
 * |plain  its client's next hold may have the same token |coarse  or the same times, within a second
 *                  |f=x  the guard's freshness     |off=system      the store says that it can't be broken
 * |held  whatever its deadline says |nobody  the row names nobody
 * |idle  a key that stays while nobody holds it |run=5  of its holder's run 5 |permit  removed by others once
 * its deadline is past |late  the store removes it by itself some time after it |server=2  shown by that one
 * of several servers |step=1000  its times in whole seconds
 *
 * Answers:  acquired a by A at 1000 window 500 ttl 29500 {"first_seen":true}
 *           ~ a held by A until 31000    an update      - a      it is forgotten
 *           ? a                          look again     scan, open
 */
class EngineRig
{
public:
    explicit EngineRig(const stores::SourceSpec &spec);

    /** Runs the commands; the answers as lines. Each step is checked against a replica. */
    QString run(const QString &script);

    agent::engine::SourceEngine &engine() { return m_engine; }
    agent::engine::Instant now() const;
    qint64 storeUs() const { return m_storeUs; }
    void advanceUs(qint64 us);
    /** Applies a step to the replica and prints it. */
    QString take(const agent::engine::EngineStep &step);
    /** Where the replica differs from the engine's table; empty: nowhere. */
    QString difference() const;
    void setQuiet(bool quiet) { m_quiet = quiet; }

    static stores::SourceSpec redisSpec();
    static stores::SourceSpec shedlockSpec();
    /** A table of which a row's presence is the lock, with a lease or without. */
    static stores::SourceSpec insertSpec(bool lease);
    static stores::ServerInfo info(const stores::SourceSpec &spec, const QByteArray &run = "run1");

private:
    static stores::Standing standing(const QStringList &words);
    QString command(const QString &line);
    QString pages(const QString &verb, const QStringList &locks);
    stores::Observation observation(const QString &whole) const;
    stores::Observation bareObservation(const QString &text) const;
    void addDetail(stores::Observation &seen, const QString &text) const;
    agent::engine::EngineStep start(const QStringList &locks, const QByteArray &position = {});
    stores::Change change(const QString &text, qint64 windowUs) const;
    std::optional<QString> pushCommand(const QString &verb, QStringList words);
    QString print(const events::LockEvent &event) const;
    QString print(const domain::LockState &state) const;

    stores::SourceSpec m_spec;
    stores::Standing m_standing;
    agent::engine::LastServer m_known; ///< of the process before
    agent::engine::SourceEngine m_engine;
    events::AppliedLocks m_replica;
    QHash<QString, qint64> m_gaps; ///< when each part's last gap began
    qint64 m_monotonicUs = 1'000'000;
    qint64 m_storeUs = kT0;
    qint64 m_spanUs = 0;
    qint64 m_slackUs = 0;
    bool m_started = false;
    bool m_scanAsked = false;
    bool m_quiet = false;
};

} // namespace lockkeeper::tests
