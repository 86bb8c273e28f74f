// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"
#include "shared/stores/store.h"

#include <QList>

namespace lockkeeper::agent::engine {

/** What observing a store shows of the dangers to its locks, whatever kind of store it is. */
struct OwnEvidence
{
    bool clockKnown = false;
    qint64 clockOffsetUs = 0; ///< store − agent
    qint64 clientsOffUs = 0;  ///< client − store, at least; 0: nothing was proven
    qint64 withoutExpiry = 0; ///< held locks that never expire, in sets whose locks should
    int restarts = 0;         ///< that this process noticed
    qint64 restartedUs = 0;   ///< the last one was noticed then, the store's clock
    qint64 nowUs = 0;         ///< the store's clock
    qint64 pollUs = 0;        ///< how often it is looked at
    stores::Standing standing = {};
};

/** Those of the store itself and those of the agent, the gravest first. Pure. */
QList<domain::Finding> findingsOf(const OwnEvidence &own, const QList<domain::Finding> &ofStore);

} // namespace lockkeeper::agent::engine
