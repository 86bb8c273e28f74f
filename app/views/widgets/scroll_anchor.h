// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPersistentModelIndex>

class QTreeView;

namespace lockkeeper::app::views {

/**
 * Keeps the visible rows of a scrolled tree in place while rows come, go and move. Follows the median of
 * their moves, so that no single row that leaves or climbs takes the view along. At the very top new rows
 * come into sight. For rows of one height, scrolled by rows. GUI thread.
 */
class ScrollAnchor
{
public:
    /** Not owned. */
    explicit ScrollAnchor(QTreeView *view) : m_view(view) {}

    void remember(); ///< before the rows change
    void restore();  ///< once the view has laid them out again

private:
    struct AnchorRow
    {
        QPersistentModelIndex index;
        int y = 0;
    };

    QTreeView *m_view;
    QList<AnchorRow> m_rows; ///< in sight; empty at the very top
    bool m_atTop = true;
};

} // namespace lockkeeper::app::views
