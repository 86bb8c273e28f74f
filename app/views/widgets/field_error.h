// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"

class QLineEdit;

namespace lockkeeper::app::views {

/**
 * What is wrong with the text of a line, right below it and over what stands there: nothing in the window
 * moves when it comes or goes. GUI thread.
 */
class FieldError : public PlainLabel
{
    Q_OBJECT

public:
    /** Neither is owned; goes with `field`. */
    FieldError(const presentation::Theme *theme, QLineEdit *field);

    /** Empty: nothing is wrong. */
    void tell(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void recolour();

    const presentation::Theme *m_theme;
    QLineEdit *m_field;
};

} // namespace lockkeeper::app::views
