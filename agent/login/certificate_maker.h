// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"

namespace lockkeeper::agent::login {

/**
 * Writes a self-signed certificate for these host names or addresses, and its key (P-256, mode 0600). Neither
 * file may exist. The certificate is valid for ten years, beginning two days ago for clients whose clock is
 * behind. Returns its fingerprint.
 */
base::Result<QString> makeCertificate(const config::TlsSettings &tls, const QStringList &hosts);

/** The fingerprint of the certificate that [tls] names, as text. */
base::Result<QString> fingerprintOfServer(const config::TlsSettings &tls);

} // namespace lockkeeper::agent::login
