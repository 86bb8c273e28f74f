// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::login {

inline constexpr qsizetype kLongestPassword = 1'024; ///< bytes

/** Argon2id with 64 MiB and three passes, as text with its salt. Takes about 0.1 s of a processor. */
base::Result<QByteArray> hashPassword(const QByteArray &password);

/** Takes as long where it is wrong. Reentrant. */
bool verifyPassword(const QByteArray &hash, const QByteArray &password);

/** Text that verifyPassword() can take. */
bool isPasswordHash(const QByteArray &text);

/** Of no password at all; costs as much to verify: nobody learns by the time who is a user. */
QByteArray decoyHash();

} // namespace lockkeeper::agent::login
