// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"

#include <QCoreApplication>

namespace lockkeeper::app::views {

/** Words the error in a filter as a sentence. Also used by the history's filter. */
class QueryWords
{
    Q_DECLARE_TR_FUNCTIONS(QueryWords)

public:
    static QString error(const filter::QueryError &error);
};

} // namespace lockkeeper::app::views
