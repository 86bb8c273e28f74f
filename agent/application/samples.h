// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/source_engine.h"
#include "agent/forward/forwarder.h"
#include "agent/metrics/metrics_server.h"
#include "agent/release/reaper.h"
#include "agent/requests/alert_center.h"
#include "shared/domain/election_state.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"

#include <QHash>

#include <optional>

namespace lockkeeper::agent::application {

/** One source's figures at one moment. */
struct SourceFigures
{
    domain::SourceState state;
    QHash<QByteArray, domain::Counts> locks; ///< by scheme
    quint64 events = 0;
    quint64 missedPushes = 0;
    quint64 unreadPushes = 0;
    qint64 tableBytes = 0;
    qint64 wallUs = 0;
    release::Reaper::Totals reaper;
    engine::Ages ages;
    qint64 deadlocks = 0; ///< cycles in the last graph of waits
};

/** The figures behind /metrics. */
struct Figures
{
    QList<SourceFigures> sources;
    quint64 lastSeq = 0;
    qint64 journalBytes = 0;
    qint64 queuedEvents = 0;
    bool journalFailing = false;
    bool reloadFailed = false;
    qint64 sessions = 0;
    qint64 sessionBytes = 0;
    QHash<domain::Outcome, qint64> releases;
    std::optional<domain::ElectionState> election; ///< empty: no election
    QByteArray electionName;                       ///< its lock: the same at all agents of one election
    requests::AlertCenter::AlertTotals alerts;
    QList<forward::ForwardState> forwards;
};

/** The samples, grouped by name. Every label has a bounded number of values. */
QList<metrics::MetricSample> samplesOf(const Figures &figures);

} // namespace lockkeeper::agent::application
