// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/holder_check.h"
#include "shared/protocol/messages.h"

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace lockkeeper::app::records {

/** The facts about a lock's source that its row needs. */
struct SourceView
{
    QByteArray store;
    qint64 nowUs = 0;                  ///< by the source's clock; if stale, its last observation
    bool stale = false;                ///< not observed for SourceState::patienceUs()
    std::optional<qint64> asOfUs = {}; ///< of a past moment
};

/** The facts about a source at `wallUs` (the agent's clock). */
SourceView viewOf(const domain::SourceState &source, qint64 wallUs);

/** The lock's condition; unknown if its source isn't being observed. */
domain::Condition conditionOf(const domain::LockState &state, const SourceView &view);

/** The objects of --json, one per line. Text is as stored (base::textOf), times are in microseconds. `check`:
 * the liveness probe of this acquisition; null: none. */
void appendLock(QByteArray &out, const domain::LockState &state, const SourceView &view, const QString &agent,
                const std::optional<QStringList> &alsoSeenBy = {},
                const domain::HolderCheck *check = nullptr);
QJsonObject lockObject(const domain::LockState &state, const SourceView &view, const QString &agent,
                       const std::optional<QStringList> &alsoSeenBy = {},
                       const domain::HolderCheck *check = nullptr);
/** The columns of these objects in CSV, in order; `past`: as they were at a past moment. */
QStringList lockColumns(bool past);
QJsonObject approvalObject(const domain::ApprovalRequest &request, const QString &agent);
QJsonObject auditObject(const domain::AuditEntry &entry);
QJsonObject chainObject(const protocol::AuditPage &page);
QJsonObject holdObject(const protocol::Hold &hold);
/** One connection per object, in the order of the tree; `asOfUs`: the past moment of the graph. */
QList<QJsonObject> chainObjects(const domain::WaitGraph &graph, const QString &agent,
                                const std::optional<qint64> &asOfUs = {});
/** `page`: the range of time. */
QJsonObject contentionObject(const domain::Contention &contention, const protocol::ContentionPage &page);
/** A holder or a statement by the waiting that it caused. */
QJsonObject blockerObject(const domain::BlockerCost &cost, const protocol::ContentionPage &page);
QJsonObject waiterObject(const domain::WaiterCost &cost, const protocol::ContentionPage &page);
QJsonObject adviceObject(const domain::Advice &advice, const protocol::AdvicePage &page);
/** `wallUs`: now, by the agent's clock. */
QJsonObject sourceObject(const domain::SourceState &source, qint64 wallUs);
QJsonObject statusObject(const protocol::Status &status);
QJsonObject releaseObject(const protocol::ReleaseResult &result, const domain::LockState &state,
                          const QString &willRun);
/**
 * The record with its agent. With several agents, `label` is what precedes that agent's sources, and is taken
 * off.
 */
QJsonObject withAgent(QJsonObject record, const QString &agent, const QString &label = {});
/** Null without an error, otherwise code, cause and remedy. */
QJsonValue errorValue(const base::Error &error);

/** A word of the protocol. */
QString latin(QByteArrayView name);
/** The text, or null if it is empty. */
QJsonValue textOrNull(const QByteArray &bytes);
QJsonValue textOrNull(const QString &text);
/** A time in microseconds, or null. */
QJsonValue number(const domain::TimeUs &value);

/** One line including the line end. */
QByteArray jsonLine(const QJsonObject &object);

} // namespace lockkeeper::app::records
