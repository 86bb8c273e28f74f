// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/composite/clock_lead.h"
#include "shared/stores/redis/store/redis_store.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace lockkeeper::stores::redis {

/** One server of a composite store, and its last reports. */
struct Member
{
    QByteArray address; ///< "HOST:PORT"
    std::unique_ptr<RedisStore> store;
    ServerInfo info;   ///< as found when it was opened last
    base::Error error; ///< why it isn't up
    QList<domain::Finding> findings;
    std::optional<PushState> push; ///< of this link; empty: not known yet, or not asked for
    ClockLead lead;
    qint64 toldUs = 0;    ///< all changes up to then were reported, by the source's clock; 0: none ever
    bool up = false;      ///< it can be asked
    bool opening = false; ///< neither up, nor has an attempt failed
    bool idle = false;    ///< nothing is missed while it is away
};

/**
 * Base of a store of several servers, with one store for each server, all in one thread. It gathers the
 * members' reports on themselves: rights, findings, clocks, and whether they push.
 *
 * The source is pushed to while every member that is up pushes. A member that dies loses its subscription
 * before its connection. The store waits 0.3 s for the connection to be lost, as a member that is away is no
 * gap of the source. The watermark is the least of those of the members that are up.
 *
 * The implementation owns the members, and sets which of them are up.
 */
class CompositeStore : public Store
{
    Q_OBJECT

public:
    explicit CompositeStore(bool push, QObject *parent = nullptr);
    void setPaused(bool paused) override;

    /** Every member that is up pushes, and this store has announced it. */
    bool isPushed() const { return m_pushed; }
    /** Each member that is up has reported every change up to this time of the source's clock; 0: not known.
     */
    qint64 watermarkUs();

protected:
    /** From now on the member's findings and push state are gathered here. */
    void add(Member &member);
    /** The member is the whole source: the source forwards its signals, except opened() and failed(). */
    void addAlone(Member &member);
    /** Closes the member and removes it. Its pending answers still arrive, but nothing else does. */
    void retire(Member &member);
    const QList<Member *> &members() const { return m_members; }
    qsizetype upCount() const;
    /** Each member is up, or has failed. */
    bool isSettled() const;

    /** Begins to gather. Call it after opened() was emitted. */
    void beginGathering();
    /** The link is down: a failed() that is still to come is cancelled. */
    void endGathering();
    /** Emits failed() after the pending answers, unless the source is opened or closed before. */
    void failLater(const base::Error &error);

    /** Call after a member came up or went down. */
    void tellPush();
    void tellFindings();
    /** Call when a member reports its watermark. */
    void tellWatermark(qint64 us);
    /** Since when there may be changes that a member hasn't reported. Members that are away count with their
     * last report. */
    qint64 untoldSinceUs() const;
    /** The members as one server: of the members that are up, `tolerated` may lack a right. */
    ServerInfo merged(qsizetype tolerated) const;

    /** A member reports changes again, or for the first time: only a scan shows the current locks. */
    virtual void everything(qint64 sinceUs);
    /** A time of the member's clock by the source's; not later. */
    virtual qint64 sourceUs(const Member &, qint64 us) const { return us; }

private:
    void takePushState(Member &member, const PushState &state);
    qint64 toldUntil(const Member &member, const PushState &state) const;
    void note(Member &member);

    QList<Member *> m_members;
    QTimer m_loss; ///< until it is known whether a member that has stopped pushing is away
    quint64 m_links = 0;
    bool m_push; ///< push is asked for
    bool m_pushed = false;
    bool m_stated = false; ///< isPushed() was announced, for this link
    bool m_gathering = false;
    bool m_paused = false;
};

} // namespace lockkeeper::stores::redis
