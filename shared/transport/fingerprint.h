// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

class QSslCertificate;

namespace lockkeeper::transport {

/** SHA-256 of a certificate: 32 bytes that people compare. */
QByteArray fingerprintOf(const QSslCertificate &certificate);

/** "SHA256:" and base64 without padding, as ssh writes it. */
QString fingerprintText(const QByteArray &fingerprint);

/** The inverse; also takes the 64 hex digits, with or without colons, that openssl prints. */
base::Result<QByteArray> parseFingerprint(const QString &text);

} // namespace lockkeeper::transport
