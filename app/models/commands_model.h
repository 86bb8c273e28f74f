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
    CommandDetailColumn,  ///< the cause where it wasn't released
    CommandIdColumn,
    CommandColumnCount,
};

/** One force-release of this console. */
struct Command
{
    QByteArray id;
    domain::LockKey key;
    QString reason;
    qint64 startedWallUs = 0;
    qint64 finishedWallUs = 0; ///< 0: under way
    domain::Outcome outcome = domain::Outcome::Pending;
    base::Error error;
    std::optional<qint64> storeUs; ///< when the store did it
    qint64 approvalEndsUs = 0;     ///< of one that awaits approval: the agent's clock
    bool operator==(const Command &) const = default;
};

/** This console's force-releases, newest first; finished ones beyond 200 are forgotten. */
class CommandsModel : public RawModel
{
    Q_OBJECT

public:
    static constexpr int kLimit = 200;

    explicit CommandsModel(QObject *parent = nullptr);

    const Command *at(int row) const;

    void add(const Command &command);
    /** What an answer, or the want of one, says of the lock: a link that broke for good is Outcome::Unknown,
     * never success; where nothing was sent, or nothing begun, nothing was released. */
    static protocol::ReleaseResult told(const base::Result<protocol::ReleaseResult> &result);
    /** Nothing for an id that isn't known or has ended. */
    void finish(const QByteArray &id, const protocol::ReleaseResult &result, qint64 wallUs);
    /** What became of one that awaited approval; nothing for others. */
    void decided(const domain::ApprovalRequest &request, qint64 wallUs);
    /** Those that await approval, of the locks that `of` is true of. */
    QSet<QByteArray> awaited(const std::function<bool(const domain::LockKey &)> &of) const;
    /** Their agents don't know these any more: they ended before anybody told how, their outcome is unknown.
     */
    void endForgotten(const QSet<QByteArray> &ids, qint64 wallUs);
    int pendingCount() const { return m_pending; }
    /** When the first of those that await approval ends; 0: none does. */
    qint64 approvalEndsUs() const;
    /** The lock of the request that ends first. */
    domain::LockKey firstAwaited() const;
    /** … of the lock's; 0: it awaits none. */
    qint64 approvalEndsUs(const domain::LockKey &key) const;

Q_SIGNALS:
    void pendingCountChanged();

private:
    int rows() const override { return int(m_commands.size()); }
    void forgetOld();

    QList<Command> m_commands; ///< newest first
    int m_pending = 0;
};

} // namespace lockkeeper::app::models
