// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"
#include "shared/stores/store.h"

#include <QList>

namespace lockkeeper::agent::engine {

/** The agent's evidence of dangers to the locks of a store of any kind. */
struct OwnEvidence
{
    bool clockKnown = false;
    qint64 clockOffsetUs = 0; ///< store − agent
    qint64 clientsOffUs = 0;  ///< client − store, at least; 0: nothing was proven
    qint64 withoutExpiry = 0; ///< held locks that never expire, in sets whose locks should
    int restarts = 0;         ///< noticed by this process
    qint64 restartedUs = 0;   ///< when the last restart was noticed, by the store's clock
    qint64 nowUs = 0;         ///< the store's clock
    qint64 pollUs = 0;        ///< the poll interval
    stores::Standing standing = {};
};

/** The store's findings and the agent's, the most severe first. Pure. */
QList<domain::Finding> findingsOf(const OwnEvidence &own, const QList<domain::Finding> &ofStore);

} // namespace lockkeeper::agent::engine
