// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>

#include <algorithm>
#include <functional>
#include <optional>

namespace lockkeeper::stores::redis {

/** A change of a lock that one node told of. Times by the source's clock, microseconds. */
struct NodeChange
{
    qsizetype node = 0;
    QByteArray token;    ///< what is there now; empty: nothing, or no token
    qint64 sinceUs = 0;  ///< it happened after this; 0: not known
    qint64 readUs = 0;   ///< and before this, when it was read
    quint32 told = 1;    ///< so often it changed since it was read before, at least
    bool unseen = false; ///< nothing was there before and now, and something in between
};

/** A token that a majority had at one moment. */
struct BriefHold
{
    QByteArray token;
    qint64 atUs = 0;

    bool operator==(const BriefHold &) const = default;
};

/**
 * What the nodes told of one lock since all of them were read last. Between two changes that a node tells of
 * it has what it had all the time: where these times of a majority have a moment in common, that token held
 * the lock then, however soon it was gone. Pure.
 */
class Stir
{
public:
    void note(const NodeChange &change);
    /** What was told after all that is here. */
    void append(const Stir &later);

    /** Takes out and returns those changes, of the last ones. */
    Stir takeIf(const std::function<bool(const NodeChange &)> &which);

    /** All that was told happened after this; 0: not known. */
    qint64 sinceUs() const { return m_sinceUs.value_or(0); }
    /** Where nothing says since when: the lock was read after this, and what it was then is known. */
    void readSince(qint64 us) { m_sinceUs = m_sinceUs.value_or(us); }
    /** How often the lock has changed at least: the most of what one node told. */
    quint32 told() const;
    /** As told(), of what came before this time. */
    quint32 toldUntil(qint64 us) const;
    /** How many nodes told of a change at all. */
    qsizetype nodesTold() const;
    /** Counts what `other` was told, and takes over nothing else of it. */
    void count(const Stir &other);
    void forgetCount() { m_told.clear(); }
    /** At least `quorum` nodes had something that may have been one token, of none of those in `besides`: a
     * hold that nobody saw, or clients that tried for it. */
    bool mayHaveHeld(qsizetype quorum, const QList<QByteArray> &besides) const;
    /** What may be part of a hold that others are still to tell of, for mayHaveHeld(); and how often it
     * changed.
     */
    Stir rest(const QList<QByteArray> &besides) const;
    bool isEmpty() const
    {
        return m_changes.isEmpty() && m_unseen == 0 && m_tokens.isEmpty() && m_told.isEmpty();
    }
    /** All that was told, and what is a rest in it, happened after this; 0: not known. */
    qint64 restSinceUs() const { return std::min(sinceUs(), m_restSinceUs.value_or(sinceUs())); }
    /** A node showed a token and hasn't told yet that it is gone. */
    bool isOpen() const;
    /** Tokens that `quorum` nodes had at one moment, but for those in `besides`; the earliest first. */
    QList<BriefHold> briefHolds(qsizetype quorum, const QList<QByteArray> &besides) const;

private:
    /** A token that was there all the time from one to the other. */
    struct Sight
    {
        QByteArray token;
        qint64 fromUs = 0;
        qint64 untilUs = 0;
    };
    QList<Sight> sights() const;
    void noteToken(const QByteArray &token, quint16 nodes);

    std::optional<qint64> m_sinceUs;
    std::optional<qint64> m_restSinceUs;
    QList<quint32> m_told;               ///< by node
    quint16 m_unseen = 0;                ///< bits of the nodes where something came and went unread
    QHash<QByteArray, quint16> m_tokens; ///< those that showed a token, likewise; not of too many
    QList<NodeChange> m_changes;         ///< the last of them, in the order in which they were told
};

} // namespace lockkeeper::stores::redis
