// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"

class QLineEdit;

namespace lockkeeper::app::views {

/**
 * Shows the error in a line's text right below the line, over the widgets there, so that nothing in the
 * window moves when the error comes or goes. GUI thread.
 */
class FieldError : public PlainLabel
{
    Q_OBJECT

public:
    /** Neither is owned; destroyed with `field`. */
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
