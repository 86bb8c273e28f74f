// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/domain/alert.h"

#include <QHash>
#include <QList>

namespace lockkeeper::app::views {

/** An alert to notify of. */
struct FiredAlert
{
    domain::Alert alert;
    int firings = 1; ///< of its rule and subject within ten minutes; above kFlaps: no more notifications follow
    bool operator==(const FiredAlert &) const = default;
};

/**
 * Decides which fired alerts deserve a desktop notification, and gathers those that fire together into one.
 * Two notifications are half a minute apart. A rule that fires for one subject more than three times in ten
 * minutes is announced once more, as flapping, and then stays silent until ten minutes have passed without it.
 */
class AlertNews
{
public:
    static constexpr qint64 kGatherUs = 2 * base::kSecondUs; ///< from an alert to its notification
    static constexpr qint64 kApartUs = 30 * base::kSecondUs;
    static constexpr qint64 kFlapUs = 600 * base::kSecondUs;
    static constexpr int kFlaps = 3;

    explicit AlertNews(const base::Clock &clock) : m_clock(clock) {}

    void take(const domain::Alert &alert);
    /** The alert is over, or somebody has taken it: it needn't be announced any more. */
    void drop(const QByteArray &id);
    /** Other agents: the earlier alerts don't concern them. */
    void forget();
    QList<QByteArray> waiting() const;
    /** The alerts that are due, the gravest first; each is returned once. */
    QList<FiredAlert> takeDue();

private:
    struct DelayedAlert
    {
        FiredAlert fired;
        qint64 dueUs = 0;
    };

    const base::Clock &m_clock;
    qint64 m_nextUs = 0; ///< monotonic, as all times here: no notification before
    QList<DelayedAlert> m_waiting;
    QHash<QByteArray, QList<qint64>> m_firings; ///< by rule and subject
};

} // namespace lockkeeper::app::views
