// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/query.h"
#include "app/views/widgets/console_context.h"

#include <QWidget>

namespace lockkeeper::app::views {

class FilterEdit;
class PlainLabel;

/** A filter of one scope with its "?" and, below it, what is wrong with it. Times in it are in the zone that
 * is shown. GUI thread. */
class FilterLine : public QWidget
{
    Q_OBJECT

public:
    FilterLine(const ConsoleContext &context, state::QueryScope scope, QWidget *parent = nullptr);

    FilterEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void applied(const lockkeeper::app::state::Query &query);

private:
    void showError();

    ConsoleContext m_context;
    FilterEdit *m_edit;
    PlainLabel *m_error;
};

} // namespace lockkeeper::app::views
