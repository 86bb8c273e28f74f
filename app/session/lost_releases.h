// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>

namespace lockkeeper::app::session {

/**
 * Force-releases whose answer was lost with the link. None is repeated: their command ids are looked up in
 * the agent's audit until an outcome is recorded. Without an outcome in time they end as Outcome::Unknown,
 * never as success. Lives on the session's thread.
 */
class LostReleases : public QObject
{
    Q_OBJECT

public:
    using Take = std::function<void(const protocol::AuditPage &)>;
    /** Requests the newest rows of the audit; false without a link. */
    using AskAudit = std::function<bool(const Take &)>;
    using Answer = std::function<void(const base::Result<protocol::ReleaseResult> &)>;

    explicit LostReleases(AskAudit askAudit, QObject *parent = nullptr);
    /** Ends the remaining releases as Unknown. */
    ~LostReleases() override;

    /** The time between two searches, and until an outcome is given up, in milliseconds. */
    void setTiming(int stepMs, int patienceMs);
    /** `answer` is called once, unless `context` is gone. */
    void add(const protocol::ForceRelease &request, const QPointer<QObject> &context, Answer answer);
    /** Searches now, if any are left: the link is back. */
    void look();

private:
    struct LostRelease
    {
        QPointer<QObject> context;
        Answer answer;
        protocol::ForceRelease request;
        qint64 deadlineMs = 0;
    };
    void giveUp(bool all);
    void take(const protocol::AuditPage &page);
    void finish(quint64 id, const protocol::ReleaseResult &result);

    AskAudit m_askAudit;
    QHash<quint64, LostRelease> m_lost;
    QElapsedTimer m_clock;
    QTimer m_again;
    int m_stepMs = 1'000;
    int m_patienceMs = 30'000;
};

} // namespace lockkeeper::app::session
