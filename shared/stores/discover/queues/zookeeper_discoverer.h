// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/verified_discoverer.h"
#include "shared/stores/zookeeper/reading/survey.h"

namespace lockkeeper::stores::discover {

/** Judges which znodes are locks: znodes below one parent go together. A pure function. */
QList<Candidate> judgeQueues(const QList<zookeeper::QueueFacts> &queues);

/** Looks through the names of one ensemble's tree. Runs on the thread that made it; nothing blocks. */
class ZookeeperDiscoverer final : public VerifiedDiscoverer
{
    Q_OBJECT

public:
    ZookeeperDiscoverer(SourceSpec spec, std::unique_ptr<zookeeper::Survey> survey);

    void start() override;

private:
    void drop() override;

    std::unique_ptr<zookeeper::Survey> m_survey;
};

} // namespace lockkeeper::stores::discover
