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
 * Force-releases whose answer got lost with the link. None is repeated: their command ids are looked up in
 * the agent's audit until an outcome stands there. Without one in time they end as Outcome::Unknown, never as
 * success. Lives on the session's thread.
 */
class LostReleases : public QObject
{
    Q_OBJECT

public:
    using Take = std::function<void(const protocol::AuditPage &)>;
    /** Asks for the newest rows of the audit; false where there is no link to ask by. */
    using AskAudit = std::function<bool(const Take &)>;
    using Answer = std::function<void(const base::Result<protocol::ReleaseResult> &)>;

    explicit LostReleases(AskAudit askAudit, QObject *parent = nullptr);
    /** Those that are left end as Unknown. */
    ~LostReleases() override;

    /** Between two looks, and until an outcome is given up, in milliseconds. */
    void setTiming(int stepMs, int patienceMs);
    /** `answer` comes once, unless `context` has gone. */
    void add(const protocol::ForceRelease &request, const QPointer<QObject> &context, Answer answer);
    /** Now, where there are any: the link is back. */
    void look();

private:
    struct Lost
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
    QHash<quint64, Lost> m_lost;
    QElapsedTimer m_clock;
    QTimer m_again;
    int m_stepMs = 1'000;
    int m_patienceMs = 30'000;
};

} // namespace lockkeeper::app::session
