// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/filter_line.h"

#include "app/replica/replica.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_help.h"
#include "app/words/time_format.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

FilterLine::FilterLine(const ConsoleContext &context, filter::QueryScope scope, QWidget *parent)
    : QWidget(parent)
{
    const auto parse = [context, scope](const QString &text) {
        return filter::parseQuery(text, scope, {context.nowUs(), context.times->timeZone()},
                                  filter::beginsNameOf(context.replica->locks()));
    };
    const auto complete = [context, scope](const QString &text, qsizetype cursor) {
        return filter::complete(text, cursor, scope, context.replica->locks(),
                                [](const domain::LockState &) { return replica::LockContext{}; });
    };
    m_edit = new FilterEdit(context.theme, parse, complete);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_edit, 1);
    row->addWidget(new FilterHelp(scope));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addLayout(row);
    setFocusProxy(m_edit);
    connect(m_edit, &FilterEdit::applied, this, &FilterLine::applied);
    connect(context.replica, &replica::Replica::reset, m_edit, &FilterEdit::retry);
    connect(context.replica, &replica::Replica::missed, m_edit, &FilterEdit::retry);
}

} // namespace lockkeeper::app::views
