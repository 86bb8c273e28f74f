// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"

class QLineEdit;

namespace lockkeeper::app::views {

/**
 * Shows the error in a line's text below the line, over the widgets there, so that nothing in the window
 * moves when the error comes or goes. GUI thread.
 */
class FieldError : public PlainLabel
{
    Q_OBJECT

public:
    /** Neither is owned; destroyed with `field`. */
    FieldError(const presentation::Theme *theme, QLineEdit *field);

    /** Keeps `hint` in sight: the error is shown below it. `hint` isn't owned and outlives the error. */
    void setBelow(QWidget *hint);
    /** Empty: nothing is wrong. */
    void tell(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void recolour();

    const presentation::Theme *m_theme;
    QLineEdit *m_field;
    QWidget *m_above; ///< the error is right below it
};

} // namespace lockkeeper::app::views
