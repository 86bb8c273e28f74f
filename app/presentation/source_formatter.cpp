// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/source_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/icons.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/finding_formatter.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QLocale>

#include <array>
#include <cstdlib>

namespace lockkeeper::app::presentation {

QVariant SourceFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::SourceColumnCount> kTitles{{
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("State")},
        {QT_TR_NOOP("Last seen")},
        {QT_TR_NOOP("Locks"), Qt::AlignRight},
        {QT_TR_NOOP("Risks")},
        {QT_TR_NOOP("Poll"), Qt::AlignRight},
        {QT_TR_NOOP("Scan"), Qt::AlignRight},
        {QT_TR_NOOP("Observed by")},
        {QT_TR_NOOP("Clock offset"), Qt::AlignRight},
        {QT_TR_NOOP("Store")},
        {QT_TR_NOOP("Server")},
        {QT_TR_NOOP("Address")},
        {QT_TR_NOOP("Error")},
    }};
    return titleOf(kTitles, column, role, tr);
}

QVariant SourceFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const models::SourcesModel *>(index.model());
    const domain::SourceState *source = model ? model->at(index.row()) : nullptr;
    if (!source)
        return {};
    const bool stale = model->isStale(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(*source, stale, index.column());
    case Qt::ToolTipRole:
        if (index.column() == models::SourceLastSeenColumn && source->lastSeenUs)
            return m_times->exact(*source->lastSeenUs);
        return text(*source, stale, index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    case Qt::DecorationRole:
        if (index.column() == models::SourceLinkColumn)
            return icon(source->link == domain::Link::Standby        ? QStringLiteral("dialog-information")
                        : source->link == domain::Link::Up && !stale ? QStringLiteral("dialog-ok")
                                                                     : QStringLiteral("dialog-warning"));
        if (index.column() == models::SourceClockOffsetColumn &&
            std::abs(source->clockOffsetUs) > models::SourcesModel::kClockWarningUs)
            return icon(QStringLiteral("dialog-warning"));
        if (index.column() == models::SourceFindingsColumn && !source->findings.isEmpty())
            return icon(severityIcon(source->findings.first().severity));
        return {};
    default:
        return {};
    }
}

QString SourceFormatter::severityIcon(domain::Severity severity)
{
    switch (severity) {
    case domain::Severity::Danger:
        return QStringLiteral("dialog-error");
    case domain::Severity::Warning:
        return QStringLiteral("dialog-warning");
    case domain::Severity::Notice:
        break;
    }
    return QStringLiteral("dialog-information");
}

QString SourceFormatter::findings(const domain::SourceState &source)
{
    if (source.findings.isEmpty())
        return words::Durations::notApplicable();
    const QString worst = words::FindingFormatter::severity(source.findings.first().severity);
    const qsizetype count = source.findings.size();
    return count == 1 ? worst : tr("%1 (%2)", "gravest severity, number of findings").arg(worst).arg(count);
}

QString SourceFormatter::state(const domain::SourceState &source, bool stale)
{
    if (source.link == domain::Link::Down && source.error.code == base::ErrorCode::Authentication)
        return tr("Login rejected", "source");
    if (source.link == domain::Link::Down && source.error.code == base::ErrorCode::PermissionDenied)
        return tr("Right missing", "source");
    return stale && source.link == domain::Link::Up ? tr("Silent", "source")
                                                    : words::Words::link(source.link);
}

QString SourceFormatter::clockOffset(const domain::SourceState &source)
{
    const qint64 us = source.clockOffsetUs;
    const QString size = words::Durations::shortText(std::abs(us));
    const QString sign = size == words::Durations::shortText(0) ? QString()
                         : us < 0                               ? QStringLiteral("−")
                                                                : QStringLiteral("+");
    return tr("%1%2 ± %3", "sign, clock offset, uncertainty")
        .arg(sign, size, words::Durations::shortText(source.clockUncertaintyUs));
}

QString SourceFormatter::fault(const domain::SourceState &source)
{
    return source.error == base::Error() ? QString() : words::ErrorWords::line(source.error);
}

QString SourceFormatter::text(const domain::SourceState &source, bool stale, int column) const
{
    switch (column) {
    case models::SourceNameColumn:
        return base::displayText(source.name);
    case models::SourceLinkColumn:
        return state(source, stale);
    case models::SourceLastSeenColumn:
        return source.lastSeenUs ? m_times->dateTime(*source.lastSeenUs) : words::Durations::notApplicable();
    case models::SourceLocksColumn:
        return source.counts.areTold() ? QLocale().toString(source.counts.total)
                                       : words::Durations::notApplicable();
    case models::SourcePollColumn:
        return words::Durations::shortText(source.pollMs * 1'000);
    case models::SourcePassColumn:
        return source.passUs > 0 ? words::Durations::shortText(source.passUs)
                                 : words::Durations::notApplicable();
    case models::SourceModeColumn:
        return words::Words::mode(source.mode);
    case models::SourceFindingsColumn:
        return findings(source);
    case models::SourceClockOffsetColumn:
        return source.lastSeenUs ? clockOffset(source) : words::Durations::notApplicable();
    case models::SourceStoreColumn:
        return base::displayText(source.store);
    case models::SourceServerColumn:
        return base::displayText(source.server);
    case models::SourceAddressColumn:
        return base::displayText(source.address);
    case models::SourceErrorColumn:
        return fault(source);
    default:
        return {};
    }
}

QVariant AccessFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::AccessColumnCount> kTitles{{
        {QT_TR_NOOP("Right")},
        {QT_TR_NOOP("Needed to")},
        {QT_TR_NOOP("Granted")},
        {QT_TR_NOOP("Statement that grants it")},
    }};
    return titleOf(kTitles, column, role, tr);
}

QVariant AccessFormatter::cell(const QModelIndex &index, int role) const
{
    const domain::Access *access = models::rowOf<models::AccessModel>(index);
    if (!access)
        return {};
    if (role == Qt::DecorationRole && index.column() == models::AccessGrantedColumn)
        return icon(access->granted ? QStringLiteral("dialog-ok") : QStringLiteral("dialog-warning"));
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case models::AccessNeedColumn:
        return base::displayText(access->need);
    case models::AccessForBreakingColumn:
        return access->forBreaking ? tr("force-release", "needed to") : tr("observe", "needed to");
    case models::AccessGrantedColumn:
        return access->granted ? tr("yes", "granted") : tr("missing", "granted");
    case models::AccessRemedyColumn:
        return access->granted ? QString() : base::displayText(access->remedy);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
