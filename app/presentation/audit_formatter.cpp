// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/audit_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/icons.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <array>

namespace lockkeeper::app::presentation {

namespace {
constexpr int kDigestShown = 12;
constexpr int kCommandShown = 8;
} // namespace

QVariant AuditFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::AuditColumnCount> kTitles{{
        {QT_TR_NOOP("Time (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("Who")},
        {QT_TR_NOOP("Role")},
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Reason")},
        {QT_TR_NOOP("Guard")},
        {QT_TR_NOOP("Outcome")},
        {QT_TR_NOOP("Approver")},
        {QT_TR_NOOP("Command")},
        {QT_TR_NOOP("Source")},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant AuditFormatter::cell(const QModelIndex &index, int role) const
{
    const domain::AuditEntry *entry = models::rowOf<models::AuditModel>(index);
    if (!entry)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(*entry, index.column());
    case models::kWholeRole:
        return index.column() == models::AuditGuardColumn     ? QVariant(QString::fromLatin1(entry->guard))
               : index.column() == models::AuditCommandColumn ? QVariant(QString::fromLatin1(entry->command))
                                                              : QVariant();
    case Qt::ToolTipRole:
        return toolTip(*entry, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    case Qt::DecorationRole:
        return index.column() == models::AuditTimeColumn && !entry->intact
                   ? QVariant(icon(QStringLiteral("dialog-error")))
                   : QVariant();
    default:
        return {};
    }
}

QString AuditFormatter::subject(const domain::AuditEntry &entry)
{
    if (entry.isProbe())
        return tr("Probe of %1", "source").arg(base::displayText(entry.key.source));
    if (entry.isDiscovery())
        return tr("Scan of %1", "address of a store").arg(base::displayText(entry.key.place));
    if (entry.isAcceptance())
        return tr("Incomplete audit accepted");
    if (!entry.isLogin())
        return words::LockText::name(entry.key);
    return entry.key.place.isEmpty() ? tr("Login here")
                                     : tr("Login from %1", "machine").arg(base::displayText(entry.key.place));
}

QString AuditFormatter::text(const domain::AuditEntry &entry, int column) const
{
    switch (column) {
    case models::AuditTimeColumn:
        if (entry.timeUs == 0) // the record of the intent is lost
            return tr("unknown", "time");
        return m_times->dateTime(entry.timeUs) + m_times->zoneBeside(entry.timeUs);
    case models::AuditWhoColumn:
        return entry.role == QLatin1String("policy") ? tr("Reaper") : base::displayText(entry.who);
    case models::AuditRoleColumn:
        return words::Words::role(entry.role);
    case models::AuditLockColumn:
        return subject(entry);
    case models::AuditReasonColumn:
        return base::displayText(entry.reason);
    case models::AuditGuardColumn:
        return QString::fromLatin1(entry.guard.left(kDigestShown));
    case models::AuditOutcomeColumn:
        return words::Words::outcome(entry.outcome);
    case models::AuditApproverColumn:
        return base::displayText(entry.approver);
    case models::AuditCommandColumn:
        return QString::fromLatin1(entry.command.left(kCommandShown));
    case models::AuditSourceColumn:
        return base::displayText(entry.key.source);
    default:
        return {};
    }
}

QString AuditFormatter::toolTip(const domain::AuditEntry &entry, int column) const
{
    switch (column) {
    case models::AuditTimeColumn:
        return entry.timeUs == 0 ? text(entry, column) : m_times->exact(entry.timeUs);
    case models::AuditWhoColumn:
        return entry.role == QLatin1String("policy")
                   ? tr("The reaper: a policy of the agent's configuration, run as %1")
                         .arg(base::displayText(entry.who))
                   : base::displayText(entry.who);
    case models::AuditLockColumn:
        if (!entry.isRelease())
            return text(entry, column);
        return tr("%1, held by %2", "lock, holder")
            .arg(words::LockText::whereabouts(entry.key),
                 words::LockText::holder(entry.holder, !entry.holder.isEmpty()));
    case models::AuditGuardColumn:
        return QString::fromLatin1(entry.guard);
    case models::AuditOutcomeColumn: {
        const QString sentence = words::Words::outcomeSentence(entry.outcome);
        return entry.detail.isEmpty() ? sentence
                                      : sentence + QLatin1Char('\n') + base::displayText(entry.detail);
    }
    case models::AuditCommandColumn:
        return QString::fromLatin1(entry.command);
    default:
        return text(entry, column);
    }
}

} // namespace lockkeeper::app::presentation
