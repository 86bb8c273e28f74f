// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QByteArray>

namespace lockkeeper::agent::hub {

/**
 * The error for a SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), or for one of
 * the hub's own, which begin with LK (0002_writing.sql). `message` and `hint` are the server's.
 */
base::Error pgError(const QByteArray &state, const QByteArray &message, const QByteArray &hint = {});

/** The error for libpq's message about a failed login, in its verbose form. */
base::Error pgConnectError(const QByteArray &message);

} // namespace lockkeeper::agent::hub
