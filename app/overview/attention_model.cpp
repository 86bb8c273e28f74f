// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/attention_model.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::overview {

namespace {
constexpr std::array<const char *, AttentionColumnCount> kNames{"state", "lock", "where",  "why",
                                                                "since", "for",  "waiting"};
}

AttentionModel::AttentionModel(QObject *parent) : RawModel(kNames, parent) {}

const Attention *AttentionModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows.at(row).lock : nullptr;
}

bool AttentionModel::isSettled(int row) const
{
    return row >= 0 && row < rowCount() && m_rows.at(row).settled;
}

int AttentionModel::rowOf(const domain::LockKey &key) const
{
    const auto it = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                 [&key](const AttentionRow &row) { return row.lock.lock.key == key; });
    return it == m_rows.cend() ? -1 : int(it - m_rows.cbegin());
}

void AttentionModel::arrange(const QList<Attention> &locks)
{
    const auto wanted = [&locks](const domain::LockKey &key) {
        return std::any_of(locks.cbegin(), locks.cend(),
                           [&key](const Attention &one) { return one.lock.key == key; });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (wanted(m_rows.at(row).lock.lock.key))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.removeAt(row);
        endRemoveRows();
    }
    for (int row = 0; row < locks.size(); ++row) {
        const int before = rowOf(locks.at(row).lock.key);
        if (before < 0) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, {locks.at(row), false});
            endInsertRows();
        } else if (before != row) {
            beginMoveRows({}, before, before, {}, row); // upwards: the rows above are in place
            m_rows.move(before, row);
            endMoveRows();
        }
    }
}

void AttentionModel::revalue(const Find &find)
{
    for (AttentionRow &row : m_rows) {
        auto now = find(row.lock.lock.key);
        row.settled = !now;
        if (now)
            row.lock = std::move(*now);
    }
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, AttentionColumnCount - 1));
}

} // namespace lockkeeper::app::overview
