// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/notify/alert_news.h"
#include "app/views/widgets/console_context.h"

#include <QCoreApplication>
#include <QObject>
#include <QTimer>

#include <functional>

namespace lockkeeper::app::views {

/** Words the alerts that have fired, and hands them to the desktop. A click opens the gravest. GUI thread. */
class AlertWatch : public QObject
{
    Q_OBJECT

public:
    /** Shows a desktop notification: title, plain text, and the action of a click. */
    using Notify = std::function<void(const QString &, const QString &, std::function<void()>)>;

    AlertWatch(const ConsoleContext &context, Notify notify, QObject *parent = nullptr);

    /** Shows the notifications that are due. A timer calls it each second. */
    void check();

private:
    void dropTaken();
    QString titleOf(const QList<FiredAlert> &alerts) const;
    QString textOf(const QList<FiredAlert> &alerts) const;

    ConsoleContext m_context;
    Notify m_notify;
    AlertNews m_news;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
