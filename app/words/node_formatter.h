// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** Texts for a lock that is kept on several servers (Redlock). Plain text, store bytes escaped. */
class NodeFormatter
{
    Q_DECLARE_TR_FUNCTIONS(NodeFormatter)

public:
    /** "4/5": the number of servers on which the lock is held. */
    static QString ratio(const domain::LockState &state);
    /** "4/5 nodes"; empty if the lock isn't kept on several servers. */
    static QString count(const domain::LockState &state);
    /**
     * The conclusion from the servers' readings: the holder, or the reason why the holder can't be
     * determined.
     */
    static QString standing(const domain::LockState &state);
    /** The lock's state on one server, with the time that is left there. `nowUs` by the source's clock. */
    static QString holds(const domain::NodeView &node, qint64 nowUs);
    /** The outcome of a release, one server per line: "10.0.0.1:6379: released". */
    static QString outcomes(const QList<domain::NodeOutcome> &nodes);

private:
    static QString outcome(domain::Outcome outcome);
};

} // namespace lockkeeper::app::words
