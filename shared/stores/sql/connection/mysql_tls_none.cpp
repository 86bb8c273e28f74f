// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/mysql_tls.h"

namespace lockkeeper::stores::sql::mysqltls {

bool isBuilt()
{
    return false;
}

QString driverHost(const QString &host, const Settings &)
{
    return host;
}

base::Result<void> install()
{
    return base::failure(base::ErrorCode::Unsupported,
                         QStringLiteral("this build can't encrypt connections to MySQL"),
                         QStringLiteral("Build it with the package libmariadb-dev."));
}

void apply(st_mysql *, const Settings &) {}

} // namespace lockkeeper::stores::sql::mysqltls
