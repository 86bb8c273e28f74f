// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/views/widgets/console_context.h"

#include <QWidget>

namespace lockkeeper::app::views {

class FilterEdit;

/** A filter of one scope with its "?". Times in it are in the zone that
 * is shown. GUI thread. */
class FilterLine : public QWidget
{
    Q_OBJECT

public:
    FilterLine(const ConsoleContext &context, filter::QueryScope scope, QWidget *parent = nullptr);

    FilterEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void applied(const lockkeeper::app::filter::Query &query);

private:
    FilterEdit *m_edit;
};

} // namespace lockkeeper::app::views
