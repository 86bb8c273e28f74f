// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/base/result.h"
#include "shared/domain/lock_state.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QObject>

#include <optional>

namespace lockkeeper::app::session {
class AgentGroup;
}

namespace lockkeeper::app::replica {

/**
 * The agents' verdicts on whether holders are alive, for the locks that somebody looks at. A view calls
 * look() as long as it shows a lock; the agent then probes the holder as often as its rule allows. GUI
 * thread.
 */
class HolderChecks : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 kAskEveryUs = 5 * base::kSecondUs;
    static constexpr qint64 kForgetAfterUs = 60 * base::kSecondUs; ///< without a look

    /** Both must outlive this object. */
    HolderChecks(session::AgentGroup &session, const base::Clock &clock, QObject *parent = nullptr);

    /** Asks the lock's agent for its verdict, unless it was asked a moment ago. */
    void look(const domain::LockKey &key);
    /** The verdict on the holder of this very acquisition; empty: none is known. */
    std::optional<domain::HolderCheck> find(const domain::LockState &lock) const;
    /** The time since the probe that made find()'s verdict, in microseconds. */
    qint64 ageUs(const domain::LockKey &key) const;

Q_SIGNALS:
    /** A verdict on this lock's holder has arrived. */
    void changed(const lockkeeper::domain::LockKey &key);

private:
    struct WatchedHolder
    {
        std::optional<domain::HolderCheck> check;
        qint64 ageUs = 0;    ///< of the check when it arrived
        qint64 takenUs = 0;  ///< monotonic: when it arrived
        qint64 askedUs = 0;  ///< monotonic
        qint64 lookedUs = 0; ///< monotonic
        bool pending = false;
    };

    void take(const domain::LockKey &key, const base::Result<protocol::HolderChecksPage> &page);
    void forgetUnwatched(qint64 nowUs);

    session::AgentGroup &m_session;
    const base::Clock &m_clock;
    QHash<domain::LockKey, WatchedHolder> m_holders;
};

} // namespace lockkeeper::app::replica
