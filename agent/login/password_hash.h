// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::agent::login {

inline constexpr qsizetype kLongestPassword = 1'024; ///< bytes

/** Argon2id with 64 MiB and three passes, as text with its salt. Takes about 0.1 s of a processor. */
base::Result<QByteArray> hashPassword(const QByteArray &password);

/** Takes equally long for a wrong password. Reentrant. */
bool verifyPassword(const QByteArray &hash, const QByteArray &password);

/** Whether verifyPassword() can use this text. */
bool isPasswordHash(const QByteArray &text);

/** A hash that no password matches. It costs as much to verify, so that timing doesn't reveal which users
 * exist. */
QByteArray decoyHash();

} // namespace lockkeeper::agent::login
