// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/bars_model.h"

#include <array>

namespace lockkeeper::app::timeline {

namespace {
constexpr std::array<const char *, BarColumnCount> kBarColumns{"lane",   "kind", "who",      "from",  "to",
                                                               "length", "end",  "renewals", "source"};

QVariant instant(const std::optional<qint64> &us)
{
    return us ? QVariant(*us) : QVariant();
}

QVariant lengthOf(qint64 from, const std::optional<qint64> &to)
{
    return to ? QVariant(*to - from) : QVariant();
}
} // namespace

BarsModel::BarsModel(QObject *parent) : RawModel(kBarColumns, parent) {}

void BarsModel::show(const Chart &chart, const TimeRange &range, const SeenUntil &seen)
{
    const auto inRange = [&range](const TimeRange &span) {
        return span.fromUs < range.toUs && span.toUs >= range.fromUs;
    };
    QList<BarRow> rows;
    for (qsizetype lane = 0; lane < chart.lanes.size(); ++lane) {
        const protocol::TimelineLane &one = chart.lanes.at(lane);
        for (qsizetype i = 0; i < one.holds.size(); ++i) {
            if (inRange(spanOf(one.holds.at(i), seen)))
                rows.append({BarKind::Hold, lane, i});
        }
        for (qsizetype i = 0; i < one.waits.size(); ++i) {
            if (inRange(spanOf(one.waits.at(i), seen)))
                rows.append({BarKind::Wait, lane, i});
        }
        for (qsizetype i = 0; i < one.slices.size(); ++i) {
            if (inRange({one.slices.at(i).fromUs, one.slices.at(i).fromUs + chart.sliceUs}))
                rows.append({BarKind::Slice, lane, i});
        }
    }
    for (qsizetype i = 0; i < chart.gaps.size(); ++i) {
        if (inRange(spanOf(chart.gaps.at(i), seen)))
            rows.append({BarKind::Gap, -1, i});
    }
    if (rows == m_rows && chart == m_chart)
        return;
    beginResetModel();
    m_chart = chart;
    m_rows = rows;
    endResetModel();
}

const BarRow *BarsModel::at(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_rows.at(row) : nullptr;
}

const protocol::Hold *BarsModel::hold(const BarRow &row) const
{
    return row.kind == BarKind::Hold ? &m_chart.lanes.at(row.lane).holds.at(row.index) : nullptr;
}

const protocol::Wait *BarsModel::wait(const BarRow &row) const
{
    return row.kind == BarKind::Wait ? &m_chart.lanes.at(row.lane).waits.at(row.index) : nullptr;
}

const protocol::TimelineSlice *BarsModel::slice(const BarRow &row) const
{
    return row.kind == BarKind::Slice ? &m_chart.lanes.at(row.lane).slices.at(row.index) : nullptr;
}

const protocol::TimelineGap *BarsModel::gap(const BarRow &row) const
{
    return row.kind == BarKind::Gap ? &m_chart.gaps.at(row.index) : nullptr;
}

std::optional<domain::LockKey> BarsModel::keyOf(const BarRow &row) const
{
    if (const protocol::Hold *one = hold(row))
        return one->key;
    if (const protocol::Wait *one = wait(row))
        return one->key;
    return row.lane >= 0 ? m_chart.lanes.at(row.lane).key : std::nullopt;
}

QVariant BarsModel::value(const BarRow &row, int column) const
{
    const protocol::TimelineLane *lane = row.lane >= 0 ? &m_chart.lanes.at(row.lane) : nullptr;
    if (column == BarKindColumn)
        return int(row.kind);
    if (column == BarSourceColumn)
        return lane ? sourceOf(*lane) : gap(row)->source;
    if (column == BarLaneColumn)
        return lane ? QVariant(lane->key ? lane->key->name : lane->holder) : QVariant();
    qint64 from = 0;
    std::optional<qint64> to;
    QVariant who;
    QByteArray end;
    QVariant renewals;
    if (const protocol::Hold *one = hold(row)) {
        from = one->fromUs;
        to = one->toUs;
        end = one->end;
        renewals = int(one->renewals);
        who = one->ownerKnown ? QVariant(one->owner) : QVariant();
    } else if (const protocol::Wait *wait = this->wait(row)) {
        from = wait->fromUs;
        to = wait->toUs;
        who = wait->waiter;
    } else if (const protocol::TimelineSlice *slice = this->slice(row)) {
        from = slice->fromUs;
        to = from + m_chart.sliceUs;
    } else if (const protocol::TimelineGap *gap = this->gap(row)) {
        from = gap->fromUs;
        to = gap->toUs;
    }
    switch (column) {
    case BarWhoColumn:
        return who;
    case BarFromColumn:
        return from;
    case BarToColumn:
        return instant(to);
    case BarLengthColumn:
        return lengthOf(from, to);
    case BarEndColumn:
        return end;
    case BarRenewalsColumn:
        return renewals;
    default:
        return {};
    }
}

} // namespace lockkeeper::app::timeline
