// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/overview.h"

#include <QCoreApplication>

namespace lockkeeper::app::overview {

/** Describes an overview in words. Text from the store is escaped; the texts are plain. */
class OverviewFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::overview::OverviewFormatter)

public:
    /** Formats a duration in microseconds. */
    using Duration = std::function<QString(qint64)>;

    /**
     * The unobserved sources, then the problems with their numbers, in a line: "orders-db not seen for 2 min;
     * 2 stuck; 17 contended, 43 waiting, the longest for 00:02:11". `wallUs`: the agent's clock.
     */
    static QString verdict(const Overview &overview, qint64 wallUs, const Duration &duration);
    /** The reason why a lock needs attention, in a few words. */
    static QString why(Why why);
    /** The same in every language, for scripts. */
    static const char *englishWhy(Why why);

private:
    static QString doubted(const QList<DoubtedSource> &sources);
    static QString unseen(const QList<UnseenSource> &sources, qint64 wallUs, const Duration &duration);
};

} // namespace lockkeeper::app::overview
