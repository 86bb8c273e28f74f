// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/live_freeze.h"

#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QWidget>
#include <QWindow>

namespace lockkeeper::app::views {

LiveFreeze::LiveFreeze(QWidget *area) : QObject(area), m_area(area)
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMs);
    connect(&m_quiet, &QTimer::timeout, this, &LiveFreeze::evaluate);
    // Evaluate after an event was handled: then its effects (a popup shown, text selected) are in place.
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &LiveFreeze::evaluate);
    qApp->installEventFilter(this);
}

LiveFreeze::~LiveFreeze() = default;

bool LiveFreeze::inWindow(QObject *watched) const
{
    const auto *widget = qobject_cast<const QWidget *>(watched);
    return widget && widget->window() == m_area->window();
}

bool LiveFreeze::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        if (inWindow(watched)) {
            m_buttons = int(static_cast<QMouseEvent *>(event)->buttons());
            evaluate();
        }
        break;
    case QEvent::MouseButtonRelease:
        if (watched->isWidgetType()) {
            m_buttons = int(static_cast<QMouseEvent *>(event)->buttons());
            m_later.start();
        }
        break;
    case QEvent::KeyPress:
    case QEvent::Wheel:
        if (inWindow(watched)) {
            m_quiet.start();
            evaluate();
        }
        break;
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        if (watched->isWidgetType())
            m_later.start();
        break;
    case QEvent::WindowDeactivate:
        m_buttons = 0; // the release may have gone to another window
        m_later.start();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void LiveFreeze::evaluate()
{
    const auto *edit = qobject_cast<const QLineEdit *>(QApplication::focusWidget());
    const bool textSelected = edit && edit->window() == m_area->window() && edit->hasSelectedText();
    const bool frozen = m_buttons != 0 || m_quiet.isActive() ||
                        QApplication::activePopupWidget() != nullptr ||
                        QApplication::activeModalWidget() != nullptr || textSelected;
    if (frozen == m_frozen)
        return;
    m_frozen = frozen;
    Q_EMIT frozenChanged(frozen);
}

} // namespace lockkeeper::app::views
