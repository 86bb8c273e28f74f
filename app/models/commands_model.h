// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QSet>

#include <functional>

namespace lockkeeper::app::models {

enum CommandColumn {
    CommandTimeColumn = 0, ///< an instant, this machine's clock
    CommandLockColumn,
    CommandSourceColumn,
    CommandReasonColumn,
    CommandOutcomeColumn, ///< domain::Outcome; Pending while under way, AwaitingApproval until decided
    CommandDetailColumn,  ///< the cause, if it wasn't released
    CommandIdColumn,
    CommandColumnCount,
};

/** One force-release of this console. */
struct ConsoleRelease
{
    QByteArray id;
    domain::LockKey key;
    QString reason;
    qint64 startedWallUs = 0;
    qint64 finishedWallUs = 0; ///< 0: under way
    domain::Outcome outcome = domain::Outcome::Pending;
    base::Error error;
    std::optional<qint64> storeUs; ///< the store's time of the operation
    qint64 approvalEndsUs = 0;     ///< while it awaits approval: by the agent's clock
    bool operator==(const ConsoleRelease &) const = default;
};

/** This console's force-releases, newest first. Beyond 200 commands, the oldest finished ones are dropped. */
class CommandsModel : public RawModel
{
    Q_OBJECT

public:
    static constexpr int kLimit = 200;

    explicit CommandsModel(QObject *parent = nullptr);

    const ConsoleRelease *at(int row) const;

    void add(const ConsoleRelease &command);
    /**
     * The outcome that an answer, or a missing answer, implies. A link that broke for good is
     * Outcome::Unknown, never success. If the request wasn't sent, or the operation didn't begin, the lock
     * wasn't released.
     */
    static protocol::ReleaseResult told(const base::Result<protocol::ReleaseResult> &result);
    /** Does nothing for an id that is unknown or has ended. */
    void finish(const QByteArray &id, const protocol::ReleaseResult &result, qint64 wallUs);
    /** Records the decision about a command that awaited approval; does nothing for others. */
    void decided(const domain::ApprovalRequest &request, qint64 wallUs);
    /** The ids of commands that await approval, for locks for which `of` is true. */
    QSet<QByteArray> awaited(const std::function<bool(const domain::LockKey &)> &of) const;
    /**
     * Ends commands that their agents no longer know. They ended without a reported outcome, so their outcome
     * is unknown.
     */
    void endForgotten(const QSet<QByteArray> &ids, qint64 wallUs);
    int pendingCount() const { return m_pending; }
    /** The earliest end among commands that await approval; 0: none. */
    qint64 approvalEndsUs() const;
    /** The lock of the request with the earliest end. */
    domain::LockKey firstAwaited() const;
    /** The same for one lock's commands; 0: none. */
    qint64 approvalEndsUs(const domain::LockKey &key) const;

Q_SIGNALS:
    void pendingCountChanged();

private:
    int rows() const override { return int(m_commands.size()); }
    void forgetOld();

    QList<ConsoleRelease> m_commands; ///< newest first
    int m_pending = 0;
};

} // namespace lockkeeper::app::models
