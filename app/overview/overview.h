// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "shared/domain/source_state.h"

#include <QHash>
#include <QList>

#include <functional>

namespace lockkeeper::app::overview {

inline constexpr int kMostAttention = 20;

/** The reason why a lock needs attention. */
enum class Why : quint8 {
    Unreadable = 0, ///< the stored data makes no sense
    Undecided,      ///< a replica shows it: only the primary knows if it is held
    NoExpiry,       ///< stuck: it has no expiry, in a scheme that has expiries
    NoSignOfLife,   ///< stuck: no change for longer than the configuration allows
    HolderGone,     ///< stuck: a liveness probe found its holder dead
    Expired,        ///< past its deadline and still present
    WaitedFor,      ///< it has waiters
};

/** A lock that needs attention. Times are by its store's clock. */
struct Attention
{
    domain::LockState lock;
    replica::Badge badge = replica::Badge::Unknown;
    Why why = Why::Unreadable;
    domain::TimeUs sinceUs;              ///< start of this state; empty: unknown
    qint64 nowUs = 0;                    ///< the store's time of this state
    std::optional<qint64> longestWaitUs; ///< of its waiters
    bool sinceSeen = true;    ///< false: the start wasn't seen; the state has lasted at least since then
    qint64 sinceWindowUs = 0; ///< the most by which it may have begun earlier
};

/** A source without current data. */
struct UnseenSource
{
    QString name;
    domain::TimeUs sinceWallUs; ///< the last complete observation, by the agent's clock; empty: none
    base::Error why;            ///< no cause: unknown
};

/** A source that is observed, but incompletely or late. */
struct DoubtedSource
{
    QString name;
    bool late = false; ///< true: a lagging replica; false: a part isn't observed
};

/**
 * Shows if anything is wrong now in the observed sources. Locks of unobserved sources aren't counted: such
 * sources are listed separately. `waiting` counts the visible waiters: some schemes don't show them.
 */
struct Overview
{
    qint64 locks = 0; ///< of the observed sources
    qint64 held = 0;  ///< expired holds included
    qint64 stuck = 0;
    qint64 expired = 0;
    qint64 contended = 0;
    qint64 unreadable = 0;
    qint64 waiting = 0;
    std::optional<qint64> longestWaitUs;
    domain::LockKey longest; ///< the lock of that waiter
    int sources = 0;
    QList<UnseenSource> unseen;
    QList<DoubtedSource> doubted;
    /** Of all locks that need attention at most kMostAttention, worst first: by badge, then by duration. */
    QList<Attention> attention;
    qint64 moreAttention = 0;

    bool isFine() const { return stuck + expired + contended + unreadable == 0 && doubted.isEmpty(); }
};

/** True if a lock may be counted or listed in an overview, at any time and for any state of its source. */
bool needsLook(const domain::LockState &lock);
/** Empty: it needs no attention, or its source isn't observed. */
std::optional<Attention> attentionOf(const domain::LockState &lock, const replica::LockContext &context);

/** The context for judging a source's locks; `stale` for an unobserved source. */
using ContextOf = std::function<replica::LockContext(const QString &source)>;

/** Pure. One pass over the locks, in any order; it keeps nothing about locks that need no attention. */
class OverviewBuilder
{
public:
    explicit OverviewBuilder(ContextOf contextOf) : m_contextOf(std::move(contextOf)) {}

    void add(const domain::LockState &lock);
    void add(const domain::SourceState &source);
    Overview take();

private:
    ContextOf m_contextOf;
    QHash<QString, replica::LockContext> m_contexts;
    QList<domain::SourceState> m_observed;         ///< observed by some agent
    QHash<QString, domain::SourceState> m_standby; ///< sources of standby agents, by name
    Overview m_overview;
};

} // namespace lockkeeper::app::overview
