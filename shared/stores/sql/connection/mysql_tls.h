// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QHash>
#include <QString>

struct st_mysql;

namespace lockkeeper::stores::sql {

/**
 * Encrypted connections to MySQL and MariaDB that verify the server's identity. Qt 6.4's driver has no option
 * for that, but its client library accepts connection handlers. install() registers ours. A special host name
 * then names the handler and carries the settings. A driver built on another client library doesn't know such
 * a host, and doesn't connect.
 */
namespace mysqltls {

/** SourceSpec::tls: "ca", "cert", "key" (files), "verify" ("full", the default, or "off"). */
using Settings = QHash<QString, QString>;

/** The host name to pass to the driver: it names the handler and carries the settings. */
QString driverHost(const QString &host, const Settings &settings);

/** Registers the handler with the client library. Call it before each open of a driver, which must exist
 * already: the library drops the handler with its last connection. Any thread. */
base::Result<void> install();

/** The same for a plain libmariadb connection: it is encrypted, or refused. */
void apply(st_mysql *connection, const Settings &settings);

} // namespace mysqltls
} // namespace lockkeeper::stores::sql
