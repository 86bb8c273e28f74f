// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QSslCertificate;

namespace lockkeeper::agent::login {

/** The user that a client's certificate names: its common name, or else its first e-mail address, DNS name or
 * URI. Empty if that is no valid user name. */
QString userOf(const QSslCertificate &certificate);

} // namespace lockkeeper::agent::login
