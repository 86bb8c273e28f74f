// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include <functional>

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * A few lines with the same columns; each line opens something. The list is as high when empty as when full.
 */
class LineList : public QWidget
{
    Q_OBJECT

public:
    struct LineColumn
    {
        int width = 0; ///< px at most, as its longest text needs; 0: the remaining width
        Qt::Alignment alignment = Qt::AlignLeft;
    };
    struct ListLine
    {
        QStringList cells;
        QString sentence; ///< read aloud, and the tool tip
        std::function<void()> open;
    };

    LineList(const QList<LineColumn> &columns, int lines, QWidget *parent = nullptr);

    /** Takes the height of so many lines, at most all. */
    void shrinkTo(int lines);
    void show(const QList<ListLine> &lines);
    /** Why there are no lines. */
    void showNothing(const QString &why);
    /** The lines that are shown. */
    QList<QAbstractButton *> lines() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    class LineButton;
    QList<int> widthsOf(const QList<ListLine> &lines) const;

    QList<LineColumn> m_columns;
    QList<LineButton *> m_buttons;
    PlainLabel *m_why;
};

} // namespace lockkeeper::app::views
