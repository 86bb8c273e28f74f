// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QAbstractItemView;

namespace lockkeeper::app::views {

/**
 * A label for text that may come from a store: always plain, never taken for markup, selectable by mouse and
 * keyboard where asked for.
 */
class PlainLabel : public QLabel
{
    Q_OBJECT

public:
    explicit PlainLabel(const QString &text = {}, QWidget *parent = nullptr);

    void setSelectable(bool selectable);
    void setBold();
    /** In the palette's muted ink; follows the theme. */
    void setMuted(bool muted);
};

/** One line that is shortened in its middle where it doesn't fit; the whole text is in the tooltip. */
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString &text = {}, QWidget *parent = nullptr);

    void setText(const QString &text);
    QString text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
};

/**
 * Aligns two labels, side by side at the top of their row, on one base line: Han is drawn in a font with
 * higher lines than Latin. Call it again when a text changes.
 */
void alignBases(PlainLabel *left, PlainLabel *right);

/** Keeps the space of a hidden widget, so that its neighbours don't move. */
void keepSpace(QWidget *widget);

/** A tooltip's text made safe: Qt takes a tooltip that looks like markup for rich text. */
QString plainToolTip(const QString &text);

/** Shows the tool tip of the cell that `event` (a view's viewport event) is about, as plain text. False: the
 * event asks for no tool tip. */
bool showPlainToolTip(const QAbstractItemView *view, const QEvent *event);

} // namespace lockkeeper::app::views
