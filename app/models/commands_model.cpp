// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/commands_model.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::models {

using domain::Outcome;

namespace {
constexpr std::array<const char *, CommandColumnCount> kCommandColumns{
    "time", "lock", "source", "reason", "outcome", "detail", "command"};
}

CommandsModel::CommandsModel(QObject *parent) : RawModel(kCommandColumns, parent) {}

const ConsoleRelease *CommandsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_commands[row] : nullptr;
}

void CommandsModel::add(const ConsoleRelease &command)
{
    beginInsertRows({}, 0, 0);
    m_commands.prepend(command);
    endInsertRows();
    if (command.outcome == Outcome::Pending) {
        ++m_pending;
        Q_EMIT pendingCountChanged();
    }
    forgetOld();
}

protocol::ReleaseResult CommandsModel::told(const base::Result<protocol::ReleaseResult> &result)
{
    using base::ErrorCode;
    protocol::ReleaseResult told;
    if (result) {
        told = *result;
        if (told.outcome == Outcome::Pending)
            told.outcome = Outcome::Unknown;
        return told;
    }
    told.error = result.error();
    const ErrorCode code = told.error.code;
    if (code == ErrorCode::Unreachable) // the session reports it only if nothing was sent
        told.outcome = Outcome::Unreachable;
    else if (code == ErrorCode::PermissionDenied || code == ErrorCode::Usage || code == ErrorCode::NotFound ||
             code == ErrorCode::Unsupported)
        told.outcome = Outcome::Refused;
    return told;
}

void CommandsModel::finish(const QByteArray &id, const protocol::ReleaseResult &result, qint64 wallUs)
{
    const auto it = std::find_if(m_commands.begin(), m_commands.end(), [&](const ConsoleRelease &command) {
        return command.id == id && command.outcome == Outcome::Pending;
    });
    if (it == m_commands.end())
        return;
    it->finishedWallUs = wallUs;
    it->outcome = result.outcome;
    it->error = result.error;
    it->storeUs = result.storeUs;
    it->approvalEndsUs = result.endsUs;
    QList<int> rows{int(it - m_commands.begin())};
    announceRows(rows);
    --m_pending;
    Q_EMIT pendingCountChanged();
    forgetOld();
}

void CommandsModel::decided(const domain::ApprovalRequest &request, qint64 wallUs)
{
    const auto it = std::find_if(m_commands.begin(), m_commands.end(), [&](const ConsoleRelease &command) {
        return command.id == request.command && command.outcome == Outcome::AwaitingApproval;
    });
    if (it == m_commands.end() || (!request.isOpen() && request.outcome == Outcome::Pending))
        return;
    it->approvalEndsUs =
        request.isOpen() ? request.endsUs : 0; // the audit, queried after a lost link, lacks it
    if (!request.isOpen()) {
        it->finishedWallUs = wallUs;
        it->outcome = request.outcome;
        it->error = {base::ErrorCode::Unknown, request.detail, {}};
    }
    QList<int> rows{int(it - m_commands.begin())};
    announceRows(rows);
    Q_EMIT pendingCountChanged();
}

QSet<QByteArray> CommandsModel::awaited(const std::function<bool(const domain::LockKey &)> &of) const
{
    QSet<QByteArray> ids;
    for (const ConsoleRelease &command : m_commands) {
        if (command.outcome == Outcome::AwaitingApproval && of(command.key))
            ids.insert(command.id);
    }
    return ids;
}

void CommandsModel::endForgotten(const QSet<QByteArray> &ids, qint64 wallUs)
{
    QList<int> rows;
    for (int row = 0; row < rowCount(); ++row) {
        ConsoleRelease &command = m_commands[row];
        if (!ids.contains(command.id))
            continue;
        command.finishedWallUs = wallUs;
        command.outcome = Outcome::Unknown;
        command.approvalEndsUs = 0;
        rows.append(row);
    }
    if (rows.isEmpty())
        return;
    announceRows(rows);
    Q_EMIT pendingCountChanged();
}

qint64 CommandsModel::approvalEndsUs() const
{
    return approvalEndsUs(firstAwaited());
}

domain::LockKey CommandsModel::firstAwaited() const
{
    const ConsoleRelease *first = nullptr;
    for (const ConsoleRelease &command : m_commands) {
        if (command.outcome == Outcome::AwaitingApproval &&
            (!first || command.approvalEndsUs < first->approvalEndsUs))
            first = &command;
    }
    return first ? first->key : domain::LockKey();
}

qint64 CommandsModel::approvalEndsUs(const domain::LockKey &key) const
{
    const auto it = std::find_if(m_commands.begin(), m_commands.end(), [&key](const ConsoleRelease &command) {
        return command.outcome == Outcome::AwaitingApproval && command.key == key;
    });
    return it == m_commands.end() ? 0 : it->approvalEndsUs;
}

/** Drops the oldest finished commands; pending commands always stay. */
void CommandsModel::forgetOld()
{
    for (int row = rowCount() - 1; row >= 0 && rowCount() > kLimit; --row) {
        if (m_commands[row].outcome == Outcome::Pending)
            continue;
        beginRemoveRows({}, row, row);
        m_commands.removeAt(row);
        endRemoveRows();
    }
}

} // namespace lockkeeper::app::models
