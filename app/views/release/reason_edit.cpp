// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/reason_edit.h"

#include <QKeyEvent>

namespace lockkeeper::app::views {

void ReasonEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QLineEdit::keyPressEvent(event);
        return;
    }
    if (m_next && m_next->isVisible() && m_next->isEnabled())
        m_next->setFocus(Qt::TabFocusReason);
    event->accept(); // the dialog would press its default button
}

} // namespace lockkeeper::app::views
