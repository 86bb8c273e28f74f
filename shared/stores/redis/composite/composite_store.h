// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/composite/clock_lead.h"
#include "shared/stores/redis/server/redis_store.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace lockkeeper::stores::redis {

/** One server of a store of several, and what it said last. */
struct Member
{
    QByteArray address; ///< "HOST:PORT"
    std::unique_ptr<RedisStore> store;
    ServerInfo info;   ///< as found when it was opened last
    base::Error error; ///< why it isn't up
    QList<domain::Finding> findings;
    std::optional<PushState> push; ///< of this link; empty: not known yet, or not asked for
    ClockLead lead;
    qint64 toldUs = 0;    ///< all its changes up to then were told, by the source's clock; 0: none ever
    bool up = false;      ///< it can be asked
    bool opening = false; ///< neither up, nor has an attempt failed
    bool idle = false;    ///< nothing is missed while it is away
};

/**
 * What a store of several servers is made of: a store of its own for each, all in one thread. It gathers what
 * they say of themselves: rights, findings, clocks, and whether they push.
 *
 * The source is pushed to while every member that is up pushes. A member that dies loses its subscription
 * before its connection: for 0.3 s that is waited for, as a member that is away is no gap of the source. The
 * watermark is the least of those that are up.
 *
 * The implementation owns the members, and says which of them are up.
 */
class CompositeStore : public Store
{
    Q_OBJECT

public:
    explicit CompositeStore(bool push, QObject *parent = nullptr);
    void setPaused(bool paused) override;

    /** Every member that is up pushes, and the source was told so. */
    bool isPushed() const { return m_pushed; }
    /** Every change up to this time of the source's clock was told by each member that is up; 0: not known.
     */
    qint64 watermarkUs();

protected:
    /** What it says of its findings and its push is gathered here from now on. */
    void add(Member &member);
    /** It is the whole source: what it says, but for opened() and failed(), the source says. */
    void addAlone(Member &member);
    /** Closes it, and takes it out. What it owes is on its way still; else nothing comes of it any more. */
    void retire(Member &member);
    const QList<Member *> &members() const { return m_members; }
    qsizetype upCount() const;
    /** Each member is up, or has failed. */
    bool isSettled() const;

    /** Begins to gather, after opened() was told. */
    void beginGathering();
    /** The link is down: a failed() that is still to come is put off for good. */
    void endGathering();
    /** After what is owed, unless the source is opened or closed before. */
    void failLater(const base::Error &error);

    /** After a change of who is up. */
    void tellPush();
    void tellFindings();
    /** To be called where a member says until when it has told its changes. */
    void tellWatermark(qint64 us);
    /** Since when something may have changed that a member hasn't told: those that are away have told no more
     * than they had. */
    qint64 untoldSinceUs() const;
    /** The members as one server: `tolerated` of those that are up may lack a right. */
    ServerInfo merged(qsizetype tolerated) const;

    /** A member tells again, or for the first time: only a scan shows what there is. */
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
    bool m_push; ///< it is asked for
    bool m_pushed = false;
    bool m_stated = false; ///< isPushed() was told, of this link
    bool m_gathering = false;
    bool m_paused = false;
};

} // namespace lockkeeper::stores::redis
