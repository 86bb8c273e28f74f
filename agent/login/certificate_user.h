// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QSslCertificate;

namespace lockkeeper::agent::login {

/** Whom a client's certificate names: its common name, else its first e-mail address, DNS name or URI. Empty
 * where that is no user's name. */
QString userOf(const QSslCertificate &certificate);

} // namespace lockkeeper::agent::login
