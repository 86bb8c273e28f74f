// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/lock_model.h"

namespace lockkeeper::app::models {

/**
 * Counts the locks that each of several filters would show. A lock is checked when it changes. Matches that
 * change only with time are noticed within a second; in a table of more than 10,000 locks, within one second
 * per ten thousand locks. GUI thread.
 */
class FilterCounts : public QObject
{
    Q_OBJECT

public:
    struct CountedFilter
    {
        filter::Query query;
        QList<replica::Badge> hidden;
        bool operator==(const CountedFilter &) const = default;
    };

    /** `model` isn't owned. */
    explicit FilterCounts(const LockModel &model, QObject *parent = nullptr);

    /** At most 32 of them are counted. */
    void setFilters(const QList<CountedFilter> &filters);
    /** In the filters' order. */
    const QList<qint64> &counts() const { return m_counts; }

Q_SIGNALS:
    void changed();

private:
    void judge(const LockRow &row);
    void judgeAll(const QList<const LockRow *> &rows);
    void passTime();

    const LockModel &m_model;
    QList<CountedFilter> m_filters;
    bool m_namesAgents = false;
    QList<qint64> m_counts;
    std::vector<quint32> m_fits; ///< by slot: one bit per filter
    int m_next = 0;              ///< the next row to check against the clock
    int m_left = 0;              ///< remaining rows of this second
    QTimer m_turn;
};

} // namespace lockkeeper::app::models
