// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QStringList>

namespace lockkeeper::app::session {

/** The features that the console lists in its Hello. */
inline QStringList knownFeatures()
{
    return {
        QString::fromLatin1(protocol::kFeatureChains),    QString::fromLatin1(protocol::kFeatureNodes),
        QString::fromLatin1(protocol::kFeatureLens),      QString::fromLatin1(protocol::kFeatureContention),
        QString::fromLatin1(protocol::kFeatureWaiters),   QString::fromLatin1(protocol::kFeatureProbe),
        QString::fromLatin1(protocol::kFeatureWaiting),   QString::fromLatin1(protocol::kFeatureTimeline),
        QString::fromLatin1(protocol::kFeatureAsOf),      QString::fromLatin1(protocol::kFeatureWhoAmI),
        QString::fromLatin1(protocol::kFeatureApprovals), QString::fromLatin1(protocol::kFeatureDiscover),
        QString::fromLatin1(protocol::kFeaturePart)};
}

/**
 * The feature that introduced a question, because an agent without the feature would break the link. Empty:
 * none.
 */
inline QLatin1String featureOf(const protocol::Message &question)
{
    if (std::holds_alternative<protocol::ChainsQuery>(question))
        return QLatin1String(protocol::kFeatureChains);
    if (std::holds_alternative<protocol::ContentionQuery>(question))
        return QLatin1String(protocol::kFeatureContention);
    if (const auto *locks = std::get_if<protocol::LocksQuery>(&question); locks && locks->atUs)
        return QLatin1String(protocol::kFeatureAsOf);
    if (std::holds_alternative<protocol::WaitingQuery>(question))
        return QLatin1String(protocol::kFeatureWaiting);
    if (std::holds_alternative<protocol::ProbeRequest>(question))
        return QLatin1String(protocol::kFeatureProbe);
    if (std::holds_alternative<protocol::DiscoverRequest>(question))
        return QLatin1String(protocol::kFeatureDiscover);
    if (std::holds_alternative<protocol::TimelineQuery>(question))
        return QLatin1String(protocol::kFeatureTimeline);
    if (std::holds_alternative<protocol::ApprovalsQuery>(question) ||
        std::holds_alternative<protocol::Decision>(question))
        return QLatin1String(protocol::kFeatureApprovals);
    return {};
}

} // namespace lockkeeper::app::session
