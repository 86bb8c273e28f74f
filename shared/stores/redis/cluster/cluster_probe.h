// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <memory>
#include <optional>

namespace lockkeeper::stores::redis {

class ClusterShards;

/** A probe of all primaries at once: the commands that it may cost are shared among them. Where one fails it
 * isn't the whole truth, and counts nothing. */
class ClusterProbe
{
public:
    explicit ClusterProbe(Store::Probed done) : m_done(std::move(done)) {}

    /** Why it can't be; empty: it may. */
    static std::optional<base::Error> refusal(const ClusterShards &shards);
    /** `probe` lives until the last answer. */
    static void start(const std::shared_ptr<ClusterProbe> &probe, const ClusterShards &shards,
                      const ProbeOrder &order);

private:
    void take(const ProbeReport &own);

    Store::Probed m_done;
    ProbeReport m_report;
    qsizetype m_waiting = 0; ///< for the reports of so many nodes
};

} // namespace lockkeeper::stores::redis
