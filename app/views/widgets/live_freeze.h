// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace lockkeeper::app::views {

/**
 * Reports when the order and membership of a table must not change: while a button is down, a menu,
 * completion or dialog is open, or text is selected. Also for 2 s after keyboard or wheel use in the window.
 * Rows never move under a hand. GUI thread; watches the whole application's events.
 */
class LiveFreeze : public QObject
{
    Q_OBJECT

public:
    static constexpr int kQuietMs = 2000;

    /** `area`: the widget whose window's keyboard and wheel count. */
    explicit LiveFreeze(QWidget *area);
    ~LiveFreeze() override;

    bool isFrozen() const { return m_frozen; }

Q_SIGNALS:
    void frozenChanged(bool frozen);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void evaluate();
    bool inWindow(QObject *watched) const;

    QWidget *m_area;
    QTimer m_quiet;
    QTimer m_later;
    int m_buttons = 0;
    bool m_frozen = false;
};

} // namespace lockkeeper::app::views
