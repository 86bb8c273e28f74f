// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/timeline/chart.h"

namespace lockkeeper::app::timeline {

enum BarColumn {
    BarLaneColumn = 0, ///< the lane's name, by the formatter
    BarKindColumn,     ///< int: BarKind
    BarWhoColumn,      ///< QByteArray: holder or waiter; invalid: unknown
    BarFromColumn,     ///< qint64: an instant
    BarToColumn,       ///< qint64: an instant; invalid: not ended
    BarLengthColumn,   ///< qint64 µs; invalid: not ended
    BarEndColumn,      ///< QByteArray: protocol::Hold::end
    BarRenewalsColumn, ///< int; invalid: no hold
    BarSourceColumn,   ///< QString
    BarColumnCount,
};

enum class BarKind : quint8 { Hold = 0, Wait, Slice, Gap };

/** One row of the table that is equivalent to the picture. */
struct BarRow
{
    BarKind kind = BarKind::Hold;
    qsizetype lane = -1;  ///< −1 for a gap
    qsizetype index = -1; ///< in the lane's holds, waits or slices, or in the chart's gaps
    bool operator==(const BarRow &) const = default;
};

/** The bars within a range as rows, by lane and then by time, the gaps last. GUI thread. */
class BarsModel : public models::RawModel
{
    Q_OBJECT

public:
    explicit BarsModel(QObject *parent = nullptr);

    void show(const Chart &chart, const TimeRange &range, const SeenUntil &seen);
    const Chart &chart() const { return m_chart; }
    const BarRow *at(int row) const;
    const protocol::Hold *hold(const BarRow &row) const;
    const protocol::Wait *wait(const BarRow &row) const;
    const protocol::TimelineSlice *slice(const BarRow &row) const;
    const protocol::TimelineGap *gap(const BarRow &row) const;
    /** The row's lock, if it is about a lock. */
    std::optional<domain::LockKey> keyOf(const BarRow &row) const;
    /** A cell's typed value, see BarColumn. */
    QVariant value(const BarRow &row, int column) const;

private:
    int rows() const override { return int(m_rows.size()); }
    Chart m_chart;
    QList<BarRow> m_rows;
};

} // namespace lockkeeper::app::timeline
