// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/scroll_anchor.h"

#include <QScrollBar>
#include <QTreeView>

#include <algorithm>

namespace lockkeeper::app::views {

void ScrollAnchor::remember()
{
    m_rows.clear();
    m_atTop = m_view->verticalScrollBar()->value() == 0;
    if (m_atTop)
        return;
    const int bottom = m_view->viewport()->height();
    for (QModelIndex index = m_view->indexAt(QPoint(0, 0)); index.isValid();
         index = m_view->indexBelow(index)) {
        const int y = m_view->visualRect(index).top();
        if (y >= bottom)
            break;
        m_rows.append({index, y});
    }
}

void ScrollAnchor::restore()
{
    QScrollBar *bar = m_view->verticalScrollBar();
    if (m_atTop) {
        bar->setValue(0);
        return;
    }
    QList<int> moves; // in rows
    for (const AnchorRow &row : std::as_const(m_rows)) {
        const QRect place = m_view->visualRect(row.index);
        if (place.height() > 0)
            moves.append((place.top() - row.y) / place.height());
    }
    m_rows.clear();
    if (moves.isEmpty())
        return;
    std::sort(moves.begin(), moves.end());
    bar->setValue(bar->value() + moves.at(moves.size() / 2));
}

} // namespace lockkeeper::app::views
