// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/views/widgets/translated.h"

#include <QToolButton>

namespace lockkeeper::app::views {

/** The "?" beside a filter: opens a page with the filter's syntax, its fields and examples. GUI thread. */
class FilterHelp : public Translated<QToolButton>
{
    Q_OBJECT

public:
    explicit FilterHelp(filter::QueryScope scope, QWidget *parent = nullptr);

    /** Opens a separate window, not modal: the user can read and type. */
    void open();

private:
    void retranslate() final;

    filter::QueryScope m_scope;
};

} // namespace lockkeeper::app::views
