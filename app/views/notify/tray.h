// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QMenu;
class QSystemTrayIcon;
class QWidget;

namespace lockkeeper::app::views {

/**
 * The icon in the desktop's tray, which desktop notifications come from. Without a tray nothing happens. The
 * window comes to the front only after a click. GUI thread.
 */
class Tray : public QObject
{
    Q_OBJECT

public:
    /** `window` owns this. */
    explicit Tray(QWidget *window);

    /** Shows the icon, if the desktop has a tray. */
    void setShown(bool shown);
    /** Both texts are plain. `clicked` runs after the window came to the front, for the last one only. */
    void notify(const QString &title, const QString &text, std::function<void()> clicked = {});
    /**
     * The text as the desktop reads it. Linux desktops read it as markup
     * (https://specifications.freedesktop.org/notification-spec/latest/markup.html).
     */
    static QString notificationText(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void retranslate();
    void bringForward();

    QWidget *m_window;
    QSystemTrayIcon *m_icon = nullptr;
    QMenu *m_menu = nullptr;
    std::function<void()> m_clicked;
};

} // namespace lockkeeper::app::views
