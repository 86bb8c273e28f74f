// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

#include <QAbstractTableModel>

namespace lockkeeper::app::discover {

/** The tables, or patterns of keys, that Discover recognised, with a check box each, and below them the near
 * misses. */
class CandidatesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum CandidateColumn { TableColumn = 0, LayoutColumn, ConfidenceColumn, RightsColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /** Checks every recognised table that may be observed. */
    void setDiscovery(const stores::discover::Discovery &discovery);
    /** Adds a candidate that the user named: proposed and checked. Returns its row. */
    int add(const stores::discover::Candidate &candidate);
    /** The checked candidates, in row order. */
    QList<stores::discover::Candidate> chosen() const;
    const stores::discover::Candidate *at(int row) const;
    bool isProposed(int row) const { return row >= 0 && row < m_proposed; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void chosenChanged();

private:
    QString text(int row, int column) const;

    QList<stores::discover::Candidate> m_rows;
    QList<bool> m_checked;
    int m_proposed = 0;
    bool m_keys = false;
};

/** The user's rights on a table, in a word or two. */
enum class Rights : quint8 { Unknown = 0, None, ObserveOnly, All };
Rights rightsOf(const stores::discover::Candidate &candidate);

} // namespace lockkeeper::app::discover
