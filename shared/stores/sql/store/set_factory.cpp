// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/set_factory.h"

#include "shared/base/text.h"
#include "shared/stores/sql/sessions/session_set.h"
#include "shared/stores/sql/sets/mapped_table.h"

namespace lockkeeper::stores::sql {

base::Result<std::unique_ptr<SetReader>> openSet(const SetContext &context)
{
    const QByteArray &scheme = context.lockSet().scheme;
    if (protocolOf(scheme))
        return MappedTable::open(context);
    if (isSessionScheme(scheme))
        return SessionSet::open(context);
    return base::failure(base::ErrorCode::Unsupported,
                         QStringLiteral("the scheme \"%1\" isn't known here").arg(base::displayText(scheme)));
}

} // namespace lockkeeper::stores::sql
