// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/discover/candidates_model.h"

#include "app/discover/candidate_formatter.h"
#include "shared/base/text.h"

namespace lockkeeper::app::discover {

using stores::discover::Candidate;

Rights rightsOf(const Candidate &candidate)
{
    if (candidate.access.isEmpty())
        return Rights::Unknown;
    Rights rights = Rights::All;
    for (const domain::Access &one : candidate.access) {
        if (!one.granted && !one.forBreaking)
            return Rights::None;
        if (!one.granted)
            rights = Rights::ObserveOnly;
    }
    return rights;
}

void CandidatesModel::setDiscovery(const stores::discover::Discovery &discovery)
{
    beginResetModel();
    m_rows = discovery.found + discovery.near;
    m_proposed = int(discovery.found.size());
    m_keys = stores::discover::hasKeys(discovery);
    m_checked.clear();
    for (int row = 0; row < m_rows.size(); ++row)
        m_checked.append(row < m_proposed && rightsOf(m_rows.at(row)) != Rights::None);
    endResetModel();
    Q_EMIT chosenChanged();
}

int CandidatesModel::add(const Candidate &candidate)
{
    const int row = m_proposed++;
    beginInsertRows({}, row, row);
    m_rows.insert(row, candidate);
    m_checked.insert(row, true);
    endInsertRows();
    Q_EMIT chosenChanged();
    return row;
}

QList<Candidate> CandidatesModel::chosen() const
{
    QList<Candidate> all;
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_checked.at(row))
            all.append(m_rows.at(row));
    }
    return all;
}

const Candidate *CandidatesModel::at(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_rows.at(row) : nullptr;
}

int CandidatesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int CandidatesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString CandidatesModel::text(int row, int column) const
{
    const Candidate &candidate = m_rows.at(row);
    switch (column) {
    case TableColumn:
        return base::displayText(candidate.subject());
    case LayoutColumn:
        return candidate.preset.isEmpty() ? QString::fromLatin1(candidate.scheme)
                                          : base::displayText(candidate.preset);
    case ConfidenceColumn:
        if (CandidateFormatter::isByHand(candidate))
            return tr("added by hand");
        return isProposed(row) ? tr("%1 (%2)", "confidence, score")
                                     .arg(CandidateFormatter::confidence(candidate.score))
                                     .arg(candidate.score)
                               : tr("near miss (%1)").arg(candidate.score);
    case RightsColumn:
        switch (rightsOf(candidate)) {
        case Rights::All:
            return tr("observe, force-release");
        case Rights::ObserveOnly:
            return tr("observe only");
        case Rights::None:
            return tr("none: a grant is missing");
        case Rights::Unknown:
            break;
        }
        return QStringLiteral("—");
    default:
        return {};
    }
}

QVariant CandidatesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::CheckStateRole:
        if (index.column() == TableColumn && isProposed(index.row()))
            return m_checked.at(index.row()) ? Qt::Checked : Qt::Unchecked;
        return {};
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3", "table, layout, confidence")
            .arg(text(index.row(), TableColumn), text(index.row(), LayoutColumn),
                 text(index.row(), ConfidenceColumn));
    default:
        return {};
    }
}

bool CandidatesModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid) ||
        index.column() != TableColumn || !isProposed(index.row()))
        return false;
    m_checked[index.row()] = value.toInt() == Qt::Checked;
    Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
    Q_EMIT chosenChanged();
    return true;
}

QVariant CandidatesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TableColumn:
        return m_keys ? tr("Keys") : tr("Table");
    case LayoutColumn:
        return tr("Preset or scheme");
    case ConfidenceColumn:
        return tr("Confidence");
    case RightsColumn:
        return tr("Rights");
    default:
        return {};
    }
}

Qt::ItemFlags CandidatesModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags base = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    const bool checkable = index.column() == TableColumn && isProposed(index.row());
    return checkable ? base | Qt::ItemIsUserCheckable : base;
}

} // namespace lockkeeper::app::discover
