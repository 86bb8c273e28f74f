// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/sql/connection/dialect.h"

#include <QStringList>

namespace lockkeeper::stores::sql {

/**
 * Rejects a text that can't be a table's or column's name: empty, longer than 64 characters, with a backtick,
 * NUL or another control character, or with a space at its end. `what` ("table", "column expires_at")
 * begins the message. A name that passes must still be in the catalogue before any SQL names it.
 */
base::Result<void> checkIdentifier(const QString &name, const QString &what);

/**
 * The identifier in the dialect's quotes (backticks for MySQL), embedded quotes doubled. Qt's own
 * escapeIdentifier() doesn't double them.
 */
QString quotedIdentifier(const QString &name, Dialect dialect = Dialect::MySql);

/** The same where quoting is needed, the bare name otherwise: for statements that people read. */
QString readableIdentifier(const QString &name, Dialect dialect = Dialect::MySql);

/** Turns `lk@10.0.0.%`, as CURRENT_USER() returns it, into an account name for a GRANT: 'lk'@'10.0.0.%'. */
QString quotedAccount(const QString &currentUser);

} // namespace lockkeeper::stores::sql
