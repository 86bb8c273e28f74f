// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/badge.h"
#include "shared/domain/source_state.h"

#include <QHash>
#include <QList>

#include <functional>

namespace lockkeeper::app::overview {

inline constexpr int kMostAttention = 20;

/** Why a lock is among those that need a look. */
enum class Why : quint8 {
    Unreadable = 0, ///< what is stored makes no sense
    Undecided,      ///< a replica shows it: the primary alone knows whether it is held
    NoExpiry,       ///< stuck: it never ends by itself, in a scheme that has expiries
    NoSignOfLife,   ///< stuck: no change for longer than the configuration allows
    Expired,        ///< past its deadline and still there
    WaitedFor,      ///< somebody waits for it
};

/** A lock that needs a look. Times are by its store's clock. */
struct Attention
{
    domain::LockState lock;
    state::Badge badge = state::Badge::Unknown;
    Why why = Why::Unreadable;
    domain::TimeUs sinceUs;              ///< it has been so; empty: not known
    qint64 nowUs = 0;                    ///< the store's time at which this was true
    std::optional<qint64> longestWaitUs; ///< of those who wait for it
    bool sinceSeen = true;    ///< false: its beginning wasn't seen, it has been so at least since then
    qint64 sinceWindowUs = 0; ///< it began so much earlier at most
};

/** A source of which nothing is known at this moment. */
struct UnseenSource
{
    QString name;
    domain::TimeUs sinceWallUs; ///< the last whole observation, the agent's clock; empty: there never was one
    base::Error why;            ///< no cause: none is known
};

/** A source that is seen, but not all of it, or not as it is now. */
struct DoubtedSource
{
    QString name;
    bool late = false; ///< a replica that lags; else a part isn't seen
};

/**
 * Whether anything is wrong now, in what is seen. Locks of sources that aren't seen count nowhere: they are
 * named as such. `waiting` are those who can be seen to wait: some schemes don't show them.
 */
struct Overview
{
    qint64 locks = 0; ///< of the sources that are seen
    qint64 stuck = 0;
    qint64 expired = 0;
    qint64 contended = 0;
    qint64 unreadable = 0;
    qint64 waiting = 0;
    std::optional<qint64> longestWaitUs;
    domain::LockKey longest; ///< whose waiter that is
    int sources = 0;
    QList<UnseenSource> unseen;
    QList<DoubtedSource> doubted;
    /** Of all that need a look at most kMostAttention, worst first: by badge, then by how long. */
    QList<Attention> attention;
    qint64 moreAttention = 0;

    bool isFine() const { return stuck + expired + contended + unreadable == 0 && doubted.isEmpty(); }
};

/** Whether a lock may count or be named in an overview, at any time and whatever is known of its source. */
bool needsLook(const domain::LockState &lock);
/** Empty: it needs none, or its source isn't seen. */
std::optional<Attention> attentionOf(const domain::LockState &lock, const state::LockContext &context);

/** How a source's locks are to be judged; `stale` for a source that isn't seen. */
using ContextOf = std::function<state::LockContext(const QString &source)>;

/** Pure. One pass over the locks, in any order; of those that need no look nothing is kept. */
class OverviewBuilder
{
public:
    explicit OverviewBuilder(ContextOf contextOf) : m_contextOf(std::move(contextOf)) {}

    void add(const domain::LockState &lock);
    void add(const domain::SourceState &source);
    Overview take();

private:
    ContextOf m_contextOf;
    QHash<QString, state::LockContext> m_contexts;
    QList<domain::SourceState> m_observed;         ///< that some agent observes
    QHash<QString, domain::SourceState> m_standby; ///< those of standby agents, by name
    Overview m_overview;
};

} // namespace lockkeeper::app::overview
