// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/chains_model.h"
#include "app/presentation/theme.h"
#include "app/settings/settings.h"
#include "app/views/widgets/scroll_anchor.h"

#include <QSet>
#include <QTreeView>

namespace lockkeeper::app::views {

/**
 * The tree of chains. Every row is unfolded unless the operator folded it; the tree remembers folded rows by
 * transaction. The selection follows its connection, and the visible rows stay in place. GUI thread.
 */
class ChainsTree : public QTreeView
{
    Q_OBJECT

public:
    /** Neither is owned. */
    ChainsTree(models::ChainsModel *model, const presentation::Theme *theme, QWidget *parent = nullptr);

    void setRowHeight(int height);
    /** Marks each row as one of a past moment. */
    void setPast(bool past) { m_past = past; }
    /** Columns for a window of this width. */
    void fit(int windowWidth);
    settings::ColumnSettings columns() const;
    void restore(const settings::ColumnSettings &kept);
    /** Restores the columns' order and widths, and the order of the rows, as at a first start. */
    void resetColumns();
    /** The chosen row; null: none. */
    const models::ChainRow *chosen() const;
    void choose(const QByteArray &key);

Q_SIGNALS:
    /** The operator chose another row or none, or the chosen row is gone. */
    void chosenChanged();
    void menuAsked(const QPoint &globalPos);
    /** The operator changed the columns or their order, which are to be kept. */
    void columnsEdited();
    /** The statements' column appeared or disappeared with the available width. */
    void statementRoomChanged();

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                 const QModelIndex &index) const override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUpHeader();
    void drawRemark(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                    const models::ChainRow &row) const;
    void beforeRearranging();
    void afterRearranging();
    void unfold(const QModelIndex &parent, QSet<QByteArray> &seen);
    void noteCurrent(const QModelIndex &index);

    models::ChainsModel *m_model;
    const presentation::Theme *m_theme;
    QSet<QByteArray> m_folded; ///< by the rows' keys
    QByteArray m_chosen;
    ScrollAnchor m_anchor;
    int m_windowWidth = 1280;
    int m_widened = -1; ///< the column that gets the spare width without a statement column
    int m_widenedBy = 0;
    bool m_fitting = false;
    bool m_busy = false;
    bool m_past = false;
};

} // namespace lockkeeper::app::views
