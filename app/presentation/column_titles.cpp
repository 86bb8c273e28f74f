// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/column_titles.h"

#include "app/words/time_format.h"
#include "shared/base/clock.h"

namespace lockkeeper::app::presentation {

QVariant titleOf(std::span<const ColumnTitle> titles, int column, int role, Translate translate,
                 const words::TimeFormat *times)
{
    if (column < 0 || size_t(column) >= titles.size())
        return {};
    const ColumnTitle &title = titles[size_t(column)];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | title.side);
    if (role != Qt::DisplayRole)
        return {};
    const QString text = translate(title.text, nullptr, -1);
    return title.zoned && times ? text.arg(times->zoneText(base::SystemClock().wallUs())) : text;
}

} // namespace lockkeeper::app::presentation
