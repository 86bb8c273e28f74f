// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QDialog>

class QLineEdit;

namespace lockkeeper::app::views {

class FieldError;

/** Asks for a past time, in the filters' syntax and the displayed zone. GUI thread. */
class PastDialog : public QDialog
{
    Q_OBJECT

public:
    /** `us`: the time that is shown already; 0: none. */
    PastDialog(const ConsoleContext &context, qint64 us, QWidget *parent);

    void accept() override;
    QLineEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void chosen(qint64 us);

private:
    ConsoleContext m_context;
    QLineEdit *m_edit;
    FieldError *m_error;
};

} // namespace lockkeeper::app::views
