// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace lockkeeper::app::views {

/**
 * A line of a force-release dialog. Enter moves to the next line and never presses a button, so that it
 * releases nothing and discards no typed text. GUI thread.
 */
class ReasonEdit : public QLineEdit
{
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

    /** The line that Enter goes to; not owned. Null: the focus stays. */
    void setNext(QLineEdit *next) { m_next = next; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QLineEdit *m_next = nullptr;
};

} // namespace lockkeeper::app::views
