// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/presentation/lock_formatter.h"
#include "app/presentation/theme.h"

#include <QStyledItemDelegate>

namespace lockkeeper::app::views {

/** Paints a lock's cells: badge, TTL bar, text elided in the middle. Backgrounds and marks are the table's.
 */
class LockDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    static constexpr int kPad = 8;
    static constexpr int kBarPad = 4;    ///< less than a text's: "01:59:56" has to fit beside the bar
    static constexpr int kBarWidth = 52; ///< less in a narrow column, so that the text has its room
    static constexpr int kBarHeight = 5;

    /** Nothing is owned. */
    LockDelegate(const models::LocksProxy *proxy, const presentation::Theme *theme,
                 const presentation::LockFormatter *formatter, QObject *parent = nullptr);

    void setRowHeight(int height) { m_rowHeight = height; }
    int rowHeight() const { return m_rowHeight; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

    /** The share of the lease that is left, 0 to 1; empty where no bar is drawn (unknown, no expiry). */
    static std::optional<double> barShare(const models::LockRow &row, qint64 nowUs);

private:
    static int barWidth(const QRect &cell);
    void paintBar(QPainter *painter, const QRect &cell, double share, bool selected) const;
    /** Paints an icon of *Alive* or *Release*. Returns the room that is left for the word. */
    QRect paintVerdict(QPainter *painter, const QStyleOptionViewItem &option, const QRect &text,
                       const QString &icon) const;
    void paintText(QPainter *painter, const QStyleOptionViewItem &option, const QRect &rect,
                   const QModelIndex &index, const models::LockRow &row) const;

    const models::LocksProxy *m_proxy;
    const presentation::Theme *m_theme;
    const presentation::LockFormatter *m_formatter;
    int m_rowHeight = 24;
};

} // namespace lockkeeper::app::views
