// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_key_type.h"
#include "app/models/raw_model.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::models {

enum CommandColumn {
    CommandTimeColumn = 0, ///< qint64: an instant, this machine's clock
    CommandLockColumn,     ///< QByteArray
    CommandSourceColumn,   ///< QString
    CommandReasonColumn,   ///< QString
    CommandOutcomeColumn,  ///< int: domain::Outcome; Pending while under way, AwaitingApproval until decided
    CommandDetailColumn,   ///< QString: the cause where it wasn't released
    CommandIdColumn,       ///< QByteArray
    CommandColumnCount,
};
QByteArray commandColumnName(int column);

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
    enum Role { OutcomeRole = OwnRole, PendingRole };
    static constexpr int kLimit = 200;

    using RawModel::RawModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override { return commandColumnName(column); }
    const Command *at(int row) const;

    void add(const Command &command);
    /** A link that broke for good is Outcome::Unknown, never success. Nothing for an id that isn't known or
     * has ended. */
    void finish(const QByteArray &id, const base::Result<protocol::ReleaseResult> &result, qint64 wallUs);
    /** What became of one that awaited approval; nothing for others. */
    void decided(const domain::ApprovalRequest &request, qint64 wallUs);
    int pendingCount() const { return m_pending; }
    /** When the first of those that await approval ends; 0: none does. */
    qint64 approvalEndsUs() const;
    /** The lock of the request that ends first. */
    domain::LockKey firstAwaited() const;
    /** … of the lock's; 0: it awaits none. */
    qint64 approvalEndsUs(const domain::LockKey &key) const;

Q_SIGNALS:
    void pendingCountChanged();

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    void forgetOld();

    QList<Command> m_commands; ///< newest first
    int m_pending = 0;
};

} // namespace lockkeeper::app::models
