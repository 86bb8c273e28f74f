// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/filter_line.h"

#include "app/presentation/time_format.h"
#include "app/state/replica.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/filter_help.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/query_words.h"
#include "shared/base/clock.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

FilterLine::FilterLine(const ConsoleContext &context, state::QueryScope scope, QWidget *parent)
    : QWidget(parent), m_context(context), m_error(new PlainLabel)
{
    const auto parse = [context, scope](const QString &text) {
        const QTimeZone zone = context.times->zone() == presentation::Zone::Local
                                   ? QTimeZone::systemTimeZone()
                                   : QTimeZone::utc();
        return state::parseQuery(text, scope, {context.clock->wallUs(), zone},
                                 state::beginsNameOf(context.replica->locks()));
    };
    const auto complete = [context, scope](const QString &text, qsizetype cursor) {
        return state::complete(text, cursor, scope, context.replica->locks(),
                               [](const domain::LockState &) { return state::LockContext{}; });
    };
    m_edit = new FilterEdit(context.theme, parse, complete);
    m_error->hide();
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_edit, 1);
    row->addWidget(new FilterHelp(scope));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_error);
    setFocusProxy(m_edit);
    connect(m_edit, &FilterEdit::applied, this, &FilterLine::applied);
    connect(m_edit, &FilterEdit::errorChanged, this, &FilterLine::showError);
}

void FilterLine::showError()
{
    m_error->setVisible(m_edit->error().has_value());
    if (m_edit->error())
        m_error->setText(QueryWords::error(*m_edit->error()));
}

} // namespace lockkeeper::app::views
