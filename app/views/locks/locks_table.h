// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"
#include "app/presentation/lock_formatter.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/scroll_anchor.h"

#include <QTreeView>

namespace lockkeeper::app::views {

class LockDelegate;

/**
 * The table of locks. Paints tints, marks of change and group rows; keeps the visible rows in place when
 * rows move. The proxy's list is flat, so a row's number is its position. GUI thread.
 */
class LocksTable : public QTreeView
{
    Q_OBJECT

public:
    /** Nothing is owned. */
    LocksTable(models::LocksProxy *proxy, const presentation::Theme *theme,
               const presentation::LockFormatter *formatter, QWidget *parent = nullptr);

    void setRowHeight(int height);
    void setMarks(bool rowMarks, bool tints);

Q_SIGNALS:
    void activatedLock(const lockkeeper::domain::LockKey &key);
    void menuAsked(const QPoint &globalPos);
    void resized();
    /** The model is about to move rows, and has moved them. */
    void aboutToRearrange();
    void rearranged();

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                 const QModelIndex &index) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    /** Tool tips show the store's text as it is, never as markup. */
    bool viewportEvent(QEvent *event) override;
    /**
     * Handles only rows in sight: the view would walk all others, cell by cell, and find nothing to paint.
     */
    void dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                     const QList<int> &roles) override;

private:
    void setUpHeader();
    void rememberAnchor();
    void restoreAnchor();
    void drawGroup(QPainter *painter, const QStyleOptionViewItem &option,
                   const models::LockGroup &group) const;
    void toggleGroup(int row);

    models::LocksProxy *m_proxy;
    const presentation::Theme *m_theme;
    LockDelegate *m_delegate;
    ScrollAnchor m_anchor;
    bool m_rearranging = false;
    bool m_rowMarks = true;
    bool m_tints = true;
};

} // namespace lockkeeper::app::views
