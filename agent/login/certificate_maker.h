// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"

namespace lockkeeper::agent::login {

/**
 * Writes a certificate that vouches for itself, for ten years and for these host names or addresses, and its
 * key (P-256, mode 0600). Neither file may be there. Valid from two days ago, for clients whose clock is
 * behind. Yields its fingerprint.
 */
base::Result<QString> makeCertificate(const config::Tls &tls, const QStringList &hosts);

/** The fingerprint of the certificate that [tls] names, as text. */
base::Result<QString> fingerprintOfServer(const config::Tls &tls);

} // namespace lockkeeper::agent::login
