// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/page_rows.h"

namespace lockkeeper::stores::sql {

base::Result<std::unique_ptr<PageRows>> openStreamedRows(Connection &connection, const Statement &statement)
{
    Q_UNUSED(connection)
    Q_UNUSED(statement)
    return nullptr;
}

} // namespace lockkeeper::stores::sql
