// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "shared/events/lock_event.h"
#include "shared/events/observed.h"
#include "shared/protocol/messages.h"

#include <QMap>

namespace lockkeeper::agent::journal {

/** Collects the times in which one source, or a part of it, wasn't observed. The caller adds its gap events
 * in order. Pure. */
class SourceGaps
{
public:
    SourceGaps(QString source, events::Interval range) : m_source(std::move(source)), m_range(range) {}

    void add(const events::LockEvent &event);
    /** The gaps that reach into the range, ordered by their beginning. `openSinceUs`: the source isn't
     * observed now, even if the event that shows that is no longer kept. */
    QList<protocol::TimelineGap> result(std::optional<qint64> openSinceUs);

private:
    struct Open
    {
        qint64 fromUs = 0;
        QString part;
        QString cause;
    };

    void close(const Open &open, qint64 toUs);

    QString m_source;
    events::Interval m_range;
    QMap<QString, Open> m_open; ///< by the part that isn't observed
    QList<protocol::TimelineGap> m_gaps;
    QHash<QString, qsizetype> m_last; ///< by part: its last gap in m_gaps
};

/** Adds all gap events that the journal has of that source. */
base::Result<void> addGaps(QueryContext &context, qint64 sourceId, SourceGaps &gaps);

} // namespace lockkeeper::agent::journal
