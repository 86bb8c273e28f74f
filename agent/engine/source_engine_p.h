// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/client_clock.h"
#include "agent/engine/deadlines.h"
#include "agent/engine/lock_table.h"
#include "agent/engine/pacing.h"
#include "agent/engine/push.h"
#include "agent/engine/repeated_tokens.h"
#include "agent/engine/source_engine.h"
#include "agent/engine/state_builder.h"

#include <QHash>

#include <deque>
#include <functional>
#include <vector>

namespace lockkeeper::agent::engine {

/** A force-release that succeeded and whose effect hasn't been observed yet. */
struct Forced
{
    QByteArray identity;
    QByteArray command;
    qint64 untilUs = 0; ///< monotonic
};

/** What was seen of a lock and waits to be taken. */
using Deferred = std::function<void(Instant now, Step &step)>;

/** Force-releases of a lock that were sent and whose outcome isn't known. */
struct SentRelease
{
    QByteArray identity;
    int orders = 0;
    std::vector<Deferred> seen; ///< from the first that shows the end of `identity` on
};

/** The locks to be read one by one: paged, and no more under way than the store can answer soon. */
class LookQueue
{
public:
    void add(Record &record, quint32 index);
    /** The answer for a record has come, or never will. */
    void settle(Record &record);
    void fill(LockTable &table, QList<stores::Subject> &look);
    void clear(LockTable &table);
    bool isReady() const { return !m_waiting.empty() && m_underWay < kUnderWay; }
    /** Call at the end of each pass: gives up on answers that never came. */
    void checkStalled(LockTable &table);

private:
    static constexpr int kPage = 1'000;
    static constexpr int kUnderWay = 4'000;

    std::deque<quint32> m_waiting;
    int m_underWay = 0;
    int m_settled = 0;
};

/** A server of several that isn't seen, or locks of one that aren't followed, or weren't until a moment ago.
 */
struct BlindPart
{
    QByteArray node;
    QString ranges;
    std::function<bool(const stores::Subject &)> polled; ///< locks that only passes show; null: a server
    bool up = false;
    quint32 upAt = 0; ///< the pass that was under way, or the last one, when it was seen again
};

/** A server that isn't the run that was seen before: what it has may be older than what was seen last. */
struct Returned
{
    bool failover = false;                              ///< another server took its place
    std::function<bool(const stores::Subject &)> holds; ///< null: all locks
    quint32 at = 0;                                     ///< the pass that was under way, or the last one
};

/** The engine's state. Its steps are in observe.cpp (pages), schedule.cpp (time) and link.cpp (the
 * connection). */
class SourceEngine::Private
{
public:
    Private(stores::SourceSpec spec, quint64 seed);

