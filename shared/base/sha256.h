// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::base {

/**
 * SHA-256 (FIPS 180-4), 32 bytes, by OpenSSL: on the few dozen bytes that name a lock six times as fast as
 * QCryptographicHash. Thread-safe. Ends the process where OpenSSL was configured without it.
 */
QByteArray sha256(QByteArrayView bytes);

} // namespace lockkeeper::base
