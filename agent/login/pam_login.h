// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace lockkeeper::agent::login {

/**
 * Lets PAM verify a name and a password in a separate process (lockkeeper-pam, beside the agent's program): a
 * PAM module that hangs, crashes or leaks affects only that process. `service`: the name of a file in
 * /etc/pam.d, or an absolute path. The answer comes later, within 8 s; anything but a clean yes means no.
 */
void verifyByPam(const QString &service, const QString &user, const QByteArray &password, QObject *context,
                 std::function<void(bool)> done);

} // namespace lockkeeper::agent::login
