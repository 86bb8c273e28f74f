// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QAbstractItemView;
class QMenu;
class QWidget;

namespace lockkeeper::tests {

/**
 * The words of a page for a comparison with a golden file: a line for each visible widget with words, in the
 * order of the layouts, whatever the widgets' size and class. A line has the widget's kind, its name, its
 * text, and the state, the accessible name and the tool tip if there are any. A table adds its titles and
 * first rows. GUI thread.
 */
class WidgetWords
{
public:
    static QStringList of(const QWidget *page);
    /** The entries with their shortcuts, also those of submenus. */
    static QStringList ofMenu(const QMenu *menu);
    /** Opens the context menu of the first row as the mouse does, closes it, and returns its entries. */
    static QStringList ofContextMenu(QAbstractItemView *table);

private:
    void add(const QWidget *widget);
    void addLine(const QString &kind, const QWidget *widget, const QString &text);
    void addRows(const QAbstractItemView *view);
    static QString kindOf(const QWidget *widget);
    static QString textOf(const QWidget *widget);
    static QList<QWidget *> partsOf(const QWidget *widget);

    QStringList m_lines;
};

} // namespace lockkeeper::tests
