// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::base {

/**
 * SHA-256 (FIPS 180-4), 32 bytes. Uses OpenSSL, which is six times as fast as QCryptographicHash for the few
 * dozen bytes of a lock's name. Thread-safe. Ends the process if OpenSSL was configured without SHA-256.
 */
QByteArray sha256(QByteArrayView bytes);

} // namespace lockkeeper::base
