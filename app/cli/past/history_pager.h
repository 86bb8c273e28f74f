// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <optional>

namespace lockkeeper::app::cli {

/** The events that are asked for. */
struct HistoryOptions
{
    QString source;
    QByteArray lockGlob;
    QList<events::EventKind> kinds;
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    std::optional<qint64> afterSeq;
    std::optional<qint64> beforeSeq;
    qint64 limit = 1000; ///< 0: all
};

/** Requests events page by page, oldest first, until there are no more or the limit is reached. */
class HistoryPager
{
public:
    explicit HistoryPager(HistoryOptions options);
    protocol::HistoryQuery query() const;
    /** Processes an answer; false: that was the last page. */
    bool advance(const protocol::EventPage &page);
    /** The start; empty: the journal's beginning. */
    const std::optional<qint64> &fromUs() const { return m_options.fromUs; }

private:
    HistoryOptions m_options;
    std::optional<quint64> m_afterSeq;
    qint64 m_left; ///< −1: no limit
};

/** Requests the oldest event: an empty past is only proven as far as the journal reaches. */
protocol::HistoryQuery reachQuery();
/** The answer to reachQuery(), and to no other question. */
bool isReach(const protocol::EventPage &page);
/** Names the part since `fromUs` that the journal doesn't cover; empty: it covers all of it. */
QString reachNote(const protocol::EventPage &oldest, qint64 fromUs);

} // namespace lockkeeper::app::cli
