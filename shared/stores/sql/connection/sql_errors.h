// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/sql/connection/dialect.h"

class QSqlError;

namespace lockkeeper::stores::sql {

/** The error for a number of MySQL or its client library. `text` is the server's message. */
base::Error errorOf(int number, const QString &text);

/** The same for a Qt error. */
base::Error errorOf(const QSqlError &error, Dialect dialect);

/**
 * True where MySQL's number means that the server itself rejected and undid the statement; false where the
 * reply may have been lost after the work was done.
 */
bool isServerRefusal(int number);
bool isServerRefusal(const QSqlError &error, Dialect dialect);

/** True where an insert failed because its key exists already. */
bool isDuplicateKey(const QSqlError &error, Dialect dialect);

/** True where the connection can't be used any more. */
bool isLinkLost(base::ErrorCode code);

} // namespace lockkeeper::stores::sql
