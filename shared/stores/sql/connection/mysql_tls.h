// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QHash>
#include <QString>

struct st_mysql;

namespace lockkeeper::stores::sql {

/**
 * Encrypted connections to MySQL and MariaDB that prove whose server it is. Qt 6.4's driver has no option for
 * that, but its client library takes connection handlers: one of ours is made known to it, and a host name
 * that names the handler carries what to check. A driver that is built on another client library doesn't know
 * such a host, and doesn't connect.
 */
namespace mysqltls {

/** SourceSpec::tls: "ca", "cert", "key" (files), "verify" ("full", the default, or "off"). */
using Settings = QHash<QString, QString>;

/** What the driver is to take for the host. */
QString driverHost(const QString &host, const Settings &settings);

/** Makes the handler known to the client library. Before each open of a driver, which has to exist already:
 * the library forgets it with its last connection. Any thread. */
base::Result<void> install();

/** The same for a connection of libmariadb's own: encrypted, or not at all. */
void apply(st_mysql *connection, const Settings &settings);

} // namespace mysqltls
} // namespace lockkeeper::stores::sql
