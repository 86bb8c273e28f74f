// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/queues/zookeeper_discoverer.h"

#include "shared/stores/discover/queues/queue_patterns.h"
#include "shared/stores/discover/scoring.h"

#include <utility>

namespace lockkeeper::stores::discover {

namespace {

constexpr int kRecipePoints = 80;
constexpr int kNumberedPoints = 35; ///< queues of work are numbered, too

} // namespace

QList<Candidate> judgeQueues(const QList<zookeeper::QueueFacts> &queues)
{
    QList<SeenLock> locks;
    for (const zookeeper::QueueFacts &queue : queues)
        locks.append({queue.path, !queue.client.isEmpty(), queue.client});
    QList<Candidate> candidates;
    for (const QueuePattern &pattern : patternsOf(locks)) {
        const QString clients = QString::fromLatin1(pattern.clients.join(", "));
        const Reason recipe{ReasonCode::ZnodeRecipe, kRecipePoints, {}, clients};
        const Reason numbered{ReasonCode::ZnodeNumbered, kNumberedPoints, {}, {}};
        candidates.append(candidateOf(pattern, "zookeeper.sequence", pattern.sure > 0 ? recipe : numbered));
    }
    return candidates;
}

ZookeeperDiscoverer::ZookeeperDiscoverer(SourceSpec spec, std::unique_ptr<zookeeper::Survey> survey)
    : VerifiedDiscoverer(std::move(spec)), m_survey(std::move(survey))
{
    connect(m_survey.get(), &zookeeper::Survey::progressed, this, &Discoverer::progressed);
    connect(m_survey.get(), &zookeeper::Survey::failed, this, &ZookeeperDiscoverer::end);
    connect(m_survey.get(), &zookeeper::Survey::found, this, [this](const zookeeper::TreeFacts &facts) {
        discovery().store = "zookeeper";
        discovery().server = facts.server;
        discovery().tables = facts.znodes;
        discovery().allSeen = facts.allSeen;
        verify(judgeQueues(facts.queues));
    });
}

void ZookeeperDiscoverer::start()
{
    m_survey->start();
}

void ZookeeperDiscoverer::drop()
{
    if (zookeeper::Survey *survey = m_survey.release()) {
        survey->disconnect(this);
        survey->deleteLater(); // it may be the one that is calling
    }
}

} // namespace lockkeeper::stores::discover
