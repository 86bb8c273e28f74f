// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/tray.h"

#include <QEvent>
#include <QMenu>
#include <QSystemTrayIcon>
#include <QWidget>

#include <utility>

namespace lockkeeper::app::views {

Tray::Tray(QWidget *window) : QObject(window), m_window(window)
{
    window->installEventFilter(this);
}

QString Tray::notificationText(const QString &text)
{
#ifdef Q_OS_LINUX
    return text.toHtmlEscaped();
#else
    return text;
#endif
}

void Tray::build()
{
    m_icon = new QSystemTrayIcon(m_window->windowIcon(), this);
    m_menu = new QMenu(m_window);
    connect(m_menu->addAction(QString()), &QAction::triggered, this, &Tray::bringForward);
    connect(m_menu->addAction(QString()), &QAction::triggered, m_window, &QWidget::close);
    m_icon->setContextMenu(m_menu);
    connect(m_icon, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger)
            bringForward();
    });
    connect(m_icon, &QSystemTrayIcon::messageClicked, this, [this] {
        bringForward();
        if (m_clicked)
            m_clicked();
    });
    retranslate();
}

void Tray::retranslate()
{
    m_icon->setToolTip(tr("Lockkeeper"));
    m_menu->actions().at(0)->setText(tr("Show Lockkeeper"));
    m_menu->actions().at(1)->setText(tr("Quit"));
}

void Tray::setShown(bool shown)
{
    if (shown && !m_icon && QSystemTrayIcon::isSystemTrayAvailable())
        build();
    if (m_icon)
        m_icon->setVisible(shown);
}

void Tray::notify(const QString &title, const QString &text, std::function<void()> clicked)
{
    setShown(true);
    if (!m_icon)
        return;
    m_clicked = std::move(clicked);
    m_icon->showMessage(title, notificationText(text), m_window->windowIcon());
}

void Tray::bringForward()
{
    m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

bool Tray::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_window && event->type() == QEvent::LanguageChange && m_icon)
        retranslate();
    return QObject::eventFilter(watched, event);
}

} // namespace lockkeeper::app::views