    // observe.cpp
    void observe(const stores::Observation &seen, const Frame &frame, Instant now, Step &step);
    void keep(quint32 index, const stores::Observation &seen, const Frame &frame, Step &step);
    bool keepDetails(Record &record, const stores::Observation &seen, const Frame &frame, Step &step,
                     bool &told);
    void forget(quint32 index, const Waits &waits, bool otherEra, const Frame &frame, Step &step);
    bool emitWaits(const Record &record, const Waits &waits, bool otherEra, const Frame &frame, Step &step);
    void change(quint32 index, const stores::Observation &seen, const Frame &frame, const Verdict &verdict,
                Instant now, Step &step);
    bool emitChange(const Record &record, const Past &past, const Frame &frame, const Verdict &verdict,
                    const Forced *cause, Step &step);
    void noteReturn(events::LockEvent &event, const Record &record, const Past &past, bool replaced) const;
    bool judgeStuck(Record &record, const Frame &frame, qint64 windowUs, Step &step);
    std::optional<Forced> takeForced(const Record &record, Instant now);
    void emitRenewal(const Record &record, const Frame &frame, Step &step);
    void count(const Record &record, int sign);
    Frame frameOf(const Bracket &bracket) const;
    // releases.cpp
    bool awaitsOutcome(const stores::Observation &seen, const Frame &frame) const;
    void defer(const stores::Observation &seen, Deferred take, Instant now, Step &step);
    void takeDeferred(const stores::Subject &subject, Instant now, Step &step);
    bool hasDeferred() const;
    void dropDeferred();
    // undecided.cpp
    void leaveUndecided(quint32 index, const stores::Observation &seen, const Frame &frame, Instant now,
                        Step &step);
    Frame forgetUndecided(quint32 index, const stores::Observation &seen, Frame frame, Step &step);
    // schedule.cpp
    void schedule(Record &record, quint32 index);
    void finishPass(const stores::PassEnd &end, Step &step);
    bool isCovered(const stores::Subject &lock) const { return !covers || covers(lock); }
    void dueLooks(Instant now, Step &step);
    void startPass(Instant now, Step &step);
    void clockSetBack(qint64 toUs);
    // push.cpp
    void take(const stores::Change &change, Instant now, Step &step);
    void takeEverything(qint64 sinceUs, Instant now, Step &step);
    bool isFollowed(quint32 index, const stores::Subject &lock) const;
    void tellUnseen(const stores::Change &change, const Frame &frame, Step &step);
    void rememberGone(const stores::Change &change, const Frame &frame);
    void endRunOut(quint32 index, const Frame &frame, Instant now, Step &step);
    void look(const stores::Observation &seen, const Frame &frame, Instant now, Step &step);
    Doubt doubtOf(const stores::Observation &seen, const Frame &frame);
    void noteMissed(qsizetype from, Step &step);
    void askDoubts(Instant now, Step &step);
    void goOn(Step &step);
    void beginAfresh(const stores::PushState &state, Instant now, Step &step);
    void endPush(const stores::PushState &state, Instant now, Step &step);
    qint64 lostSinceUs(const stores::PushState &state) const;
    void noteContinuous(const stores::Page &page, Instant now, Step &step);
    // link.cpp
    void restore(const Restored &restored, Step &step);
    void linkUp(const stores::ServerInfo &info, Instant now, Step &step);
    void linkDown(const base::Error &error, Instant now, Step &step);
    // parts.cpp
    void partDown(const stores::PartState &part, Instant now, Step &step);
    void partUp(const stores::PartState &part);
    bool isPolled(const stores::Subject &lock) const;
    void setPace();
    void closeParts(const stores::PassEnd &end, Step &step);
    void openGap(qint64 timeUs, const QString &cause, Step &step);
    qint64 eventTimeUs(Instant now) const;
    QList<domain::Finding> findings(Instant now) const;

    stores::SourceSpec spec;
    StateBuilder builder;
    LockTable table;
    RepeatedTokens tokens;
    Deadlines deadlines;
    LookQueue looks;
    StoreClock clock;
    ClientClocks clients; ///< of this link
    PassClock passes;
    Backoff backoff;
    domain::SourceState source;
    QHash<stores::Subject, Forced> forced;
    QHash<stores::Subject, SentRelease> sent;
    PushSide push;
    std::function<bool(const stores::Subject &)> covers; ///< of the last whole pass; null: it saw everything
    qint64 wholeSinceUs = 0;                             ///< when the last pass began that saw everything
    qint64 absentSinceUs = 0; ///< when the last whole pass began: what it didn't show was absent since
    qint64 retryUs = kNever;  ///< monotonic
    quint16 era = 0;
    quint16 restartEra = 0;
    QHash<QByteArray, BlindPart> blind;
    QList<Returned> returned;    ///< until a pass has ended that began after it
    base::Error warning;         ///< what the connection found to limit the view
    QList<domain::Finding> lens; ///< what the store showed, of this link
    qint64 withoutExpiry = 0;    ///< held locks that never expire, in sets whose locks should
    int restarts = 0;
    qint64 restartedUs = 0; ///< the last of them was noticed then
};

} // namespace lockkeeper::agent::engine
