// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/notify/attention_news.h"
#include "app/views/widgets/console_context.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace lockkeeper::app::views {

/**
 * Words the news about locks and sources of agents that fire no alerts, and hands them to the desktop. GUI
 * thread.
 */
class AttentionWatch : public QObject
{
    Q_OBJECT

public:
    /** Shows a desktop notification: title, plain text, and the action of a click. */
    using Notify = std::function<void(const QString &, const QString &, std::function<void()>)>;

    AttentionWatch(const ConsoleContext &context, Notify notify, QObject *parent = nullptr);

    /** Shows the notifications that are due. A timer calls it each second. */
    void check();

private:
    void take(const QList<events::LockEvent> &events);
    QString textOf(const QList<TroubleItem> &items) const;
    QString titleOf(const QList<TroubleItem> &items) const;
    void open(const QList<TroubleItem> &items);

    ConsoleContext m_context;
    Notify m_notify;
    AttentionNews m_news;
    QTimer m_second;
};

} // namespace lockkeeper::app::views
